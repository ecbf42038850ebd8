#!/usr/bin/env python3
"""CCCL's transform of tiles, out of a checkout of CCCL, on a CPU, under the emulator or on a GPU.

usage: transform.py CCCL [--targets cpu,emulate,gpu] [--arch sm_90a] [--output FOLDER]

CCCL: a folder with cub, thrust and libcudacxx. The GPU's program is made by tessera-nvcc; with
--output it is left there, to be run where the GPU is, and not run here. Prints what the program
says of each case and '0 failed'.
"""

import argparse
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
BUILD = HERE.parents[1] / "build"


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("cccl", type=pathlib.Path)
    parser.add_argument("--targets", default="cpu,emulate", type=lambda text: text.split(","))
    parser.add_argument("--arch", default="sm_90a")
    parser.add_argument("--output", type=pathlib.Path)
    options = parser.parse_args()
    folders = ["cub", "thrust", "libcudacxx/include"]
    flags = [f"-I{options.cccl / folder}" for folder in folders]
    # The toolkit's headers may be older than the language.
    flags.append("-DCCCL_DISABLE_CTK_COMPATIBILITY_CHECK")
    source, failed = HERE / "transform.cu", 0
    with tempfile.TemporaryDirectory(prefix="tessera-cccl") as scratch:
        for target in options.targets:
            print(f"== {target}", flush=True)
            if target != "gpu":
                words = [BUILD / "bin/tessera", "run", f"--target={target}", *flags, source]
                failed |= subprocess.run([*map(str, words)]).returncode != 0
                continue
            program = (options.output or pathlib.Path(scratch)) / "cccl_transform"
            words = [BUILD / "bin/tessera-nvcc", "-std=c++20", f"-arch={options.arch}", *flags]
            status = subprocess.run([*map(str, [*words, source, "-o", program])]).returncode
            if status == 0 and not options.output:
                status = subprocess.run([program]).returncode
            failed |= status != 0
    return failed


if __name__ == "__main__":
    sys.exit(main())
