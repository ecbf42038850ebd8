#!/usr/bin/env python3
"""clang-tidy over the compiler's and the runtime's sources that a change touches.

A change is what differs from the given revision: by default from the branch's upstream, and where
that is the same, from the commit before. Prints what clang-tidy says; fails if it says anything.

usage: tidy.py [--build FOLDER] [--since REVISION] [--jobs N] [FILE.cpp...]
"""
import argparse
import concurrent.futures
import os
import pathlib
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]


def git(*arguments):
    command = ["git", *arguments]
    result = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    return result.stdout.split() if result.returncode == 0 else []


def base_of_change():
    upstream = git("merge-base", "HEAD", "@{upstream}")
    return upstream[0] if upstream and upstream != git("rev-parse", "HEAD") else "HEAD~1"


def touched_since(revision):
    names = git("diff", "--name-only", "--diff-filter=d", revision, "--", "plugin", "runtime/src")
    return sorted(name for name in names if name.endswith(".cpp"))


def complaints(file, build):
    program = shutil.which("clang-tidy-22") or "/usr/lib/llvm-22/bin/clang-tidy"
    command = [program, "-p", build, "--quiet", file]
    result = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    if result.returncode and not result.stdout.strip():
        return result.stderr
    return result.stdout


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--build", default=ROOT / "build")
    parser.add_argument("--since", help="the revision that the change starts from")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("files", nargs="*")
    options = parser.parse_args()
    files = options.files or touched_since(options.since or base_of_change())
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for text in pool.map(lambda file: complaints(file, options.build), files):
            if text.strip():
                failed += 1
                print(text.strip(), flush=True)
    print(f"{len(files) - failed} passed, {failed} failed")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
