#!/usr/bin/env python3
"""Metamorphic twins: one computation in forms that must not matter, under settings that must not
matter; all have the same bits.

usage: twins.py [--seed NAME] [--programs N] [--first I] [--forms N] [--settings N] [--batch N]
                [--arch LIST] [--without LIST] [--jobs N] [--minutes M] [--keep FOLDER]

A program is of a family (grammar/families.py), whose forms differ in sizes of tiles, extents that
are known or not, views or pointers, loops and hints; every third one is a kernel of the fuzzer,
whose forms differ in hints and known extents. A setting is an architecture and what the plan does
without (TESSERA_PLAN_WITHOUT); some launches make no tensor maps. The first form runs on the CPU,
all forms under the emulator with each setting. A twin is a form with a setting; prints a line for
each that is at fault or has other bits, then 'N passed, N failed'.
"""

import argparse
import concurrent.futures
import copy
import dataclasses
import os
import pathlib
import random
import sys
import tempfile
import threading
import time

from build import Fault, Tools
from gpu_run import agree
from grammar.elements import INT, Range
from grammar.families import HINTS, make_problem
from grammar.kernel import file_text
from grammar.program import Language, make_kernel
from grammar.tree import expressions
from run import Batch, parser_of

ARCHITECTURES = "sm_90a,sm_80,sm_100a,sm_120,sm_89"


@dataclasses.dataclass(frozen=True)
class Setting:
    """How a file is compiled."""

    arch: str
    without: str = ""
    has_maps: bool = True

    def __str__(self):
        words = [self.without] if self.without else []
        words += [] if self.has_maps else ["maps"]
        return self.arch + (f" without {', '.join(words)}" if words else "")

    def tools(self, tools):
        tools = copy.copy(tools)
        tools.arch = self.arch
        if self.without:
            tools.environment = {"TESSERA_PLAN_WITHOUT": self.without}
        if not self.has_maps:
            tools.run_environment = {"TESSERA_EMULATE_MAPS": "0"}
        return tools


def with_given_extents(kernel):
    """The kernel with parameters in place of known extents of spans."""
    given = {}
    for e in expressions(kernel.body):
        number = e.form.removesuffix("_ic")
        if (
            not e.kids
            and number != e.form
            and number.isdigit()
            and e.range == Range(*[int(number)] * 2)
        ):
            e.form = given.setdefault(int(number), f"given{number}")
            e.type = INT
    for number, name in given.items():
        kernel.parameters.append((name, f"int {name}", [str(number)] * len(kernel.grids)))
    return kernel


def forms_of_kernel(seed, index, names):
    """Forms of a kernel of the fuzzer; every second one is about products."""
    rng = random.Random(f"{seed}/{index}/forms")
    made = make_kernel(seed, index, Language(products=index % 2 == 0))
    for name in names:
        kernel = copy.deepcopy(made)
        kernel.name = name
        if name != names[0]:
            kernel.hint = f"[[cutile::hint({rng.choice(HINTS)})]] "
            if rng.random() < 0.6:
                kernel = with_given_extents(kernel)
        yield kernel


def forms_of_problem(seed, index, names):
    rng = random.Random(f"{seed}/{index}")
    problem = make_problem(rng)
    return [problem.form(rng, name) for name in names]


def make_program(seed, index, forms):
    names = [f"k{index}_{f}" for f in range(forms)]
    make = forms_of_kernel if index % 3 == 2 else forms_of_problem
    return list(make(seed, index, names))


def renamed(lines, name):
    """What a kernel printed, as if its name were this one."""
    return [" ".join([name, *line.split(" ")[1:]]) for line in lines]


class File:
    """The twins of one file of programs."""

    def __init__(self, name, programs, tools):
        self.name, self.programs, self.tools = name, programs, tools
        self.faults = {}  # (kernel, setting): fault
        self.count = 0

    def results(self, kernels, setting, target, label):
        """{kernel: lines} of one translation."""
        tools = setting.tools(self.tools) if setting else self.tools
        batch = Batch(f"{self.name}{label}", {k.name: k for k in kernels}, tools, [target])
        found = {}
        for programs, part in batch.stage(list(batch.kernels), batch.build):
            found.update(batch.compare(programs, part))
        for file in tools.scratch.glob(f"{batch.name}_*"):
            file.unlink()
        for name, fault in batch.faults.items():
            self.faults[name, str(setting or "cpu")] = fault
            found.pop(name, None)
        return found

    def judge(self, settings):
        names = [k.name for forms in self.programs for k in forms]
        assert len(set(names)) == len(names), "twins share a name"
        firsts = [forms[0] for forms in self.programs]
        expected = self.results(firsts, None, "cpu", "c")
        kernels = [k for forms in self.programs for k in forms]
        for number, setting in enumerate(settings):
            found = self.results(kernels, setting, "emulate", f"s{number}")
            self.count += len(kernels)
            for forms in self.programs:
                right = expected.get(forms[0].name)
                for kernel in forms:
                    lines = found.get(kernel.name)
                    if not right or not lines:
                        continue
                    if not agree(right, renamed(lines, forms[0].name)):
                        said = Fault("difference", "emulate", f"from {forms[0].name} on the CPU")
                        self.faults[kernel.name, str(setting)] = said
        return self.faults


def options_of():
    parser = parser_of(__doc__)
    parser.set_defaults(arch=ARCHITECTURES.split(","))
    parser.add_argument("--seed", default="twins")
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--programs", type=int, default=90)
    parser.add_argument("--forms", type=int, default=4)
    parser.add_argument("--settings", type=int, default=3, help="for each file, of all")
    parser.add_argument("--batch", type=int, default=15, help="programs to a file")
    parser.add_argument(
        "--without", default=[], type=lambda text: text.split(","), help="techniques, one at a time"
    )
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--minutes", type=float, default=0, help="start no file after this time")
    parser.add_argument("--keep", type=pathlib.Path, help="where failing programs go")
    return parser.parse_args()


def settings_of(options, number):
    """Of the file of this number: architectures take turns, some go without a technique."""
    rng, result = random.Random(f"{options.seed}/{number}/settings"), []
    for turn in range(options.settings):
        arch = options.arch[(number * options.settings + turn) % len(options.arch)]
        without = rng.choice(options.without) if options.without and turn else ""
        result.append(Setting(arch, without, rng.random() < 0.7))
    return result


def keep(folder, seed, forms, setting, name, fault):
    """The first form and the one at fault, in a file that compares by eye."""
    folder.mkdir(parents=True, exist_ok=True)
    pair = [k for k in forms if k.name in (forms[0].name, name)]
    path = folder / f"twin-{seed}-{name}"
    path.with_suffix(".cu").write_text(file_text(pair))
    path.with_suffix(".txt").write_text(f"{setting}: {fault}\n{fault.detail}\n")


def main():
    options = options_of()
    start, passed, failed, lock = time.time(), 0, 0, threading.Lock()
    with tempfile.TemporaryDirectory(prefix="tessera-twins") as scratch:
        tools = Tools(options, scratch)
        for target in ("cpu", "emulate"):
            tools.precompiled(target, tools.host_flags(target))

        def one(first):
            if options.minutes and time.time() - start > 60 * options.minutes:
                return 0, 0
            last = min(first + options.batch, options.first + options.programs)
            programs = [make_program(options.seed, i, options.forms) for i in range(first, last)]
            file = File(f"t{first}", programs, tools)
            faults = file.judge(settings_of(options, first // options.batch))
            by_name = {k.name: forms for forms in programs for k in forms}
            with lock:
                for (name, setting), fault in sorted(faults.items()):
                    print(f"FAIL {options.seed}/{name} ({setting}): {fault}", flush=True)
                    if options.keep:
                        keep(options.keep, options.seed, by_name[name], setting, name, fault)
            return file.count, len(faults)

        firsts = range(options.first, options.first + options.programs, options.batch)
        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            for count, faults in pool.map(one, firsts):
                passed += count - faults
                failed += faults
    print(f"{passed} passed, {failed} failed")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
