#!/usr/bin/env python3
"""Projects for CMake and editors: a wrong line that gets the message, and a right one.

The rows are those of cmake/TesseraMessages.cmake and of the head of tessera-clangd.sh;
test/diagnostics.py shows the pairs in docs/user/diagnostics.md and holds that each row has one. A
line for CMake is one of a project's CMakeLists.txt, which is configured with it. A line for an
editor starts tessera-clangd in a folder with an installed bin/ and lib/, and other/clangd, of
version 19. In a message ... is anything.

usage: projects.py --build FOLDER --cuda FOLDER
"""
import argparse
import collections
import pathlib
import shutil
import subprocess
import sys
import tempfile

Pair = collections.namedtuple("Pair", "row said wrong right")
CMAKE = [
    Pair(
        "NoTarget", "tessera_target_sources: there is no target missing",
        "tessera_target_sources(missing PRIVATE kernel.cu)",
        "tessera_target_sources(program PRIVATE kernel.cu)",
    ),
    Pair(
        "NotPrivate",
        "tessera_target_sources(program PRIVATE file.cu...): the sources must be PRIVATE",
        "tessera_target_sources(program PUBLIC kernel.cu)",
        "tessera_target_sources(program PRIVATE kernel.cu)",
    ),
    Pair(
        "NoKind", "TESSERA_TARGET is 'gpus'; it must be gpu, cpu or emulate",
        "set(TESSERA_TARGET gpus)", "set(TESSERA_TARGET cpu)",
    ),
    Pair(
        "NoRuntime", "no libcudart.so or libcudart.so.13 in the CUDA toolkit "
        "/opt/empty; set TESSERA_CUDA_PATH to another toolkit",
        "set(TESSERA_CUDA_PATH /opt/empty)", "set(TESSERA_CUDA_PATH /usr/local/cuda)",
    ),
]  # fmt: skip
EDITORS = [
    Pair(
        "no_library", "the library .../libtessera_clangd.so is missing; install Tessera again",
        "bin/without/tessera-clangd --version", "bin/tessera-clangd --version",
    ),
    Pair(
        "cannot_run", "cannot run TESSERA_CLANGD=clangd-of-mine",
        "TESSERA_CLANGD=clangd-of-mine bin/tessera-clangd --version",
        "TESSERA_CLANGD=clangd-22 bin/tessera-clangd --version",
    ),
    Pair(
        "no_clangd", "clangd 22 is required",
        "PATH=other:/usr/bin TESSERA_CLANGD=other/clangd bin/tessera-clangd --version",
        "TESSERA_CLANGD=clangd-22 bin/tessera-clangd --version",
    ),
    Pair(
        "other_version", "other/clangd is version 19",
        "TESSERA_CLANGD=other/clangd bin/tessera-clangd --version",
        "TESSERA_CLANGD=clangd-22 bin/tessera-clangd --version",
    ),
]  # fmt: skip
PROJECT = """cmake_minimum_required(VERSION 3.25)
project(pairs LANGUAGES CXX)
find_package(TesseraTile CONFIG REQUIRED)
add_executable(program main.cpp)
{}
"""
SOURCES = "tessera_target_sources(program PRIVATE kernel.cu)"


def run(command, folder):
    done = subprocess.run(
        command, cwd=folder, shell=isinstance(command, str), capture_output=True, text=True,
        timeout=120, check=False,
    )  # fmt: skip
    return done.returncode, " ".join((done.stdout + done.stderr).split())


def configured(line, options, folder):
    """The project with a line of a pair; a variable is set before the sources are named."""
    if line.startswith("set("):
        line += "\n" + SOURCES
    target = "gpu" if "CUDA_PATH" in line else "cpu"
    line = line.replace("/usr/local/cuda", str(options.cuda))
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    (folder / "CMakeLists.txt").write_text(PROJECT.format(line))
    (folder / "main.cpp").write_text("int main() {}\n")
    (folder / "kernel.cu").write_text("")
    return run(
        ["cmake", "-G", "Ninja", "-S", ".", "-B", "build", f"-DTesseraTile_DIR={options.build}",
         f"-DTESSERA_TARGET={target}", "-DCMAKE_CXX_COMPILER=/usr/lib/llvm-22/bin/clang++"], folder,
    )  # fmt: skip


def installed(options, folder):
    """A folder as the lines for editors want it."""
    for part in ("bin/without", "lib", "other"):
        (folder / part).mkdir(parents=True)
    launcher = options.build / "bin/tessera-clangd"
    for place in ("bin", "bin/without"):
        shutil.copy(launcher, folder / place)
    shutil.copy(options.build / "lib/libtessera_clangd.so", folder / "lib")
    other = folder / "other/clangd"
    other.write_text("#!/bin/sh\necho clangd version 19.1.7\n")
    other.chmod(0o755)
    return folder


def failures(pairs, start, right=lambda pair: True):
    """What is wrong with the pairs; `right` says of which ones the right line is started, too."""
    for pair in pairs:
        code, output = start(pair.wrong)
        if code == 0 or any(words not in output for words in pair.said.split("...")):
            yield f"{pair.row}: '{pair.wrong}' gives {code}: {output}"
        code, output = start(pair.right) if right(pair) else (0, "")
        if code != 0:
            yield f"{pair.row}: '{pair.right}' gives {code}: {output}"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", type=pathlib.Path, required=True)
    parser.add_argument("--cuda", type=pathlib.Path, required=True)
    options = parser.parse_args()
    options.build = options.build.resolve()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        tree = installed(options, folder / "tree")
        wrong = list(failures(CMAKE, lambda line: configured(line, options, folder / "project")))
        wrong += failures(EDITORS, lambda line: run(line, tree))
    for line in wrong:
        print("FAIL", line)
    print(f"{max(0, len(CMAKE + EDITORS) - len(wrong))} passed, {len(wrong)} failed")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
