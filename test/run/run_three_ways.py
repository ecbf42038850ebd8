#!/usr/bin/env python3
"""Runs programs on the CPU, under the emulator and, where there is one, on the GPU; all must
succeed and agree.

A program that includes run.h prints lines `NAME ~TOLERANCE: NUMBERS`; the numbers of two
targets may differ by the tolerance, relative to the largest of the line. Every other line must
be equal. A first line `// targets: emulate,gpu` leaves the others out, `// arch: sm_100a` behind
it names the architecture; a first line `// options: --extensions` has what the program needs of
tessera. The samples check themselves; samples.txt says with which sizes they run, and only their
exit status counts.

With --without programs run under the emulator once more, planned without a technique of
plugin/Techniques.def (see docs/debugging.md): `turn` takes one for each program, by its name, `all`
one after the other; else a list of them.

--optimize is the level at which the texts are compiled; most of the time goes into that.

usage: run_three_ways.py [--tessera PROGRAM] [--targets cpu,emulate,gpu] [--without turn|all|LIST]
[--optimize 0|1|2|3] [--jobs N] [PROGRAM.cu...] Prints a line for each failure, then 'N passed, N
failed'.
"""

import argparse
import concurrent.futures
import dataclasses
import math
import os
import pathlib
import re
import subprocess
import sys
import zlib

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
RESULT = re.compile(r"(?P<name>.*) ~(?P<tolerance>\S+): (?P<numbers>.*)")


@dataclasses.dataclass
class Case:
    """One run of a program on each of its targets."""

    source: pathlib.Path
    targets: list
    arguments: list = dataclasses.field(default_factory=list)
    compare: bool = True
    options: list = dataclasses.field(default_factory=list)

    def __str__(self):
        return " ".join([str(self.source.relative_to(ROOT)), *self.arguments])


def program_case(source, targets):
    first, second = (source.read_text().splitlines() + ["", ""])[:2]
    only = (
        first.removeprefix("// targets:").strip().split(",")
        if first.startswith("// targets:")
        else targets
    )
    options = []
    if second.startswith("// arch:"):
        options = ["--arch=" + second.removeprefix("// arch:").strip()]
    if first.startswith("// options:"):
        options = first.removeprefix("// options:").split()
    return Case(source, [target for target in targets if target in only], options=options)


def sample_cases(targets):
    """Lines of samples.txt: NAME ARGUMENTS..., or TARGET,TARGET: NAME ARGUMENTS..."""
    for line in (HERE / "samples.txt").read_text().splitlines():
        line = line.partition("#")[0].strip()
        if not line:
            continue
        only, _, words = line.rpartition(":")
        name, *arguments = words.split()
        chosen = [target for target in targets if not only or target in only.split(",")]
        yield Case(ROOT / "samples" / f"{name}.cu", chosen, arguments, compare=False)


def is_near(a, b, bound):
    if math.isnan(a) or math.isnan(b) or math.isinf(a) or math.isinf(b):
        return a == b or (math.isnan(a) and math.isnan(b))
    return abs(a - b) <= bound


def is_same_line(a, b):
    left, right = RESULT.fullmatch(a), RESULT.fullmatch(b)
    if not left or not right or left["name"] != right["name"]:
        return a == b
    x, y = [float(n) for n in left["numbers"].split()], [float(n) for n in right["numbers"].split()]
    largest = max((abs(n) for n in x if math.isfinite(n)), default=0)
    # Each target may be off by the tolerance, in its own direction.
    return len(x) == len(y) and all(
        is_near(m, n, 2 * float(left["tolerance"]) * largest) for m, n in zip(x, y)
    )


def difference(a, b):
    a, b = a.splitlines(), b.splitlines()
    for left, right in zip(a, b):
        if not is_same_line(left, right):
            return f"{left[:100]!r} against {right[:100]!r}"
    return "" if len(a) == len(b) else f"{len(a)} lines against {len(b)}"


def techniques():
    return re.findall(
        r"^TESSERA_TECHNIQUE\((\w+)", (ROOT / "plugin/Techniques.def").read_text(), re.M
    )


def forbidden_of(case, without):
    """What a case is planned without, once for each."""
    if without in ("turn", "all"):
        names = techniques()
        return names if without == "all" else [names[zlib.crc32(str(case).encode()) % len(names)]]
    return without.split(",") if without else []


def runs_of(case, options):
    """(target, what it is planned without, or "") of each run."""
    runs = [(target, "") for target in case.targets]
    if "emulate" in case.targets:
        runs += [("emulate", name) for name in forbidden_of(case, options.without)]
    return runs


def execute(case, target, without, options):
    """Standard output, or a sentence about what went wrong."""
    command = [options.tessera, "run", f"--target={target}", f"-O{options.optimize}"]
    command += [*case.options, case.source, "--", *case.arguments]
    try:
        process = subprocess.run(
            command, capture_output=True, text=True, errors="replace", timeout=options.seconds,
            env={**os.environ, "TESSERA_PLAN_WITHOUT": without},
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        return "", f"no answer in {options.seconds} s"
    if process.returncode == 0:
        return process.stdout, ""
    lines = [
        line
        for line in (process.stdout + process.stderr).splitlines()
        if "wrong" in line or "error" in line
    ]
    return (
        "",
        f"exit status {process.returncode}: "
        + (lines or process.stderr.splitlines()[-1:] or ["?"])[0],
    )


def judge(case, options):
    """What is wrong with a case, or nothing."""
    first = None
    for target, without in runs_of(case, options):
        name = target + (f" without {without}" if without else "")
        output, wrong = execute(case, target, without, options)
        if wrong:
            return f"{name}: {wrong}"
        if first is None:
            first = output
        elif case.compare and (unlike := difference(first, output)):
            return f"{case.targets[0]} and {name} disagree: {unlike}"
    return ""


def parse_options():
    default_targets = "cpu,emulate" + (",gpu" if pathlib.Path("/dev/nvidia0").exists() else "")
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--tessera", default=ROOT / "build/bin/tessera")
    parser.add_argument("--targets", default=default_targets, type=lambda text: text.split(","))
    parser.add_argument("--without", default="")
    parser.add_argument("--optimize", default="2")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--seconds", type=int, default=300, help="limit for one command")
    parser.add_argument("programs", nargs="*", type=pathlib.Path)
    return parser.parse_args()


def main():
    os.environ["TESSERA_VERIFY"] = "1"  # the rules of every stage of the plan
    options = parse_options()
    programs = [program.resolve() for program in options.programs] or sorted(HERE.glob("*.cu"))
    cases = [program_case(program, options.targets) for program in programs]
    if not options.programs:
        cases += sample_cases(options.targets)
    # What has no target here (no GPU, say) is left out of the count, and said so.
    for case in cases:
        if not case.targets:
            print(f"left out {case}: none of its targets is here", flush=True)
    cases = [case for case in cases if case.targets]
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for case, wrong in zip(cases, pool.map(lambda case: judge(case, options), cases)):
            if wrong:
                failed += 1
                print(f"FAIL {case}: {wrong}", flush=True)
    print(f"{len(cases) - failed} passed, {failed} failed")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
