#!/usr/bin/env python3
"""Kernels of TileGym that its own tests leave out, against plain computations on the host.

usage: references.py TILEGYM [--targets cpu,emulate,gpu] [--arch sm_90a] [--output FOLDER] [NAME...]

TILEGYM: a checkout of github.com/NVIDIA/TileGym. The programs here include its files unmodified.
The GPU's are made by tessera-nvcc; with --output they are left there, to be run where the GPU is.
Prints what is wrong, then 'N passed, N failed'.
"""

import argparse
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
BUILD = HERE.parents[1] / "build"
PROGRAMS = ["rows", "relu", "products", "attention", "mla"]


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("gym", type=pathlib.Path)
    parser.add_argument("names", nargs="*", default=PROGRAMS)
    parser.add_argument("--targets", default="cpu,emulate", type=lambda text: text.split(","))
    parser.add_argument("--arch", default="sm_90a")
    parser.add_argument("--output", type=pathlib.Path)
    options = parser.parse_intermixed_args()
    kernels = options.gym / "src/tilegym/ops/tilecpp"
    flags = [f"-I{kernels}", f"-I{kernels / 'activation'}"]
    passed = failed = 0
    with tempfile.TemporaryDirectory(prefix="tessera-gym") as scratch:
        for name in options.names:
            source = HERE / f"{name}.cu"
            for target in options.targets:
                words = [BUILD / "bin/tessera", "run", f"--target={target}", *flags, source]
                if target == "gpu":
                    program = (options.output or pathlib.Path(scratch)) / f"gym_{name}"
                    words = [BUILD / "bin/tessera-nvcc", "-std=c++20", f"-arch={options.arch}"]
                    words += [*flags, source, "-o", program]
                process = subprocess.run([*map(str, words)], capture_output=True, text=True)
                if target == "gpu" and not process.returncode and not options.output:
                    process = subprocess.run([program], capture_output=True, text=True)
                if process.returncode == 0:
                    passed += 1
                    continue
                failed += 1
                said = re.findall(r".*(?:wrong|error).*", process.stdout + process.stderr)
                print(f"FAIL {name} ({target}): " + "\n  ".join(said[:10]), flush=True)
    print(f"{passed} passed, {failed} failed")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
