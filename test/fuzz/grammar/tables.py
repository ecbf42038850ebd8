"""Variables of tile code outside of functions, constants, enumerations, local constants."""

from .base import Variable
from .control import STATEMENT_RULES
from .elements import BOOL, INT, INTEGERS, LLONG, Range, SCALARS, UINT
from .scalars import FLOAT_RULES as SCALAR_FLOATS, INTEGER_RULES as SCALAR_INTEGERS
from .tree import Expr

# The constructors of the others are no constant expressions.
INITIALISED = {e: w for e, w in SCALARS.items() if not e.name.startswith("__")}
BLOCKS = 32  # at least as many as a grid of the grammar has


class Tables:
    """Mixed into the generator."""

    def make_tables(self):
        """What the kernel may read of its file, and a variable for each block."""
        self.tables = []
        for k in range(self.rng.choice([0, 0, 1, 2])):
            element, n = self.weighted(INITIALISED), self.rng.choice([2, 4, 7, 8])
            name, limit = f"KERNEL_table{k}", self.limit(element)
            values = ", ".join(str(self.number(element, limit)) for _ in range(n))
            word = self.rng.choice(["__tile__ const", "__tile__", "static __tile__"])
            self.add_global(name, f"{word} {element.name} {name}[{n}] = {{{values}}};")
            self.tables.append((name, element, n))

    def make_block_variables(self):
        """One element of an array for each block: a variable that launches leave behind."""
        if self.chance(0.75):
            return
        element = self.weighted(SCALARS)
        self.add_global("KERNEL_kept", f"__tile__ {element.name} KERNEL_kept[{BLOCKS}];")
        place, limit = f"KERNEL_kept[{self.block_number}]", self.limit(element)
        self.variables.append(Variable(place, element, limit, True, root=self.block_number))

    def read_table(self, elements):
        found = [t for t in self.tables if t[1] in elements]
        if not found:
            return None
        name, element, n = self.rng.choice(found)
        i = self.any_integer(Range(0, n - 1), 1, (INT, INT, UINT, LLONG))
        return Expr(element, f"{name}[{{0}}]", [i], self.limit(element))

    @SCALAR_INTEGERS.add(2)
    def integer_of_table(self, depth):
        return self.read_table([e for e in INTEGERS if e is not BOOL])

    @SCALAR_FLOATS.add(2)
    def float_of_table(self, element, depth):
        return self.read_table([element])

    @SCALAR_INTEGERS.add(0.5)
    def integer_of_enumeration(self, depth):
        """An enumerator, or a number that becomes one and is a number again."""
        element = self.rng.choice([INT, UINT, LLONG])
        name = f"KERNEL_{'small' if element is INT else 'wide' if element is UINT else 'huge'}"
        if not any(g.name == name for g in self.globals):
            a, b = self.rng.randint(0, 9), self.rng.randint(10, 99)
            text = f"enum class {name} : {element.name} {{ first = {a}, second = {b} }};"
            self.add_global(name, text)
        if self.chance(0.5):
            word = self.rng.choice(["first", "second"])
            return Expr(element, f"static_cast<{element.name}>({name}::{word})", [], Range(0, 99))
        e = self.scalar(element, depth)
        return Expr(element, f"static_cast<{element.name}>({name}({{0}}))", [e], e.range)

    @STATEMENT_RULES.add(1)
    def declare_constant(self):
        element = self.weighted(SCALARS)
        value = self.number(element, self.limit(element))
        word = self.rng.choice(["constexpr", "static constexpr", "const"])
        if element.name.startswith("__"):
            word = "const"
        self.declare("constant", element, value.range, f"{word} {element.name} NAME = {value};")
        return True
