#!/usr/bin/env python3
"""A kernel of cuTile Python and the same kernel in Tile C++ give one planned kernel, up to names.

Each program of Inputs/ is a kernel of the corpus in C++. What the plan decides stands in both texts
in the same order: layouts, copies, rings and their barriers, offsets in shared memory, multiplies,
reductions, roles of warps, and what the comment of a loop says. Scalars and elementwise operations
may differ: producers of bytecode fuse multiplications and additions themselves.

usage: same.py [--library FILE] [--tileiras PROGRAM]
Prints a line for each failure, and last 'N passed, N failed'.
"""

import argparse
import ctypes
import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
PLANNED = """
    barrier barrier_of_warps check_launch commit_group consumer_release consumer_wait copy_async
    fence_shared init_barriers init_pipeline_barriers invalidate_barriers load load_shared
    make_producer_tensor_map make_tensor_map mma_done mma_of_warpgroups mma_start mma_wait
    producer_acquire reduce setmaxnreg_dec setmaxnreg_inc shared_at shared_slot store store_shared
    swizzled_block_index transposed wait_group""".split()
CALL = re.compile(rf"\b({'|'.join(PLANNED)})(<[^()]*?>)?\((-?\d+)?")
ALIAS = re.compile(r"^  using (\w+) = (.*);$", re.M)
COMMENT = re.compile(r"^ *// (Per iteration|Pipeline|wgmma).*$", re.M)


def text_of_program(library, path):
    """The generated code of a Tile C++ program, as an image."""
    options = [b"-arch=sm_90a", b"--tile-only", b"-std=c++20", b"--simt-text"]
    program = ctypes.c_void_p()
    library.tesseraCompile(
        path.read_bytes(), str(path).encode(), len(options),
        (ctypes.c_char_p * len(options))(*options), ctypes.byref(program),
    )  # fmt: skip
    text = library.tesseraGetText(program).decode()
    log = library.tesseraGetLog(program).decode()
    library.tesseraDestroy(program)
    if not text:
        raise SystemExit(log)
    return text


def text_of_bytecode(tileiras, path):
    command = [tileiras, path, "--emit=cuda", "-o", "-", "--gpu-name", "sm_90"]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def planned(text):
    """The plan's statements in their order, with layouts in full."""
    text = text[text.index("check_launch<") :]
    aliases = dict(ALIAS.findall(text))

    def in_full(arguments):
        return re.sub(r"\w+", lambda word: aliases.get(word[0], word[0]), arguments or "")

    statements = []
    for line in text.splitlines():
        if COMMENT.match(line):
            statements.append(line.strip())
        statements += [name + in_full(types) + (at or "") for name, types, at in CALL.findall(line)]
    return statements


def difference(ours, theirs):
    for number, (x, y) in enumerate(zip(ours, theirs)):
        if x != y:
            return f"statement {number} is '{x}' in C++, but '{y}' of bytecode"
    return None if len(ours) == len(theirs) else f"{len(ours)} statements, and {len(theirs)}"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--library", default=ROOT / "build/lib/libtessera_compile.so")
    parser.add_argument("--tileiras", default=ROOT / "build/bin/tileiras")
    options = parser.parse_args()
    library = ctypes.CDLL(str(options.library))
    library.tesseraGetText.restype = library.tesseraGetLog.restype = ctypes.c_char_p
    passed = failed = 0
    for path in sorted((HERE / "Inputs").glob("*.cu")):
        ours = planned(text_of_program(library, path))
        bytecode = HERE / f"corpus/large_{path.stem}.13.4.tilebc"
        theirs = planned(text_of_bytecode(options.tileiras, bytecode))
        problem = difference(ours, theirs) or (None if len(ours) > 15 else "nothing is planned")
        if problem:
            print(f"FAILED {path.name}: {problem}")
        passed, failed = passed + (not problem), failed + bool(problem)
    print(f"{passed} passed, {failed} failed")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
