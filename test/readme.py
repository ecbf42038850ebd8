#!/usr/bin/env python3
"""The README's code is what the project has: a block behind `<!-- FILE -->` stands in the file,
one behind `<!-- tessera FILE -->` in what tessera prints for it. #line directives and white
space do not count.

usage: readme.py [--tessera PROGRAM]
"""

import argparse
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
BLOCK = re.compile(r"<!-- (tessera )?(\S+) -->\n```cpp\n(.*?)```", re.S)


def words(text):
    return " ".join(
        line for line in text.splitlines() if not line.lstrip().startswith("#line")
    ).split()


def contains(text, part):
    return " ".join(words(part)) in " ".join(words(text))


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--tessera", default=ROOT / "build/bin/tessera")
    options = parser.parse_args()
    failed = 0
    for is_emitted, name, block in BLOCK.findall((ROOT / "README.md").read_text()):
        if is_emitted:
            text = subprocess.run(
                [options.tessera, ROOT / name, "-o", "-"],
                check=True,
                capture_output=True,
                text=True,
            ).stdout
        else:
            text = (ROOT / name).read_text()
        if not contains(text, block):
            failed += 1
            print(
                f"README.md: the code of '{is_emitted}{name}' is out of date; it begins with\n"
                + block.splitlines()[0]
            )
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
