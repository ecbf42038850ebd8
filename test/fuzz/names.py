#!/usr/bin/env python3
"""Programs that call their own by the names of the runtime and of emitted text.

Each program draws some hundreds of the words of the runtime's headers, each for one of: a
namespace, a kernel, a parameter, a variable, a template's parameter, a type, a macro. Every kernel
stands twice, in a namespace and in an unnamed one within. The CPU and the emulator must print what
the program says by itself; with --nvcc the text for a GPU must compile.

usage: names.py [--seed NAME] [--files N] [--first I] [--kernels N] [--targets cpu,emulate]
                [--nvcc PROGRAM] [--optimize LEVEL] [--keep FOLDER] [--tessera PROGRAM]
Prints a line for each fault, then 'N passed, N failed' of the kernels' files.
"""
import argparse
import pathlib
import random
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
LISTS = ("plugin/frontend/parse/HeaderNames.inc", "plugin/emit/RuntimeNames.inc")
# What the printer calls its own.
PRINTED = """barriers block grid tensor_maps next tiles by_4 by_8 row column stage read f_simt
variables kernels registration unused shared_64 map a_tensor_map stages warp step fill work_tile
row_start column_start k_start k_next i_next is_inside read_next fill_next operand_t""".split()

HEAD = """#include <cuda_tile.h>
#include <cstdio>
#include <cuda_runtime.h>
using drawn_tile = cuda::tiles::tile<int, cuda::tiles::shape<4>>;
__tile__ inline auto drawn_iota() { return cuda::tiles::iota<drawn_tile>(); }
template <class P, class V> __tile__ inline void drawn_store(P drawn_p, V drawn_v) {
  cuda::tiles::store(drawn_p, drawn_v);
}
static int *drawn_memory;
static void drawn_show(int drawn_n) {
  cudaDeviceSynchronize();
  std::printf("%d: %d %d\\n", drawn_n, drawn_memory[0], drawn_memory[3]);
}
namespace drawn {
"""
ONE = """
#define {macro} {number}
namespace {space} {{
struct {type} {{ static constexpr int member = {number}; }};
template <class {parameter}> __tile_global__ void {kernel}(int *{pointer}, int {count}) {{
  auto {local} = drawn_iota() + {count} + {parameter}::member;
  for (int {index} = 0; {index} < {count}; ++{index})
    {local} = {local} + {index};
  drawn_store({pointer} + drawn_iota(), {local} + {macro});
}}
__tile_global__ void {plain}(int *{plain}, int {index}) {{ *{plain} = {index} + {macro}; }}
namespace {{
struct {type} {{ static constexpr int member = {number} + 1; }};
template <class {local}> __tile_global__ void {kernel}(int *{count}, int {pointer}) {{
  drawn_store({count} + drawn_iota(), drawn_iota() + {pointer} + {local}::member);
}}
__tile_global__ void {plain}(int *{index}, int {count}) {{ *{index} = {count} - {macro}; }}
void drawn_inner() {{
  {kernel}<{type}><<<1, 1>>>(drawn_memory, 3);
  drawn_show({number});
  {kernel}<drawn::{space}::{type}><<<1, 1>>>(drawn_memory, 3);
  drawn_show({number});
  {plain}<<<1, 1>>>(drawn_memory, 5);
  drawn_show({number});
}}
}} // namespace
}} // namespace {space}
inline void drawn_{number}() {{
  {space}::{kernel}<{space}::{type}><<<1, 1>>>(drawn_memory, 3);
  drawn_show({number});
  {space}::{plain}<<<1, 1>>>(drawn_memory, 5);
  drawn_show({number});
  {space}::drawn_inner();
}}
"""
ROLES = "macro space type parameter kernel pointer count local index plain".split()


def words():
    found = set(PRINTED)
    for name in LISTS:
        found |= set(re.findall(r'"(\w+)"', (ROOT / name).read_text()))
    own = set(re.findall(r"[A-Za-z_]\w*", re.sub(r"\{\w+\}", "", HEAD + ONE) + "main"))
    return sorted(found - own)


def program(seed, kernels):
    """The text, and what it prints."""
    chance = random.Random(seed)
    names = chance.sample(words(), len(ROLES) * kernels)
    text, lines = HEAD, []
    for k in range(kernels):
        number = 100 + k
        drawn = dict(zip(ROLES, names[k * len(ROLES):]))
        text += ONE.format(number=number, **drawn)
        first = 3 + number + 0 + 1 + 2 + number
        values = [(first, first + 3), (5 + number, first + 3),
                  (3 + number + 1, 6 + number + 1), (3 + number, 6 + number),
                  (5 - number, 6 + number)]
        lines += [f"{number}: {a} {b}" for a, b in values]
    calls = "".join(f"  drawn::drawn_{100 + k}();\n" for k in range(kernels))
    text += ("} // namespace drawn\nint main() {\n  cudaMallocManaged(&drawn_memory, 64);\n"
             f"{calls}}}\n")
    return text, lines


def execute(command):
    return subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=600)


def fault(source, lines, options):
    for target in options.targets.split(","):
        command = [options.tessera, "run", f"--target={target}", f"-O{options.optimize}"]
        process = execute([*command, source])
        if process.returncode:
            return f"{target}: {process.stderr[:1500]}"
        printed = process.stdout.splitlines()
        for expected, got in zip(lines, printed + ["nothing"] * len(lines)):
            if expected != got:
                return f"{target}: prints '{got}', not '{expected}'"
    if options.nvcc:
        text = source.with_suffix(".simt.cu")
        process = execute([options.tessera, source, "-o", text])
        if not process.returncode:
            process = execute([options.nvcc, "-std=c++20", "-arch=sm_90a", "-w", "-I",
                               ROOT / "runtime/include", "-c", text, "-o", text.with_suffix(".o")])
        if process.returncode:
            return f"gpu: {(process.stdout + process.stderr)[:1500]}"
    return ""


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--seed", default="0")
    parser.add_argument("--files", type=int, default=10)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--kernels", type=int, default=50)
    parser.add_argument("--targets", default="cpu,emulate")
    parser.add_argument("--nvcc")
    parser.add_argument("--optimize", default="2")
    parser.add_argument("--keep")
    parser.add_argument("--tessera", default="build/bin/tessera")
    options = parser.parse_args()
    failed = 0
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(options.keep or temporary)
        folder.mkdir(parents=True, exist_ok=True)
        for i in range(options.first, options.first + options.files):
            text, lines = program(f"{options.seed} {i}", options.kernels)
            source = folder / f"names_{i}.cu"
            source.write_text(text)
            if what := fault(source, lines, options):
                failed += 1
                print(f"{source.name} (--seed {options.seed} --first {i}): {what}", flush=True)
    print(f"{options.files - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
