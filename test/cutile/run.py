#!/usr/bin/env python3
"""Programs of cuTile Python without a GPU: each .py file beside this one, and what
docs/user/cutile.md shows, runs as its user would run it, with the cuda-tile of PyPI. Its first
lines say what is expected:

    # targets: emulate cpu        it runs for each; else by the emulator
    # options: --check=nan        of tessera run
    # arguments: a b              of the program
    # door: module                python -m tessera.cutile in the place of tessera run; or launcher
    # status: 86                  the exit status, else 0
    # CHECK: ...                  of FileCheck, about both streams together

A virtual environment in the build folder has the packages, and is made where it is missing. On a
machine that has no cuda-tile and cannot get it the programs are left out, which is said.

usage: run.py --build FOLDER [--jobs N] [--only NAME[,NAME...]] [--all]
--all: every kernel of the corpus of Tile IR, too. Ends with 'N passed, N failed'.
"""

import argparse
import concurrent.futures
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
PACKAGES = ["cuda-tile==1.7.0", "numpy", "ml_dtypes"]
FILECHECK = "/usr/lib/llvm-22/bin/FileCheck"
PAGE = ROOT / "docs/user/cutile.md"
BLOCK = re.compile(r"^```python\n(.*?)^```$", re.S | re.M)
PAGE_EXPECTS = "# targets: emulate cpu\n# CHECK: True\n"
HEAD = re.compile(r"^# (targets|options|arguments|door|status): (.*)$", re.M)
LONG = 600  # seconds, for a program


def make_environment(folder):
    """None, or why there are no packages."""
    python = folder / "bin/python"
    test = [python, "-c", "import cuda.tile, numpy, ml_dtypes"]
    if python.exists() and subprocess.run(test, capture_output=True).returncode == 0:
        return None
    shutil.rmtree(folder, ignore_errors=True)
    for command in (
        [sys.executable, "-m", "venv", folder],
        [folder / "bin/pip", "install", "-q", "--disable-pip-version-check", *PACKAGES],
    ):
        made = subprocess.run(command, capture_output=True, text=True)
        if made.returncode:
            shutil.rmtree(folder, ignore_errors=True)
            return (made.stderr or made.stdout).strip().splitlines()[-1]
    return None


def environment_of(options, cache):
    venv = options.build / "cutile"
    return os.environ | {
        "PATH": f"{venv}/bin:{os.environ['PATH']}",
        "PYTHONPATH": f"{options.build}/python-package",
        "PYTHONDONTWRITEBYTECODE": "1",
        "TESSERA_PROGRAM": str(options.build / "bin/tessera"),
        "TESSERA_CACHE_DIR": str(cache),
    }


def command_of(options, program, head, target):
    arguments, given = head.get("arguments", []), head.get("options", [])
    if options.all and program.stem == "corpus":
        arguments = ["all"]
    doors = {"module": ["-m", "tessera.cutile"], "launcher": [ROOT / "python/cutile/launch.py"]}
    if door := head.get("door"):
        return ["python3", *doors[door[0]], f"--target={target}", *given, program, *arguments]
    tessera = options.build / "bin/tessera"
    return [tessera, "run", f"--target={target}", *given, program, "--", *arguments]


def head_of(text):
    """The words behind each name, of all its lines."""
    head = {}
    for name, words in HEAD.findall(text):
        head.setdefault(name, []).extend(words.split())
    return head


def targets_of(program):
    return head_of(program.read_text()).get("targets", ["emulate"])


def problem_of(options, program, target, environment):
    """What is wrong, or None."""
    text = program.read_text()
    head = head_of(text)
    ran = subprocess.run(
        command_of(options, program, head, target), env=environment, text=True, errors="replace",
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=LONG,
    )  # fmt: skip
    if ran.returncode != int(head.get("status", ["0"])[0]):
        return f"status {ran.returncode}\n{ran.stdout[-3000:]}"
    if "CHECK" not in text:
        return None
    checked = subprocess.run([FILECHECK, program], input=ran.stdout, capture_output=True, text=True)
    return checked.stderr if checked.returncode else None


def parse_options():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--only", type=lambda text: text.split(","))
    parser.add_argument("--all", action="store_true")
    return parser.parse_args()


def main():
    options = parse_options()
    options.build = options.build.resolve()
    if why := make_environment(options.build / "cutile"):
        print(f"left out: cuda-tile cannot be installed: {why}\n0 passed, 0 failed")
        return 0
    passed, failed = 0, 0
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        environment = environment_of(options, folder / "cache")
        programs = [one for one in sorted(HERE.glob("*.py")) if one.name != "run.py"]
        for number, block in enumerate(BLOCK.findall(PAGE.read_text()), 1):
            programs.append(folder / f"page{number}.py")
            programs[-1].write_text(block + PAGE_EXPECTS)
        programs = [one for one in programs if not options.only or one.stem in options.only]

        runs = [(one, target) for one in programs for target in targets_of(one)]

        def timed(run):
            begin = time.monotonic()
            problem = problem_of(options, *run, environment)
            return problem, time.monotonic() - begin

        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            for (program, target), (problem, seconds) in zip(runs, pool.map(timed, runs)):
                passed, failed = passed + (problem is None), failed + (problem is not None)
                said = "passed" if problem is None else f"FAILED: {problem}"
                print(f"{program.stem}, {target}, {seconds:.0f} s: {said}", flush=True)
    print(f"{passed} passed, {failed} failed")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
