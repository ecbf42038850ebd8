#!/usr/bin/env python3
"""The samples beside their peers on a GPU, in one run: a row for each piece of work, with the
ratio to the best peer.

usage: compare.py [FOLDER]      FOLDER as test/gpu/build.sh leaves it, default build-gpu
"""

import pathlib
import re
import subprocess
import sys

import peers
import torch
import triton

LAST_LINE = re.compile(r": ([\d.]+) us, ")
ROUTES = {"plugin": "Tessera, plugin", "nvcc": "Tessera, nvcc"}


def sample_microseconds(program, sizes):
    """Median of a sample by its own stopwatch, or nothing when it failed."""
    process = subprocess.run([program, *map(str, sizes)], capture_output=True, text=True)
    found = LAST_LINE.search(process.stdout)
    return float(found[1]) if process.returncode == 0 and found else None


def compare(folder, name, sizes, figure):
    amount, unit = figure(*sizes)
    rows = [
        (sample_microseconds(folder / route / name, sizes), title)
        for route, title in ROUTES.items()
    ]
    rows += sorted(peers.measure(name, sizes))
    torch.cuda.empty_cache()
    fastest_peer = min(microseconds for microseconds, title in rows[len(ROUTES) :])
    for microseconds, title in rows:
        work = f"{name} {'x'.join(map(str, sizes))}"
        if microseconds is None:
            print(f"{work:28s} {title:18s} failed", flush=True)
            continue
        print(
            f"{work:28s} {title:18s} {microseconds:10.1f} us "
            f"{amount / microseconds * 1e-3:9.1f} {unit:8s}"
            f"{100 * fastest_peer / microseconds:6.1f} % of the best peer",
            flush=True,
        )


def main():
    folder = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "build-gpu")
    print(f"{torch.cuda.get_device_name()}, torch {torch.__version__}, Triton {triton.__version__}")
    for name, sizes, figure in peers.WORK:
        compare(folder, name, sizes, figure)


if __name__ == "__main__":
    sys.exit(main())
