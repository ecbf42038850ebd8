#!/usr/bin/env python3
"""Compiles the texts of a folder that gpu.py made, where they are not compiled, runs them on the
GPU and compares with what the CPU printed.

usage: gpu_run.py [FOLDER] [--jobs N] [--minutes M] [--dump]

Prints a line for each kernel that differs, does not compile, fails or takes too long, then
'N passed, N failed'. Needs Python, nvcc (unless everything is compiled) and a GPU.
"""

import argparse
import concurrent.futures
import os
import pathlib
import re
import shutil
import subprocess
import sys
import time

NVCC = shutil.which("nvcc") or "/usr/local/cuda/bin/nvcc"
FLAGS = "-std=c++20 -w -O1 -cudart shared -gencode arch=compute_90a,code=sm_90a".split()


def compile_one(folder, text):
    """What is wrong, or nothing."""
    program = folder / "programs" / text.stem
    if program.exists():
        return ""
    program.parent.mkdir(exist_ok=True)
    words = [NVCC, *FLAGS, f"-I{folder}/include", text, "-o", program]
    try:
        process = subprocess.run(
            words, capture_output=True, text=True, errors="replace", timeout=900
        )
    except subprocess.TimeoutExpired:
        return "nvcc takes more than 900 seconds"
    if process.returncode == 0:
        return ""
    errors = re.findall(r".*error.*", process.stdout + process.stderr)
    return "\n".join(errors[:20]) or "nvcc failed"


def compile_all(folder, jobs):
    texts = sorted((folder / "texts").glob("*.cu"))
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        for text, wrong in zip(texts, pool.map(lambda t: compile_one(folder, t), texts)):
            if wrong:
                failed += 1
                print(f"FAIL {text.stem}: does not compile:\n{wrong}", flush=True)
    return failed != 0


def lines_of(output):
    """{kernel: its lines}"""
    result = {}
    for line in output.splitlines():
        if len(line.split(" ")) > 1:
            result.setdefault(line.split(" ")[0], []).append(line)
    return result


def agree(first, second):
    """Whether two kernels' lines say the same; values behind a tolerance are near each other."""
    return len(first) == len(second) and all(map(is_equal, first, second))


def is_equal(first, second):
    if first == second:
        return True
    a, b = first.split(" "), second.split(" ")
    if len(a) != len(b) or a[:3] != b[:3] or len(a) < 3 or not a[2].startswith("~"):
        return False
    tolerance = float(a[2][1:])
    for x, y in zip(map(float, a[3:]), map(float, b[3:])):
        if x != y and not abs(x - y) <= tolerance * max(1, abs(x)) and not (x != x and y != y):
            return False
    return True


def run_one(folder, text, seconds=60):
    """(number of kernels, [what is wrong])"""
    expected = lines_of((folder / "expected" / f"{text.stem}.out").read_text())
    program, left, wrong = folder / "programs" / text.stem, list(expected), []
    while left:
        try:
            process = subprocess.run(
                [program, *left], capture_output=True, text=True, timeout=seconds
            )
            got, end = (
                lines_of(process.stdout),
                f"status {process.returncode}: {process.stdout[-80:]!r}",
            )
        except subprocess.TimeoutExpired as expired:
            got, end = lines_of((expired.stdout or b"").decode()), "no answer"
        for kernel in left:
            if f"{kernel} done" not in got.get(kernel, []):
                wrong.append(f"{kernel}: {end}")
                left = left[left.index(kernel) + 1 :]
                break
            if not agree(expected[kernel], got[kernel]):
                wrong.append(f"{kernel}: {got[kernel]} should be {expected[kernel]}")
        else:
            if not end.startswith("status 0:"):
                wrong.append(f"{left[-1]}: {end} after the last kernel")
            left = []
    return len(expected), wrong


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    here = pathlib.Path(__file__).resolve().parent
    parser.add_argument("folder", nargs="?", type=pathlib.Path, default=here)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--minutes", type=float, default=0, help="start no file after this time")
    options = parser.parse_args()
    folder, start = options.folder.resolve(), time.time()
    texts = sorted((folder / "texts").glob("*.cu"))

    def one(text):
        if options.minutes and time.time() - start > 60 * options.minutes:
            return 0, []
        wrong = compile_one(folder, text)
        if wrong:
            count = len(lines_of((folder / "expected" / f"{text.stem}.out").read_text()))
            return count, [f"does not compile ({count} kernels):\n{wrong}"] * count
        return run_one(folder, text)

    passed = failed = 0
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for text, (count, wrong) in zip(texts, pool.map(one, texts)):
            failed += len(wrong)
            passed += count - len(wrong)
            for line in dict.fromkeys(wrong):
                print(f"FAIL {text.stem} {line}", flush=True)
    print(f"{passed} passed, {failed} failed")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
