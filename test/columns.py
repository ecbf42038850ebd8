#!/usr/bin/env python3
"""No line is longer than 100 columns, and C++ stands as clang-format puts it.

Left out is what a reader does not wrap: lines with RUN, CHECK, another prefix of FileCheck's or
expected-error, drawings (columns lined up by three or more spaces), tables and code of documents,
textual IR, the probes, which are as they were tried on NVIDIA's compiler, and the kernels whose
lines the corpus of bytecode knows. Prints what breaks the rule.
"""
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
SUFFIXES = {".cpp", ".h", ".cuh", ".cu", ".td", ".def", ".py", ".sh", ".md", ".cmake"}
LEFT_OUT = re.compile(
    r"(RUN|CHECK[A-Z-]*|expected-\w+)[^ ]*:|expected-error|\S {3,}\S|^\||^// [A-Z]+(-[A-Z]+)*: "
)
FORMATTED = re.compile(r"(plugin/.*\.(cpp|h)|runtime/.*\.(cpp|h|cuh)|test/.*\.(cpp|h))$")


def tracked():
    names = subprocess.check_output(["git", "ls-files"], cwd=ROOT, text=True).split("\n")
    return [name for name in names if name and (ROOT / name).is_file()]


def is_read(name):
    path = pathlib.PurePath(name)
    if name.startswith(("test/probes/accept", "test/probes/reject")):
        return False
    if name == "test/tileir/kernels.py":  # the corpus knows its lines
        return False
    return path.suffix in SUFFIXES or path.name == "CMakeLists.txt"


def long_lines(name):
    is_code = False
    for number, line in enumerate((ROOT / name).read_text().split("\n"), 1):
        is_code ^= name.endswith(".md") and line.startswith("```")
        if len(line) > 100 and not is_code and not LEFT_OUT.search(line):
            yield f"{name}:{number}: {len(line)} columns"


def badly_formatted(names):
    program = shutil.which("clang-format-22") or "/usr/lib/llvm-22/bin/clang-format"
    command = [program, "--dry-run", *names]
    report = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stderr
    for file in sorted(set(re.findall(r"^(\S+?):\d+:\d+: warning", report, re.M))):
        yield f"{file}: not as clang-format puts it"


def main():
    names = tracked()
    wrong = [line for name in names if is_read(name) for line in long_lines(name)]
    wrong += badly_formatted([name for name in names if FORMATTED.match(name)])
    for line in wrong:
        print(line)
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
