#!/usr/bin/env python3
"""Each text that a user may see has a test: some file under test/ expects it.

The texts are the rows of the tables of diagnostics, those of Messages.def, which are about command
lines, those of the package for CMake and of the program that editors start, and the static_asserts
of the headers. Arguments (%0, %select{a|b}0, {0}, %s) and what FileCheck writes for them match
anything. Prints the texts without a test, then 'N passed, N failed'.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.append(str(ROOT / "test/mistakes"))
import run as mistakes  # noqa: E402  (the folder above)

TABLES = [
    "plugin/support/Refusals.def",
    "plugin/check/Diagnostics.def",
    "plugin/diagnose/Sentences.def",
]
ROW = re.compile(r'^TESSERA_\w+\((\w+),((?:[^"]|"[^"]*")*?)\)$', re.M)
MESSAGES = "plugin/support/Messages.def"
STRING = re.compile(r'"([^"]*)"')
# Tables of other languages: a file, and what a row of it is.
OTHERS = {
    "cmake/TesseraMessages.cmake": re.compile(r'^set\(_tessera_message_(\w+)\s+"(.*)"\)$', re.M),
    "plugin/driver/tessera-ptxas.sh": re.compile(r'^(\w+)="(\D.*)"$', re.M),
    "plugin/clangd/tessera-clangd.sh": re.compile(r'^(\w+)="(\D.*)"$', re.M),
    "python/cutile/launch.py": re.compile(r'^([A-Z_]+) = "(.*)"$', re.M),
}
HOLE = re.compile(r"%select\{[^}]*\}\d|%\d|\{\d\}|%s")
EXPECTS = re.compile(r"CHECK|expected-|^(// )?(?!RUN)[A-Z-]+: ")
TELLING = 3  # words in a row tell a text
MANY = 8  # and these of a sentence about command lines, many of which are alike
# Messages that no test can bring about, and why.
UNREACHED = {
    "NoToolkit": "a machine that runs the tests has a toolkit, where this build looks for it",
    "NoToolkitForCubin": "the same",
    "NoToolkitOfCompiler": "the same",
    "NoToolkitForLibrary": "the same; test/laptop.sh",
    "NoClangForLibrary": "Clang 22 is a part of the build; test/laptop.sh",
    "NoWayToCompile": "Clang says what is wrong with a command line; this is in case it does not",
}
HEADERS = "runtime/include"
ASSERTION = re.compile(r"\bstatic_assert\(")
# Where the headers' assertions are not about what a user writes, and why.
INNER = {
    "runtime/include/tessera": "what the emitter prints, and the emulator, keep to it",
    "runtime/include/tessera/tile/cpu": "what cuda_tile.h calls it with is checked there",
    "runtime/include/tessera/interop": "sizes that a compiler of another kind could break",
}


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


def is_tested_at_length(text, lines):
    """Does a test's line hold the longest part between two arguments, or its first words?"""
    longest = max((plain(part).strip(" '") for part in HOLE.split(text)), key=len)
    phrase = " ".join(longest.split()[:MANY])
    return any(phrase in line for line in lines)


def assertions(text):
    """The texts of the static_asserts of a header; empty for one without a text."""
    for start in ASSERTION.finditer(text):
        at, depth = start.end(), 1
        while depth:
            depth += {"(": 1, ")": -1}.get(text[at], 0)
            at += 1
        yield "".join(STRING.findall(text[start.end() : at]))


def is_inner(header):
    """Is a header's static_assert never about what a user writes?"""
    folder = str(header.relative_to(ROOT).parent)
    return folder in INNER or not folder.startswith("runtime/include/tessera/tile") and any(
        folder.startswith(one) for one in INNER
    )


def texts():
    """(what it is, text, test of it) of each text."""
    for table in TABLES:
        for name, row in ROW.findall((ROOT / table).read_text()):
            yield f"{table}: {name}", "".join(STRING.findall(row)[1:]), is_tested
    for name, row in ROW.findall((ROOT / MESSAGES).read_text()):
        if name not in UNREACHED:
            yield f"{MESSAGES}: {name}", "".join(STRING.findall(row)), is_tested_at_length
    for table, row in OTHERS.items():
        for name, text in row.findall((ROOT / table).read_text()):
            yield f"{table}: {name}", text, is_tested_at_length
    for header in sorted((ROOT / HEADERS).rglob("*.*h")):
        if not is_inner(header):
            for text in assertions(header.read_text()):
                yield str(header.relative_to(ROOT)), text, is_tested_at_length


def main():
    lines, passed, failed = expectations(), 0, 0
    for name, text, test in texts():
        if text and test(text, lines):
            passed += 1
        else:
            failed += 1
            print(f"FAIL {name} has no test: {text}")
    print(f"{passed} passed, {failed} failed")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
