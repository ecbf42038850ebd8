#!/usr/bin/env python3
"""Ends the tools at random moments: they end by the signal, and leave nothing.

Nothing is: a temporary folder or file, half an output, one output of several, a process, a message.
A command that has just made all its outputs may end by the signal, too, and leaves them whole. Each
command is ended --times times, by each signal in its turn, at moments that lie denser at its
beginning. Prints what was left, then 'N passed, N failed'.
"""
import argparse
import os
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time

PROGRAM = """#include <cuda_tile.h>
__tile_global__ void kernel(int *p) { *p = 1; }
int main() {
  int *p = nullptr;
  cudaMalloc((void **)&p, 4);
  kernel<<<1, 1>>>(p);
  return cudaDeviceSynchronize();
}
"""
COMMANDS = {
    "translate": ["tessera", "x.cu", "-o", "out.cu", "--depfile=out.d"],
    "build": ["tessera", "build", "--target=cpu", "x.cu", "-o", "out.so"],
    "run": ["tessera", "run", "--target=emulate", "x.cu"],
}
NEED_NVCC = {
    "build for a GPU": ["tessera", "build", "--target=gpu", "x.cu", "-o", "out.so"],
    "object": ["tessera-nvcc", "-std=c++20", "-arch=sm_90a", "-c", "x.cu", "-o", "out.o"],
    "cubin": ["tessera-nvcc", "-std=c++20", "-arch=sm_90a", "-tilecubin", "x.cu", "-o", "out"],
}
SIGNALS = [signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGPIPE, signal.SIGQUIT]
PATIENCE = 5  # seconds that an end may take on a busy machine


def processes_of(folder):
    """Those that know the folder by a variable."""
    found = []
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            process = pathlib.Path("/proc") / name
            if os.fsencode(folder) in process.joinpath("environ").read_bytes():
                found.append(process.joinpath("cmdline").read_text().replace("\0", " ")[:80])
        except OSError:
            pass
    return found


class Bench:
    def __init__(self, folder, binaries):
        self.folder, self.binaries = pathlib.Path(folder), binaries
        for name in ("work", "tmp", "cache"):
            (self.folder / name).mkdir()
        (self.folder / "work/x.cu").write_text(PROGRAM)
        self.variables = dict(
            os.environ,
            TMPDIR=str(self.folder / "tmp"),
            TESSERA_CACHE_DIR=str(self.folder / "cache"),
        )

    def start(self, words):
        return subprocess.Popen(
            [self.binaries / words[0], *words[1:]],
            cwd=self.folder / "work",
            env=self.variables,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )

    def outputs(self):
        """Names and sizes."""
        files = (self.folder / "work").iterdir()
        return {path.name: path.stat().st_size for path in files if path.name != "x.cu"}

    def left(self, whole):
        """What may not be there; whole: the outputs of the command by itself."""
        outputs = self.outputs()
        work = set() if outputs == whole else set(outputs)
        return sorted(work | {str(path) for path in (self.folder / "tmp").iterdir()})

    def clear(self):
        for path in [*(self.folder / "work").iterdir(), *(self.folder / "tmp").iterdir()]:
            if path.name != "x.cu":
                shutil.rmtree(path) if path.is_dir() else path.unlink()

    def faults(self, words, number, moment, whole):
        """What is wrong after the signal."""
        process = self.start(words)
        time.sleep(moment)
        process.send_signal(number)
        began = time.monotonic()
        try:
            text, _ = process.communicate(timeout=10 * PATIENCE)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            return ["does not end"]
        found = []
        if process.returncode == 0:
            return found  # it was faster
        if process.returncode != -number:
            found.append(f"exit status {process.returncode}")
        if time.monotonic() - began > PATIENCE:
            found.append("ends late")
        if text:
            found.append(f"says {text[:200]!r}")
        return found + [f"leaves {name}" for name in self.left(whole) + processes_of(self.folder)]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tessera", type=pathlib.Path, required=True)
    parser.add_argument("--nvcc", type=pathlib.Path, help="where there is one")
    parser.add_argument("--times", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    commands = dict(COMMANDS)
    if options.nvcc and options.nvcc.exists():
        commands |= NEED_NVCC
    moments = random.Random(options.seed)
    passed = failed = 0
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(folder, options.tessera.resolve().parent)
        for name, words in commands.items():
            bench.clear()  # what the command before left is no output of this one
            began = time.monotonic()
            if text := bench.start(words).communicate()[0]:
                print(f"FAIL {name} by itself says {text!r}")
                failed += 1
            length, whole = time.monotonic() - began, bench.outputs()
            for i in range(options.times):
                bench.clear()
                number = SIGNALS[i % len(SIGNALS)]
                moment = moments.random() ** 2 * length
                found = bench.faults(words, number, moment, whole)
                for fault in found:
                    print(f"FAIL {name}, {number.name} after {moment:.2f} s: {fault}")
                failed += bool(found)
                passed += not found
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
