"""What a program tells of its values: assumptions, assertions, hints. None of it changes a result.

The generator knows a range for every value, so what is assumed and asserted is true.
"""

from .control import STATEMENT_RULES
from .elements import BOOL, INT, LLONG, Range, UINT, literal
from .memory import INDEX_RULES
from .scalars import INTEGER_RULES as SCALAR_INTEGERS
from .tiles import ANY_RULES, INTEGER_RULES
from .tree import Expr, Pointer, Tile, count

# 0 is every one; of GPUs, what the compiler writes text for and what it does not.
ARCHITECTURES = [0, 0, 800, 860, 890, 900, 900, 1000, 1200]
KERNEL_HINTS = {
    "occupancy": [1, 2, 4, 8],
    "num_cta_in_cga": [1, 2, 4],
    "num_worker_warps_per_cta": [4, 8],
}
STATEMENT_HINTS = {"latency": [1, 2, 5, 10], "allow_tma": ["true", "false"]}


class Assumptions:
    """Mixed into the generator."""

    def hint(self, table):
        keys = self.rng.sample(sorted(table), self.rng.randint(1, len(table)))
        pairs = ", ".join(f"{key} = {self.rng.choice(table[key])}" for key in keys)
        return f"[[cutile::hint({self.rng.choice(ARCHITECTURES)}, {pairs})]]"

    def kernel_hint(self):
        if self.chance(0.6 if self.of_products else 0.8):
            return ""
        return "".join(self.hint(KERNEL_HINTS) + " " for _ in range(self.rng.choice([1, 1, 2])))

    @STATEMENT_RULES.add(1)
    def hinted(self):
        """A statement with a hint in front."""
        if self.is_pure:
            return False
        first = len(self.body)
        self.store()
        for statement in self.body[first:]:
            if statement.form.startswith(("ct::store", "{0}.store", "{0}[")):
                statement.form = f"{self.hint(STATEMENT_HINTS)} {statement.form}"
        return True

    # Bounds and divisors.

    def bounded(self, e):
        """The value again with what is known of it, or None."""
        element = e.type.element if isinstance(e.type, Tile) else e.type
        if element is BOOL or e.range.is_inexact:
            return None
        if e.range.hi >= 1 << (element.bits - 1):
            return None  # bounds are signed
        lo, hi = literal(element, e.range.lo), literal(element, e.range.hi)
        forms = [
            f"ct::assume_bounded_above<{hi}>({{0}})",
            f"ct::assume_bounded<{lo}, {hi}>({{0}})",
            f"ct::assume_bounded({{0}}, ct::integral_constant<{lo}>{{{{}}}}, "
            f"ct::integral_constant<{hi}>{{{{}}}})",
        ]
        if element.kind == "signed":
            forms.append(f"ct::assume_bounded_below<{lo}>({{0}})")
        form = self.rng.choice(forms)
        return Expr(e.type, form, [e], e.range)

    @SCALAR_INTEGERS.add(1)
    def integer_assumed(self, depth):
        if self.chance(0.5):
            return self.bounded(self.integer(depth))
        n = self.rng.choice([2, 4, 8, 16])
        e = self.scalar(self.rng.choice([INT, UINT, LLONG]), depth, Range(0, 1000))
        forms = [f"assume_divisible<{n}>({{0}} * {n})", f"assume_divisible({{0}} * {n}, {n}_ic)"]
        form = f"ct::{self.rng.choice(forms)}"
        return Expr(e.type, form, [e], Range(e.range.lo * n, e.range.hi * n))

    @INTEGER_RULES.add(1)
    def tile_assumed(self, element, shape, depth):
        if element is BOOL:
            return None
        if self.chance(0.6):
            return self.bounded(self.tile(element, shape, depth))
        a = self.tile(element, shape, depth, Range(0, 30))
        if element.hi < 120:
            return None
        four = self.constant(element, 4)
        form = self.rng.choice(
            [
                f"ct::assume_divisible<4>({{0}} * {four})",
                f"ct::assume_blocked<ct::shape<{', '.join('1' for _ in shape)}>>({{0}} * {four})",
            ]
        )
        return Expr(a.type, form, [a], Range(a.range.lo * 4, a.range.hi * 4))

    @INDEX_RULES.add(1)
    def index_assumed(self, shape, room, is_distinct, depth):
        """A row of indices whose blocks begin at multiples of theirs."""
        if not shape or shape[-1] < 4:
            return None
        i = self.iota(shape)
        form = f"ct::assume_divisible_strided<4, 4, {len(shape) - 1}>({{0}})"
        return Expr(i.type, form, [i], i.range, True)

    @STATEMENT_RULES.add(1)
    def declare_aligned(self):
        """A pointer of the kernel, known to be aligned as memory of cudaMalloc is."""
        found = [b for b in self.inputs if any(v.name == b.name for v in self.variables)]
        if not found or self.is_closed:
            return False
        b = self.rng.choice(found)
        n = self.rng.choice([4, 16, 64, 256])
        form = self.rng.choice([f"assume_aligned<{n}>({{0}})", f"assume_aligned({{0}}, {n}_ic)"])
        type = Pointer(b.element, True)
        p = Expr(type, b.name, [], Range(0, b.size - 1), True, variable=b.name)
        self.declare("p", type, p.range, f"{type.name}NAME = ct::{form};", p)
        return True

    def aligned_places(self, p, room, shape):
        """A tile of pointers whose groups of four begin at multiples of their bytes, or None."""
        if not shape or shape[-1] < 4 or count(shape) > room:
            return None
        bytes = 4 * p.type.element.size
        form = f"ct::assume_aligned_strided<{bytes}, 4, {len(shape) - 1}>({{0}} + {{1}})"
        return Expr(Tile(p.type, shape), form, [p, self.iota(shape)], Range(0, 0), True)

    @ANY_RULES.add(0.7)
    def tile_of_aligned_places(self, element, shape, depth):
        found = [b for b in self.inputs if b.element == element and not self.is_closed]
        found = [b for b in found if any(v.name == b.name for v in self.variables)]
        if not found:
            return None
        b = self.rng.choice(found)
        p = Expr(Pointer(element, True), b.name, [], Range(0, b.size - 1), True, variable=b.name)
        at = self.aligned_places(p, b.size, shape)
        return at and Expr(Tile(element, shape), "ct::load({0})", [at], self.limit(element))

    # Assertions.

    @STATEMENT_RULES.add(1)
    def assertion(self):
        """What is known of a value; a failed one ends the program."""
        e = self.integer(2)
        if e.type is BOOL:
            return False
        lo, hi = literal(e.type, e.range.lo), literal(e.type, e.range.hi)
        form = self.rng.choice([f"{{0}} >= {lo}", f"{{0}} <= {hi}", f"!({{0}} > {hi})"])
        self.emit(f"assert(({form}));", e)  # a macro: commas
        return True
