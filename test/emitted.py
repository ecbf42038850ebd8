#!/usr/bin/env python3
"""Every text that tessera makes of the tests' programs compiles for a GPU, without a GPU.

Programs of run/ and samples, accepted probes, and with --lit the lit tests' programs, as far as
tessera translates them by themselves (a lit test may need other options). Each text goes through
Clang's device pass, which parses and instantiates everything (the header that programs begin with
is compiled once, with the runtime's); with --nvcc through that compiler and its
host compiler, to PTX for one architecture and through ptxas for several. What a program says in the
language of one compiler alone is in its text, too: --nvcc leaves out those with _BitInt, and Clang
those that say that their text is for nvcc alone.

Where test/probes/run.py left the text of several probes as one program, with their names beside it,
that text is compiled for all of them.

usage: emitted.py [--tessera PROGRAM] [--nvcc PROGRAM] [--arch sm_NN[,sm_NN...]] [--jobs N]
                  [--texts FOLDER] [--lit] [FILE.cu...]
Prints a line for each text that does not compile, then 'N passed, N failed'.
"""
import argparse
import concurrent.futures
import os
import pathlib
import subprocess
import sys
import tempfile
import threading

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE / "run"))
from run_three_ways import beginning, kept_text  # noqa: E402

ROOT = HERE.parent
INCLUDE = f"-I{ROOT}/runtime/include"
# A list that makes a number narrower is an error to Clang alone.
CLANG = "clang++-22 -x cuda -std=c++20 -w -Wno-error=c++11-narrowing --cuda-device-only"
NVCC = "-std=c++20 -w"
# How each text begins.
HEAD = "#define TESSERA_SIMT 1\n#include <tessera/simt.cuh>\n"


def programs(with_lit, texts):
    """Every program, or the text that several have, and whether tessera has to translate it as it
    stands."""
    lists = sorted(texts.glob("together-*.txt")) if texts else []
    together = {pathlib.Path(name) for one in lists for name in one.read_text().splitlines()}
    yield from ((one.with_suffix(".cu").resolve(), True) for one in lists)
    folders = {"run": True, "probes/accept": True, "../samples": True}
    lit = ("check", "raise", "plan", "emit", "frontend", "driver") if with_lit else ()
    folders |= {name: False for name in lit}
    for folder, must in folders.items():
        for path in sorted((HERE / folder).resolve().rglob("*.cu")):
            if path not in together:
                yield path, must


def first_error(process):
    lines = (process.stderr + process.stdout).splitlines()
    return next((line for line in lines if "error" in line), (lines or ["?"])[-1])


def execute(command):
    return subprocess.run(command, capture_output=True, text=True, errors="replace")


class Clang:
    """The device pass for each architecture; what all texts begin with is compiled once."""

    UNKNOWN = "text is for nvcc alone"

    def __init__(self, options, architectures, folder):
        self.folder = pathlib.Path(tempfile.mkdtemp(dir=folder))
        self.commands = {
            arch: [*CLANG.split(), f"--cuda-gpu-arch={arch}"] for arch in architectures.split(",")
        }
        for command in self.commands.values():
            command += [f"--cuda-path={options.cuda}", "-Wno-unknown-cuda-version", INCLUDE]
            command += ["-isystem", f"{options.cuda}/include/cccl"]  # nvcc finds it by itself
            command += options.nccl
        self.heads, self.lock = {}, threading.Lock()

    def head(self, arch, header):
        """What texts begin with whose programs begin with this header of their own."""
        with self.lock:
            if (arch, header) not in self.heads:
                head = self.folder / f"head-{arch}-{len(self.heads)}.h"
                head.write_text(HEAD + (f'#include "{header}"\n' if header else ""))
                compiled = head.with_suffix(".pch")
                emit = [*self.commands[arch], "-S", "-fpch-instantiate-templates"]
                emit += ["-Xclang", "-emit-pch", head, "-o", compiled]
                subprocess.run(emit, check=True)
                self.heads[arch, header] = compiled
            return self.heads[arch, header]

    def compile(self, path, text):
        for arch, command in self.commands.items():
            head = ["-Xclang", "-include-pch", "-Xclang", self.head(arch, beginning(path))]
            process = execute([*command, *head, "-fsyntax-only", f"-I{path.parent}", text])
            if process.returncode:
                return process
        return None


class Nvcc:
    UNKNOWN = "_BitInt"

    def __init__(self, options, architectures):
        numbers = [arch.removeprefix("sm_") for arch in architectures.split(",")]
        made = "compute" if len(numbers) == 1 else "sm"
        self.command = [options.nvcc, *NVCC.split(), INCLUDE, *options.nccl, "-c"]
        self.command += [f"-gencode=arch=compute_{n},code={made}_{n}" for n in numbers]

    def compile(self, path, text):
        include = f"-I{path.parent}"
        process = execute([*self.command, include, text, "-o", text.with_suffix(".out")])
        return process if process.returncode else None


def architectures_of(path, options):
    """Those that a test/run program names in its second line, if it needs newer ones than most."""
    lines = path.read_text(errors="replace").splitlines()
    named = lines[1].startswith("// arch:") if len(lines) > 1 else False
    return lines[1].removeprefix("// arch:").strip() if named else options.arch


def options_of(path):
    """What a test/run program names in its first line."""
    first = path.read_text(errors="replace").split("\n", 1)[0]
    return first.removeprefix("// options:").split() if first.startswith("// options:") else []


def words_for_nccl(options, chosen):
    """Where NCCL's header is: in the build's folder, if the toolkit has none and a sample for
    several GPUs includes it."""
    is_wanted = any(path.is_relative_to(ROOT / "samples/distributed") for path, _ in chosen)
    if not is_wanted or pathlib.Path(options.cuda, "include/nccl.h").exists():
        return []
    build = pathlib.Path(options.tessera).resolve().parents[1]
    command = ["bash", ROOT / "scripts/nccl.sh", build]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
    return [f"-I{done.stdout.strip()}/include"]


def judge(path, must, options, compilers):
    """What is wrong with the text of a program, nothing, or None where there is no text."""
    architectures = architectures_of(path, options)
    if compilers[architectures].UNKNOWN in path.read_text(errors="replace"):
        return None
    with tempfile.TemporaryDirectory() as folder:
        is_text = options.texts and path.parent == options.texts.resolve()
        text = path if is_text else kept_text(options.texts, path)
        if not text or not text.exists():
            text = pathlib.Path(folder) / "text.cu"
            given = [f"--arch={architectures}", *options.nccl, *options_of(path)]
            translated = execute([options.tessera, *given, path, "-o", text])
            if translated.returncode:
                return f"tessera: {first_error(translated)}" if must else None
        failure = compilers[architectures].compile(path, text)
        return first_error(failure) if failure else ""


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--tessera", default=ROOT / "build/bin/tessera")
    cuda = os.environ.get("CUDA_HOME", ROOT / "build/cuda")
    parser.add_argument("--cuda", default=cuda, help="the toolkit")
    parser.add_argument("--nvcc", help="compile with this instead of Clang")
    parser.add_argument("--arch", default="sm_90a")
    parser.add_argument("--texts", type=pathlib.Path, help="where run_three_ways.py left some")
    parser.add_argument("--lit", action="store_true", help="the lit tests' programs, too")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("files", nargs="*", type=pathlib.Path)
    options = parser.parse_args()
    chosen = [(path.resolve(), True) for path in options.files] or list(
        programs(options.lit, options.texts)
    )
    options.nccl = words_for_nccl(options, chosen)
    passed = failed = 0
    threads = concurrent.futures.ThreadPoolExecutor(options.jobs)
    with tempfile.TemporaryDirectory() as folder, threads as pool:
        compilers = {
            named: Nvcc(options, named) if options.nvcc else Clang(options, named, folder)
            for named in {architectures_of(path, options) for path, _ in chosen}
        }
        results = pool.map(lambda item: judge(*item, options, compilers), chosen)
        for (path, _), wrong in zip(chosen, results):
            passed += wrong == ""
            if wrong:
                failed += 1
                print(f"FAIL {os.path.relpath(path, ROOT)}: {wrong}", flush=True)
    print(f"{passed} passed, {failed} failed")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
