#!/usr/bin/env python3
"""The samples on the CPU beside a plain OpenMP loop and OpenBLAS, on the same cores, in one run.

usage: cpu.py [--tessera PROGRAM]      needs g++ and libopenblas-dev
"""

import argparse
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
WORK = [("vector_add", ["67108864"]), ("matmul", ["1024", "1024", "1024", "f32"])]
LINE = re.compile(r"(?P<work>.*): (?P<time>[\d.]+) us, (?P<figure>.*)")


def lines_of(command):
    return [
        found
        for line in subprocess.run(
            command, check=True, capture_output=True, text=True
        ).stdout.splitlines()
        if (found := LINE.fullmatch(line))
    ]


def peer_lines():
    with tempfile.TemporaryDirectory() as folder:
        program = pathlib.Path(folder) / "peers"
        source = ROOT / "bench/cpu_peers.cpp"
        subprocess.run(
            ["g++", "-O3", "-march=native", "-fopenmp", source, "-o", program, "-lopenblas"],
            check=True,
        )
        return lines_of([program])


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--tessera", default=ROOT / "build/bin/tessera")
    options = parser.parse_args()
    for (name, arguments), peer in zip(WORK, peer_lines()):
        (ours,) = lines_of(
            [options.tessera, "run", "--target=cpu", ROOT / f"samples/{name}.cu", "--", *arguments]
        )
        ratio = 100 * float(peer["time"]) / float(ours["time"])
        print(
            f"{ours['work']:32s} Tessera {ours['figure']:16s} "
            f"peer {peer['figure']:16s} {ratio:5.1f} %",
            flush=True,
        )


if __name__ == "__main__":
    sys.exit(main())
