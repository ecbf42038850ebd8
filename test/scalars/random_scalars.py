#!/usr/bin/env python3
"""Random scalar programs: what the CPU computes from the C++ itself, emitted text must compute too.

Every program is a file of kernels over integers of all widths and signs: arithmetic, casts, shifts,
comparisons, loops and branches, pointers that are chosen and walk. Signed overflow and the other
undefined things are kept out by a bound that every expression carries. A seed always gives the same
program.

usage: random_scalars.py [--tessera PROGRAM] [--seed N] [--files N] [--kernels N]
                         [--optimize LEVEL] [--keep FOLDER]
Prints a line for each file whose targets differ, then 'N passed, N failed'.
"""
import argparse
import concurrent.futures
import dataclasses
import os
import pathlib
import random
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]


@dataclasses.dataclass(frozen=True)
class Type:
    name: str
    width: int
    signed: bool
    rank: int  # of C's integer conversions

    def promoted(self):
        return self if self.width >= 32 else INT


INT = Type("int", 32, True, 3)
UNSIGNED = Type("unsigned", 32, False, 3)
LONG_LONG = Type("long long", 64, True, 5)
UNSIGNED_LONG_LONG = Type("unsigned long long", 64, False, 5)
TYPES = [
    Type("signed char", 8, True, 1),
    Type("unsigned char", 8, False, 1),
    Type("short", 16, True, 2),
    Type("unsigned short", 16, False, 2),
    INT,
    UNSIGNED,
    LONG_LONG,
    UNSIGNED_LONG_LONG,
]
# Other names of these types: parameters keep their spelling.
ALIASES = [
    Type("char", 8, True, 1),
    Type("std::uint16_t", 16, False, 2),
    Type("std::uint32_t", 32, False, 3),
    Type("std::int64_t", 64, True, 4),
    Type("std::size_t", 64, False, 4),
    Type("long", 64, True, 4),
]
BOOL = Type("bool", 1, False, 0)


def common(a, b):
    """The type that C computes in."""
    a, b = a.promoted(), b.promoted()
    if a.rank != b.rank:
        wide, narrow = (a, b) if a.rank > b.rank else (b, a)
        if wide.signed and not narrow.signed and wide.width == narrow.width:
            return UNSIGNED_LONG_LONG
        return wide
    return a if not a.signed else b


@dataclasses.dataclass
class Expression:
    text: str
    type: Type
    bits: int  # |value| <= 2 ** bits

    def cast(self, to):
        bits = to.width if not to.signed else min(self.bits, to.width - 1)
        return Expression(f"({to.name})({self.text})", to, bits)


def full(type):
    return type.width - 1 if type.signed else type.width


def converter(type):
    """The name of the program's function from a tile of one element to this scalar."""
    return type.name.replace(" ", "_") + "_of"


class Kernel:
    """One kernel, statement by statement."""

    def __init__(self, seed, number):
        self.random = random.Random(f"{seed}.{number}")
        self.number = number
        self.lines = []
        self.variables = []  # name, type
        self.pointers = []  # name, type, how many elements may be read behind it
        self.count = 0
        self.depth = 0

    def pick(self, *options):
        return self.random.choice(options)

    def fresh(self, letter):
        self.count += 1
        return f"{letter}{self.count}"

    def line(self, text):
        self.lines.append("  " * (self.depth + 1) + text)

    # ---- expressions

    def constant(self):
        value = self.pick(0, 1, 2, 3, 7, 8, 100, 127, 128, 200, 255, 256, 1000, 32767, 32768,
                          65535, -1, -2, -5, -128, -129, -1000, -32768)
        if self.random.random() < 0.2:
            type = self.pick(*TYPES)
            return Expression(f"({type.name}){value}", type, full(type))
        suffix, type = self.pick(("", INT), ("", INT), ("ll", LONG_LONG))
        return Expression(f"({value}{suffix})", type, abs(value).bit_length())

    def leaf(self):
        choice = self.random.random()
        if choice < 0.15:
            return self.constant()
        if choice < 0.45 and self.pointers:
            name, type, room = self.pick(*self.pointers)
            index = self.pick(str(self.random.randrange(room)), f"({self.small(room)})")
            return Expression(f"{name}[{index}]", type, full(type))
        if not self.variables:
            return self.constant()
        name, type = self.pick(*self.variables)
        return Expression(name, type, full(type))

    def small(self, limit):
        """An index below limit, a power of two or less."""
        if not self.variables:
            return str(self.random.randrange(limit))
        size = 1 << (limit.bit_length() - 1)
        return f"{self.leaf().text} & {size - 1}"

    def bounded(self, x, bits):
        """x, or something like it that has this bound."""
        if x.bits <= bits:
            return x
        fitting = [type for type in TYPES if full(type) <= bits]
        choice = self.random.random()
        if choice < 0.5 and fitting:
            return x.cast(self.pick(*fitting))
        if choice < 0.75:
            divisor = self.pick(5, 100, 1000) if bits >= 10 else 3
            return Expression(f"({x.text} % {divisor})", common(x.type, INT),
                              10 if bits >= 10 else 2)
        return Expression(f"({x.text} & 7)", common(x.type, INT), 3)

    def arithmetic(self, depth):
        symbol = self.pick("+", "+", "-", "-", "*", "*", "&", "|", "^")
        x, y = self.expression(depth - 1), self.expression(depth - 1)
        type = common(x.type, y.type)
        if type.signed and symbol in "+-":
            x, y = self.bounded(x, type.width - 3), self.bounded(y, type.width - 3)
            type = common(x.type, y.type)
            if type.width == 32:
                x, y = self.bounded(x, 29), self.bounded(y, 29)
        elif type.signed and symbol == "*":
            x, y = self.bounded(x, 15), self.bounded(y, 15)
            if x.bits + y.bits > 30:
                x, y = self.bounded(x, 14), self.bounded(y, 14)
        type = common(x.type, y.type)
        bits = type.width
        if type.signed and symbol in "+-":
            bits = max(x.bits, y.bits) + 1
        elif type.signed:
            bits = x.bits + y.bits if symbol == "*" else full(type)
        return Expression(f"({x.text} {symbol} {y.text})", type, bits)

    def division(self, depth):
        x = self.expression(depth - 1)
        symbol = self.pick("/", "%")
        if self.random.random() < 0.5:
            type = common(x.type, INT)
            divisor = self.pick(2, 3, 7, 16, -3, -16) if type.signed else self.pick(3, 8, 10)
            return Expression(f"({x.text} {symbol} {divisor})", type,
                              min(x.bits, full(type)) if type.signed else type.width)
        y = self.expression(depth - 1)
        y = Expression(f"(({y.text} & 15) + 1)", common(y.type, INT), 5)
        type = common(x.type, y.type)
        return Expression(f"({x.text} {symbol} {y.text})", type, full(type))

    def shift(self, depth):
        x = self.expression(depth - 1)
        type = x.type.promoted()
        symbol = self.pick("<<", ">>")
        count = self.pick(str(self.random.randrange(type.width)), str(self.random.randrange(8)),
                          f"({self.leaf().text} & {type.width - 1})")
        return Expression(f"({x.text} {symbol} {count})", type, full(type))

    def condition(self, depth):
        if depth <= 0:
            symbol = self.pick("<", ">", "!=")
            return Expression(f"({self.leaf().text} {symbol} {self.leaf().text})", BOOL, 1)
        choice = self.random.random()
        if choice < 0.7:
            x, y = self.expression(depth - 1), self.expression(depth - 1)
            symbol = self.pick("<", "<=", ">", ">=", "==", "!=")
            return Expression(f"({x.text} {symbol} {y.text})", BOOL, 1)
        if choice < 0.9:
            x, y = self.condition(depth - 1), self.condition(depth - 1)
            symbol = self.pick("&&", "||", "!=", "<", "^")
            return Expression(f"({x.text} {symbol} {y.text})", BOOL, 1)
        return Expression(f"(!{self.condition(depth - 1).text})", BOOL, 1)

    def choice(self, depth):
        x, y = self.expression(depth - 1), self.expression(depth - 1)
        type = common(x.type, y.type) if x.type != y.type else x.type
        text = f"({self.condition(depth - 1).text} ? {x.text} : {y.text})"
        return Expression(text, type, full(type))

    def unary(self, depth):
        x = self.expression(depth - 1)
        if self.random.random() < 0.5:
            return Expression(f"(~{x.text})", x.type.promoted(), full(x.type.promoted()))
        if x.type.promoted().signed:
            x = self.bounded(x, 29)
        type = x.type.promoted()
        return Expression(f"(-{x.text})", type, x.bits if type.signed else type.width)

    def library(self, depth):
        """Functions of scalars take two of one type."""
        type = self.pick(*TYPES)
        x, y = self.expression(depth - 1).cast(type), self.expression(depth - 1).cast(type)
        function = self.pick("min", "max")
        return Expression(f"{converter(type)}(ct::{function}({x.text}, {y.text}))", type,
                          full(type))

    def through_float(self, depth):
        """To a float that holds it exactly, and back to a type that holds the result."""
        float_type, digits = self.pick(("float", 24), ("double", 52))
        x = self.bounded(self.expression(depth - 1), min(digits, 30))
        if not x.type.promoted().signed:
            if x.type.width >= 32:
                dropped = max(0, x.type.width - digits)
                x = Expression(f"({x.text} >> {dropped})", x.type, digits)
            fitting = [type for type in TYPES if not type.signed and type.width >= x.bits]
            to = self.pick(*fitting or [UNSIGNED_LONG_LONG])
        else:
            fitting = [type for type in TYPES if type.signed and type.width - 1 > x.bits]
            to = self.pick(*fitting or [LONG_LONG])
        half = "0.5f" if float_type == "float" else "0.5"
        return Expression(f"({to.name})(({float_type})({x.text}) * {half})", to, full(to))

    def expression(self, depth):
        if depth <= 0:
            return self.leaf()
        choice = self.random.random()
        if choice < 0.34:
            return self.arithmetic(depth)
        if choice < 0.54:
            return self.expression(depth - 1).cast(self.pick(*TYPES))
        if choice < 0.68:
            return self.shift(depth)
        if choice < 0.75:
            return self.division(depth)
        if choice < 0.82:
            return self.choice(depth)
        if choice < 0.87:
            return self.unary(depth)
        if choice < 0.91:
            return self.condition(depth)
        if choice < 0.95:
            return self.library(depth)
        return self.through_float(depth)

    # ---- statements

    def declare(self):
        type, name = self.pick(*TYPES, BOOL), self.fresh("v")
        self.line(f"{type.name} {name} = {self.expression(3).text};")
        self.variables.append((name, type))

    def change(self):
        candidates = [v for v in self.variables if v[0][0] == "v" and v[1] is not BOOL]
        if not candidates:
            return self.declare()
        name, type = self.pick(*candidates)
        wraps = not type.promoted().signed or type.width < 32
        symbol = self.pick("&=", "|=", "^=", "<<=", ">>=", "++", "--", "+=", "-=", "*=", "=")
        if symbol in ("++", "--", "+=", "-=", "*=") and not wraps:
            symbol = "="
        if symbol in ("++", "--"):
            self.line(f"{self.pick(name + symbol, symbol + name)};")
        elif symbol in ("<<=", ">>="):
            self.line(f"{name} {symbol} {self.random.randrange(type.width)};")
        elif symbol in ("+=", "-=", "*=") and type.width < 32:
            # Computed as int, or in an unsigned type of the other operand.
            self.line(f"{name} {symbol} {self.bounded(self.expression(2), 14).text};")
        else:
            self.line(f"{name} {symbol} {self.expression(3).text};")

    def output(self):
        number = self.random.randrange(len(TYPES))
        self.line(f"o{number}[{self.random.randrange(8)}] = {self.expression(3).text};")

    def read_back(self):
        number, name = self.random.randrange(len(TYPES)), self.fresh("v")
        self.line(f"{TYPES[number].name} {name} = o{number}[{self.random.randrange(8)}];")
        self.variables.append((name, TYPES[number]))

    def choose_pointer(self):
        type = self.pick(*TYPES)
        same = [p for p in self.pointers if p[1] == type]
        (a, _, room), (b, _, other), (c, _, third) = (self.pick(*same) for _ in range(3))
        name = self.fresh("p")
        if self.random.random() < 0.7:
            self.line(f"const {type.name} *{name} = {self.condition(1).text} ? {a} : {b};")
        else:
            selector = self.leaf().text
            self.line(f"const {type.name} *{name} = "
                      f"{selector} == 0 ? {a} : {selector} == 1 ? {b} : {c};")
            other = min(other, third)
        room = min(room, other)
        if room > 2 and self.random.random() < 0.5:
            self.line(f"{name} += {self.small(2)};")
            room -= 1
        self.pointers.append((name, type, room))

    def walk(self):
        pointer, type, room = self.pick(*self.pointers)
        at, total = self.fresh("q"), self.fresh("v")
        sum_type = self.pick(*[t for t in TYPES if not t.signed])
        self.line(f"{sum_type.name} {total} = {self.leaf().text};")
        self.line(f"for (const {type.name} *{at} = {pointer}; {at} != {pointer} + {room}; ++{at})")
        self.line(f"  {total} = {total} * {self.pick('3u', '31ull')} + *{at};")
        self.variables.append((total, sum_type))

    def nested(self, header, statements, footer="}"):
        variables, pointers = list(self.variables), list(self.pointers)
        self.line(header + " {")
        self.depth += 1
        for _ in range(statements):
            self.statement()
        self.depth -= 1
        self.line(footer)
        self.variables, self.pointers = variables, pointers

    def loop(self):
        type, name = self.pick(*TYPES), self.fresh("i")
        start, step = self.random.randrange(3), self.pick("++" + name, name + "++", name + " += 2")
        end = self.pick(str(self.random.randrange(6)), f"({self.leaf().text} & 3)")
        self.variables.append((name, type))
        self.nested(f"for ({type.name} {name} = {start}; {name} < {end}; {step})",
                    self.random.randrange(1, 4))
        self.variables = [v for v in self.variables if v[0] != name]

    def branch(self):
        self.nested(f"if ({self.condition(2).text})", self.random.randrange(1, 3),
                    "} else {" if self.random.random() < 0.5 else "}")
        if self.lines[-1].endswith("else {"):
            self.depth += 1
            variables, pointers = list(self.variables), list(self.pointers)
            self.statement()
            self.variables, self.pointers = variables, pointers
            self.depth -= 1
            self.line("}")

    def switch(self):
        candidates = [v for v in self.variables if v[0][0] == "v" and v[1] is not BOOL]
        if not candidates:
            return self.declare()
        name, type = self.pick(*candidates)
        selector = self.bounded(self.expression(1), 14)
        self.line(f"switch ({selector.text}) {{")
        labels = {0, 1, 2} if not selector.type.promoted().signed else {0, 1, -1, -5}
        for label in sorted(labels):
            end = self.pick("break;", "break;", "")
            self.line(f"case {label}: {name} = {self.expression(2).text}; {end}")
        self.line(f"default: {name} = {self.expression(1).text};")
        self.line("}")

    def statement(self):
        kinds = [(self.declare, 4), (self.change, 5), (self.output, 5), (self.read_back, 1),
                 (self.choose_pointer, 1), (self.walk, 1)]
        if self.depth < 2:
            kinds += [(self.loop, 1), (self.branch, 2), (self.switch, 1)]
        self.random.choices([k for k, _ in kinds], [w for _, w in kinds])[0]()

    def text(self):
        parameters = []
        for i, type in enumerate(TYPES):
            for letter in "ab":
                parameters.append(f"const {type.name} *{letter}{i}")
                self.pointers.append((f"{letter}{i}", type, 8))
        parameters += [f"{type.name} *o{i}" for i, type in enumerate(TYPES)]
        for type in self.random.sample(TYPES + ALIASES, 4):
            name = self.fresh("s")
            parameters.append(f"{type.name} {name}")
            self.variables.append((name, type))
        self.scalars = [type for _, type in self.variables]
        for _ in range(self.random.randrange(8, 16)):
            self.statement()
        self.output()
        head = f"__tile_global__ void k{self.number}({', '.join(parameters)}) {{\n"
        return head + "\n".join(self.lines) + "\n}\n"

    def launch(self):
        arrays = ", ".join(f"a{i}, b{i}" for i in range(len(TYPES))) + ", " + \
            ", ".join(f"o{i}" for i in range(len(TYPES)))
        values = ", ".join(f"({type.name}){self.random.getrandbits(62)}ll"
                           for type in self.scalars)
        return f"  k{self.number}<<<1, 1>>>({arrays}, {values});\n  show({self.number});\n"


HEAD = """// Seed {seed} of random_scalars.py.
#include <cstdint>
#include <cstdio>
#include <cuda_runtime.h>
#include <cuda_tile.h>
namespace ct = cuda::tiles;
"""


def program(seed, kernels):
    made = [Kernel(seed, i) for i in range(kernels)]
    text = HEAD.format(seed=seed)
    for type in TYPES:
        text += f"__tile__ {type.name} {converter(type)}({type.name} x) {{ return x; }}\n"
    text += "".join(kernel.text() for kernel in made)
    text += "unsigned long long next = 88172645463325252ull;\n"
    text += "template <class T> T *values() {\n  T host[8], *device;\n"
    text += "  for (T &x : host) {\n"
    text += "    next ^= next << 13; next ^= next >> 7; next ^= next << 17;\n"
    text += "    x = next % 5 == 0 ? T(next >> 8 & 7) - T(2) : T(next >> 20);\n  }\n"
    text += "  cudaMalloc((void **)&device, sizeof host);\n"
    text += "  cudaMemcpy(device, host, sizeof host, cudaMemcpyHostToDevice);\n"
    text += "  return device;\n}\n"
    text += "template <class T> void print(T *device) {\n  T host[8];\n"
    text += "  cudaMemcpy(host, device, sizeof host, cudaMemcpyDeviceToHost);\n"
    text += '  for (T x : host)\n    std::printf(" %lld", (long long)x);\n}\n'
    text += "int main() {\n"
    for i, type in enumerate(TYPES):
        for letter in "abo":
            text += f"  {type.name} *{letter}{i} = values<{type.name}>();\n"
    text += "  auto show = [&](int n) {\n    cudaDeviceSynchronize();\n"
    text += "    std::printf(\"k%d:\", n);\n    "
    text += " ".join(f"print(o{i});" for i in range(len(TYPES)))
    text += '\n    std::printf("\\n");\n  };\n'
    text += "".join(kernel.launch() for kernel in made)
    return text + "}\n"


def judge(seed, options, directory):
    source = directory / f"scalars_{seed}.cu"
    source.write_text(program(seed, options.kernels))
    outputs = []
    for target in options.targets:
        try:
            command = [options.tessera, "run", f"--target={target}", f"-O{options.optimize}"]
            run = subprocess.run([*command, source], capture_output=True, text=True, timeout=300)
        except subprocess.TimeoutExpired:
            return f"seed {seed}, {target}: no answer"
        if run.returncode:
            lines = run.stderr.splitlines() or ["?"]
            lines = [line for line in lines if "error" in line] or lines
            return f"seed {seed}, {target}: exit status {run.returncode}: {lines[0]}"
        outputs.append(run.stdout.splitlines())
    for lines in zip(*outputs):
        if len(set(lines)) > 1:
            return f"seed {seed}: " + " against ".join(lines)
    counts = {len(lines) for lines in outputs}
    return "" if len(counts) == 1 else f"seed {seed}: other numbers of lines"


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tessera", default=ROOT / "build/bin/tessera")
    parser.add_argument("--targets", default=["cpu", "emulate"],
                        type=lambda text: text.split(","))
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--files", type=int, default=4)
    parser.add_argument("--kernels", type=int, default=40, help="in a file")
    parser.add_argument("--optimize", default="2")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--keep", type=pathlib.Path, help="where the programs are left")
    options = parser.parse_args()
    failed = 0
    with tempfile.TemporaryDirectory() as scratch, \
            concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        directory = options.keep or pathlib.Path(scratch)
        directory.mkdir(exist_ok=True)
        seeds = range(options.seed, options.seed + options.files)
        for wrong in pool.map(lambda seed: judge(seed, options, directory), seeds):
            if wrong:
                failed += 1
                print(f"FAIL {wrong}", flush=True)
    print(f"{options.files - failed} passed, {failed} failed")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
