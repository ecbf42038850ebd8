#!/usr/bin/env python3
"""Makes docs/internals/passes.md of plugin/plan/Passes.td, Plan.cpp and the phases.

mlir-tblgen says what each pass is (-gen-pass-doc), Plan.cpp the order of the phases, and *Phase.cpp
of a folder that of its passes and, in the comment in front of a pass, the reason for its position.
Without an argument: fails where a pass has no description, where a position is not found, and where
the page is not what they say. --write writes the page.

usage: page.py [--tblgen PROGRAM] [--include FOLDER] [--write]
"""
import argparse
import pathlib
import re
import shutil
import subprocess
import sys
import textwrap

ROOT = pathlib.Path(__file__).resolve().parents[2]
TABLE = ROOT / "plugin/plan/Passes.td"
PLAN = ROOT / "plugin/plan/Plan.cpp"
PHASES = sorted(TABLE.parent.glob("*/*Phase.cpp"))
PAGE = ROOT / "docs/internals/passes.md"
TOOLS = pathlib.Path("/usr/lib/llvm-22")
HEAD = """# The passes of the plan

In the order in which they run: `plugin/plan/Plan.cpp` has the phases, `*Phase.cpp` in the folder of
a phase its passes. `plugin/plan/Passes.td` says what each pass does, and
`test/plan/page.py --write` makes this page of them. A pass `tile-verb-noun` is `VerbNoun` in a file
`VerbNoun.cpp` below `plugin/plan`, whose head says what it may rely on and what it leaves to other
passes; its cases are in `test/plan/verb-noun*.mlir`.

`tessera-opt --tile-verb-noun x.mlir` runs one pass on tile IR,
`tessera --dump-after=tile-verb-noun x.cu` shows the IR after it. tile-check-bounds and
tile-check-numbers run with `--check` alone; tile-coarsen-blocks and tile-swizzle-blocks run without
it. tile-fit-shared-memory runs the passes whose entries say so inside of it.

"""


def documented(program, include):
    """name -> (summary, description, options) by -gen-pass-doc"""
    command = [program, "-gen-pass-doc", TABLE, "-I", include]
    text = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    found = {}
    for part in re.split(r"^### ", text, flags=re.M)[1:]:
        title, _, rest = part.partition("\n")
        body, _, options = rest.partition("#### Options")
        summary, _, description = body.strip().partition("\n\n")
        summary = summary.strip("_ \n")
        if not summary[1:2].isupper():
            summary = summary[:1].lower() + summary[1:]
        found[title.strip("` -")] = summary, description.strip(), options.strip("` \n")
    return found


def dashed(name):
    return "tile-" + re.sub(r"(?<!^)(?=[A-Z])", "-", name).lower()


def positions():
    """(pass, the reason for its position, does it run inside of fit-shared-memory?), in order."""
    text = "".join(file.read_text() for file in [PLAN, *PHASES])
    functions = dict(re.findall(r"^void (\w+)\([^)]*\) \{\n(.*?)^\}", text, re.M | re.S))

    def passes(name):
        """The text of a function, with that of the phases that it adds."""
        return re.sub(
            r"^ +(add\w+)\((?:kernel|manager)\b.*$",
            lambda call: passes(call[1]) if call[1] in functions else call[0],
            functions[name],
            flags=re.M,
        )

    inner, outer = passes("buildSharedMemoryPasses"), passes("buildPipeline")
    order = {}
    for name, reason in reasons(outer):
        order.setdefault(name, (reason, False))
        if name == "tile-fit-shared-memory":
            for own, why in reasons(inner):
                order.setdefault(own, (why, True))
    return order


def reasons(text):
    """(pass, the comment in front of its addPass) in the order of the text"""
    comment = []
    for line in text.splitlines():
        stripped = line.strip()
        if stripped.startswith("//"):
            comment.append(stripped.removeprefix("//").strip())
        elif match := re.search(r"create([A-Z]\w+)\(", stripped):
            if match[1] not in ("CanonicalizerPass", "CSEPass"):
                yield dashed(match[1]), " ".join(comment)
            comment = []


def filled(text, **options):
    return textwrap.fill(
        " ".join(text.split()), 100, break_long_words=False, break_on_hyphens=False, **options
    )


def page(found, order):
    text = HEAD
    for name in [*order, *(name for name in found if name not in order)]:
        summary, description, options = found[name]
        before, _, after = summary.partition(" -> ")
        text += f"## {name}\n\n"
        for item in (f"- Before: {before}", f"- After: {after}"):
            text += filled(item, subsequent_indent="  ") + "\n"
        text += f"\n{filled(description)}\n\n"
        reason, is_inner = order.get(name, ("", False))
        if reason or is_inner:
            inside = "Inside of tile-fit-shared-memory. " if is_inner else ""
            text += filled(f"Order: {inside}{reason}") + "\n\n"
        if options:
            text += f"```\n{options}\n```\n\n"
    return text.rstrip("\n") + "\n"


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    program = shutil.which("mlir-tblgen-22") or TOOLS / "bin/mlir-tblgen"
    parser.add_argument("--tblgen", default=program)
    parser.add_argument("--include", default=TOOLS / "include")
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    found, order = documented(options.tblgen, options.include), positions()
    wrong = [f"{name} has no description" for name, (_, text, _) in found.items() if not text]
    wrong += [f"{name} of a phase is not in Passes.td" for name in order if name not in found]
    wrong += [f"{name} has no position in a phase" for name in found
              if name not in order and name != "tile-verify-plan"]
    if not wrong and options.write:
        PAGE.write_text(page(found, order))
    elif not wrong and (not PAGE.exists() or PAGE.read_text() != page(found, order)):
        wrong.append("docs/internals/passes.md is not what they say; run test/plan/page.py --write")
    for line in wrong:
        print("FAIL", line)
    print(f"{len(found) + 1 - len(wrong)} passed, {len(wrong)} failed")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
