#!/usr/bin/env python3
"""Every text that tessera makes of the tests' programs compiles for a GPU, without a GPU.

Programs of run/ and samples, accepted probes, and the lit tests' programs, as far as tessera
translates them by themselves (a lit test may need other options). Each text goes through Clang's
device pass, which parses and instantiates everything; with --nvcc through that compiler to PTX.

usage: emitted.py [--tessera PROGRAM] [--nvcc PROGRAM] [--jobs N] [FILE.cu...]
Prints a line for each text that does not compile, then 'N passed, N failed'.
"""
import argparse
import concurrent.futures
import os
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent
INCLUDE = f"-I{ROOT}/runtime/include"
CLANG = "clang++-22 -fsyntax-only -x cuda -std=c++20 -w --cuda-device-only --cuda-gpu-arch=sm_90a"
NVCC = "-std=c++20 -w -gencode arch=compute_90a,code=compute_90a -ptx -o"


def programs():
    """Every program, and whether tessera has to translate it as it stands."""
    folders = {"run": True, "probes/accept": True, "../samples": True}
    folders |= {name: False for name in ("check", "raise", "plan", "emit", "frontend", "driver")}
    for folder, must in folders.items():
        for path in sorted((HERE / folder).resolve().rglob("*.cu")):
            yield path, must


def first_error(process):
    lines = (process.stderr + process.stdout).splitlines()
    return next((line for line in lines if "error" in line), (lines or ["?"])[-1])


def judge(path, must, options):
    """What is wrong with the text of a program, nothing, or None where there is no text."""

    def execute(command):
        return subprocess.run(command, capture_output=True, text=True, errors="replace")

    with tempfile.TemporaryDirectory() as folder:
        text = pathlib.Path(folder) / "text.cu"
        translated = execute([options.tessera, "--arch=sm_90a", path, "-o", text])
        if translated.returncode:
            return f"tessera: {first_error(translated)}" if must else None
        include = [INCLUDE, f"-I{path.parent}"]
        if options.nvcc:
            command = [options.nvcc, *include, text, *NVCC.split(), text.with_suffix(".ptx")]
        else:
            command = [*CLANG.split(), f"--cuda-path={options.cuda}", *include, text]
        compiled = execute(command)
        return first_error(compiled) if compiled.returncode else ""


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--tessera", default=ROOT / "build/bin/tessera")
    parser.add_argument("--cuda", default="/usr/local/cuda", help="the toolkit")
    parser.add_argument("--nvcc", help="compile with this instead of Clang")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("files", nargs="*", type=pathlib.Path)
    options = parser.parse_args()
    chosen = [(path.resolve(), True) for path in options.files] or list(programs())
    passed = failed = 0
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        results = pool.map(lambda item: judge(*item, options), chosen)
        for (path, _), wrong in zip(chosen, results):
            passed += wrong == ""
            if wrong:
                failed += 1
                print(f"FAIL {os.path.relpath(path, ROOT)}: {wrong}", flush=True)
    print(f"{passed} passed, {failed} failed")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
