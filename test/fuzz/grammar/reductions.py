"""Reductions, scans, positions of the largest and smallest, products of matrices."""

from .elements import (
    BF16,
    BOOL,
    CHAR,
    DOUBLE,
    E4M3,
    E5M2,
    FLOAT,
    HALF,
    INT,
    Range,
    SCHAR,
    TF32,
    TRUTH,
    UCHAR,
    UINT,
)
from .scalars import (
    FLOAT_RULES as SCALAR_FLOATS,
    INTEGER_RULES as SCALAR_INTEGERS,
    TRUTH_RULES as SCALAR_TRUTHS,
)
from .tiles import ANY_RULES, FLOAT_RULES, INTEGER_RULES
from .tree import Expr, Tile, count

# Factors and accumulator of a multiply.
PRODUCTS = [
    (HALF, HALF, FLOAT),
    (HALF, HALF, HALF),
    (BF16, BF16, FLOAT),
    (TF32, TF32, FLOAT),
    (FLOAT, FLOAT, FLOAT),
    (DOUBLE, DOUBLE, DOUBLE),
    (E4M3, E4M3, FLOAT),
    (E5M2, E5M2, HALF),
    (E4M3, E4M3, HALF),
    (CHAR, CHAR, INT),
    (SCHAR, SCHAR, INT),
    (UCHAR, SCHAR, INT),
    (UCHAR, UCHAR, INT),
]


class Reductions:
    """Mixed into the generator. The dimension stays, with extent 1."""

    def widened(self, shape):
        """(shape, dimension): reduced along it, the given shape is left; or None."""
        ones = [d for d, e in enumerate(shape) if e == 1]
        if not ones:
            return None
        d = self.rng.choice(ones)
        extent = 1 << self.rng.randint(0, 7)
        return (
            (shape[:d] + (extent,) + shape[d + 1 :], d) if count(shape) * extent <= 4096 else None
        )

    def dimension(self, name, d, rest=""):
        forms = [f"ct::{name}({{0}}, {d}_ic{rest})", f"ct::{name}<{d}>({{0}})"]
        return forms[0] if rest else self.rng.choice(forms)

    def reduced(self, element, source, d, depth):
        """A reduction of a tile of shape `source` along d, or None."""
        n = source[d]
        shape = source[:d] + (1,) + source[d + 1 :]
        type = Tile(element, shape)
        if element is BOOL:
            name = self.rng.choice(
                ["all_of", "any_of", "reduce_bitor", "reduce_bitxor", "reduce_max", "reduce_min"]
            )
            a = self.tile(BOOL, source, depth)
            return Expr(type, self.dimension(name, d), [a], TRUTH)
        if element.is_integer:
            name = self.rng.choice(
                [
                    "sum",
                    "sum",
                    "reduce_max",
                    "reduce_min",
                    "reduce_bitand",
                    "reduce_bitor",
                    "reduce_bitxor",
                    "prod",
                ]
            )
            a = self.tile(element, source, depth)
            r = element.full
            if name in ("sum", "prod") and element.kind == "signed":
                most = element.hi // n if name == "sum" else 1
                if most == 0:
                    return None
                a = (
                    self.kept_tile(a, Range(-most, most))
                    if not element.holds(a.range.scaled(n)) or name == "prod"
                    else a
                )
                r = a.range.scaled(n) if name == "sum" else Range(-1, 1)
            return Expr(type, self.dimension(name, d), [a], r)
        a = self.tile(element, source, depth)
        name = self.rng.choice(["sum", "sum", "reduce_max", "reduce_min", "prod"])
        if name == "prod":
            a, r = self.kept_tile(a, Range(-1, 1)), Range(-1, 1)
            return Expr(type, self.dimension(name, d, self.exact_mode(element)), [a], r)
        if name == "sum":
            if a.range.is_inexact or not element.holds(a.range.scaled(n)):
                a = self.kept_tile(a, Range(-1, 1, 1))
            if not element.holds(a.range.scaled(n)):
                return None
            form = self.dimension(name, d, self.exact_mode(element))
            return Expr(type, form, [a], a.range.scaled(n))
        return Expr(type, self.dimension(name, d), [a], a.range)

    def exact_mode(self, element):
        """A rounding mode, which changes nothing of what is exact."""
        return self.modes(element) if self.chance(0.3) else ""

    @ANY_RULES.add(4)
    def tile_reduction(self, element, shape, depth):
        found = self.widened(shape)
        return found and self.reduced(element, *found, depth)

    @ANY_RULES.add(2)
    def tile_reduction_spread(self, element, shape, depth):
        """Reduced and broadcast back, as in a softmax."""
        if not shape:
            return None
        d = self.rng.randrange(len(shape))
        a = self.reduced(element, shape, d, depth)
        return a and Expr(
            Tile(element, shape),
            f"ct::broadcast<ct::shape<{', '.join(map(str, shape))}>>({{0}})",
            [a],
            a.range,
        )

    @INTEGER_RULES.add(1)
    def tile_position(self, element, shape, depth):
        found = self.widened(shape)
        if not found or element is not UINT:
            return None
        source, d = found
        a = self.tile(self.element(), source, depth)
        if a.range.is_inexact:
            return None
        name = self.rng.choice(["max_element", "min_element"])
        return Expr(Tile(UINT, shape), self.dimension(name, d), [a], Range(0, source[d] - 1))

    @INTEGER_RULES.add(2)
    def tile_scan(self, element, shape, depth):
        return self.scan(element, shape, depth)

    @FLOAT_RULES.add(1)
    def tile_float_scan(self, element, shape, depth):
        return self.scan(element, shape, depth)

    def scan(self, element, shape, depth):
        if not shape:
            return None
        d = self.rng.randrange(len(shape))
        n = shape[d]
        a = self.tile(element, shape, depth)
        name = self.rng.choice(["partial_sum", "partial_sum", "partial_prod"])
        if element.kind == "unsigned":
            r = element.full
        elif name == "partial_prod":
            a, r = self.kept_tile(a, Range(-1, 1)), Range(-1, 1)
        else:
            if not element.holds(a.range.scaled(n)):
                a = self.kept_tile(a, Range(-1, 1, 1 if element.is_float else 0))
            r = a.range.scaled(n)
            if not element.holds(r):
                return None
        way = self.rng.choice(["", "", "backward", "forward"])
        form = self.dimension(name, d)
        if way:
            tag = self.rng.choice(
                [f"scan_{way}_t", f"scan_direction_constant<ct::scan_direction::{way}>"]
            )
            form = self.rng.choice(
                [
                    f"ct::{name}({{0}}, {d}_ic{self.modes_before(element)}, ct::{tag}{{{{}}}})",
                    f"ct::{name}<{d}, ct::scan_direction::{way}>({{0}})",
                ]
            )
        return Expr(Tile(element, shape), form, [a], r)

    def modes_before(self, element):
        """A rounding mode and the one of subnormals, for what comes behind; or nothing."""
        if not element.is_float or self.chance(0.7):
            return ""
        keep = "preserve_subnormals"
        if element is FLOAT:
            keep = self.rng.choice([keep, "round_subnormals_to_zero"])
        return f", ct::round_toward_zero_t{{{{}}}}, ct::{keep}_t{{{{}}}}"

    # Products.

    def factor(self, element, shape, depth, r):
        if element.is_restricted:
            return self.narrow(element, shape, depth)
        return self.tile(element, shape, depth, r)

    def product(self, m, n, k, batch, types, depth, accumulator=None):
        """mma or matmul of factors in [-1, 1]; the range of what is added is k at most."""
        left, right, sum = types
        small = Range(0 if left is UCHAR else -1, 1, 1 if left not in (SCHAR, UCHAR) else 0)
        other = Range(0 if right is UCHAR else -1, 1, small.frac)
        one = (1,) if batch and self.chance(0.3) else batch  # repeated
        a = self.factor(left, (one if self.chance(0.5) else batch) + (m, k), depth, small)
        b = self.factor(right, batch + (k, n), depth, other)
        added = Range(-k, k, 2 if small.frac else 0)
        type = Tile(sum, batch + (m, n))
        if accumulator is None and self.chance(0.3) and sum.holds(added):
            if sum is (HALF if left in (HALF, E4M3, E5M2) else sum):
                return Expr(type, "ct::matmul({0}, {1})", [a, b], added)
        c = accumulator
        if c is None:
            c = self.tile(sum, batch + (m, n), depth - 1, Range(-16, 16, 0 if sum is INT else 2))
        r = Range(c.range.lo + added.lo, c.range.hi + added.hi, max(c.range.frac, added.frac))
        return Expr(type, "ct::mma({0}, {1}, {2})", [a, b, c], r) if sum.holds(r) else None

    @ANY_RULES.add(2)
    def tile_product(self, element, shape, depth):
        types = [t for t in PRODUCTS if t[2] == element]
        if not types or len(shape) not in (2, 3):
            return None
        k = 1 << self.rng.randint(0, 6)
        m, n = shape[-2:]
        if k * (m + n) > 4096:
            return None
        return self.product(m, n, k, shape[:-2], self.rng.choice(types), min(depth, 2))

    # One element as a scalar.

    def single(self, element, depth):
        shape = self.usual_shape()
        if count(shape) == 0 or not shape:
            return None
        a = (
            self.tile(element, (count(shape),), depth)
            if len(shape) > 1
            else self.tile(element, shape, depth)
        )
        if len(shape) > 1:
            a = self.tile(element, shape, depth)
            a = Expr(
                Tile(element, (count(shape),)),
                f"ct::reshape({{0}}, ct::shape<{count(shape)}>{{{{}}}})",
                [a],
                a.range,
            )
        name = "any_of" if element is BOOL else self.rng.choice(["reduce_max", "reduce_min"])
        return Expr(element, f"static_cast<{element.name}>(ct::{name}<0>({{0}}))", [a], a.range)

    @SCALAR_INTEGERS.add(1)
    def scalar_of_tile(self, depth):
        return self.single(self.rng.choice([INT, INT, UINT, SCHAR]), min(depth, 1))

    @SCALAR_FLOATS.add(1)
    def scalar_float_of_tile(self, element, depth):
        a = self.single(element, min(depth, 1))
        return a if a and not a.range.is_inexact else None

    @SCALAR_TRUTHS.add(1)
    def scalar_truth_of_tile(self, depth):
        return self.single(BOOL, min(depth, 1))
