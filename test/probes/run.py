#!/usr/bin/env python3
"""Holds the compiler against the probes: small programs with the verdict and the output of
NVIDIA's compiler.

A probe's first line is `// accept: what it shows` or `// reject: why`. NAME.out beside an
accepted one is what its main() printed on an H200. Refused probes must be refused with an error
(exit status 1); accepted ones must run with exit status 0 on every target asked for, which checks
them as well, and print the same, up to the last digits of floating-point numbers. They are
translated and compiled as test/run/run_three_ways.py does it, --texts is as there. With --turn a
probe is translated for all targets and runs on one of them, by its name. With --together N up to N
accepted probes are one program, each in a namespace of its own, since most of the time goes into
what every program takes; what such a program refuses, or prints otherwise, its probes are asked for
alone.
Beside its text for GPUs, together-probes-I.cu, lie the names of its probes, in a .txt.

usage: run.py [--tessera PROGRAM] [--clang PROGRAM] [--cuda FOLDER] [--targets cpu,emulate]
              [--turn] [--together N] [--optimize LEVEL[,LEVEL]] [--texts FOLDER] [--jobs N]
              [FILE-OR-FOLDER...]
Prints a line for each probe that falls short, then 'N passed, N failed'.
"""

import argparse
import concurrent.futures
import math
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import zlib

HERE = pathlib.Path(__file__).resolve().parent
NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*(?:e[-+]?\d+)?|\.\d+(?:e[-+]?\d+)?|inf|nan)\b", re.I)
RELATIVE = 1e-5  # probes print at most six digits


def is_near(got, wanted):
    if got == wanted:
        return True
    if not re.search(r"[.en]", got + wanted, re.I):
        return False  # integers
    a, b = float(got), float(wanted)
    if math.isnan(a) or math.isnan(b):
        return math.isnan(a) and math.isnan(b)
    return abs(a - b) <= RELATIVE * max(abs(a), abs(b)) + 1e-30


def is_same_line(got, wanted):
    texts = NUMBER.sub("#", got).split(), NUMBER.sub("#", wanted).split()
    return texts[0] == texts[1] and all(map(is_near, NUMBER.findall(got), NUMBER.findall(wanted)))


def difference(got, wanted):
    """The first line that differs, as a sentence, or nothing."""
    got, wanted = got.split("\n"), wanted.split("\n")
    for a, b in zip(got, wanted):
        if not is_same_line(a, b):
            return f"printed {a!r}, should be {b!r}"
    return "" if len(got) == len(wanted) else f"printed {len(got)} lines, should be {len(wanted)}"


def execute(command, seconds):
    try:
        return subprocess.run(
            command, capture_output=True, text=True, errors="replace", timeout=seconds
        )
    except subprocess.TimeoutExpired:
        return subprocess.CompletedProcess(command, 124, "", f"no answer in {seconds} s")


def last_line(process):
    lines = (process.stderr + process.stdout).strip().splitlines()
    return lines[-1] if lines else ""


def judge(probe, options, compiler):
    """What is wrong with a probe, or nothing."""
    is_accepted = probe.open(errors="replace").readline().startswith("// accept")
    if not is_accepted or not options.targets:
        check = execute([options.tessera, "check", probe], options.seconds)
        if check.returncode not in (0, 1):
            return f"check exits with {check.returncode}: {last_line(check)}"
        if is_accepted != (check.returncode == 0):
            return f"{'refused' if is_accepted else 'accepted'}: {last_line(check)}"
    if not is_accepted:
        return ""

    import run_three_ways as run

    with tempfile.TemporaryDirectory() as folder:
        programs = run.Programs(run.Case(probe.resolve(), options.targets), compiler, folder)
        for target in targets_of(probe, options):
            try:
                output = programs.run(target, "", [])
            except run.Wrong as wrong:
                return f"{target}: {wrong}"
            if wrong := wrong_output(probe, output):
                return f"{target}: {wrong}"
    return ""


def wrong_output(probe, output):
    expected = probe.with_suffix(".out")
    return difference(output, expected.read_text()) if expected.exists() else ""


def targets_of(probe, options):
    targets = options.targets
    return [targets[zlib.crc32(probe.stem.encode()) % len(targets)]] if options.turn else targets


def judge_together(number, probes, options, compiler):
    """What is wrong with each of some accepted probes that have the same targets."""
    import run_three_ways as run

    with tempfile.TemporaryDirectory() as folder:
        source = pathlib.Path(folder) / "together.cu"
        source.write_text(run.together(probes, ["#include <cuda_tile.h>\n"]))
        case = run.Case(source, options.targets)
        text = options.texts and options.texts / f"together-probes-{number}.cu"
        programs = run.Programs(case, compiler, folder, text)
        try:
            for target in targets_of(probes[0], options):
                outputs = run.outputs_of_each(programs.run(target, "", []))
                if len(outputs) != len(probes) or any(map(wrong_output, probes, outputs)):
                    raise run.Wrong("it prints something else")
        except run.Wrong as wrong:
            run.give_up_together(text, wrong, probes)
            return [judge(probe, options, compiler) for probe in probes]
        run.keep_names(text, probes)
    return ["" for _ in probes]


def groups_of(probes, options):
    """Those of one program each, which have the same targets."""
    import run_three_ways as run

    groups = {}
    for probe in probes:
        text = probe.read_text(errors="replace")
        targets = targets_of(probe, options)
        if not text.startswith("// accept") or not targets or not run.may_be_together(text):
            yield [probe]
            continue
        group = groups.setdefault(tuple(targets), [])
        group.append(probe)
        if len(group) == options.together:
            yield groups.pop(tuple(targets))
    yield from groups.values()


def parse_options():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--tessera", default=HERE.parents[1] / "build/bin/tessera")
    parser.add_argument("--targets", default="cpu,emulate", type=lambda text: text.split(","))
    parser.add_argument("--clang", default="/usr/lib/llvm-22/bin/clang++")
    cuda = os.environ.get("CUDA_HOME", HERE.parents[1] / "build/cuda")
    parser.add_argument("--cuda", default=cuda)
    parser.add_argument("--turn", action="store_true", help="run each on one target, by its name")
    parser.add_argument("--together", type=int, default=1, metavar="N", help="in one program")
    parser.set_defaults(definitions=[])
    parser.add_argument("--optimize", default="2")
    parser.add_argument("--texts", type=pathlib.Path, help="folder for the texts for GPUs")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--seconds", type=int, default=120, help="limit for one command")
    parser.add_argument("paths", nargs="*", type=pathlib.Path, default=[HERE])
    return parser.parse_args()


def main():
    os.environ["TESSERA_VERIFY"] = "1"  # the rules of every stage of the plan
    options = parse_options()
    probes = sorted(
        probe.resolve()
        for path in options.paths
        for probe in ([path] if path.is_file() else path.rglob("*.cu"))
    )
    sys.path.insert(0, str(HERE.parent / "run"))
    import run_three_ways  # not where test/gpu/batch.py takes the comparison

    failed = 0
    threads = concurrent.futures.ThreadPoolExecutor(options.jobs)
    with tempfile.TemporaryDirectory() as folder, threads as pool:
        compiler = run_three_ways.Compiler(options, folder)

        def wrongs_of(numbered):
            number, group = numbered
            if len(group) > 1:
                return judge_together(number, group, options, compiler)
            return [judge(group[0], options, compiler)]

        groups = list(groups_of(probes, options))
        for group, wrongs in zip(groups, pool.map(wrongs_of, enumerate(groups))):
            for probe, wrong in zip(group, wrongs):
                if wrong:
                    failed += 1
                    print(f"FAIL {os.path.relpath(probe)}: {wrong}", flush=True)
    print(f"{len(probes) - failed} passed, {failed} failed")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
