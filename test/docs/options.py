#!/usr/bin/env python3
"""Every option of all entry points (plugin/driver/CommonOptions.def) is in docs/user/nvcc.md.

usage: options.py
Prints a line for each that is not, and last 'N passed, N failed'.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]


def main():
    table = (ROOT / "plugin/driver/CommonOptions.def").read_text()
    page = (ROOT / "docs/user/nvcc.md").read_text()
    names = re.findall(r"^TESSERA_COMMON_(?:FLAG|VALUE)\((\w+),", table, re.M)
    missing = [name for name in names if not re.search(rf"^\| `--{name}\b", page, re.M)]
    for name in missing:
        print(f"FAIL docs/user/nvcc.md has no row for --{name}")
    print(f"{len(names) - len(missing)} passed, {len(missing)} failed")
    return bool(missing) or not names


if __name__ == "__main__":
    sys.exit(main())
