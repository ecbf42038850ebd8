#!/usr/bin/env python3
"""Random structured control flow, compared between the CPU and the emulator.

Each file has many kernels: loops of all forms nested in each other and in branches, left by break,
continue and return, over scalars, tiles and local arrays; helpers that return from the middle are
called several times. Whatever a kernel computes it writes out, and both targets must print the
same. Loops count on their own, so every program ends; the same seed gives the same program.

usage: control_flow.py [--tessera PROGRAM] [--seed N] [--files N] [--kernels N] [--keep FOLDER]
                       [--jobs N]
Prints a line for each failure, then 'N passed, N failed' (kernels).
"""
import argparse
import concurrent.futures
import os
import pathlib
import random
import signal
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
SCALARS = ["a", "b", "c", "d"]
TILES = ["t", "u"]
WORDS = 48  # of output per kernel
SECONDS = 120  # for one target of one program

PROLOGUE = """\
#include <cstdio>
#include <cuda_runtime.h>
#include <cuda_tile.h>
namespace ct = cuda::tiles;
using word = unsigned;
using row = ct::tile<word, ct::shape<16>>;
"""

MAIN = """
template <class Kernel> void show(const char *name, Kernel kernel) {
  word host[80], *p, *o;
  for (word i = 0; i < 80; ++i) host[i] = i * 2654435761u >> 7;
  cudaMalloc((void **)&p, sizeof host);
  cudaMalloc((void **)&o, WORDS * sizeof(word));
  for (int n : {0, 1, 3}) {
    cudaMemcpy(p, host, sizeof host, cudaMemcpyHostToDevice);
    cudaMemset(o, 0, WORDS * sizeof(word));
    kernel<<<1, 1>>>(p, n, o);
    if (cudaDeviceSynchronize() != cudaSuccess) std::printf("%s fails\\n", name);
    word got[WORDS];
    cudaMemcpy(got, o, sizeof got, cudaMemcpyDeviceToHost);
    std::printf("%s %d:", name, n);
    for (word x : got) std::printf(" %u", x);
    std::printf("\\n");
  }
  cudaFree(p);
  cudaFree(o);
}
"""


class Generator:
    """One function's body. `leave` is the statement that returns from it."""

    def __init__(self, rng, leave, helpers=()):
        self.rng, self.leave, self.helpers = rng, leave, helpers
        self.lines, self.loops, self.names, self.budget = [], [], 0, rng.randint(10, 40)

    def line(self, depth, text):
        self.lines.append("  " * depth + text)

    def name(self, prefix):
        self.names += 1
        return f"{prefix}{self.names}"

    def scalar(self):
        counters = [name for name, _ in self.loops]
        element = f"v[{self.rng.choice(SCALARS + counters)} & 3]"
        return self.rng.choice(SCALARS + counters + [element])

    def value(self):
        r = self.rng
        kind = r.randrange(7 if self.helpers else 6)
        if kind == 0:
            return str(r.randrange(9)) + "u"
        if kind == 1:
            return f"p[{self.scalar()} & 63]"
        if kind == 2:
            operator = r.choice(["+", "-", "*", "^", "&", "|"])
            return f"({self.scalar()} {operator} {self.scalar()})"
        if kind == 3:
            return f"({self.condition()} ? {self.scalar()} : {r.randrange(99)}u)"
        if kind == 6:
            helper = r.choice(self.helpers)
            return f"{helper}(p + {r.randrange(16)}, n, {self.scalar()})"
        return self.scalar()

    def condition(self):
        r = self.rng
        simple = lambda: r.choice(
            [
                f"({self.scalar()} & {r.choice([1, 2, 4, 3])})",
                f"{self.scalar()} % 3 == {r.randrange(3)}",
                f"{self.scalar()} > {self.scalar()}",
                f"p[{self.scalar()} & 63] & {r.choice([1, 2, 4])}",
                f"n == {r.randrange(4)}",
            ]
        )
        forms = ["{}", "{}", "({}) && ({})", "({}) || ({})", "!({})"]
        return r.choice(forms).format(simple(), simple())

    def bound(self):
        number = str(self.rng.randint(1, 4))
        return self.rng.choice(["n", "n", number, f"int({self.scalar()} & 3)"])

    def statement(self, depth):
        self.budget -= 1
        r = self.rng
        deep = depth > 6 or self.budget < 0
        weights = {"scalar": 5, "tile": 2, "element": 2, "store": 1, "return": 1}
        weights["leave"] = 3 if self.loops else 0
        if not deep:
            weights |= {"if": 5, "switch": 1, "loop": 4 if len(self.loops) < 4 else 0}
        kind = r.choices(list(weights), list(weights.values()))[0]
        getattr(self, "make_" + kind)(depth)

    def block(self, depth, least=1):
        for _ in range(self.rng.randint(least, 4)):
            self.statement(depth)

    def make_scalar(self, depth):
        operator = self.rng.choice(["=", "+=", "-=", "^=", "*="])
        self.line(depth, f"{self.rng.choice(SCALARS)} {operator} {self.value()};")

    def make_element(self, depth):
        operator = self.rng.choice(["=", "+="])
        self.line(depth, f"v[{self.scalar()} & 3] {operator} {self.value()};")

    def make_tile(self, depth):
        t, u, r = self.rng.choice(TILES), self.rng.choice(TILES), self.rng
        x = f"word({self.scalar()})"
        self.line(
            depth,
            r.choice(
                [
                    f"{t} = {u} + {x};",
                    f"{t} = {t} ^ ct::load(p + ({u} & 63u));",
                    f"{t} = ct::select({t} > {u}, {t} - {u}, {u} + {x});",
                    f"{t} = {u} * 3u;",
                    f"{r.choice(SCALARS)} += static_cast<word>(ct::sum<0>({t}));",
                ]
            ),
        )

    def make_store(self, depth):
        self.line(depth, f"o[{self.rng.randrange(8)} + ({self.scalar()} & 7)] = {self.value()};")

    def make_if(self, depth):
        self.line(depth, f"if ({self.condition()}) {{")
        self.block(depth + 1)
        while self.rng.random() < 0.3:
            self.line(depth, f"}} else if ({self.condition()}) {{")
            self.block(depth + 1)
        if self.rng.random() < 0.5:
            self.line(depth, "} else {")
            self.block(depth + 1)
        self.line(depth, "}")

    def make_loop(self, depth):
        forms = ["for", "for", "while", "do", "irange", "down"]
        i, form = self.name("i"), self.rng.choice(forms)
        bound, end = self.bound(), "}"
        if form == "for":
            step = self.rng.choice(["++", "++", " += 2"])
            self.line(depth, f"for (int {i} = 0; {i} < {bound}; {i}{step}) {{")
        elif form == "irange":
            self.line(depth, f"for (int {i} : ct::irange(0, {bound})) {{")
        elif form == "down":
            self.line(depth, f"for (int {i} = {bound}; {i} > 0; --{i}) {{")
        elif form == "while":
            self.line(depth, f"int {i} = 0;")
            self.line(depth, f"while ({i} < {bound}) {{")
            self.line(depth + 1, f"++{i};")
        else:
            self.line(depth, f"int {i} = 0;")
            self.line(depth, "do {")
            self.line(depth + 1, f"++{i};")
            most = self.rng.randint(1, 4)
            end = f"}} while ({i} < {most} && ({self.condition()}));"
        self.loops.append((i, True))
        self.block(depth + 1, 2)
        self.loops.pop()
        self.line(depth, end)

    def make_switch(self, depth):
        self.line(depth, f"switch ({self.scalar()} % {self.rng.randint(3, 5)}) {{")
        loops = self.loops
        self.loops = [(name, False) for name, _ in loops]  # no continue within
        values = self.rng.sample(range(5), self.rng.randint(1, 4))
        for value in values + ([None] if self.rng.random() < 0.6 else []):
            self.line(depth, "default: {" if value is None else f"case {value}: {{")
            self.block(depth + 1)
            self.line(depth, "}" + (" break;" if self.rng.random() < 0.8 else ""))
        self.loops = loops
        self.line(depth, "}")

    def make_leave(self, depth):
        word = self.rng.choice(["break", "continue"]) if self.loops[-1][1] else "break"
        self.line(depth, f"if ({self.condition()}) {word};")

    def make_return(self, depth):
        self.line(depth, f"if ({self.condition()}) {{")
        self.line(depth + 1, self.leave.format(value=self.value()))
        self.line(depth, "}")


LOCALS = """\
  word a = 1, b = p[1], c = p[2], d = {d}, v[4] = {{p[3], 5, p[4], 7}};
  row t = ct::iota<row>(), u = t * b;
"""


HELPER = """\
__tile__ word {name}(const word *p, int n, word x) {{
{locals}{text}
  return a + b * 3 + c * 5 + d * 7 + v[0] + static_cast<word>(ct::sum<0>(t + u));
}}
"""
KERNEL = """\
__tile_global__ void {name}(const word *p, int n, word *o) {{
{locals}{text}
  o[16] = a; o[17] = b; o[18] = c; o[19] = d;
  o[20] = v[0]; o[21] = v[1]; o[22] = v[2]; o[23] = v[3];
  ct::store(o + 24 + ct::iota<row>(), t + u);
}}
"""


def helper(rng, name):
    body = Generator(rng, "return {value} + d;")
    body.budget //= 2
    for _ in range(3):
        body.statement(1)
    text = "\n".join(line.replace("o[", "v[3 & ") for line in body.lines)
    return HELPER.format(name=name, locals=LOCALS.format(d="x"), text=text)


def kernel(rng, name, helpers):
    leave = "o[40] = {value}; ct::store(o + 24 + ct::iota<row>(), t); return;"
    body = Generator(rng, leave, helpers)
    for _ in range(5):
        body.statement(1)
    return KERNEL.format(name=name, locals=LOCALS.format(d="p[5]"), text="\n".join(body.lines))


def program(seed, count):
    rng = random.Random(seed)
    helpers = [f"h{i}" for i in range(4)]
    text = PROLOGUE + "".join(helper(rng, name) for name in helpers)
    text += "".join(kernel(rng, f"k{i}", helpers) for i in range(count))
    text += MAIN.replace("WORDS", str(WORDS))
    text += "int main() {\n" + "".join(f'  show("k{i}", k{i});\n' for i in range(count)) + "}\n"
    return text


def run(tessera, target, source):
    process = subprocess.Popen(
        [tessera, "run", f"--target={target}", "-Wno-tautological-compare", source],
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    try:
        out, err = process.communicate(timeout=SECONDS)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        return [f"no answer in {SECONDS} s"], 124
    return (out if process.returncode == 0 else err + out).splitlines(), process.returncode


def judge(options, folder, seed):
    """What is wrong with the program of a seed, a line per kernel."""
    source = folder / f"control_flow_{seed}.cu"
    source.write_text(program(seed, options.kernels))
    printed = {}
    for target in ("cpu", "emulate"):
        printed[target], status = run(options.tessera, target, source)
        if status:
            reason = [line for line in printed[target] if "error" in line or "no answer" in line]
            return [f"{source}: {target} exits with {status}: {(reason + ['no message'])[0]}"]
    pairs = list(zip(printed["cpu"], printed["emulate"], strict=True))
    wrong = sorted({a.split()[0] for a, b in pairs if a != b})
    return [f"{source}: {name} differs" for name in wrong]


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--tessera", default=ROOT / "build/bin/tessera")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--files", type=int, default=2)
    parser.add_argument("--kernels", type=int, default=8)
    parser.add_argument("--keep", type=pathlib.Path, help="folder for the programs")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    options = parser.parse_args()
    failed = 0
    threads = concurrent.futures.ThreadPoolExecutor(options.jobs)
    with tempfile.TemporaryDirectory() as temporary, threads as pool:
        folder = options.keep or pathlib.Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        seeds = range(options.seed, options.seed + options.files)
        for wrong in pool.map(lambda seed: judge(options, folder, seed), seeds):
            failed += len(wrong)
            for line in wrong:
                print("FAIL", line, flush=True)
    print(f"{options.files * options.kernels - failed} passed, {failed} failed")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
