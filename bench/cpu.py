#!/usr/bin/env python3
"""The samples on the CPU beside plain OpenMP loops and OpenBLAS, on the same cores, in one run.

usage: cpu.py [--tessera PROGRAM]      needs g++ and libopenblas-dev

The loops are compiled with -ffast-math, without which GCC computes exp of one number at a time.
"""

import argparse
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
WORK = [
    ("vector_add", ["67108864"]),
    ("softmax", ["4096", "1024"]),
    ("layer_norm", ["4096", "1024"]),
    ("matmul", ["1024", "1024", "1024", "f32"]),
]
LINE = re.compile(r"(?P<work>.*): (?P<time>[\d.]+) us, (?P<figure>.*)")


def line_of(command):
    output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    (line,) = filter(None, map(LINE.fullmatch, output.splitlines()))
    return line


def build_peers(program):
    flags = ["-std=c++20", "-O3", "-march=native", "-ffast-math", "-fopenmp"]
    source = ROOT / "bench/cpu_peers.cpp"
    subprocess.run(["g++", *flags, source, "-o", program, "-lopenblas"], check=True)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--tessera", default=ROOT / "build/bin/tessera")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        peers = pathlib.Path(folder) / "peers"
        build_peers(peers)
        for name, arguments in WORK:
            run = [options.tessera, "run", "--target=cpu", ROOT / f"samples/{name}.cu", "--"]
            ours, peer = line_of([*run, *arguments]), line_of([peers, name])
            if ours["work"] != peer["work"]:
                raise RuntimeError(f"{ours['work']} is not {peer['work']}")
            ratio = 100 * float(peer["time"]) / float(ours["time"])
            print(
                f"{ours['work']:32s} Tessera {ours['figure']:16s} "
                f"peer {peer['figure']:16s} {ratio:5.1f} %",
                flush=True,
            )


if __name__ == "__main__":
    sys.exit(main())
