#!/usr/bin/env python3
"""Broken programs: every door must accept them, or refuse them with an error at a line.

Mutants are probes with random lines deleted, samples cut off at random points, and programs of the
fuzzer with tokens swapped. Each is the same for its name and the seed, whatever else is made. The
doors, and who goes through them:

  translate  tessera x.cu: every mutant
  plugin     clang++ -fplugin, to LLVM IR, so that the translated text compiles: every mutant that
             translate takes, or refuses behind the parse
  syntax     clang++ -fplugin -fsyntax-only: every mutant that translate refuses behind the parse
  check      tessera check: the same

and of the others one in --every: where the parse refuses, all doors are that parse. Allowed is exit
status 0 without an error, or 1 with at least one error that names a file and a line. Anything else
is a fault: a crash, no answer in time, an exit without a message, a fault that tessera itself
reports, a file left behind beside an error, and a program that one door takes and another refuses
(among these is translated text that does not compile).

usage: mutants.py [--tessera PROGRAM] [--plugin LIBRARY] [--seed N] [--lines N] [--cuts N]
                  [--swaps N] [--first N] [--every N] [--jobs N] [--keep FOLDER]
                  [--probes FOLDER] [NAME...]
With names (line12, swap3) only those mutants; --first resumes a run at its mutant of that number.
Prints a line for each fault, then 'N passed, N failed'.
"""
import argparse
import collections
import concurrent.futures
import os
import pathlib
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile

import control_flow

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "test/fuzz"))
from grammar.kernel import file_text  # noqa: E402
from grammar.program import make_kernel  # noqa: E402

CLANG = "/usr/lib/llvm-22/bin/clang++"
NO_LIBRARY = ["-nogpulib", "-Xclang", "-target-sdk-version=13.0"]
SECONDS = 60  # of CPU time for one door, however busy the machine is
WALL_SECONDS = 600  # for one that waits
ERROR = re.compile(r"^[^\s:]+:\d+:\d+: (fatal )?error: ", re.M)
OWN_FAULT = re.compile(r"bug in tessera|Assertion|Stack dump|LLVM ERROR")
# What the stages behind the parse refuse.
ROWS = "|".join(
    ".*".join(map(re.escape, re.split(r"%\d", "".join(re.findall(r'"([^"]*)"', row)))))
    for row in re.findall(
        r"^TESSERA_REFUSAL\(.*?\)$", (ROOT / "plugin/support/Refusals.def").read_text(), re.M | re.S
    )
)
BEHIND_PARSE = re.compile(rf"error: (not supported yet: )?({ROWS})")
KINDS = [r"[A-Za-z_]\w*", r"\d[\w.]*", r"::|<<<|>>>|[-+*/%&|^=<>!]=|&&|\|\||\S"]
TOKEN = re.compile("|".join(f"({kind})" for kind in KINDS))


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
    """Two tokens, in half of the cases of one kind: what then parses goes further."""
    tokens = list(TOKEN.finditer(text))
    if rng.randrange(2):
        kind = rng.choice(tokens).lastindex
        tokens = [token for token in tokens if token.lastindex == kind]
    a, b = sorted(rng.sample(tokens, 2), key=lambda token: token.start())
    middle = text[a.end() : b.start()]
    return text[: a.start()] + b.group() + middle + a.group() + text[b.end() :]


def generated(rng):
    if rng.randrange(4) == 0:
        return control_flow.program(rng.randrange(10**6), 1)
    return file_text([make_kernel("mutants", rng.randrange(10**6))])


Mutant = collections.namedtuple("Mutant", "name text home")  # home: of the files it includes


def names_of(options):
    kinds = [("line", options.lines), ("cut", options.cuts), ("swap", options.swaps)]
    names = [f"{kind}{number}" for kind, count in kinds for number in range(count)]
    return options.names or names[options.first :]


def make_mutant(options, name):
    rng = random.Random(f"{options.seed}/{name}")
    if name.startswith("swap"):
        return Mutant(name, swap_tokens(rng, generated(rng)), ROOT / "test/fuzz")
    folder = options.probes if name.startswith("line") else ROOT / "samples"
    source = rng.choice(sorted(folder.rglob("*.cu")))
    change = delete_lines if name.startswith("line") else cut_off
    text = change(rng, source.read_text(errors="replace"))
    return Mutant(f"{name}_{source.stem}", text, source.parent)


def execute(command):
    """The limit comes from a shell: Python code between fork and exec can hang, as another thread
    may hold any lock at the fork."""
    process = subprocess.Popen(
        ["/bin/sh", "-c", f'ulimit -c 0; ulimit -t {SECONDS}; exec "$@"', "sh", *command],
        text=True,
        errors="replace",
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    try:
        _, errors = process.communicate(timeout=WALL_SECONDS)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        return 124, f"no answer in {WALL_SECONDS} s"
    return process.returncode, errors


def wrong_with(status, errors, left):
    """What is wrong with a door's answer, or nothing. left: the files that it wrote."""
    if OWN_FAULT.search(errors):
        return next(line for line in errors.splitlines() if OWN_FAULT.search(line))
    if status not in (0, 1):
        return f"exit status {status}: {errors.strip().splitlines()[-1:]}"
    if status == 1 and not ERROR.search(errors):
        return "refused without an error at a line"
    if status == 1 and left:
        return f"beside an error it leaves {left}"
    if status == 0 and ERROR.search(errors):
        return "an error, and exit status 0"
    return ""


class Doors:
    """The doors of one mutant, and what was found at them."""

    def __init__(self, options, folder, mutant):
        self.folder = folder / mutant.name
        self.folder.mkdir(parents=True, exist_ok=True)
        self.source = self.folder / "mutant.cu"
        self.source.write_text(mutant.text)
        self.faults, self.errors = [], {}
        home = mutant.home
        folders = [home, *(parent for parent in home.parents if (parent / "probe.h").exists())]
        clang = [CLANG, "-x", "cuda", "-std=c++20", "-w", "--cuda-device-only"]
        clang += ["--cuda-gpu-arch=sm_90a", "-Wno-unknown-cuda-version"]
        clang += [f"-fplugin={options.plugin}", f"--cuda-path={options.cuda}"]
        self.commands = {
            "check": [options.tessera, "check"],
            "translate": [options.tessera, "-o", self.folder / "text.cu"],
            "syntax": [*clang, "-fsyntax-only"],
            # Without libdevice the driver does not tell the toolkit's version, by which Clang
            # spells launches of SIMT kernels.
            "plugin": [*clang, *NO_LIBRARY, "-emit-llvm", "-c", "-o", self.folder / "code.bc"],
        }
        self.rest = [*(f"-I{name}" for name in folders), self.source]

    def takes(self, door):
        """Whether the mutant gets through."""
        status, self.errors[door] = execute([*self.commands[door], *self.rest])
        left = sorted(path.name for path in self.folder.iterdir() if path != self.source)
        wrong = wrong_with(status, self.errors[door], left)
        if wrong:
            self.faults.append(f"{door}: {wrong}")
        for name in left:
            (self.folder / name).unlink()
        return status == 0

    def expect(self, door, expected):
        found = len(self.faults)
        if self.takes(door) == expected or len(self.faults) > found:
            return
        # The checks refuse some programs in the words of a stage.
        error = self.first_error(door)
        if error != self.first_error("translate"):
            self.faults.append(f"{door} and translate disagree: {error}")

    def first_error(self, door):
        first = ERROR.search(self.errors[door])
        return self.errors[door][first.start() :].splitlines()[0] if first else ""


def judge(options, folder, number, name):
    """Whether the mutant was taken, and its faults as lines."""
    doors = Doors(options, folder, make_mutant(options, name))
    everywhere = number % options.every == 0
    is_taken = doors.takes("translate")
    is_parsed = is_taken or bool(BEHIND_PARSE.search(doors.errors["translate"]))
    if is_parsed or everywhere:
        doors.expect("plugin", is_taken)
    if is_parsed and not is_taken or everywhere:
        doors.takes("check")
        if is_parsed:
            doors.expect("syntax", True)
        else:
            doors.takes("syntax")
    if not doors.faults:
        shutil.rmtree(doors.folder)
    return is_taken, [f"{doors.source}: {fault}" for fault in doors.faults]


def parse_options():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--tessera", default=ROOT / "build/bin/tessera")
    parser.add_argument("--plugin", default=ROOT / "build/lib/libtessera.so")
    parser.add_argument("--cuda", default=os.environ.get("CUDA_HOME", ROOT / "build/cuda"))
    parser.add_argument("--probes", type=pathlib.Path, default=ROOT / "test/probes")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--lines", type=int, default=20, help="probes with lines deleted")
    parser.add_argument("--cuts", type=int, default=6, help="samples cut off")
    parser.add_argument("--swaps", type=int, default=10, help="programs with tokens swapped")
    parser.add_argument("--first", type=int, default=0, help="number of the first mutant")
    parser.add_argument("--every", type=int, default=1, help="all doors for one of N")
    parser.add_argument("--keep", type=pathlib.Path, help="folder for the mutants with faults")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("names", nargs="*", metavar="NAME")
    return parser.parse_args()


def main():
    options = parse_options()
    names = names_of(options)
    count = failed = taken = 0
    threads = concurrent.futures.ThreadPoolExecutor(options.jobs)
    with tempfile.TemporaryDirectory() as temporary, threads as pool:
        folder = options.keep or pathlib.Path(temporary)
        work = lambda item: judge(options, folder, *item)
        for is_taken, faults in pool.map(work, enumerate(names, options.first)):
            count += 1
            taken += is_taken
            failed += bool(faults)
            for line in faults:
                print("FAIL", line, flush=True)
            if count % 100 == 0:
                done = f"{options.first + count} done, {taken} taken, {failed} failed"
                print(done, file=sys.stderr, flush=True)
    print(f"{count - failed} passed, {failed} failed")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
