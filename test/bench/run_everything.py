#!/usr/bin/env python3
"""bench/run.sh with programs in place of a GPU's that only say that they ran: it counts what
passed, failed and was left out, writes a result of the usual form, and refuses a machine without a
GPU.

Prints what differs, then 'N passed, N failed'.
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
SAYS = {
    "nvidia-smi": 'case "$*" in *name*) printf "NVIDIA H200\\n%.0s" 1 2 ;; *) echo 580.1 ;; esac',
    "python3": 'echo "ran $* us   one rank 1 us"',
}


def program(file, text):
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(f"#!/bin/sh\n{text}\n")
    file.chmod(0o755)


def run(folder, stubs, **environment):
    path = f"{stubs}:{os.environ['PATH']}"
    done = subprocess.run(
        ["bash", ROOT / "bench/run.sh", folder], capture_output=True, text=True, check=False,
        env={**os.environ, "PATH": path, "PYTHON": "python3", **environment},
    )  # fmt: skip
    return done.returncode, done.stdout, done.stderr


def cases(folder):
    stubs, built = folder / "stubs", folder / "built"
    stubs.mkdir()
    if not any(re.fullmatch(r"nvidia\d+", name) for name in os.listdir("/dev")):
        status, _, errors = run(built, stubs)
        yield "no GPU", status == 2 and "there is no GPU here" in errors
    for name, text in SAYS.items():
        program(stubs / name, text)
    samples = {line.split()[1] for line in (ROOT / "samples/sizes.txt").open() if line[0] != "#"}
    for name in samples:
        program(built / "plugin" / name, f'echo "{name} $*"')
    program(built / "shapes", "true")
    for name in ("tensor_parallel", "ring_attention", "data_parallel"):
        program(built / "distributed" / name, 'echo "x us   one rank 1 us"')

    status, said, _ = run(built, stubs)
    yield "all passed", status == 0 and said.endswith("\n7 passed, 0 failed, 1 left out\n")
    (result,) = built.glob("*-run-h200.txt")
    first = result.read_text().splitlines()[0]
    yield "first line", bool(re.match(r"20\d\d-\d\d-\d\d, 2 NVIDIA H200, driver 580.1, ", first))
    yield "each sample", all(f"\n{name} " in said for name in samples)

    status, said, _ = run(built, stubs, TILEGYM=str(folder))
    yield "TileGym", status == 0 and said.endswith("\n8 passed, 0 failed, 0 left out\n")

    program(built / "plugin" / "softmax", "exit 3")
    status, said, _ = run(built, stubs)
    yield "a failure", status == 1 and said.endswith("\n6 passed, 1 failed, 1 left out\n")
    yield "its name", "FAILED: softmax 16384 4096" in said


def main():
    with tempfile.TemporaryDirectory() as folder:
        found = list(cases(pathlib.Path(folder)))
    failed = [name for name, is_right in found if not is_right]
    for name in failed:
        print(f"FAILED: {name}")
    print(f"{len(found) - len(failed)} passed, {len(failed)} failed")
    return bool(failed)


if __name__ == "__main__":
    sys.exit(main())
