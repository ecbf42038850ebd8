#!/usr/bin/env python3
"""What the checks cost: clang -fsyntax-only of a file with the plugin against without.

usage: check_cost.py [--build FOLDER] [--runs N] [--instructions] [FILE.cu...]

The same flags and CUDA's headers in both, the device's pass; by default the samples. The runs
alternate, and the ratio is that of the medians of their processor time. --instructions counts
instructions under callgrind instead, once each, which no other load of the machine disturbs, and
says which functions of ours took the most.
"""

import argparse
import os
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]


def cached(build, name):
    for line in (build / "CMakeCache.txt").read_text().splitlines():
        if line.startswith(name + ":"):
            return line.partition("=")[2]
    sys.exit(f"{build} has no {name}")


def compiler(options, file, *more):
    """The compiler proper, without the driver before it."""
    driver = "/usr/lib/llvm-22/bin/clang++"
    words = [
        driver, "-x", "cuda", "-std=c++20", "--cuda-device-only", "--cuda-gpu-arch=sm_90a",
        f"--cuda-path={cached(options.build, 'TESSERA_CUDA_PATH')}", "-Wno-unknown-cuda-version",
        "-Wno-unknown-attributes", "-Wno-ignored-attributes", f"-I{ROOT}/runtime/include",
        "-fsyntax-only", *more, str(file),
    ]  # fmt: skip
    shown = subprocess.run([*words, "-###"], capture_output=True, text=True, check=True).stderr
    job = next(line for line in shown.splitlines() if '"-cc1"' in line)
    return re.findall(r'"((?:[^"\\]|\\.)*)"', job)


def seconds(command):
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    if status:
        sys.exit(f"failed: {' '.join(command)}")
    return usage.ru_utime + usage.ru_stime


def counted(command, profile):
    subprocess.run(
        ["valgrind", "--tool=callgrind", f"--callgrind-out-file={profile}", *command],
        capture_output=True, check=True,
    )  # fmt: skip
    total = re.search(r"^summary: (\d+)", pathlib.Path(profile).read_text(), re.M)
    return int(total[1])


def largest(profile):
    """Functions with what they call, those of Tessera."""
    done = subprocess.run(
        ["callgrind_annotate", "--inclusive=yes", "--threshold=100", profile],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    ours = [line for line in done.stdout.splitlines() if "tessera::" in line]
    return [re.sub(r"\s+", " ", line)[:150] for line in ours[:12]]


def main():
    parser = argparse.ArgumentParser(usage=__doc__.split("\n\n")[1])
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    parser.add_argument("--runs", type=int, default=11)
    parser.add_argument("--instructions", action="store_true")
    parser.add_argument("files", nargs="*", type=pathlib.Path)
    options = parser.parse_args()
    plugin = f"-fplugin={options.build.resolve()}/lib/libtessera.so"
    for file in options.files or sorted(ROOT.glob("samples/*.cu")):
        without, beside = compiler(options, file), compiler(options, file, plugin)
        if options.instructions:
            with tempfile.TemporaryDirectory() as folder:
                costs = [counted(without, f"{folder}/without"), counted(beside, f"{folder}/with")]
                lines = largest(f"{folder}/with")
            print(f"{file.name}: {costs[0] / 1e6:.0f} M instructions without, "
                  f"{costs[1] / 1e6:.0f} M with the plugin, {costs[1] / costs[0]:.3f} times")
            print("\n".join(f"  {line}" for line in lines))
            continue
        pairs = [(seconds(without), seconds(beside)) for _ in range(options.runs)]
        medians = [statistics.median(column) for column in zip(*pairs)]
        print(f"{file.name}: {medians[0]:.3f} s without, {medians[1]:.3f} s with the plugin, "
              f"{medians[1] / medians[0]:.3f} times")


if __name__ == "__main__":
    main()
