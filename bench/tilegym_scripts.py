#!/usr/bin/env python3
"""TileGym's own benchmark scripts with its cuTile backend, by several compilers of Tile IR, on a
GPU: other people's kernels in their own forms, one compiler after the other for each script.

usage: tilegym_scripts.py TILEGYM SCRIPT... --compiler NAME=FOLDER... [--only TEXT...]
                          [--seconds N]

TILEGYM: a checkout. SCRIPT: below its tests/benchmark, as bench_softmax.py or
experimental/bench_mhc.py. NAME=FOLDER: the folder of a `tileiras`. NVIDIA's looks for ptxas beside
it and for lib/libnvvm.so.4 in CUDA_HOME: where FOLDER/../lib has that, CUDA_HOME is FOLDER/.. .
--only: plots whose names contain one of these. --seconds: the longest that a script may take with
one compiler (120).

The scripts check results. They autotune by times, which differ: here each kernel has the first of
its configurations. A time is that of the kernels alone, by torch's profiler: the median of five
calls with an L2 cache that zeros have filled. Prints each case when the last compiler has it, in
microseconds, and what the last takes as a multiple of the first; then the geometric mean. Exit
status 1 where a script failed.
"""

import argparse
import json
import math
import os
import pathlib
import runpy
import statistics
import subprocess
import sys
import tempfile
import types

CALLS = 5
CACHE = 256 << 20  # bytes, more than an L2 cache has


def measure_script(script, only, times):
    """Runs in a process of its own: writes a line for each case to the file `times`."""
    import cuda.tile.tune
    import torch
    import triton.testing
    from torch.profiler import ProfilerActivity, profile

    filler = torch.empty(CACHE, dtype=torch.int8, device="cuda")
    last = []

    def microseconds(call):
        call()
        filler.zero_()
        torch.cuda.synchronize()
        with profile(activities=[ProfilerActivity.CUDA]) as found:
            call()
            torch.cuda.synchronize()
        return sum(event.device_time_total for event in found.key_averages())

    def do_bench(call, *_, quantiles=None, **__):
        last[:] = [statistics.median(microseconds(call) for _ in range(CALLS))]
        milliseconds = last[0] * 1e-3
        return [milliseconds] * len(quantiles) if quantiles else milliseconds

    class Benchmarks:
        def __init__(self, function, plots):
            self.function, self.plots = function, plots

        def run(self, **_):
            for plot in self.plots if isinstance(self.plots, list) else [self.plots]:
                if plot and (not only or any(text in plot.plot_name for text in only)):
                    for values in plot.x_vals:
                        self.measure(plot, values)

        def measure(self, plot, values):
            if "cutile" not in plot.line_vals:
                return
            each = values if isinstance(values, (list, tuple)) else [values] * len(plot.x_names)
            words = {**dict(zip(plot.x_names, each)), plot.line_arg: "cutile", **plot.args}
            last.clear()
            self.function(**words)
            with open(times, "a") as file:
                print(json.dumps([f"{plot.plot_name} {values}", *last]), file=file)

    def first(configurations, *_, **__):
        best = types.SimpleNamespace(config=next(iter(configurations)))
        return types.SimpleNamespace(best=best)

    triton.testing.do_bench = triton.testing.do_bench_cudagraph = do_bench
    triton.testing.perf_report = lambda plots: lambda function: Benchmarks(function, plots)
    cuda.tile.tune.exhaustive_search = first
    import bench_utils  # TileGym's

    bench_utils.profile_with_l2flush = do_bench
    sys.argv = [script]
    runpy.run_path(script, run_name="__main__")


def by_compiler(options, script, name, folder, scratch):
    """(the cases' microseconds by their names, whether the script ended well)"""
    benchmarks = options.tilegym.resolve() / "tests/benchmark"
    environment = dict(os.environ, CUDA_TILE_CACHE_DIR=str(scratch / f"cache-{name}"))
    environment["PATH"] = f"{folder}:{environment['PATH']}"
    environment["TILEGYM_DISABLE_AUTOTUNE"] = "1"
    paths = [benchmarks.parents[1] / "src", benchmarks.parents[1], benchmarks]
    environment["PYTHONPATH"] = ":".join([*map(str, paths), environment.get("PYTHONPATH", "")])
    if (folder.parent / "lib/libnvvm.so.4").exists():
        environment["CUDA_HOME"] = str(folder.parent)
    times = scratch / "times"
    times.write_text("")
    command = [sys.executable, __file__, "--measure", benchmarks / script, times, *options.only]
    try:
        done = subprocess.run(
            list(map(str, command)), env=environment, capture_output=True, timeout=options.seconds
        )
        failed, said = done.returncode != 0, done.stderr.decode(errors="replace")
    except subprocess.TimeoutExpired:
        failed, said = True, f"did not end within {options.seconds} seconds"
    if failed:
        print(f"FAILED {script}, {name}: {said.strip()[-400:]}", flush=True)
    return dict(map(json.loads, times.read_text().splitlines())), not failed


def compiler_of(text):
    name, _, folder = text.partition("=")
    return name, pathlib.Path(folder).resolve()


def main():
    if sys.argv[1:2] == ["--measure"]:
        script, times, *only = sys.argv[2:]
        return measure_script(script, only, times)
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("tilegym", type=pathlib.Path)
    parser.add_argument("scripts", nargs="+")
    parser.add_argument("--compiler", nargs="+", type=compiler_of, required=True)
    parser.add_argument("--only", nargs="+", default=[])
    parser.add_argument("--seconds", type=int, default=120)
    options = parser.parse_intermixed_args()
    ratios, is_well = [], True
    print("us:", *(name for name, _ in options.compiler), "| last / first", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        for script in options.scripts:
            found = []
            for name, compiler in options.compiler:
                cases, ended = by_compiler(options, script, name, compiler, pathlib.Path(folder))
                found.append(cases)
                is_well &= ended
            for case in found[0]:
                figures = [cases.get(case, math.nan) for cases in found]
                ratio = figures[-1] / figures[0]
                ratios += [] if math.isnan(ratio) else [ratio]
                columns = " ".join(f"{figure:9.1f}" for figure in figures)
                print(f"{columns}  {ratio:5.2f}  {case}", flush=True)
    if ratios:
        mean = math.exp(statistics.fmean(map(math.log, ratios)))
        print(f"geometric mean {mean:.2f}, least {min(ratios):.2f}, of {len(ratios)}")
    return not is_well


if __name__ == "__main__":
    sys.exit(main())
