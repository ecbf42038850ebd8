#!/usr/bin/env python3
"""Makes docs/user/diagnostics.md of the tables of diagnostics and of the pairs of test/mistakes.

Without an argument: fails where two rows have one code, where a row has no pair of a wrong and a
right line (test/mistakes/run.py compiles both), and where the page is not what tables and pairs
say. --write writes the page. Prints 'N passed, N failed'.
"""
import pathlib
import re
import sys
import textwrap

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "test"), str(ROOT / "test/mistakes")]
import refusals  # noqa: E402  (the folder above)
import commands  # noqa: E402  (the folder of mistakes)
import projects  # noqa: E402  (the same)
import run as mistakes  # noqa: E402  (the same)

PAGE = ROOT / "docs/user/diagnostics.md"
TABLES = [
    "plugin/check/Diagnostics.def",
    "plugin/diagnose/Sentences.def",
    "plugin/support/Refusals.def",
]
ROW = re.compile(r'^TESSERA_\w+\((\w+),((?:[^"]|"[^"]*")*?)\)$', re.M)
STRING = re.compile(r'"([^"]*)"')
CODE = re.compile(r" \[tile:(\w+)/([\w-]+)\]$")
HEAD = """# What Tessera says, code by code

Every message about a program ends with its code, `[tile:section/code]`: a section of the language
and a name that stays. Here is each with a program line that gets it and the line that was meant;
names, types and numbers in the text are those of the example. `test/diagnostics.py` makes this page
of the tables (`plugin/check/Diagnostics.def`, `plugin/diagnose/Sentences.def`,
`plugin/support/Refusals.def`) and of `test/mistakes`, where both lines are compiled. At the end are
those about command lines, projects and editors (`test/mistakes/commands.py` and `projects.py` run
both lines).
"""
# Tables about command lines, projects and editors: their pairs, what the lines are in, and the
# section's head.
OTHERS = {
    refusals.MESSAGES: (commands.COMMANDS, "sh", "## Command lines"),
    "cmake/TesseraMessages.cmake": (projects.CMAKE, "cmake", "## Projects for CMake"),
    "plugin/clangd/tessera-clangd.sh": (projects.EDITORS, "sh", "## Editors"),
}
# Rows without a pair of lines: why, and the test, which must expect the row's text.
EXEMPT = {
    "standard": ("of an option", "test/driver/standard.cu"),
    "one-of-two-targets": ("of a command line", "test/driver/handover.cu"),
    "shared-memory": (
        "of a plan that no program is known to need",
        "test/plan/fit-shared-memory.mlir",
    ),
}


def code_of(row):
    return re.sub(r"(?<!^)([A-Z])", r"-\1", row).lower()


def rows():
    """(code, section, text, table) of each row that is no note."""
    for table in TABLES:
        for name, rest in ROW.findall((ROOT / table).read_text()):
            section, *text = STRING.findall(rest)
            if section and not re.match(r"\s*Note,", rest):
                yield code_of(name), section, "".join(text), table


def pairs():
    """By code: the message, the wrong line, the right line; a line that is right comes first."""
    found = {}
    for path in sorted((ROOT / "test/mistakes").glob("**/*.cu")):
        if path.parent.name == "valid":
            continue
        code, messages, fixes, rights = mistakes.read(path)
        for one in messages:
            tag = CODE.search(one.text)
            right = fixes.get(one.line, rights.get(one.line))
            if tag and right is not None and tag[2] not in found:
                text = one.text[: tag.start()]
                found[tag[2]] = (text, code[one.line].strip(), right)
    return found


def paragraph(code, section, text, pair):
    head = f"### {code}\n\n`[tile:{section}/{code}]`"
    if not pair:
        why, test = EXEMPT.get(code, ("", ""))
        shown = re.sub(r"%select\{([^}]*)\}\d", lambda m: m[1].split("|")[0], text)
        shown = re.sub("%[0-9]", "...", shown)
        none = filled(f"No pair of lines: {why} (`{test}`).")
        return f"{wrapped(head, escaped(shown))}\n\n{none}"
    said, wrong, right = pair
    said = re.sub(r"\.cu:\*", ".cu:1", said)
    lines = f"```cpp\n// wrong\n{wrong}\n// right\n{right}\n```"
    return f"{wrapped(head, escaped(said))}\n\n{lines}"


def wrapped(head, text):
    title, tag = head.split("\n\n")
    return f"{title}\n\n{filled(f'{tag} {text}')}"


def filled(text):
    return textwrap.fill(text, 100, break_long_words=False, break_on_hyphens=False)


def escaped(text):
    return re.sub(r"([*_<|\[\]])", r"\\\1", text)


def page(found):
    sections = {}
    for code, section, text, _ in rows():
        sections.setdefault(section, []).append(paragraph(code, section, text, found.get(code)))
    parts = [HEAD]
    for section in sorted(sections):
        title = "literals" if section == "_ic" else section.replace("_", " ")
        parts += [f"## {title.capitalize()}\n"]
        parts += [f"{one}\n" for one in sections[section]]
    for own, language, head in OTHERS.values():
        parts += [f"{head}\n", *(f"{shown(pair, language)}\n" for pair in own)]
    return "\n".join(parts)


def shown(pair, language):
    lines = f"```{language}\n# wrong\n{pair.wrong}\n# right\n{pair.right}\n```"
    return f"### {code_of(pair.row).replace('_', '-')}\n\n{filled(escaped(pair.said))}\n\n{lines}"


def rows_of_others():
    """(table, row, has it a pair, or a reason why not?) of each row that is not about programs."""
    for table, (own, *_) in OTHERS.items():
        row_of = refusals.OTHERS.get(table, refusals.ROW)
        for row, _ in row_of.findall((ROOT / table).read_text()):
            yield table, row, row in commands.EXEMPT or any(pair.row == row for pair in own)


def failures(found):
    codes = [code for code, *_ in rows()]
    for code in sorted({code for code in codes if codes.count(code) > 1}):
        yield f"two rows have the code {code}"
    for code, _, text, table in rows():
        if code in EXEMPT:
            lines = refusals.expectations_of(ROOT / EXEMPT[code][1])
            if not refusals.is_tested(text, lines):
                yield f"{table}: {code}: {EXEMPT[code][1]} does not expect: {text}"
        elif code not in found:
            yield f"{table}: {code} has no pair in test/mistakes: {text}"
    for table, row, has_pair in rows_of_others():
        if not has_pair:
            yield f"{table}: {row} has no pair in test/mistakes"
    for code in sorted(EXEMPT.keys() & found.keys()):
        yield f"{code} has a pair and needs no exemption"
    if not PAGE.exists() or PAGE.read_text() != page(found):
        yield "docs/user/diagnostics.md is not what the tables say; run test/diagnostics.py --write"


def main():
    found = pairs()
    if "--write" in sys.argv[1:]:
        PAGE.write_text(page(found))
    wrong = list(failures(found))
    for line in wrong:
        print("FAIL", line)
    count = len(list(rows())) + len(list(rows_of_others())) + 1
    print(f"{count - len(wrong)} passed, {len(wrong)} failed")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
