#!/usr/bin/env python3
"""Cuts a kernel at fault down to a small one with the same fault.

usage: reduce.py SEED/NUMBER [--targets cpu,emulate] [--output FILE] [--rounds N] [--any]
       reduce.py FILE.tree, which run.py kept

Takes out statements, puts blocks in place of what holds them, operands in place of operations and
constants in place of both, as long as the fault stays equal (--any: as long as its kind and target
do). A round tries many candidates as the kernels of one file. Prints the smallest.
"""

import copy
import pathlib
import pickle
import re
import sys
import tempfile

from build import Tools
from grammar.elements import BOOL, Element, Range, literal
from grammar.kernel import file_text
from grammar.program import make_kernel
from grammar.tree import Expr, Pointer, Tile, expressions
from run import Batch, language_of, parser_of

CANDIDATES = 24


def blocks_of(statements):
    """Every list of statements, the outermost first."""
    yield statements
    for statement in statements:
        for block in statement.blocks:
            yield from blocks_of(block)


def is_scoped(kernel):
    """Whether every variable is defined before its use."""

    def visit(statements, known):
        known = set(known)
        for s in statements:
            known.update(s.defines)
            if any(e.variable and e.variable not in known for k in s.kids for e in k.walk()):
                return False
            if not all(visit(block, known) for block in s.blocks):
                return False
        return True

    known = {name for name, _, _ in kernel.parameters} | {t.name for t in kernel.templates}
    for function in kernel.all_functions():
        known.add(function.name)
        if not visit(function.body, set(function.parameters)):
            return False
    return visit(kernel.body, known)


def all_blocks(kernel):
    return [block for body in kernel.bodies() for block in blocks_of(body)]


def all_expressions(kernel):
    for body in kernel.bodies():
        yield from expressions(body)


def simple(e):
    """Constants of an expression's type within its range."""
    element = e.type.element if isinstance(e.type, Tile) else e.type
    if not isinstance(element, Element) or element.is_restricted or e.range is None:
        return
    r = Range(-1, 1, 1) if e.range.is_inexact else e.range
    values = sorted({min(max(v, r.lo), r.hi) for v in (0, 1)}) if element is not BOOL else [0, 1]
    for value in values:
        text = literal(element, value)
        if isinstance(e.type, Tile):
            text = f"ct::full<{e.type.name}>({text})"
        yield Expr(e.type, text, [], Range(value, value, r.frac))


def replacements(e):
    if e.is_frozen or not e.kids and e.variable is None and "iota" not in e.form:
        return
    yield from simple(e)
    for kid in e.walk():
        if kid is e or kid.is_frozen or kid.type != e.type:
            continue
        if isinstance(e.type, Pointer):
            if kid.range.lo <= e.range.lo and e.range.hi <= kid.range.hi:
                yield kid
        elif e.range is not None and kid.range is not None and e.range.contains(kid.range):
            yield kid


def mutations(kernel):
    """(what is saved, a change of a copy), for everything that could go."""
    blocks = all_blocks(kernel)
    for b, block in enumerate(blocks):
        n = len(block)
        size = n
        while size:
            for first in range(0, n - size + 1, size):
                part = block[first : first + size]
                if any(s.is_frozen and not s.defines for s in part):
                    continue  # a loop's end, a function's result
                saved = sum(len("\n".join(s.lines())) for s in part)

                def drop(copied, b=b, first=first, size=size):
                    del all_blocks(copied)[b][first : first + size]

                yield saved, drop
            size //= 2
        for i, statement in enumerate(block):
            for k in range(len(statement.blocks) if statement.unwraps else 0):

                def unwrap(copied, b=b, i=i, k=k):
                    target = all_blocks(copied)[b]
                    target[i : i + 1] = target[i].blocks[k]

                rest = sum(len("\n".join(s.lines())) for s in statement.blocks[k])
                yield len("\n".join(statement.lines())) - rest, unwrap
            if len(statement.blocks) == 2:

                def drop_else(copied, b=b, i=i):
                    target = all_blocks(copied)[b][i]
                    target.blocks, target.between = target.blocks[:1], []

                yield 5, drop_else
    for number, e in enumerate(all_expressions(kernel)):
        for choice, other in enumerate(replacements(e)):

            def replace(copied, number=number, choice=choice):
                for k, target in enumerate(all_expressions(copied)):
                    if k == number:
                        new = list(replacements(target))[choice]
                        vars(target).update(vars(new))
                        return

            if len(str(other)) < len(str(e)):
                yield len(str(e)) - len(str(other)), replace
    if len(kernel.grids) > 1:
        for k in range(len(kernel.grids)):

            def launch(copied, k=k):
                copied.grids = [copied.grids[k]]
                copied.parameters = [(n, d, [a[k]]) for n, d, a in copied.parameters]
                copied.forms = [copied.forms[k]]
                for t in copied.templates:
                    t.arguments = [t.arguments[k]]

            yield 40, launch
    if any(t.element for t in kernel.templates):

        def plain_types(copied):
            copied.templates = [t for t in copied.templates if not t.element]

        yield 25, plain_types
    if any(f != "chevrons" for f in kernel.forms) or kernel.has_stream or kernel.hint:

        def plain_launch(copied):
            copied.forms, copied.has_stream = ["chevrons"] * len(copied.forms), False
            copied.hint = ""

        yield 20, plain_launch
    if kernel.simt:

        def no_simt(copied):
            copied.simt = []

        yield 50, no_simt
    for number, function in enumerate(kernel.functions):
        if function.before:

            def plain_function(copied, number=number):
                f = copied.functions[number]
                f.before, f.substitute = "", ()

            yield 20, plain_function
    if any(g != (1, 1, 1) for g in kernel.grids):

        def one_block(copied):
            copied.grids = [(1, 1, 1)] * len(copied.grids)

        yield 30, one_block


def without_unused(kernel):
    """Without parameters, buffers, functions and structs that nothing names."""
    text = "\n".join(line for s in kernel.body for line in s.lines())
    named = lambda name: re.search(rf"\b{name}\b", text)
    while True:
        left = [f for f in kernel.functions if named(f.name)]
        if len(left) == len(kernel.functions):
            break
        kernel.functions = left
    kernel.parameters = [p for p in kernel.parameters if named(p[0])]
    inside = text + "".join(d for _, d, _ in kernel.parameters)
    inside += "\n".join(line for f in kernel.functions for line in f.lines())
    for g in reversed(kernel.globals):
        if g.name in inside or any(g.name == name for name, _ in kernel.simt):
            inside += "\n".join(g.lines())
        else:
            kernel.globals = [other for other in kernel.globals if other is not g]
    kernel.templates = [t for t in kernel.templates if t.element is None and named(t.name)] + [
        t for t in kernel.templates if t.element
    ]
    values = " ".join(a for _, _, values in kernel.parameters for a in values)
    left = set(re.findall(r"\w+", values))
    kernel.buffers = [b for b in kernel.buffers if b.name in left]
    return kernel


def size_of(kernel):
    return len(kernel.text())


class Reducer:
    def __init__(self, tools, targets, is_any):
        self.tools, self.targets, self.is_any, self.round = tools, targets, is_any, 0

    def is_same(self, fault):
        if self.is_any:
            return fault and (fault.kind, fault.target) == (self.fault.kind, self.fault.target)
        return fault == self.fault

    def judge(self, kernels):
        """The fault of each kernel, or nothing."""
        self.round += 1
        named = []
        for i, kernel in enumerate(kernels):
            kernel = copy.copy(kernel)
            kernel.name = f"k{i}"
            named.append((kernel.name, kernel))
        faults = Batch(f"r{self.round}", named, self.tools, self.targets).judge()
        return [faults.get(name) for name, _ in named]

    def reduce(self, kernel, rounds):
        self.fault = self.judge([kernel])[0]
        if not self.fault:
            return kernel
        print(f"// {self.fault}", file=sys.stderr)
        for _ in range(rounds):
            smaller = self.step(kernel)
            if smaller is None:
                break
            kernel = smaller
            print(f"// {size_of(kernel)} characters", file=sys.stderr, flush=True)
        return kernel

    def step(self, kernel):
        """The smallest of the first candidates that keep the fault."""
        waiting = []
        for _, change in sorted(mutations(kernel), key=lambda m: -m[0]):
            copied = copy.deepcopy(kernel)
            change(copied)
            without_unused(copied)
            if not copied.body or not is_scoped(copied) or size_of(copied) >= size_of(kernel):
                continue
            waiting.append(copied)
            if len(waiting) == CANDIDATES:
                if (found := self.best(waiting)) is not None:
                    return found
                waiting = []
        return self.best(waiting) if waiting else None

    def best(self, candidates):
        kept = [k for k, fault in zip(candidates, self.judge(candidates)) if self.is_same(fault)]
        return min(kept, key=size_of, default=None)


def main():
    parser = parser_of(__doc__)
    parser.add_argument("kernel", help="SEED/NUMBER, or a tree that run.py kept")
    parser.add_argument("--output", type=pathlib.Path, help="the kernel gets the file's name")
    parser.add_argument("--rounds", type=int, default=60)
    parser.add_argument("--any", action="store_true")
    options = parser.parse_args()
    if options.kernel.endswith(".tree"):
        kernel = pickle.loads(pathlib.Path(options.kernel).read_bytes())
    else:
        seed, _, number = options.kernel.replace("/k", "/").rpartition("/")
        kernel = make_kernel(seed, int(number), language_of(options))
    with tempfile.TemporaryDirectory(prefix="tessera-reduce") as scratch:
        tools = Tools(options, scratch)
        reducer = Reducer(tools, options.targets, options.any)
        kernel = reducer.reduce(kernel, options.rounds)
        kernel.name = options.output.stem.replace("-", "_") if options.output else kernel.name
        text = f"// {reducer.fault}\n{file_text([kernel])}"
    if options.output:
        options.output.write_text(text)
    else:
        print(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
