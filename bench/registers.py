#!/usr/bin/env python3
"""Holds the plan's estimate of a kernel's registers against ptxas.

For each kernel of the given programs: what the plan expects (the attribute tile.registers), what
ptxas gave a thread, the bytes that it spilled, and whether it serialised multiplies (C75xx). ptxas
takes more than it needs where a bound leaves it room, and less where a bound is below the need; so
the error is told of kernels whose bound decided nothing, and beside it how many kernels spill
although the estimate says that they fit, and how many fit although it says that they spill.

usage: registers.py [--tessera PROGRAM] [--nvcc PROGRAM] [--arch sm_NN] [--jobs N] [-I FOLDER]...
                    [--tilegym FOLDER] [--list] [FILE.cu...]
FILE.cu: by default the programs of test/run and samples, and bench/register_forms.cu. --tilegym:
also TileGym's kernels, of the folder of their headers, as test/bench/tilegym.txt instantiates
them. --list prints a line for each kernel besides, as it is measured. The last lines are the
distribution.
"""
import argparse
import concurrent.futures
import os
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
ATTRIBUTE = re.compile(r'tile\.(\w+)(?: = "?([\w.]+))?')
REPORT = re.compile(
    r"Compiling entry function '(?P<symbol>\w+)'.*?(?P<stores>\d+) bytes spill stores, "
    r"(?P<loads>\d+) bytes spill loads.*?Used (?P<used>\d+) registers",
    re.DOTALL,
)
SERIALISED = re.compile(r"\(C75\d\d\).*?'(\w+)'")
THREAD = 255  # registers of a thread, at most
PROCESSOR = 65536  # registers of a multiprocessor


def expected(dump):
    """The kernels of a dump, by their names in the emitted text."""
    kernels = {}
    for line in dump.splitlines():
        if "tile.registers" not in line or not line.lstrip().startswith("func.func"):
            continue
        found = dict(ATTRIBUTE.findall(line[line.rfind("attributes") :]))
        if "tiles_of" not in found:  # host code that lists a kernel's tiles has its name
            kernels[found["kernel"]] = found
    return kernels


def name_of(symbol):
    """matmul_64 of _ZN7tessera7kernels14matmul_64_simtEPf: a name is as long as its number says."""
    for match in re.finditer(r"(?<!\d)(\d+)", symbol):
        end = match.end() + int(match[1])
        if symbol[match.end() : end].endswith("_simt"):
            return symbol[match.end() : end - len("_simt")]
    return ""


def limit_of(kernel):
    """Registers that a thread may have: by the bound that the emitted text states."""
    if "producer_warp" in kernel:
        return 232
    threads = 32 * int(kernel["warps"])
    per_thread = PROCESSOR // (threads * max(1, int(kernel.get("min_blocks", 1))))
    return min(THREAD, per_thread // 8 * 8)


def line_of(row):
    serialised = " serialised" if row["serialised"] else ""
    return (
        f"{row['expected']:5} expected {row['used']:4} used {row['spilled']:6} spilled "
        f"{row['limit']:4} limit{serialised}  {row['name']}"
    )


def folders_of(tilegym):
    """TileGym's headers include their neighbours by name."""
    return [tilegym, f"{tilegym}/activation"] if tilegym else []


def write_tilegym(folder):
    """A program for each line of test/bench/tilegym.txt, as compile_time.py has them."""
    lines = (ROOT / "test/bench/tilegym.txt").read_text().splitlines()
    for number, line in enumerate(line for line in lines if line and not line.startswith("#")):
        header, _, kernel = line.partition(" ")
        file = pathlib.Path(folder) / f"{number:02}_{re.match(r'[a-z_0-9]+', kernel)[0]}.cu"
        file.write_text(
            f'#include <cuda_tile.h>\nnamespace ct = cuda::tiles;\n#include "{header}"\n'
            f"template __tile_global__ decltype({kernel}) {kernel};\n"
        )
        yield file


def measure(source, options):
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        text = f"{folder}/x.simt.cu"
        words = [f"-I{path}" for path in [*options.include, *folders_of(options.tilegym)]]
        first = source.read_text(errors="replace").split("\n", 1)[0]
        if first.startswith("// options:"):
            words += first.removeprefix("// options:").split()
        made = subprocess.run(
            [options.tessera, f"--arch={options.arch}", "--dump-after=tile-plan-occupancy", *words]
            + [source, "-o", text],
            capture_output=True,
            text=True,
        )
        if made.returncode:
            return rows
        kernels = expected(made.stdout)
        if not kernels:
            return rows
        compiled = subprocess.run(
            [options.nvcc, "-std=c++20", "-w", f"-arch={options.arch}", "-cubin", "-Xptxas=-v"]
            + [f"-I{ROOT}/runtime/include", f"-I{source.parent}", *words]
            + [text, "-o", f"{folder}/x.cubin"],
            capture_output=True,
            text=True,
        )
        report = compiled.stdout + compiled.stderr
        serialised = {name_of(symbol) for symbol in SERIALISED.findall(report)}
        for found in REPORT.finditer(report):
            name = name_of(found["symbol"])
            if name in kernels:
                kernel = kernels[name]
                spilled = int(found["stores"]) + int(found["loads"])
                rows.append(
                    row := dict(
                        name=f"{source.name}:{name}",
                        expected=int(kernel["registers"]),
                        used=int(found["used"]),
                        spilled=spilled,
                        limit=limit_of(kernel),
                        serialised=name in serialised,
                        splits="producer_warp" in kernel,
                    )
                )
                if options.list:
                    print(line_of(row), flush=True)
    return rows


def quantile(values, part):
    values = sorted(values)
    return values[min(len(values) - 1, int(part * len(values)))] if values else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tessera", default=ROOT / "build/bin/tessera")
    parser.add_argument("--nvcc", default="nvcc")
    parser.add_argument("--arch", default="sm_90a")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("-I", dest="include", action="append", default=[])
    parser.add_argument("--tilegym")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("files", nargs="*", type=pathlib.Path)
    options = parser.parse_args()
    files = options.files or [
        *sorted(ROOT.glob("test/run/*.cu")),
        *sorted(ROOT.glob("samples/*.cu")),
        ROOT / "bench/register_forms.cu",
    ]
    with (
        tempfile.TemporaryDirectory() as gym,
        concurrent.futures.ThreadPoolExecutor(options.jobs) as pool,
    ):
        files = [*(write_tilegym(gym) if options.tilegym else ()), *files]
        found = pool.map(lambda file: measure(file, options), files)
        rows = [row for of_file in found for row in of_file]
    if not rows:
        sys.exit("no kernel was measured")
    # Of kernels with a producer warp ptxas reports the entry's bound, not what a thread takes.
    free = [r for r in rows if not r["spilled"] and r["used"] < r["limit"] and not r["splits"]]
    errors = [r["used"] - r["expected"] for r in free]
    print(
        f"{len(rows)} kernels, {len(free)} of them bound by nothing: used less expected "
        f"p5 {quantile(errors, 0.05)}, median {statistics.median(errors):g}, "
        f"p95 {quantile(errors, 0.95)}; magnitude median "
        f"{statistics.median(map(abs, errors)):g}, p95 {quantile([abs(e) for e in errors], 0.95)}"
    )
    missed = [r for r in rows if r["spilled"] and r["expected"] <= r["limit"]]
    feared = [r for r in rows if not r["spilled"] and r["expected"] > r["limit"]]
    print(f"{sum(bool(r['spilled']) for r in rows)} spill, {len(missed)} of them unexpected; "
          f"{len(feared)} are expected to spill and do not; "
          f"{sum(r['serialised'] for r in rows)} have serialised multiplies")
    for row in missed:
        print(
            f"  unexpected: {row['name']}: {row['spilled']} bytes, "
            f"expected {row['expected']} of {row['limit']}"
        )


if __name__ == "__main__":
    main()
