#!/usr/bin/env python3
"""Small file systems, one for outputs and one for temporary files: full ones are named, exit
statuses say so, and nothing is left.

Mounts in a namespace of its own, where that is allowed. Prints what is wrong, then 'N passed,
N failed'.
"""
import argparse
import os
import pathlib
import subprocess
import sys
import tempfile

from signals import PROGRAM

NVCC = ["tessera-nvcc", "-std=c++20", "-arch=sm_90a"]
OUTPUTS = [
    ["tessera", "x.cu", "-o", "small/out"],
    ["tessera", "x.cu", "-o", "/dev/null", "--depfile=small/out"],
    ["tessera", "check", "x.cu", "--depfile=small/out"],
    ["tessera", "explain", "x.cu", "-o", "small/out"],
    ["tessera", "build", "--target=cpu", "x.cu", "-o", "small/out"],
]
OUTPUTS_OF_NVCC = [
    [*NVCC, "-tilecubin", "x.cu", "-o", "small/out"],
    [*NVCC, "-c", "x.cu", "-o", "small/out"],
    [*NVCC, "-c", "x.cu", "-o", "other.o", "-MD", "-MF", "small/out"],
]
BUILDS = [["tessera", "run", "--target=cpu", "x.cu"]]
BUILDS_OF_NVCC = [
    ["tessera", "build", "--target=gpu", "x.cu", "-o", "out"],
    [*NVCC, "-tilecubin", "x.cu", "-o", "out"],
]
SIZES = [4, 16]  # kilobytes that are too few for any build
REASONS = ["No space left on device", "no space for the output"]


def faults(folder, words, binaries):
    """What is wrong with a run that has no space."""
    variables = dict(
        os.environ, TMPDIR=str(folder / "tmp"), TESSERA_CACHE_DIR=str(folder / "cache")
    )
    done = subprocess.run(
        [binaries / words[0], *words[1:]],
        cwd=folder,
        env=variables,
        capture_output=True,
        text=True,
    )
    found = []
    if done.returncode not in {1, 2}:
        found.append(f"exit status {done.returncode}")
    if not any(reason in done.stderr for reason in REASONS) or "fault of" in done.stderr:
        found.append(f"says {done.stderr[-400:]!r}")
    left = [*(folder / "small").iterdir(), *(folder / "tmp").iterdir(), folder / "out"]
    found += [f"leaves {path}" for path in left if path.exists() and path.name != "filling"]
    for path in [folder / "small/out", folder / "out", folder / "other.o"]:
        path.unlink(missing_ok=True)
    return found


def mounted(place, size):
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}k", "small", place], check=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tessera", type=pathlib.Path, required=True)
    parser.add_argument("--nvcc", type=pathlib.Path, help="where there is one")
    options = parser.parse_args()
    variable = "TESSERA_FULL_DISK"
    if variable not in os.environ:
        enter = ["unshare", "-m"] if os.geteuid() == 0 else ["unshare", "-rm"]
        if subprocess.run([*enter, "true"], capture_output=True).returncode:
            print("left out: no mounts are allowed here\n0 passed, 0 failed")
            return 0
        os.environ[variable] = "mounts"
        os.execvp("unshare", [*enter, sys.executable, *sys.argv])
    binaries = options.tessera.resolve().parent
    has_nvcc = bool(options.nvcc and options.nvcc.exists())
    passed = failed = 0

    def check(folder, where, words):
        nonlocal passed, failed
        found = faults(folder, words, binaries)
        for fault in found:
            print(f"{' '.join(words)}, {where}: {fault}")
        passed += not found
        failed += bool(found)

    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for part in ("small", "tmp", "cache"):
            (folder / part).mkdir()
        (folder / "x.cu").write_text(PROGRAM)
        mounted(folder / "small", 4)
        (folder / "small/filling").write_text("x" * 4096)
        for words in OUTPUTS + (OUTPUTS_OF_NVCC if has_nvcc else []):
            check(folder, "a full disk", words)
        for size in SIZES:
            mounted(folder / "tmp", size)
            for words in BUILDS + (BUILDS_OF_NVCC if has_nvcc else []):
                check(folder, f"{size} KB for temporary files", words)
            subprocess.run(["umount", folder / "tmp"], check=True)
        subprocess.run(["umount", folder / "small"], check=True)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
