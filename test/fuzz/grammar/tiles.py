"""Tile expressions: element-wise operations, comparisons, conversions, broadcasting."""

from . import arithmetic
from .base import Rules
from .elements import (
    BOOL,
    DOUBLE,
    FLOAT,
    INT,
    LLONG,
    Range,
    SHORT,
    TILE_ELEMENTS,
    TRUTH,
    UCHAR,
    UINT,
    wrapped,
)
from .tree import Expr, Tile, count, shape_name

ANY_RULES = Rules()
INTEGER_RULES = Rules()
FLOAT_RULES = Rules()
TRUTH_RULES = Rules()
SIGNS = {
    "add": "+",
    "sub": "-",
    "mul": "*",
    "and": "&",
    "or": "|",
    "xor": "^",
    "shl": "<<",
    "shr": ">>",
    "div": "/",
    "rem": "%",
}
# Element types of one width, for bit casts.
BIT_CASTS = {
    8: ["signed char", "unsigned char", "char", "char8_t"],
    16: ["short", "unsigned short", "char16_t"],
    32: ["int", "unsigned", "char32_t", "wchar_t"],
    64: ["long long", "unsigned long long"],
}


class Tiles:
    """Mixed into the generator."""

    def shape(self, most=1024, rank=None):
        rank = rank if rank is not None else self.rng.choices([0, 1, 2, 3, 4], [1, 6, 8, 4, 2])[0]
        while True:
            shape = tuple(
                1 << self.rng.choice([0, 1, 2, 3, 4, 5, 6, 7, 8][: 10 - 2 * rank])
                for _ in range(rank)
            )
            if count(shape) <= most:
                return shape

    def usual_shape(self):
        """One of the kernel's few shapes, so that tiles meet."""
        return self.rng.choice(self.shapes if self.chance(0.9) else self.pool[0])

    def element(self):
        return self.weighted(self.pool[1] if self.chance(0.95) else TILE_ELEMENTS)

    def tile(self, element, shape, depth, want=None):
        """A tile of this type, within `want` if given."""
        r = want or self.limit(element)
        if depth <= 0:
            return self.kept_tile(self.tile_leaf(element, shape), r)
        rules = (
            TRUTH_RULES if element is BOOL else INTEGER_RULES if element.is_integer else FLOAT_RULES
        )
        if self.chance(0.35):
            rules = ANY_RULES
        for rule in rules.choose(self.rng):
            if (e := rule(self, element, shape, depth - 1)) is not None:
                return self.kept_tile(e, r)
        return self.kept_tile(self.tile_leaf(element, shape), r)

    def tile_leaf(self, element, shape):
        type = Tile(element, shape)
        found = self.in_scope(type)
        if found and self.chance(0.85):
            return self.rng.choice(found[-6:] if self.chance(0.6) else found).expr()
        if (
            element.is_integer
            and count(shape) - 1 <= element.hi
            and element is not BOOL
            and (self.chance(0.5))
        ):
            return Expr(type, f"ct::iota<{type.name}>()", [], Range(0, count(shape) - 1))
        if self.chance(0.2):
            zero = self.rng.choice([0, 1])
            return Expr(
                type, f"ct::{'ones' if zero else 'zeros'}<{type.name}>()", [], Range(zero, zero)
            )
        return self.full(type)

    def full(self, type):
        value = self.scalar(type.element, 1)
        return Expr(type, f"ct::full<{type.name}>({{0}})", [value], value.range)

    def kept_tile(self, e, r):
        element = e.type.element
        if r.contains(e.range):
            return e
        if element.is_float:
            if e.range.is_inexact:
                return (
                    self.full(e.type)
                    if r.contains(self.limit(element))
                    else Expr(e.type, f"ct::zeros<{e.type.name}>()", [], Range(0, 0))
                )
            if e.range.frac > r.frac:
                e = Expr(e.type, "ct::floor({0})", [e], Range(int(e.range.lo) - 1, e.range.hi, 0))
            low, high = (self.number(element, Range(x, x, r.frac)) for x in (r.lo, r.hi))
            return Expr(e.type, f"ct::min(ct::max({{0}}, {low}), {high})", [e], r)
        lo, hi = max(r.lo, element.lo), min(r.hi, element.hi)
        mask = (1 << ((hi - lo + 1).bit_length() - 1)) - 1
        if self.chance(0.7) and mask <= element.hi:
            form = f"({{0}} & {self.constant(element, mask)})"
            if lo:
                form = f"({form} + {self.constant(element, lo)})"
            return Expr(e.type, form, [e], Range(lo, lo + mask))
        low, high = self.constant(element, lo), self.constant(element, hi)
        return Expr(e.type, f"ct::min(ct::max({{0}}, {low}), {high})", [e], Range(lo, hi))

    def operands(self, element, shape, depth):
        """Two operands whose mutual broadcast has the shape; one may be a scalar."""
        a = self.tile(element, shape, depth)
        if self.chance(0.25):
            b = self.scalar(element, min(depth, 1))
        elif self.chance(0.3):
            b = self.tile(element, self.narrowed(shape), depth - 1)
        else:
            b = self.tile(element, shape, depth - 1)
        return [a, b]

    def narrowed(self, shape):
        """A shape that broadcasts to this one."""
        shape = tuple(1 if self.chance(0.4) else extent for extent in shape)
        drop = self.rng.randint(0, len(shape)) if self.chance(0.3) else 0
        return shape[drop:]

    # Any element.

    @ANY_RULES.add(6)
    def tile_select(self, element, shape, depth):
        type = Tile(element, shape)
        mask = self.tile(BOOL, self.narrowed(shape) if self.chance(0.3) else shape, depth)
        a, b = self.tile(element, shape, depth), self.tile(element, shape, depth)
        return Expr(type, "ct::select({0}, {1}, {2})", [mask, a, b], a.range.union(b.range))

    @ANY_RULES.add(3)
    def tile_full(self, element, shape, depth):
        return self.full(Tile(element, shape))

    @ANY_RULES.add(5)
    def tile_broadcast(self, element, shape, depth):
        a = self.tile(element, self.narrowed(shape), depth)
        return Expr(
            Tile(element, shape), f"ct::broadcast({{0}}, {shape_name(shape)}{{{{}}}})", [a], a.range
        )

    @ANY_RULES.add(2)
    def tile_ternary(self, element, shape, depth):
        a, b = self.tile(element, shape, depth), self.tile(element, shape, depth)
        with self.without_statements():
            c = self.truth(1)
        return Expr(Tile(element, shape), "({0} ? {1} : {2})", [c, a, b], a.range.union(b.range))

    # Integers.

    @INTEGER_RULES.add(12)
    def tile_integer_binary(self, element, shape, depth):
        op = self.rng.choice(
            [
                "add",
                "add",
                "sub",
                "mul",
                "and",
                "or",
                "xor",
                "shl",
                "shr",
                "div",
                "rem",
                "min",
                "max",
                "floordiv",
                "ceildiv",
            ]
        )
        a, b = self.operands(element, shape, depth)
        type = Tile(element, shape)
        keep = lambda x, r: self.kept_tile(x, r) if isinstance(x.type, Tile) else self.kept(x, r)
        if op in ("shl", "shr"):
            b = keep(b, Range(0, element.bits - 1))
        elif op in ("div", "rem", "floordiv", "ceildiv"):
            b = keep(b, Range(1, min(100, element.hi)))
        r = arithmetic.integer(op, a.range, b.range, element)
        if r is None:
            # A product of two of these still fits the narrowest type.
            small = Range(max(-7, element.lo), 7)
            a, b = keep(a, small), keep(b, Range(1, 7) if op[-3:] == "div" else small)
            r = arithmetic.integer(op, a.range, b.range, element)
        if r is None:
            return None
        if op in ("add", "mul", "and", "or", "xor", "min", "max") and self.chance(0.2):
            a, b = b, a
        form = f"({{0}} {SIGNS[op]} {{1}})" if op in SIGNS and self.chance(0.85) else None
        if form is None:
            if op == "rem":
                form = "ct::remainder({0}, {1})"
            elif op in ("and", "or", "xor", "shl", "shr"):
                form = f"({{0}} {SIGNS[op]} {{1}})"
            else:
                form = f"ct::{op}({{0}}, {{1}})"
        return Expr(type, form, [a, b], r)

    @INTEGER_RULES.add(3)
    def tile_integer_unary(self, element, shape, depth):
        a = self.tile(element, shape, depth)
        kind = self.rng.choice(["-", "~", "abs"])
        if kind == "~":
            r = arithmetic.complement(a.range)
            return Expr(a.type, "(~{0})", [a], wrapped(r, element))
        if element.kind == "unsigned":
            return Expr(a.type, "(-{0})", [a], element.full) if kind == "-" else None
        r = arithmetic.negate(a.range) if kind == "-" else arithmetic.absolute(a.range)
        if not element.holds(r):
            a = self.kept_tile(a, Range(-99, 99))
            r = Range(-99, 99) if kind == "-" else Range(0, 99)
        return Expr(a.type, "(-{0})" if kind == "-" else "ct::abs({0})", [a], r)

    @INTEGER_RULES.add(2)
    def tile_mulhi(self, element, shape, depth):
        """Of the operands' bits taken as unsigned numbers, also where they are signed."""
        if element is BOOL:
            return None
        a, b = self.operands(element, shape, depth)
        return Expr(Tile(element, shape), "ct::mulhi({0}, {1})", [a, b], element.full)

    @INTEGER_RULES.add(4)
    def tile_integer_cast(self, element, shape, depth):
        source = self.element()
        a = self.tile(source, shape, depth)
        if source.is_float:
            whole = Range(int(a.range.lo) - 1, int(a.range.hi) + 1)
            if a.range.is_inexact or not element.holds(whole):
                return None
            r = whole
        else:
            r = wrapped(a.range, element)
        return Expr(Tile(element, shape), f"ct::element_cast<{element.name}>({{0}})", [a], r)

    @INTEGER_RULES.add(1)
    def tile_integer_bitcast(self, element, shape, depth):
        names = [n for n in BIT_CASTS[element.bits] if n != element.name]
        sources = [e for e in TILE_ELEMENTS if e.name in names]
        if self.chance(0.3):
            # Adding zero leaves no negative zero behind.
            source = {32: FLOAT, 64: DOUBLE}.get(element.bits)
            if source:
                a = self.tile(source, shape, depth)
                return (
                    Expr(
                        Tile(element, shape),
                        f"ct::element_bitcast<{element.name}>({{0}} + {self.constant(source, 0)})",
                        [a],
                        element.full,
                    )
                    if not a.range.is_inexact
                    else None
                )
        if not sources:
            return None
        a = self.tile(self.rng.choice(sources), shape, depth)
        return Expr(
            Tile(element, shape),
            f"ct::element_bitcast<{element.name}>({{0}})",
            [a],
            wrapped(a.range, element),
        )

    # Floats.

    @FLOAT_RULES.add(12)
    def tile_float_binary(self, element, shape, depth):
        op = self.rng.choice(["add", "add", "sub", "mul", "mul", "min", "max"])
        a, b = self.operands(element, shape, depth)
        r = arithmetic.floating(op, a.range, b.range, element)
        if r is None:
            return None
        form = (
            f"({{0}} {SIGNS[op]} {{1}})"
            if op in SIGNS and self.chance(0.85)
            else f"ct::{op}({{0}}, {{1}})"
        )
        return Expr(Tile(element, shape), form, [a, b], r)

    @FLOAT_RULES.add(3)
    def tile_float_unary(self, element, shape, depth):
        a = self.tile(element, shape, depth)
        if a.range.is_inexact:
            return None
        name = self.rng.choice(["-", "ct::abs", "ct::floor", "ct::ceil"])
        r = {"-": arithmetic.negate, "ct::abs": arithmetic.absolute}.get(
            name, lambda r: Range(int(r.lo) - 1, int(r.hi) + 1)
        )(a.range)
        return Expr(a.type, f"({name}({{0}}))", [a], r) if element.holds(r) else None

    @FLOAT_RULES.add(1)
    def tile_remainder(self, element, shape, depth):
        """Exact: it is as fine as the operands and no larger than the divisor."""
        a, b = self.tile(element, shape, depth), self.tile(element, shape, depth)
        if a.range.is_inexact or b.range.is_inexact:
            return None
        half = self.constant(element, 0.5)
        most = max(abs(b.range.lo), abs(b.range.hi)) + 0.5
        r = Range(-most, most, max(a.range.frac, b.range.frac, 1))
        if not element.holds(r):
            return None
        return Expr(a.type, f"ct::remainder({{0}}, ct::abs({{1}}) + {half})", [a, b], r)

    @FLOAT_RULES.add(2)
    def tile_fma(self, element, shape, depth):
        a, b, c = (self.tile(element, shape, depth) for _ in range(3))
        r = arithmetic.floating("mul", a.range, b.range, element)
        r = r and not r.is_inexact and arithmetic.floating("add", r, c.range, element)
        return (
            Expr(c.type, "ct::fma({0}, {1}, {2})", [a, b, c], r) if r and not r.is_inexact else None
        )

    @FLOAT_RULES.add(4)
    def tile_float_cast(self, element, shape, depth):
        source = self.element()
        a = self.tile(source, shape, depth)
        if a.range.is_inexact and source.bits >= element.bits:
            return None
        if not a.range.is_inexact and not element.holds(a.range):
            a = self.kept_tile(
                a,
                (
                    self.limit(element)
                    if source.is_float
                    else Range(max(source.lo, -9), min(source.hi, 9))
                ),
            )
        return Expr(Tile(element, shape), f"ct::element_cast<{element.name}>({{0}})", [a], a.range)

    @FLOAT_RULES.add(1)
    def tile_through_restricted(self, element, shape, depth):
        """There and back through a type that only loads, converts and multiplies."""
        via = self.rng.choice(self.narrow_elements())
        small = Range(-1, 1, 1) if via.bits == 4 else Range(-4, 4, 1)
        a = self.tile(FLOAT, shape, depth, small)
        if via.bits > 4 and not via.holds(a.range) or element.mantissa < 5:
            return None
        return Expr(
            Tile(element, shape),
            f"ct::element_cast<{element.name}>(ct::element_cast<{via.name}>({{0}}))",
            [a],
            a.range,
        )

    # Truth values.

    @TRUTH_RULES.add(10)
    def tile_comparison(self, element, shape, depth):
        a, b = self.operands(self.element(), shape, depth)
        sign = self.rng.choice(["<", "<=", ">", ">=", "==", "!="])
        return Expr(Tile(BOOL, shape), f"({{0}} {sign} {{1}})", [a, b], TRUTH)

    @TRUTH_RULES.add(4)
    def tile_logic(self, element, shape, depth):
        sign = self.rng.choice(["&", "|", "^", "&&", "||"])
        a, b = self.operands(BOOL, shape, depth)
        return Expr(Tile(BOOL, shape), f"({{0}} {sign} {{1}})", [a, b], TRUTH)

    @TRUTH_RULES.add(2)
    def tile_negation(self, element, shape, depth):
        return Expr(Tile(BOOL, shape), "(!{0})", [self.tile(BOOL, shape, depth)], TRUTH)

    @TRUTH_RULES.add(1)
    def tile_truth_cast(self, element, shape, depth):
        a = self.tile(self.rng.choice([INT, UINT, SHORT, UCHAR, LLONG, FLOAT]), shape, depth)
        return Expr(Tile(BOOL, shape), "ct::element_cast<bool>({0})", [a], TRUTH)
