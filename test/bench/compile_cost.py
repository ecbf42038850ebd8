#!/usr/bin/env python3
"""What the compiler costs: parse, check, raise, plan and emit of samples/matmul.cu against Clang's
own -fsyntax-only without the plugin.

usage: compile_cost.py [--build FOLDER] [FILE.cu]      Prints the fastest of five runs each,
their ratio, and the peak of memory.
"""

import argparse
import os
import pathlib
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
RUNS = 5


def cost(command):
    """Seconds and peak memory in MiB of one run."""
    start = time.monotonic()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    if status:
        sys.exit(f"failed: {' '.join(map(str, command))}")
    return time.monotonic() - start, usage.ru_maxrss / 1024


def cheapest(command):
    runs = [cost(command) for _ in range(RUNS)]
    return min(seconds for seconds, _ in runs), max(memory for _, memory in runs)


def cached(build, name):
    for line in (build / "CMakeCache.txt").read_text().splitlines():
        if line.startswith(name + ":"):
            return line.partition("=")[2]
    sys.exit(f"{build} has no {name}")


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    parser.add_argument("file", nargs="?", type=pathlib.Path, default=ROOT / "samples/matmul.cu")
    options = parser.parse_args()
    clang = [
        "clang++-22",
        "-fsyntax-only",
        "-x",
        "cuda",
        "-std=c++20",
        "--cuda-gpu-arch=sm_90a",
        f"--cuda-path={cached(options.build, 'TESSERA_CUDA_PATH')}",
    ]
    clang += [
        "-Wno-unknown-cuda-version",
        "-Wno-unknown-attributes",
        "-Wno-ignored-attributes",
        f"-I{ROOT}/runtime/include",
    ]
    rows = {
        "clang -fsyntax-only, device": cheapest([*clang, "--cuda-device-only", options.file]),
        "clang -fsyntax-only, device and host": cheapest([*clang, options.file]),
        "tessera, to text": cheapest([options.build / "bin/tessera", options.file, "-o", "-"]),
    }
    base = rows["clang -fsyntax-only, device and host"][0]
    for name, (seconds, memory) in rows.items():
        print(f"{name:38s} {seconds:6.2f} s {seconds / base:5.2f}x {memory:7.0f} MiB")


if __name__ == "__main__":
    sys.exit(main())
