#!/usr/bin/env python3
"""The version in runtime/include/tessera/version.h, which the build and the tools read, also stands
where Python's tools look for it: pyproject.toml and python/tessera/__init__.py. The newest release
in CHANGELOG.md has it, too.

Prints the places that differ, then 'N passed, N failed'.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
HEADER = "runtime/include/tessera/version.h"
PLACES = {
    "pyproject.toml": r'^version = "(.*)"$',
    "python/tessera/__init__.py": r'^__version__ = "(.*)"$',
    "CHANGELOG.md": r"^## (\d+\.\d+)",
}


def found(file, pattern):
    match = re.search(pattern, (ROOT / file).read_text(), re.M)
    return match.group(1) if match else "no version"


def main():
    version = found(HEADER, r'_STRING "(.*)"$')
    parts = [found(HEADER, rf"_{part} (\d+)$") for part in ("MAJOR", "MINOR")]
    places = {HEADER: ".".join(parts)} | {file: found(file, PLACES[file]) for file in PLACES}
    wrong = {file: has for file, has in places.items() if has != version}
    for file, has in wrong.items():
        print(f"{file}: {has}, but {HEADER} says {version}")
    print(f"{len(places) - len(wrong)} passed, {len(wrong)} failed")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
