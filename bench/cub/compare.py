#!/usr/bin/env python3
"""The samples of irregular kernels beside CUB, in one run on a GPU: sum, scan, histogram, segmented
sum, sort, top_k. The samples check their results; a line gives both figures and CUB's time over
the sample's.

usage: compare.py [FOLDER] [--build-only] [--tessera PROGRAM] [--nvcc PROGRAM] [--arch sm_90a]
FOLDER: what test/gpu/build.sh built, in which cub/peers is CUB's program; this needs a driver and
nothing else. Without it the samples are compiled by tessera and CUB's program by nvcc, with CUB
from the CUDA toolkit (or the wheel nvidia-cuda-cccl). --build-only makes CUB's program, in FOLDER
if there is one, and needs no GPU. Exit status 1 where something does not run.
"""

import argparse
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
WORK = [
    ("sum", ["268435456"]),
    ("scan", ["268435456"]),
    ("histogram", ["268435456"]),
    ("segmented_sum", ["1048576", "100"]),
    ("segmented_sum", ["65536", "3000"]),
    ("sort", ["268435456", "65536", "256"]),
    ("top_k", ["65536", "1024", "32"]),
    ("top_k", ["16384", "4096", "32"]),
]
LINE = re.compile(r"(?P<work>.*): (?P<time>[\d.]+) us, (?P<figure>.*)")


def lines_of(command):
    output = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
    return {found["work"]: found for line in output.splitlines() if (found := LINE.fullmatch(line))}


def build(options, folder):
    program = pathlib.Path(folder) / "peers"
    source = ROOT / "bench/cub/peers.cu"
    command = [options.nvcc, "-O3", "-std=c++20", f"-arch={options.arch}", source, "-o", program]
    subprocess.run([*command, "-Xcompiler", "-static-libstdc++,-static-libgcc"], check=True)
    return program


def sample_command(options, name):
    if options.folder:
        return [options.folder / "plugin" / name]
    return [options.tessera, "run", "--target=gpu", ROOT / f"samples/{name}.cu", "--"]


def compare(options, peers):
    failed = False
    for name, arguments in WORK:
        try:
            ours = lines_of([*sample_command(options, name), *arguments])
            theirs = lines_of([peers, name, *arguments])
        except (subprocess.CalledProcessError, OSError) as error:
            print(f"FAILED {name} {' '.join(arguments)}: {error}", flush=True)
            failed = True
            continue
        for work, line in ours.items():
            peer = theirs[work]
            ratio = 100 * float(peer["time"]) / float(line["time"])
            print(
                f"{work:48s} Tessera {line['figure']:16s} CUB {peer['figure']:16s} {ratio:6.1f} %",
                flush=True,
            )
    return failed


def main():
    cuda = os.environ.get("CUDA_HOME", ROOT / "build/cuda")
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", nargs="?", type=pathlib.Path)
    parser.add_argument("--build-only", action="store_true")
    parser.add_argument("--tessera", default=ROOT / "build/bin/tessera")
    parser.add_argument("--nvcc", default=f"{cuda}/bin/nvcc")
    parser.add_argument("--arch", default="sm_90a")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        kept = options.folder / "cub" if options.folder else pathlib.Path(temporary)
        kept.mkdir(exist_ok=True)
        if options.build_only or not options.folder:
            build(options, kept)
        return 0 if options.build_only else int(compare(options, kept / "peers"))


if __name__ == "__main__":
    sys.exit(main())
