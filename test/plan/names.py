#!/usr/bin/env python3
"""A pass has one name: SplitAccumulators is made in SplitAccumulators.cpp, called
tile-split-accumulators, and tested in test/plan/split-accumulators.mlir.

usage: names.py
Prints a line for each name that differs, and then 'N passed, N failed'.
"""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
TABLE = ROOT / "plugin/plan/Passes.td"


def dashed(name):
    return re.sub(r"(?<!^)(?=[A-Z])", "-", name).lower()


def main():
    passes = re.findall(r'def (\w+) : Pass<"([\w-]+)"', TABLE.read_text())
    tests = {path.stem for path in (ROOT / "test/plan").glob("*.mlir")}
    failed = 0
    for name, argument in passes:
        own = dashed(name)
        wrong = []
        if argument != f"tile-{own}":
            wrong.append(f"is called {argument}, not tile-{own}")
        if not any(TABLE.parent.glob(f"*/{name}.cpp")):
            wrong.append(f"is not made in {name}.cpp")
        if not any(test == own or test.startswith(f"{own}-") for test in tests):
            wrong.append(f"has no test {own}.mlir")
        for what in wrong:
            print(f"FAIL {TABLE.relative_to(ROOT)}: {name} {what}")
        failed += bool(wrong)
    print(f"{len(passes) - failed} passed, {failed} failed")
    return failed > 0 or not passes


if __name__ == "__main__":
    sys.exit(main())
