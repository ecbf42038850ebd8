#!/usr/bin/env python3
"""Each row of the tables of diagnostics has a test: some file under test/ expects its text.

Arguments (%0, %select{a|b}0) and what FileCheck writes for them match anything. Prints the rows
without a test, then 'N passed, N failed'.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.append(str(ROOT / "test/mistakes"))
import run as mistakes  # noqa: E402  (the folder above)

TABLES = ["plugin/Refusals.def", "plugin/check/Diagnostics.def", "plugin/diagnose/Sentences.def"]
ROW = re.compile(r'^TESSERA_\w+\((\w+),((?:[^"]|"[^"]*")*?)\)$', re.M)
STRING = re.compile(r'"([^"]*)"')
HOLE = re.compile(r"%select\{[^}]*\}\d|%\d")
EXPECTS = re.compile(r"CHECK|expected-|^// [A-Z]+: ")
TELLING = 3  # words in a row tell a text


def expectations():
    """The lines of all tests that expect something."""
    lines = []
    for path in (ROOT / "test").rglob("*"):
        if path.suffix in {".cu", ".mlir", ".test"} and "probes" not in path.parts:
            lines += expectations_of(path)
    for path in (ROOT / "test/mistakes").glob("**/*.cu"):
        lines += [plain(message.text) for message in mistakes.read(path)[1]]
    return lines


def expectations_of(path):
    text = path.read_text(errors="replace")
    return [plain(line) for line in text.split("\n") if EXPECTS.search(line)]


def plain(text):
    return " ".join(re.sub("[;,{}]", " ", text).split())


def is_tested(text, lines):
    """Does a test's line hold some words in a row of the text, or all of a short one?"""
    runs = [plain(part).split() for part in HOLE.split(text)]
    length = min(TELLING, max(map(len, runs)))
    phrases = [
        " ".join(words[at : at + length])
        for words in runs
        for at in range(len(words) - length + 1)
    ]
    return any(phrase in line for phrase in phrases for line in lines)


def main():
    lines, passed, failed = expectations(), 0, 0
    for table in TABLES:
        for name, row in ROW.findall((ROOT / table).read_text()):
            text = "".join(STRING.findall(row)[1:])
            if is_tested(text, lines):
                passed += 1
            else:
                failed += 1
                print(f"FAIL {table}: {name} has no test: {text}")
    print(f"{passed} passed, {failed} failed")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
