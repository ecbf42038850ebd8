"""The tree of a generated program, and its text.

An expression may be replaced by any other of its type whose range lies within its own: whatever
stands around it relies on nothing else. That one rule is what the reducer lives on. A frozen
expression stands for more (a loop's end, distinct addresses) and is left as it is.
"""

from dataclasses import dataclass, field

from .elements import Element, Range


@dataclass(frozen=True)
class Tile:
    element: object  # Element or Pointer
    shape: tuple

    @property
    def name(self):
        return f"ct::tile<{self.element.name}, {shape_name(self.shape)}>"

    @property
    def count(self):
        return count(self.shape)


@dataclass(frozen=True)
class Pointer:
    element: Element
    is_const: bool

    @property
    def name(self):
        return f"{'const ' if self.is_const else ''}{self.element.name} *"


@dataclass(frozen=True)
class Struct:
    """Members: (name, type, range); methods: (name, Callable)."""

    name: str
    members: tuple
    methods: tuple = ()


@dataclass(frozen=True)
class Callable:
    """A lambda or a function; `result` is None where it is called as a statement."""

    result: object
    arguments: tuple  # (type, range)
    references: tuple = ()  # numbers of arguments that it changes


def shape_name(shape):
    return f"ct::shape<{', '.join(map(str, shape))}>"


def count(shape):
    n = 1
    for extent in shape:
        n *= extent
    return n


@dataclass(eq=False)
class Expr:
    """form has {0}, {1}... for the operands; a name without operands may be a variable."""

    type: object
    form: str
    kids: list = field(default_factory=list)
    range: Range = None
    is_frozen: bool = False
    variable: str = None

    def __str__(self):
        return self.form.format(*self.kids) if self.kids else self.form

    def walk(self):
        yield self
        for kid in self.kids:
            yield from kid.walk()


@dataclass(eq=False)
class Statement:
    """A line, or a head with blocks of statements: `form` has {0}... for operands.

    defines: the variables that later statements of the block may name. tail ends the last block
    (`} while (x);`). is_frozen: part of what makes a loop end; never taken out alone.
    """

    form: str
    kids: list = field(default_factory=list)
    defines: tuple = ()
    blocks: list = field(default_factory=list)
    between: list = field(default_factory=list)
    tail: str = "}"
    is_frozen: bool = False
    unwraps: bool = True  # its first block may stand in its place

    def lines(self, depth=1):
        indent = "  " * depth
        yield indent + self.form.format(*self.kids).replace("\n", "\n" + indent)
        for i, block in enumerate(self.blocks):
            if i:
                yield indent + self.between[i - 1]
            for statement in block:
                yield from statement.lines(depth + 1)
        if self.blocks:
            yield indent + self.tail


def expressions(statements):
    """Every expression below a list of statements."""
    for statement in statements:
        for kid in statement.kids:
            yield from kid.walk()
        for block in statement.blocks:
            yield from expressions(block)
