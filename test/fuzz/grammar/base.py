"""What every part of the grammar shares: the dice, the variables in scope, the buffers, the block
of statements that is being written."""

import contextlib
import random
from dataclasses import dataclass

from .elements import BOOL, Element, Range, TRUTH, literal
from .tree import Expr, Pointer, Statement


@dataclass
class Variable:
    name: str
    type: object
    range: Range
    is_mutable: bool = False
    root: str = None  # the variable whose member this is

    def expr(self, is_frozen=False):
        return Expr(
            self.type, self.name, [], self.range, is_frozen, variable=self.root or self.name
        )


@dataclass
class Buffer:
    """Memory a kernel is given. An output belongs to the blocks, `size` elements each."""

    name: str
    element: Element
    size: int
    range: Range
    is_const: bool
    base: Expr = None  # the block's first element
    is_atomic: bool = False  # touched by atomics of every block alone
    operations: list = None  # those of an atomic one
    is_sink: bool = False  # written with values that round, never read
    is_near: bool = False  # such a one whose values are compared with a tolerance
    is_narrow: bool = False  # of a restricted element type
    is_reserved: bool = False  # of those rules alone that made it, which place it, too
    other: Expr = None  # of a reserved one: the block's first element by a second parameter


class Rules:
    """Weighted alternatives. A rule may decline by returning None; then another is tried."""

    def __init__(self):
        self.rules = []
        self.plain = []  # those that are C++'s alone

    def add(self, weight, is_plain=False):
        def register(rule):
            self.rules.append((weight, rule))
            if is_plain:
                self.plain.append((weight, rule))
            return rule

        return register

    def choose(self, rng, attempts=8, is_plain=False):
        rules = self.plain if is_plain else self.rules
        for _ in range(attempts):
            yield rng.choices([r for _, r in rules], [w for w, _ in rules])[0]


class Base:
    """A kernel in the making."""

    def __init__(self, rng: random.Random):
        self.rng = rng
        self.variables = []
        self.inputs = []
        self.outputs = []
        self.parameters = []  # (declaration, values: one per launch)
        self.late_parameters = []  # variables of those that a statement asked for
        self.globals = []  # text in front of the kernel
        self.body = []
        self.names = 0
        self.loop_depth = 0
        self.depth = 0
        self.can_emit = True
        self.launches = 1
        self.structs = []
        self.functions = []
        self.is_pure = False  # in a body that changes nothing outside
        self.is_closed = False  # in a body that sees no parameter of the kernel
        self.in_function = False
        self.result = None  # what the function that is written returns
        self.newer = False  # for a GPU with elements of 4 bits
        self.beyond = False  # with what --extensions allows
        self.of_products = False  # about a loop of products of matrices
        self.checked = False  # nothing that a check of --check stops at
        self.is_plain = False  # in a function that is no tile code
        self.is_large = False  # has a tile beyond shared memory
        self.prints = 0
        self.tables = []
        self.block_number = None  # the variable that counts blocks

    # Dice.

    def chance(self, p):
        return self.rng.random() < p

    def weighted(self, table):
        return self.rng.choices(list(table), list(table.values()))[0]

    def name(self, stem):
        self.names += 1
        return f"{stem}{self.names}"

    # Statements and scopes.

    def emit(self, form, *kids, **more):
        statement = Statement(form, list(kids), **more)
        self.body.append(statement)
        return statement

    def declare(self, stem, type, range, form, *kids, is_mutable=False, is_frozen=False):
        """A variable: form has the name as the text NAME."""
        name = self.name(stem)
        self.emit(form.replace("NAME", name), *kids, defines=(name,), is_frozen=is_frozen)
        variable = Variable(name, type, range, is_mutable)
        self.variables.append(variable)
        return variable

    @contextlib.contextmanager
    def block(self):
        """The statements written inside; what they declare goes out of scope with them."""
        outer, seen, late = self.body, list(self.variables), len(self.late_parameters)
        self.body = []
        self.depth += 1
        try:
            yield self.body
        finally:
            self.depth -= 1
            self.body = outer
            self.variables = seen + self.late_parameters[late:]

    @contextlib.contextmanager
    def without_statements(self):
        old, self.can_emit = self.can_emit, False
        try:
            yield
        finally:
            self.can_emit = old

    def variable(self, name, type, range):
        return Variable(name, type, range)

    def in_scope(self, type, want=None):
        return [
            v for v in self.variables if v.type == type and (want is None or want.contains(v.range))
        ]

    # Plain expressions.

    def constant(self, element, value):
        return Expr(element, literal(element, value), [], Range(value, value))

    def number(self, element, r):
        """A literal within a range, small numbers more often."""
        lo, hi = r.lo, r.hi
        if element.is_float:
            steps = max(int((hi - lo) * (1 << r.frac)), 0)
            value = lo + self.rng.randint(0, steps) / (1 << r.frac)
            return Expr(element, literal(element, value), [], Range(value, value, r.frac))
        if self.chance(0.7):
            lo, hi = max(lo, min(-9, hi)), min(hi, max(99, lo))
        elif self.chance(0.3):
            return self.constant(element, self.rng.choice([r.lo, r.hi]))
        return self.constant(element, self.rng.randint(lo, hi))

    def limit(self, element):
        """A range that values of this type are kept in where they are carried along."""
        if element is BOOL:
            return TRUTH
        if element.is_integer:
            return element.full
        if element.is_restricted:
            return Range(-1, 1, 1)
        return {"__half": Range(-16, 16, 3), "__nv_bfloat16": Range(-8, 8, 2)}.get(
            element.name, Range(-64, 64, 3)
        )

    def pointer(self, buffer):
        return Expr(
            Pointer(buffer.element, buffer.is_const), buffer.name, [], None, variable=buffer.name
        )
