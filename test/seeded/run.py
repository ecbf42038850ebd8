#!/usr/bin/env python3
"""Seeds faults into what the plan made of programs, and counts those that the tests see.

usage: run.py [--tessera PROGRAM] [--single] [--only PATTERN] [--count N] [--seed NAME]
              [PROGRAM.cu[:ARCH]...]

A program is translated for the emulator; faults.py puts all its faults into the text, and one
compilation makes a program of it, which SEEDED=N,M tells what to do wrong. A fault of the plan is
made wherever its text has the case: so all faults of a group are made at once, and caught if one
program prints something else, fails, is reported by the emulator, or takes more than twenty times
as long. Each runs with tensor maps and without. With --single a fault is at one place alone.
Prints what became of each, and last 'N passed, N failed': caught, or explained in equivalent.txt,
and survived.
"""

import argparse
import collections
import os
import pathlib
import random
import re
import resource
import subprocess
import sys
import tempfile
import time

from faults import OF_TYPES, Seeder

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
PROGRAMS = """operands_ahead copied_ahead shifted_rows bulk_stores mma_of_warpgroups
 computed_operands around_the_ring tf32_products pointer_tiles reductions scans one_logical_thread
 stores_of_operands shapes casts ordered_atomics padding copied_ahead:sm_80 computed_operands:sm_80
 straight_loops:sm_80 steps_behind:sm_80 operands_by_pointers:sm_120 places blocks_that_differ
 iterations_that_differ rings_that_differ shared_by_threads""".split()
REPORT = re.compile(r"race in \w+ memory|uninitialised|out of range|misaligned|tessera emulator")
# How a program runs: with bulk copies, and as where the driver has no maps.
WAYS = [{}, {"TESSERA_EMULATE_MAPS": "0"}]


class Program:
    """A program with its faults in it."""

    def __init__(self, word, options, scratch):
        name, _, arch = word.partition(":")
        self.source = pathlib.Path(name) if "/" in name else ROOT / "test/run" / f"{name}.cu"
        self.name, self.arch = f"{self.source.stem}:{arch or 'sm_90a'}", arch or "sm_90a"
        self.scratch, self.options, self.without = scratch, options, set()
        self.is_none = False
        self.program = scratch / self.name.replace(":", "_")

    def command(self, words, seconds, environment={}):
        process = subprocess.Popen(
            [str(w) for w in words],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            errors="replace",
            env={**os.environ, **environment},
        )
        resource.prlimit(process.pid, resource.RLIMIT_CPU, (seconds, seconds))
        try:
            out, err = process.communicate(timeout=30 * seconds)
        except subprocess.TimeoutExpired:
            process.kill()
            out, err = process.communicate()
        return process.returncode, out, err

    def translated(self):
        text = self.scratch / f"{self.program.name}.plain.cu"
        words = [self.options.tessera, "--target=emulate", f"--arch={self.arch}", "--extensions"]
        status, _, err = self.command([*words, self.source, "-o", text], 100)
        if status:
            raise SystemExit(f"{self.name} is refused:\n{err}")
        return text.read_text()

    def build(self, header):
        plain = self.translated()
        for _ in range(20):
            seeder = Seeder(plain, self.without)
            lines = seeder.text()
            self.faults = seeder.faults
            text = self.scratch / f"{self.program.name}.cu"
            head = '#include <tessera/simt.cuh>\n#include "seeded.h"\n'
            text.write_text(head + "\n".join(line for _, line in lines) + "\n")
            errors = self.compile(header, text)
            if errors is None:
                return
            places = {lines[n - 3][0] for n in errors if 3 <= n < len(lines) + 3}
            guilty = [f for f in self.faults if f.line in places]
            guilty = [f for f in guilty if f.kind in OF_TYPES] or guilty
            self.without |= {f.number for f in guilty}
            if not guilty:
                break
        raise SystemExit(f"{self.name} does not compile with its faults:\n{self.errors}")

    def compile(self, header, text):
        """Lines with errors, or None."""
        build = self.options.tessera.resolve().parents[1]
        libraries = [build / f"lib/libtessera_{x}.a" for x in ("emulate", "cpu")]
        words = ["clang++-22", *flags(), "-include-pch", header, "-iquote", self.source.parent]
        words += ["-x", "c++", text, "-o", self.program, "-x", "none", *libraries]
        status, _, err = self.command([*words, "-lboost_context", "-lpthread", "-ldl"], 300)
        if status == 0:
            return None
        self.errors = err[:3000]
        return {int(n) for n in re.findall(rf"{re.escape(text.name)}:(\d+):\d+: ", err)}

    def begin(self):
        """The right runs: what they print, how long they take, which faults each comes to."""
        reached, self.ways = self.scratch / "reached", []
        for environment in WAYS:
            start = resource.getrusage(resource.RUSAGE_CHILDREN)
            said = {"SEEDED_REACHED": str(reached), **environment}
            status, right, err = self.command([self.program], 300, said)
            end = resource.getrusage(resource.RUSAGE_CHILDREN)
            if status or REPORT.search(err):
                raise SystemExit(f"{self.name} fails without a fault: {status}\n{right}{err}")
            seconds = int(20 * (end.ru_utime - start.ru_utime)) + 2
            found = reached.read_text() if reached.exists() else ""
            numbers = {int(n) for n in found.split()}
            self.ways.append((environment, right, seconds, numbers))
        numbers = set().union(*(way[3] for way in self.ways))
        self.faults = [f for f in self.faults if f.number in numbers]

    def verdict(self, faults):
        """How these faults, all made at once, were caught, or nothing."""
        made, self.is_none = {}, False
        for way, (_, _, _, numbers) in enumerate(self.ways):
            reached = [str(f.number) for f in faults if f.number in numbers]
            if reached:
                made[way] = {"SEEDED": ",".join(reached)}
        return self.judged(made)

    def judged(self, environments):
        """What is wrong with the runs in these ways, each with more of an environment."""
        for way, more in environments.items():
            environment, right, seconds, _ = self.ways[way]
            status, out, err = self.command([self.program], seconds, {**more, **environment})
            self.is_none |= "seeded: a fault that is none" in err
            if REPORT.search(err):
                return "report"
            if status in (-24, -9):
                return "no end"
            if status:
                return "crash" if status < 0 else "wrong"
            if out != right:
                return "other numbers"
        return ""


def flags():
    cuda = os.environ.get("CUDA_HOME", ROOT / "build/cuda")
    folders = [ROOT / "runtime/include", f"{cuda}/include"]
    words = ["-std=c++20", "-O1", "-w", "-ferror-limit=0", f"-I{HERE}"]
    words += [word for folder in folders for word in ("-isystem", folder)]
    return [*words, "-DTESSERA_EMULATE", "-DTESSERA_SIMT=1"]


def precompiled(scratch):
    header, result = scratch / "text.h", scratch / "text.h.pch"
    header.write_text("#include <tessera/simt.cuh>\n")
    words = ["clang++-22", *flags(), "-x", "c++-header", header, "-o", result]
    subprocess.run([str(w) for w in words], check=True)
    return result


def explained():
    """Faults that change nothing, by kinds and places: lines `KIND | PATTERN | REASON`."""
    rows = []
    for line in (HERE / "equivalent.txt").read_text().splitlines():
        if line.strip() and not line.startswith("#"):
            rows.append([word.strip() for word in line.split(" | ")])
    return rows


def reason_of(faults, rows):
    """Why they change nothing, where there is a reason for each."""
    reasons = []
    for fault in faults:
        found = (r for k, p, r in rows if re.fullmatch(k, fault.kind) and re.search(p, fault.place))
        reasons.append(next(found, ""))
    return reasons[0] if all(reasons) else ""


def reason_of_single(program, fault):
    """Why a fault that no run saw is none at its place, as far as the runs themselves tell."""
    if fault.kind == "alignment taken for proven":
        return "no access of this place is misaligned: the emulator reports each that is"
    if program.is_none:
        return "a thread has one element of this tile: no basis can be exchanged"
    return ""


def grouped(programs):
    """{group: [(program, its faults of the group)]}"""
    groups = collections.defaultdict(lambda: collections.defaultdict(list))
    for program in programs:
        for fault in program.faults:
            groups[fault.group][program].append(fault)
    return {name: list(parts.items()) for name, parts in sorted(groups.items())}


def drawn(programs, count, seed):
    """Single faults of all programs: one group after the other gives one."""
    rng, groups = random.Random(seed), grouped(programs)
    places = [[(p, [f]) for p, faults in parts for f in faults] for parts in groups.values()]
    for part in places:
        rng.shuffle(part)
    result = []
    while len(result) < count and any(places):
        for part in places:
            if part and len(result) < count:
                place = part.pop()
                result.append((place[1][0].group, [place]))
    return result


class Tally:
    """What became of each fault, as it is said and counted."""

    def __init__(self):
        self.counts = collections.Counter()

    def say(self, name, how, reason, where):
        """how: it was caught, or nothing; reason: why it changes nothing, or nothing."""
        self.counts["caught" if how else "equivalent" if reason else "survived"] += 1
        word = how or (f"equivalent: {reason}" if reason else "FAIL survives")
        print(f"  {name}: {word}{'' if how else where}", flush=True)

    def end(self):
        """Says how many there are of each; the exit status."""
        counts = self.counts
        print(", ".join(f"{counts[w]} {w}" for w in ("caught", "equivalent", "survived")))
        print(f"{counts['caught'] + counts['equivalent']} passed, {counts['survived']} failed")
        return counts["survived"] != 0


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--tessera", type=pathlib.Path, default=ROOT / "build/bin/tessera")
    parser.add_argument("--single", action="store_true", help="faults at one place each")
    parser.add_argument("--only", default="", help="groups whose names have this expression")
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", default="1")
    parser.add_argument("programs", nargs="*", default=PROGRAMS)
    options = parser.parse_args()
    rows, tally = explained(), Tally()
    with tempfile.TemporaryDirectory(prefix="tessera-seeded") as folder:
        scratch = pathlib.Path(folder)
        header, programs = precompiled(scratch), []
        for word in options.programs:
            program = Program(word, options, scratch)
            program.build(header)
            program.begin()
            programs.append(program)
            made = f"{len(program.faults)} faults"
            print(f"{program.name}: {made}, {len(program.without)} do not compile", flush=True)
            program.faults = [f for f in program.faults if re.search(options.only, f.group)]
        chosen = list(grouped(programs).items())[: options.count]
        if options.single:
            chosen = drawn(programs, options.count, options.seed)
        for name, parts in chosen:
            # Those first that end soon.
            parts.sort(key=lambda part: part[0].ways[0][2])
            how = next((h for p, faults in parts if (h := p.verdict(faults))), "")
            fault = parts[0][1][0]
            known = options.single and not how and reason_of_single(parts[0][0], fault)
            all_faults = [f for _, faults in parts for f in faults]
            reason = "" if how else known or reason_of(all_faults, rows)
            tally.say(name, how, reason, f", {parts[0][0].name} {fault.number}: {fault.place}")
    return tally.end()


if __name__ == "__main__":
    sys.exit(main())
