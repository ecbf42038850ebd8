#!/usr/bin/env python3
"""What a kernel's violations print on a GPU, on a machine that has nvcc and no compiler of this
project.

usage: violations.py make FOLDER [--tessera PROGRAM]
       violations.py judge FOLDER

`make` translates the programs of test/checks with the checks of their first RUN line, notes what
they print under the emulator, and puts both into FOLDER with the headers that they include and this
script. `judge` compiles them, runs them, and compares line by line but for what may differ: which
element and block is the first, and addresses. compute-sanitizer, where there is one, has to name
the line of violations/store.cu that stores behind an array, and to be silent without the mistake.
Both print a line for each that falls short, then 'N passed, N failed'.
"""

import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
PLANTED = "store"


def run(words, **more):
    return subprocess.run([str(w) for w in words], capture_output=True, text=True, check=False,
                          timeout=600, **more)


def lines_of(text):
    """The lines that count, without what differs from run to run, sorted: a GPU prints where the
    emulator reports."""
    kept = [re.sub(r".*?([\w-]+\.cu:\d+: tessera check)", r"\1", line)
            for line in text.splitlines()
            if re.match(r"case |kept: |\d+ wrong|.*tessera check", line)]
    kept = [re.sub(r"element \[[\d, ]*\]", "element []", line) for line in kept]
    kept = [re.sub(r"block \([\d, ]*\)", "block ()", line) for line in kept]
    return sorted(re.sub(r"0x[0-9a-f]+|elements at \[\d+\]", "", line) for line in kept)


def make(folder, tessera):
    root = HERE.parents[1]
    shutil.copytree(root / "runtime/include", folder / "include", dirs_exist_ok=True)
    shutil.copy(__file__, folder)
    programs = {}
    for program in sorted((root / "test/checks").glob("*.cu")):
        if found := re.search(r"run --target=emulate (--check=\S+)", program.read_text()):
            programs[program] = found[1]
    failed = 0
    for program, checks in programs.items():
        emulated = run([tessera, "run", "--target=emulate", checks, program])
        (folder / f"{program.stem}.expected").write_text(emulated.stdout + emulated.stderr)
        shutil.copy(program.parent / "cases.h", folder)
        done = run([tessera, "--arch=sm_90a", checks, program.name, "-o",
                    folder / f"{program.stem}.text.cu"], cwd=program.parent)
        failed += done.returncode != 0
        print(done.stderr, end="")
    for name, text in ((PLANTED, None), ("mended", "ct::store_masked(c + i, sum, i < n);")):
        source = folder / f"{name}.cu"
        planted = (HERE / "violations" / f"{PLANTED}.cu").read_text()
        source.write_text(planted.replace("ct::store(c + i, sum);", text) if text else planted)
        done = run([tessera, "--arch=sm_90a", source.name, "-o", f"{name}.text.cu"], cwd=folder)
        failed += done.returncode != 0
        print(done.stderr, end="")
    print(f"{len(programs) + 2 - failed} passed, {failed} failed")
    return failed


def judge(folder):
    passed, failures = 0, []

    def settle(name, faults):
        nonlocal passed
        passed += not faults
        failures.extend(f"{name}: {fault}" for fault in faults)

    def build(name):
        done = run(["nvcc", "-std=c++20", "-w", "-lineinfo", "-arch=sm_90a", "-Iinclude",
                    f"{name}.text.cu", "-o", name], cwd=folder)
        return [done.stdout + done.stderr] if done.returncode else []

    for expected in sorted(folder.glob("*.expected")):
        faults = build(expected.stem)
        if not faults:
            done = run([f"./{expected.stem}"], cwd=folder)
            found, wanted = lines_of(done.stdout + done.stderr), lines_of(expected.read_text())
            faults = [f"prints '{a}' and not '{b}'" for a, b in zip(found, wanted) if a != b]
            if len(found) != len(wanted):
                faults.append(f"prints {len(found)} lines and not {len(wanted)}")
        settle(expected.stem, faults)
    sanitizer = shutil.which("compute-sanitizer") or "/usr/local/cuda/bin/compute-sanitizer"
    if not os.access(sanitizer, os.X_OK):
        print("violations.py: no compute-sanitizer here")
        sanitizer = None
    source = (folder / f"{PLANTED}.cu").read_text().splitlines()
    line = next(i for i, text in enumerate(source, 1) if "ct::store(c + i, sum);" in text)
    for name in (PLANTED, "mended") if sanitizer else ():
        faults = build(name)
        if not faults:
            said = run([sanitizer, f"./{name}"], cwd=folder).stdout
            print("\n".join(said.splitlines()[:14]))
            if name == PLANTED and not ("Invalid __global__ write" in said
                                        and re.search(rf"{name}\.cu:{line}\b", said)):
                faults.append(f"compute-sanitizer does not name {name}.cu:{line}")
            if name != PLANTED and "0 errors" not in said:
                faults.append("compute-sanitizer finds something")
        settle(name, faults)
    for failure in failures:
        print("FAILED", failure)
    print(f"{passed} passed, {len(failures)} failed")
    return len(failures)


def main():
    parser = argparse.ArgumentParser(usage=__doc__.split("\n\n")[1])
    parser.add_argument("task", choices=["make", "judge"])
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--tessera", type=pathlib.Path,
                        default=HERE.parents[1] / "build/bin/tessera")
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    folder = options.folder.resolve()
    failed = make(folder, options.tessera.resolve()) if options.task == "make" else judge(folder)
    sys.exit(failed != 0)


if __name__ == "__main__":
    main()
