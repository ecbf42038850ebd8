#!/usr/bin/env python3
"""Broken programs: every door must accept them, or refuse them with an error at a line.

Mutants are probes with random lines deleted, samples cut off at random points, and generated
programs with tokens swapped; a seed gives the same ones. Each goes through `tessera check`,
translation and the plugin. Allowed is exit status 0, or 1 with at least one error that names a file
and a line. Anything else is a fault: a crash, no answer in time, an exit without a message, a fault
that tessera itself reports, an output file beside an error, and a program that one door takes and
another refuses (among these is translated text that does not compile).

usage: mutants.py [--tessera PROGRAM] [--plugin LIBRARY] [--seed N] [--lines N] [--cuts N]
                  [--swaps N] [--doors check,translate,plugin] [--every N] [--jobs N]
                  [--keep FOLDER] [--probes FOLDER]
Prints a line for each fault, then 'N passed, N failed'.
"""
import argparse
import concurrent.futures
import os
import pathlib
import random
import re
import resource
import signal
import subprocess
import sys
import tempfile

import control_flow

ROOT = pathlib.Path(__file__).resolve().parents[2]
CLANG = "/usr/lib/llvm-22/bin/clang++"
SECONDS = 60  # of CPU time for one door, however busy the machine is
WALL_SECONDS = 600  # for one that waits
ERROR = re.compile(r"^[^\s:]+:\d+:\d+: (fatal )?error: ", re.M)
OWN_FAULT = re.compile(r"fault of tessera|did not compile|Assertion|Stack dump|LLVM ERROR")
TOKEN = re.compile(r"\w+|::|<<<|>>>|[-+*/%&|^=<>!]=|&&|\|\||\S")


def delete_lines(rng, text):
    lines = text.split("\n")
    for _ in range(rng.randint(1, 3)):
        del lines[rng.randrange(len(lines))]
        if not lines:
            break
    return "\n".join(lines)


def cut_off(rng, text):
    return text[: rng.randrange(len(text))]


def swap_tokens(rng, text):
    tokens = list(TOKEN.finditer(text))
    first, second = sorted(rng.sample(range(len(tokens)), 2))
    a, b = tokens[first], tokens[second]
    middle = text[a.end() : b.start()]
    return text[: a.start()] + b.group() + middle + a.group() + text[b.end() :]


def mutants(options):
    """Name, text and folder for included files of each mutant."""
    rng = random.Random(options.seed)
    probes = sorted(options.probes.rglob("*.cu"))
    samples = sorted((ROOT / "samples").glob("*.cu"))
    for number in range(options.lines):
        source = rng.choice(probes)
        yield f"line{number}_{source.stem}", delete_lines(rng, read(source)), source.parent
    for number in range(options.cuts):
        source = rng.choice(samples)
        yield f"cut{number}_{source.stem}", cut_off(rng, read(source)), source.parent
    for number in range(options.swaps):
        text = control_flow.program(rng.randrange(10**6), 1)
        yield f"swap{number}", swap_tokens(rng, text), ROOT


def read(path):
    return path.read_text(errors="replace")


def execute(command):
    process = subprocess.Popen(
        command,
        text=True,
        errors="replace",
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        start_new_session=True,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS)),
    )
    try:
        _, errors = process.communicate(timeout=WALL_SECONDS)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        return 124, f"no answer in {WALL_SECONDS} s"
    return process.returncode, errors


def commands(options, source, folders):
    """What each door runs, and the file it writes."""
    text, code = source.with_suffix(".simt.cu"), source.with_suffix(".bc")
    includes = [f"-I{folder}" for folder in folders]
    plugin = [CLANG, "-x", "cuda", "-std=c++20", "-w", "--cuda-device-only", "-nogpulib"]
    plugin += ["--cuda-gpu-arch=sm_90a", "-Wno-unknown-cuda-version", "-emit-llvm", "-c"]
    plugin += [f"-fplugin={options.plugin}", f"--cuda-path={options.cuda}", *includes]
    return {
        "check": ([options.tessera, "check", source, *includes], None),
        "translate": ([options.tessera, source, "-o", text, *includes], text),
        "plugin": ([*plugin, source, "-o", code], code),
    }


def wrong_with(status, errors, output):
    """What is wrong with a door's answer, or nothing."""
    if OWN_FAULT.search(errors):
        return next(line for line in errors.splitlines() if OWN_FAULT.search(line))
    if status not in (0, 1):
        return f"exit status {status}: {errors.strip().splitlines()[-1:]}"
    if status == 1 and not ERROR.search(errors):
        return "refused without an error at a line"
    if status == 1 and output and output.exists():
        return "an output file beside an error"
    return ""


def judge(options, folder, number, mutant):
    """The faults of a mutant, as lines."""
    name, text, home = mutant
    source = folder / f"{name}.cu"
    source.write_text(text)
    folders = [home, *(parent for parent in home.parents if (parent / "probe.h").exists())]
    doors = commands(options, source, folders)
    faults, statuses = [], {}
    for door, (command, output) in doors.items():
        if door not in options.doors or (door != "translate" and number % options.every):
            continue
        status, errors = execute(command)
        wrong = wrong_with(status, errors, output)
        statuses[door] = status
        if wrong:
            faults.append(f"{source}: {door}: {wrong}")
        elif door == "plugin" and statuses.get("translate", status) != status:
            first = ERROR.search(errors)
            line = errors[first.start() :].splitlines()[0] if first else ""
            faults.append(f"{source}: the plugin and the tool disagree: {line}")
        if output and output.exists():
            output.unlink()
    if not faults:
        source.unlink()
    return faults


def parse_options():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--tessera", default=ROOT / "build/bin/tessera")
    parser.add_argument("--plugin", default=ROOT / "build/lib/libtessera.so")
    parser.add_argument("--cuda", default=os.environ.get("CUDA_HOME", "/usr/local/cuda"))
    parser.add_argument("--probes", type=pathlib.Path, default=ROOT / "test/probes")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--lines", type=int, default=20, help="probes with lines deleted")
    parser.add_argument("--cuts", type=int, default=6, help="samples cut off")
    parser.add_argument("--swaps", type=int, default=10, help="programs with tokens swapped")
    parser.add_argument("--doors", default="check,translate,plugin", type=lambda s: s.split(","))
    parser.add_argument("--every", type=int, default=1, help="check and plugin for one of N")
    parser.add_argument("--keep", type=pathlib.Path, help="folder for the mutants with faults")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    return parser.parse_args()


def main():
    options = parse_options()
    failed = count = 0
    threads = concurrent.futures.ThreadPoolExecutor(options.jobs)
    with tempfile.TemporaryDirectory() as temporary, threads as pool:
        folder = options.keep or pathlib.Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        work = lambda item: judge(options, folder, *item)
        for faults in pool.map(work, enumerate(mutants(options))):
            count += 1
            failed += bool(faults)
            for line in faults:
                print("FAIL", line, flush=True)
    print(f"{count - failed} passed, {failed} failed")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
