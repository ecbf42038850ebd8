#!/usr/bin/env python3
"""CCCL's transform of tiles, out of a checkout of CCCL, on a CPU, under the emulator or on a GPU.

usage: transform.py CCCL [--targets cpu,emulate,gpu] [--arch sm_90a] [--output FOLDER]

CCCL: a folder with cub, thrust and libcudacxx. transform.cu is its dispatch of tiles alone, on
every target; device_transform.cu is cub::DeviceTransform, on a GPU. The GPU's programs are made by
tessera-nvcc; with --output they are left there, to be run where the GPU is, and not run here. Each
prints what it says of each case and '0 failed'.
"""

import argparse
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
BUILD = HERE.parents[1] / "build"
LIBRARIES = HERE.parents[1] / "runtime/include/tessera/libraries"


def flags_of(cccl):
    """What a program with CCCL's transform of tiles is compiled with."""
    flags = [f"-I{cccl / folder}" for folder in ("cub", "thrust", "libcudacxx/include")]
    return flags + [
        "-D_CCCL_ENABLE_EXPERIMENTAL_TILE_TRANSFORM_DISPATCH",
        # The toolkit's headers may be older than the language.
        "-DCCCL_DISABLE_CTK_COMPATIBILITY_CHECK",
    ]


def nvcc(arch, *words):
    """tessera-nvcc's exit status."""
    words = [BUILD / "bin/tessera-nvcc", "-std=c++20", f"-arch={arch}", *words]
    return subprocess.run([*map(str, words)]).returncode


def run_on_gpu(options, folder):
    failed = 0
    for name in ("transform", "device_transform"):
        program = folder / f"cccl_{name}"
        words = ["--enable-tile", *flags_of(options.cccl), HERE / f"{name}.cu", "-o", program]
        status = nvcc(options.arch, *words)
        if status == 0 and not options.output:
            status = subprocess.run([program]).returncode
        failed |= status != 0
    return failed


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("cccl", type=pathlib.Path)
    parser.add_argument("--targets", default="cpu,emulate", type=lambda text: text.split(","))
    parser.add_argument("--arch", default="sm_90a")
    parser.add_argument("--output", type=pathlib.Path)
    options = parser.parse_args()
    failed = 0
    for target in options.targets:
        print(f"== {target}", flush=True)
        if target == "gpu":
            with tempfile.TemporaryDirectory(prefix="tessera-cccl") as scratch:
                failed |= run_on_gpu(options, options.output or pathlib.Path(scratch))
            continue
        words = [BUILD / "bin/tessera", "run", f"--target={target}", f"-I{LIBRARIES}"]
        words += [*flags_of(options.cccl), HERE / "transform.cu"]
        failed |= subprocess.run([*map(str, words)]).returncode != 0
    return failed


if __name__ == "__main__":
    sys.exit(main())
