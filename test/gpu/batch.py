#!/usr/bin/env python3
"""Programs for a machine that has a GPU and nvcc, but no compiler of this project.

usage: batch.py make FOLDER [--tessera PROGRAM] [--jobs N] PROGRAM-OR-FOLDER...
       batch.py judge FOLDER [--jobs N]

`make` translates each program and puts the texts, the headers that they include, what the programs
have to print, and this script into FOLDER. What a program has to print stands in NAME.out beside it
(a probe's, from NVIDIA's compiler); of a program without one it is what the CPU prints, compared as
test/run/run_three_ways.py does. Programs that must be refused are left out, and so are those whose
first lines leave the GPU out, or ask for a newer one.

`judge` compiles the texts, runs them and compares. It needs Python, nvcc and the GPU, and nothing
else of this tree. Both print a line for each program that falls short, then 'N passed, N failed'.
"""

import argparse
import concurrent.futures
import importlib.util
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
TEST = HERE.parent
# The comparisons of the programs' tests: in the tree, and in a folder's `compare`.
COMPARISONS = {"probes": "probes/run.py", "run": "run/run_three_ways.py"}
NVCC = shutil.which("nvcc") or "/usr/local/cuda/bin/nvcc"
FLAGS = "-std=c++20 -w -cudart shared -gencode arch=compute_90a,code=sm_90a".split()
INCLUDE = re.compile(r'^(\s*#\s*include\s*")([^"]+)(")', re.MULTILINE)


def comparison(name):
    """`difference(got, wanted)` of one of the tests: a sentence, or nothing."""
    path = HERE / "compare" / f"{name}.py"
    if not path.exists():
        path = TEST / COMPARISONS[name]
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def execute(command, seconds):
    try:
        return subprocess.run(
            [str(word) for word in command],
            capture_output=True,
            text=True,
            errors="replace",
            timeout=seconds,
        )
    except subprocess.TimeoutExpired:
        return subprocess.CompletedProcess(command, 124, "", f"no answer in {seconds} s")


def complaint(process):
    """The first line that says what is wrong."""
    lines = (process.stdout + process.stderr).strip().splitlines()
    return next((line for line in lines if "error" in line or "wrong" in line), "") or (
        lines[-1] if lines else f"exit status {process.returncode}"
    )


class Maker:
    def __init__(self, options):
        self.options = options
        self.folder = options.folder.resolve()
        self.program_case = comparison("run").program_case

    def carry(self, text, source, place):
        """The text of `source` for `place`: its headers are copied, and named where they are."""

        def renamed(match):
            header = (source.parent / match[2]).resolve()
            if not header.is_file():
                return match[0]
            copy = self.folder / "headers" / header.relative_to("/")
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_text(self.carry(header.read_text(), header, copy))
            return match[1] + os.path.relpath(copy, place.parent) + match[3]

        return INCLUDE.sub(renamed, text)

    def make(self, source):
        """(the entry of programs.json, or None where it is left out; what is wrong)"""
        first = source.open(errors="replace").readline()
        if first.startswith("// reject"):
            return None, ""
        case = self.program_case(source, ["cpu", "gpu"])
        if "gpu" not in case.targets or any(o.startswith("--arch") for o in case.options):
            return None, ""
        name = re.sub(r"\W+", "-", str(source.relative_to("/").with_suffix("")))
        text = self.folder / "texts" / f"{name}.cu"
        process = execute([self.options.tessera, *case.options, source, "-o", text], 300)
        if process.returncode != 0:
            return None, complaint(process)
        text.write_text(self.carry(text.read_text(), text, text))
        expected = source.with_suffix(".out")
        if expected.exists():
            return {"name": name, "compare": "probes", "expected": expected.read_text()}, ""
        if first.startswith("// accept"):
            return {"name": name, "compare": "", "expected": ""}, ""
        command = [self.options.tessera, "run", "--target=cpu", *case.options, source]
        process = execute(command, 300)
        if process.returncode != 0:
            return None, f"cpu: {complaint(process)}"
        return {"name": name, "compare": "run", "expected": process.stdout}, ""


def make(options):
    folder = options.folder.resolve()
    (folder / "compare").mkdir(parents=True, exist_ok=True)
    (folder / "texts").mkdir(exist_ok=True)
    shutil.copytree(TEST.parent / "runtime/include", folder / "include", dirs_exist_ok=True)
    shutil.copy(__file__, folder)
    for name, path in COMPARISONS.items():
        shutil.copy(TEST / path, folder / "compare" / f"{name}.py")
    maker = Maker(options)
    sources = sorted(
        source.resolve()
        for path in options.paths
        for source in ([path] if path.is_file() else path.rglob("*.cu"))
    )
    programs, failed = [], 0
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for source, (program, wrong) in zip(sources, pool.map(maker.make, sources)):
            if wrong:
                failed += 1
                print(f"FAIL {source}: {wrong}", flush=True)
            elif program:
                programs.append(program)
    (folder / "programs.json").write_text(json.dumps(programs, indent=1))
    return len(programs), failed


def judge_one(folder, program, comparisons):
    """What is wrong with a program, or nothing."""
    name = program["name"]
    executable = folder / "programs" / name
    words = [NVCC, *FLAGS, f"-I{folder}/include", folder / "texts" / f"{name}.cu", "-o", executable]
    if not executable.exists() and (built := execute(words, 900)).returncode != 0:
        return f"does not compile: {complaint(built)}"
    process = execute([executable], 120)
    if process.returncode != 0:
        return f"exits with {process.returncode}: {complaint(process)}"
    compare = program["compare"]
    return comparisons[compare].difference(program["expected"], process.stdout) if compare else ""


def judge(options):
    folder = options.folder.resolve()
    (folder / "programs").mkdir(exist_ok=True)
    programs = json.loads((folder / "programs.json").read_text())
    comparisons = {name: comparison(name) for name in COMPARISONS}
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        results = pool.map(lambda p: judge_one(folder, p, comparisons), programs)
        for program, wrong in zip(programs, results):
            if wrong:
                failed += 1
                print(f"FAIL {program['name']}: {wrong}", flush=True)
    return len(programs) - failed, failed


def parse_options():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    commands = parser.add_subparsers(required=True)
    for function in (make, judge):
        command = commands.add_parser(function.__name__)
        command.set_defaults(function=function)
        command.add_argument("folder", type=pathlib.Path)
        command.add_argument("--jobs", type=int, default=os.cpu_count())
        if function is make:
            command.add_argument("--tessera", default=TEST.parent / "build/bin/tessera")
            command.add_argument("paths", nargs="+", type=pathlib.Path)
    return parser.parse_args()


def main():
    options = parse_options()
    passed, failed = options.function(options)
    print(f"{passed} passed, {failed} failed")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
