#!/usr/bin/env python3
"""Differential fuzzing: random valid tile programs on the CPU and under the emulator, bit for bit.

Target nvcc asks NVIDIA's compiler (TILE_NVCC) for its verdict and runs nothing.

usage: run.py [--seed NAME] [--kernels N] [--first I] [--batch N] [--jobs N] [--minutes M]
              [--targets cpu,emulate] [--keep FOLDER] [--corpus] [--tessera PROGRAM]

Each kernel is named by seed and number and is always the same. A kernel is at fault that is
refused, does not compile, crashes, races, takes too long, or computes something else than the CPU.
Prints a line for each, keeps its source and what was said about it under --keep, and then
'N passed, N failed'. reduce.py makes the smallest case of one.
"""

import argparse
import collections
import concurrent.futures
import functools
import os
import pathlib
import pickle
import re
import sys
import tempfile
import threading
import time

from build import ROOT, Fault, Tools
from gpu_run import agree
from grammar.kernel import file_text
from grammar.program import Language, make_kernel
from nests import Nest

HERE = pathlib.Path(__file__).resolve().parent


class CorpusKernel:
    """A kernel of the corpus: a whole program whose kernel has the name of the file."""

    def __init__(self, path):
        self.name = path.stem
        self.part = re.search(r"^// kernel .*?(?=^static const)", path.read_text(), re.M | re.S)[0]

    def text(self):
        return self.part


def corpus():
    return [CorpusKernel(path) for path in sorted((HERE / "corpus").glob("*.cu"))]


class Batch:
    """Kernels of one file; those at fault are taken out until the rest goes through."""

    def __init__(self, name, kernels, tools, targets):
        self.name, self.tools, self.targets = name, tools, targets
        self.kernels = dict(kernels)
        self.faults = {}  # kernel: fault
        self.round = 0

    def write(self, names):
        """The file of these kernels, and the first line of each."""
        self.round += 1
        path = self.tools.scratch / f"{self.name}_{self.round}.cu"
        text = file_text([self.kernels[n] for n in names])
        path.write_text(text)
        lines = {}
        for number, line in enumerate(text.splitlines(), 1):
            if line.startswith("// kernel "):
                lines[line.split(" ")[2]] = number
        return path, lines

    def stage(self, names, action):
        """[(the action's result, kernels)] over parts of the names that get through it."""
        names = [n for n in names if n not in self.faults]
        if not names:
            return []
        path, lines = self.write(names)
        result, faults = action(path)
        if not faults:
            return [(result, names)]
        for old in path.parent.glob(path.stem + ".*"):
            old.unlink()
        if len(names) == 1:
            self.faults[names[0]] = faults[0]
            return []
        guilty = set()
        for fault in faults:
            before = [n for n in names if lines[n] <= fault.line]
            if fault.line and before:
                guilty.add(before[-1])
                self.faults.setdefault(before[-1], fault)
        if guilty:
            return self.stage([n for n in names if n not in guilty], action)
        half = len(names) // 2
        return self.stage(names[:half], action) + self.stage(names[half:], action)

    def build(self, path):
        """({target: program}, []) or (None, faults)"""
        texts, faults = self.tools.translate(path, [t for t in self.targets if t != "nvcc"])
        programs = {}
        for target in texts or ():
            if target != "gpu":
                programs[target], faults = self.tools.compile(texts[target], target)
            if faults:
                return None, faults
        return programs, faults

    def compare(self, programs, names):
        """Runs them all; what the first prints is right. Returns it."""
        if self.tools.is_planted:
            return self.compare_reports(programs, names)
        expected = None
        for target, program in programs.items():
            results, faults = self.tools.run(
                program, target, [n for n in names if n not in self.faults]
            )
            self.faults.update(faults)
            expected = results if expected is None else expected
            for n in results:
                if n in expected and not agree(expected[n], results[n]):
                    self.faults[n] = Fault("difference", target, f"from {next(iter(programs))}")
        return expected

    def compare_reports(self, programs, names):
        """Runs each by itself, as its planted access ends it: all targets report the same."""
        expected = {}
        for target, program in programs.items():
            for n in names:
                said = self.tools.reported(program, n)
                if not said:
                    self.faults.setdefault(n, Fault("unreported", target, ""))
                elif said != expected.setdefault(n, said):
                    detail = f"{expected[n]}\n{said}"
                    self.faults.setdefault(n, Fault("difference", target, "report", detail=detail))

    def judge(self):
        names = list(self.kernels)
        if "nvcc" in self.targets:
            self.stage(names, self.tools.black_box)
        if self.targets == ["nvcc"]:
            return self.faults
        for programs, part in self.stage(names, self.build):
            self.compare(programs, part)
        for file in self.tools.scratch.glob(f"{self.name}_*"):
            file.unlink()
        return self.faults


def parser_of(text):
    """The options that running and reducing share."""
    parser = argparse.ArgumentParser(
        description=text, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--tessera", default=ROOT / "build/bin/tessera")
    parser.add_argument("--targets", default="cpu,emulate", type=lambda text: text.split(","))
    parser.add_argument(
        "--arch",
        default=["sm_90a"],
        type=lambda text: text.split(","),
        help="whose plans are emulated; of several, files take one after the other",
    )
    parser.add_argument("--seconds", type=int, default=120, help="of CPU time for a command")
    parser.add_argument("--optimise", default="-O0")
    switch = argparse.BooleanOptionalAction
    parser.add_argument("--extensions", action=switch, default=True, help="kernels with them")
    parser.add_argument("--check", default="", help="LIST of checks that must find nothing")
    outside = "with --check=bounds: an access outside in every kernel, which is reported"
    parser.add_argument("--plant", action="store_true", help=outside)
    whole = "the emulator runs what raise made, without a plan (TESSERA_WHOLE_TILES)"
    parser.add_argument("--whole", action="store_true", help=whole)
    parser.add_argument("--products", action="store_true", help="kernels about matrix products")
    parser.add_argument(
        "--sanitize", action="store_true", help="the CPU's programs: are they valid?"
    )
    return parser


def options_of():
    parser = parser_of(__doc__)
    parser.add_argument("--seed", default="1")
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--kernels", type=int, default=1000)
    parser.add_argument("--batch", type=int, default=100, help="kernels to a file")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--minutes", type=float, default=0, help="start no batch after this time")
    parser.add_argument("--nests", action="store_true", help="kernels of nests.py: layouts")
    parser.add_argument("--corpus", action="store_true", help="the kernels of corpus/ first")
    parser.add_argument("--keep", type=pathlib.Path, help="where failing programs go")
    return parser.parse_args()


def language_of(options, number=0):
    """What kernels of this file may have: newer GPUs more elements, NVIDIA's compiler no
    extensions."""
    arch = options.arch[number % len(options.arch)]
    newer = int(re.sub(r"\D", "", arch)) >= 100
    beyond = options.extensions and "nvcc" not in options.targets
    return Language(newer, beyond, bool(options.check), options.plant, options.products)


def generated(seed, first, last, language):
    """language None: nests."""
    if not language:
        return [Nest(seed, i) for i in range(first, last)]
    return [make_kernel(seed, i, language) for i in range(first, last)]


def keep(folder, seed, kernel, fault):
    folder.mkdir(parents=True, exist_ok=True)
    name = f"{fault.kind}-{seed}-{kernel.name}"
    (folder / f"{name}.cu").write_text(file_text([kernel]))
    (folder / f"{name}.tree").write_bytes(pickle.dumps(kernel))
    (folder / f"{name}.txt").write_text(f"{fault}\n{fault.detail}\n")


def main():
    options = options_of()
    start, failed, passed = time.time(), 0, 0
    kinds, lock = collections.Counter(), threading.Lock()
    with tempfile.TemporaryDirectory(prefix="tessera-fuzz") as scratch:
        tools = Tools(options, scratch)
        for target in set(options.targets) & {"cpu", "emulate"}:
            tools.precompiled(target, tools.host_flags(target))

        def one(number, seed, kernels):
            """The kernels of one file, for one architecture; none after the time is over."""
            if options.minutes and time.time() - start > 60 * options.minutes:
                return 0, {}
            kernels = {k.name: k for k in kernels()}
            faults = Batch(f"b{number}", kernels, tools.of(number), options.targets).judge()
            with lock:
                for name, fault in sorted(faults.items()):
                    kinds[str(fault)] += 1
                    arch = f" for {tools.of(number).arch}" if len(options.arch) > 1 else ""
                    print(f"FAIL {seed}/{name}{arch}: {fault}", flush=True)
                    if options.keep:
                        keep(options.keep, seed, kernels[name], fault)
            return len(kernels), faults

        work = [("corpus", corpus)] if options.corpus else []
        for first in range(options.first, options.first + options.kernels, options.batch):
            last = min(first + options.batch, options.first + options.kernels)
            language = None if options.nests else language_of(options, len(work))
            make = functools.partial(generated, options.seed, first, last, language)
            work.append((options.seed, make))
        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            for count, faults in pool.map(lambda w: one(*w), [(i, *w) for i, w in enumerate(work)]):
                failed += len(faults)
                passed += count - len(faults)
    for kind, n in kinds.most_common():
        print(f"  {n:5} {kind}")
    print(f"{passed} passed, {failed} failed")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
