#!/usr/bin/env python3
"""Makes docs/user/language.md of language.txt, and holds each entry against its tests.

Without an argument: fails where an entry has no test, where a test is not there or does not use the
entry's name (of a rule: does not name its section), and where the page is not what the table says.
--write writes the page.
"""
import pathlib
import re
import sys
import textwrap

ROOT = pathlib.Path(__file__).resolve().parents[1]
TABLE = ROOT / "test/language.txt"
PAGE = ROOT / "docs/user/language.md"
HEAD = """# The language, entry by entry

Every entry of CUDA Tile C++ by the sections of NVIDIA's reference, how it works here, and a test of
it. `test/language.txt` is the table, `test/language.py` makes this page and fails where an entry
has no test that uses it. Tests of `test/run` and `test/probes` compute, and agree on a CPU, under
the emulator and on a GPU; those of `test/header` hold each form of a function, and each that must
not compile, against NVIDIA's compiler. Rules are named by their section, which their tests have in
a comment as `[tile:section]`.
"""
RULES = "Rules: "


def read(text):
    """Sections: a title, and lines (name, tests, remark)."""
    sections = []
    for line in text.splitlines():
        if not line or line.startswith("#"):
            continue
        if line.startswith("["):
            sections.append((line[1:-1], []))
            continue
        name, _, rest = line.rpartition(": ") if line.startswith("- ") else line.partition(": ")
        tests, _, remark = rest.partition(" | ")
        sections[-1][1].append((name, tests.split(), remark))
    return sections


def uses(name, text):
    """Does a program use the name, outside of comments?"""
    text = re.sub(r"//.*", "", text)
    if name.startswith("operator"):
        symbol = re.escape(name.removeprefix("operator"))
        return re.search(rf"(?<![-+*/%&|^<>=!]){symbol}(?![=<>&|])", text)
    if name.startswith("_ic"):
        return re.search(r"\d_ic\b", text)
    return re.search(rf"(?<!\w){re.escape(name)}\b", text)


def program(path):
    """The text of a program with the headers beside it that it includes, and theirs."""
    text = path.read_text()
    headers = [path.parent / name for name in re.findall(r'#include "([\w.]+)"', text)]
    return "".join([text, *(program(header) for header in headers if header.is_file())])


def fault(title, name, tests):
    if not tests:
        return "no test"
    for test in tests:
        path = ROOT / test
        if not path.is_file():
            return f"{test} is not there"
        if title.startswith(RULES):
            if f"[tile:{name}]" not in path.read_text():
                return f"{test} does not name the section"
        elif not name.startswith("- ") and not uses(name, program(path)):
            return f"{test} does not use it"
    return ""


def unknown_sections(sections):
    """Sections that the tests of rules name and the table does not."""
    known = set()
    for title, entries in sections:
        if title.startswith(RULES):
            known.update(name for name, _, _ in entries)
    for path in [*ROOT.glob("test/run/rules_*.cu"), ROOT / "test/header/bad-rules.cu"]:
        for name in re.findall(r"\[tile:(\w+)\]", path.read_text()):
            if name not in known:
                yield f"{path.name}: [tile:{name}] is no rule of {TABLE.name}"


def page(sections):
    text = HEAD
    wrapped = textwrap.TextWrapper(
        100, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False
    )
    for title, entries in sections:
        text += f"\n## {title}\n\n"
        if all(name.startswith("- ") for name, _, _ in entries):
            for name, tests, _ in entries:
                line = f"{name} ({', '.join(f'`{test}`' for test in tests)})"
                text += "\n".join(wrapped.wrap(line)) + "\n"
            continue
        text += "| entry | state | tests |\n|---|---|---|\n"
        for name, tests, remark in entries:
            name = name.replace("|", "\\|")
            text += f"| `{name}` | {remark or 'works'} | {', '.join(tests)} |\n"
    return text


def main():
    sections = read(TABLE.read_text())
    failed = count = 0
    for title, entries in sections:
        for name, tests, _ in entries:
            count += 1
            if wrong := fault(title, name, tests):
                failed += 1
                print(f"{title}: {name}: {wrong}")
    for wrong in unknown_sections(sections):
        failed += 1
        print(wrong)
    if "--write" in sys.argv[1:]:
        PAGE.write_text(page(sections))
    elif not PAGE.is_file() or PAGE.read_text() != page(sections):
        failed += 1
        print(f"{PAGE.name} is not what {TABLE.name} says: run language.py --write")
    print(f"{count} entries, {failed} faults")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
