#!/usr/bin/env python3
"""What compiling for a GPU costs, ours beside another compiler of the language.

Each kernel of TileGym by itself (tilegym.txt), the products of bench/shapes at each tile
(--products), ten matmuls with run-time extents and paddings (matmuls.cu) and a file of 200
instances (instances.cu). Figures are user seconds of processes, so
that another load matters less; still, run it on idle cores. Ours are tessera, to text, and nvcc,
from that text to a cubin; registers and spilled bytes are ptxas's.

usage: compile_time.py [--tilegym FOLDER_WITH_THE_HEADERS] [--products] [--peer NVCC]
                       [--only PATTERN]
"""
import argparse
import itertools
import os
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]


def user_seconds(command):
    """User seconds of a command and its children, and what it said; None where it failed."""
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    output = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    return (None if status else usage.ru_utime), output


def products():
    """Name and text of the kernels of bench/shapes at each tile, rows aligned or at any address."""
    types = ["const __nv_bfloat16 *__restrict__"] * 2
    results = {"plain": "__nv_bfloat16", "persistent": "__nv_bfloat16", "split": "float"}
    for kernel, result in results.items():
        signature = ", ".join([*types, f"{result} *__restrict__", *["unsigned"] * 3])
        for m, n, k, divisor in itertools.product(*[(64, 128, 256)] * 2, (32, 64, 128), (8, 1)):
            name = f"{kernel}<{m}, {n}, {k}, {divisor}>"
            yield name, (
                f'#include "{ROOT}/bench/shapes/kernels.h"\n'
                f"template __tile_global__ void shapes::{name}({signature});\n"
            )


def programs(options):
    """Name and text of each program."""
    for line in (HERE / "tilegym.txt").read_text().splitlines() if options.tilegym else ():
        if line and not line.startswith("#"):
            header, _, kernel = line.partition(" ")
            # As TileGym instantiates them, and an alias beside: functions that are in no kernel use
            # what only kernels declare, where NVIDIA's compiler never looks and Clang does.
            alias = "#include <cuda_tile.h>\nnamespace ct = cuda::tiles;\n"
            instance = f"template __tile_global__ decltype({kernel}) {kernel};\n"
            yield kernel, f'{alias}#include "{header}"\n{instance}'
    if options.products:
        yield from products()
    for name in ("matmuls.cu", "instances.cu"):
        yield name, (HERE / name).read_text()


def measure(text, folder, options):
    """Seconds of tessera, of nvcc and of the other compiler, registers and spills."""
    source, simt, image = folder / "kernel.cu", folder / "kernel.simt.cu", folder / "kernel.cubin"
    source.write_text(text)
    include = [f"-I{options.tilegym}"] if options.tilegym else []
    # TileGym's headers include their neighbours by name.
    include += [f"-I{options.tilegym}/activation"] if options.tilegym else []
    ours = [options.tessera, "--arch=sm_90a", *include, source, "-o", simt]
    theirs = [options.nvcc, "-std=c++20", "-w", "-gencode", "arch=compute_90a,code=sm_90a"]
    theirs += ["-cubin", "-Xptxas", "-v", f"-I{ROOT}/runtime/include", *include, simt, "-o", image]
    peer = [options.peer, "-tilecubin", "--tile-only", "-std=c++20", "-arch=sm_90", *include]
    peer += [source, "-o", image]
    first, said = user_seconds(ours)
    if first is None:
        return None, None, None, said.strip().splitlines()[:1]
    second, said = user_seconds(theirs)
    if second is None:
        return first, None, None, said.strip().splitlines()[:1]
    registers = max(map(int, re.findall(r"Used (\d+) registers", said)), default=0)
    spilled = max(map(int, re.findall(r"(\d+) bytes spill stores", said)), default=0)
    other = user_seconds(peer)[0] if options.peer else None
    return first, second, other, [f"{registers} registers, {spilled} bytes spilled"]


def cell(seconds):
    return f"{seconds:7.2f}" if seconds is not None else "      -"


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--tessera", default=ROOT / "build/bin/tessera", type=pathlib.Path)
    parser.add_argument("--nvcc", default="nvcc", help="the compiler of the emitted text")
    parser.add_argument("--tilegym", type=pathlib.Path, help="TileGym's folder of .cuh files")
    parser.add_argument("--products", action="store_true", help="the kernels of bench/shapes")
    parser.add_argument("--peer", help="nvcc of a toolkit that compiles tile programs itself")
    parser.add_argument("--only", default="", help="names that contain this")
    options = parser.parse_args()
    print("tessera    nvcc   whole    peer   ratio")
    totals, ratios, failed = [], [], 0
    with tempfile.TemporaryDirectory() as folder:
        for name, text in programs(options):
            if options.only not in name:
                continue
            first, second, other, notes = measure(text, pathlib.Path(folder), options)
            whole = first + second if second is not None else None
            ratio = whole / other if whole is not None and other else None
            failed += whole is None
            if not name.endswith(".cu") and whole is not None:
                totals.append(whole)
                ratios += [ratio] if ratio else []
            row = " ".join(map(cell, (first, second, whole, other, ratio)))
            print(row, name, *(f"({note})" for note in notes), flush=True)
    if totals:
        print(f"kernels one by one: median {statistics.median(totals):.2f} s, ", end="")
        print(f"worst {max(totals):.2f} s")
    if ratios:
        print(f"beside the peer: median {statistics.median(ratios):.2f}, ", end="")
        print(f"worst {max(ratios):.2f}")
    print(f"{failed} failed")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
