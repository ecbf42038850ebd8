"""Functions of C and of the compiler on scalars: parts of a float, rounding, bits of integers."""

from . import arithmetic
from .control import STATEMENT_RULES
from .elements import DOUBLE, FLOAT, INT, LLONG, LONG, Range, UINT, ULLONG
from .scalars import FLOAT_RULES, INTEGER_RULES
from .tree import Expr

WHOLE = {"floor": -1, "ceil": 1, "trunc": 0, "round": 1, "rint": 1, "nearbyint": 1, "roundeven": 1}
BITS = {
    "popcount": (UINT, 0, 32, "{0}"),
    "popcountll": (ULLONG, 0, 64, "{0}"),
    "clz": (UINT, 0, 31, "{0} | 1u"),
    "clzll": (ULLONG, 0, 63, "{0} | 1ull"),
    "ffs": (INT, 0, 32, "{0}"),
    "ffsll": (LLONG, 0, 64, "{0}"),
}
INTEGERS_OF_FLOATS = {"lround": LONG, "lrint": LONG, "llround": LLONG, "llrint": LLONG}


def suffix(element):
    return "f" if element is FLOAT else ""


def size_of(r):
    """The exponent that frexp gives the range's largest number."""
    return int(max(abs(r.lo), abs(r.hi))).bit_length()


class Parts:
    """Mixed into the generator."""

    def exact(self, element, depth):
        """A float that fits the rules below, or None."""
        if element not in (FLOAT, DOUBLE):
            return None
        e = self.floating(element, depth)
        if e.range.is_inexact or size_of(e.range) + e.range.frac > 20:
            return None
        return e

    @STATEMENT_RULES.add(1)
    def declare_parts(self):
        """The two results of frexp or modf."""
        element = self.rng.choice([FLOAT, DOUBLE])
        e = self.exact(element, 2)
        if e is None:
            return False
        name, whole, most = self.rng.choice(["frexp", "modf"]), self.name("n"), size_of(e.range)
        type, r = (INT, Range(-e.range.frac, most))
        part = Range(-1, 1, most + e.range.frac)
        if name == "modf":
            type, r = element, Range(int(e.range.lo), int(e.range.hi))
            part = Range(-1, 1, e.range.frac)
        call = f"__builtin_{name}{suffix(element)}({{0}}, &{whole})"
        new = self.name("x")
        form = f"{type.name} {whole};\nconst {element.name} {new} = {call};"
        self.emit(form, e, defines=(whole, new))
        for n, t, limit in ((whole, type, r), (new, element, part)):
            self.variables.append(self.variable(n, t, limit))
        return True

    @FLOAT_RULES.add(2)
    def float_of_c(self, element, depth):
        e = self.exact(element, depth)
        if e is None:
            return None
        s, r = suffix(element), e.range
        kind = self.rng.choice(["whole", "scaled", "remainder", "two", "logb", "sign"])
        if kind == "whole":
            name = self.rng.choice(sorted(WHOLE))
            r = Range(int(r.lo) - 1, int(r.hi) + 1)
            return Expr(element, f"__builtin_{name}{s}({{0}})", [e], r)
        if kind == "scaled":
            n = self.scalar(INT, 1, Range(-2, 2))
            r = Range(min(r.lo * 4, r.lo / 4), max(r.hi * 4, r.hi / 4), r.frac + 2)
            name = self.rng.choice(["ldexp", "scalbn"])
            return Expr(element, f"__builtin_{name}{s}({{0}}, {{1}})", [e, n], r)
        if kind == "remainder":
            by = self.rng.choice([0.5, 1, 3, 5])
            name = self.rng.choice(["remainder", "fmod"])
            r = Range(-by, by, max(r.frac, 1))
            form = f"__builtin_{name}{s}({{0}}, {self.constant(element, by)})"
            return Expr(element, form, [e], r)
        if kind == "logb":
            r = Range(0, size_of(r) + 1)
            return Expr(element, f"__builtin_logb{s}(__builtin_fabs{s}({{0}}) + 1)", [e], r)
        if kind == "sign":
            sign = self.rng.choice([-1, 1])
            most = max(abs(r.lo), abs(r.hi))
            form = f"__builtin_copysign{s}({{0}}, {self.constant(element, sign)})"
            return Expr(element, form, [e], Range(-most, most, r.frac))
        other = self.exact(element, depth)
        if other is None:
            return None
        name = self.rng.choice(["fmin", "fmax", "fdim"])
        union = r.union(other.range)
        if name == "fdim":
            r = arithmetic.floating("sub", r, other.range, element)
            if r is None or r.is_inexact:
                return None
            union = Range(0, max(r.hi, 0), r.frac)
        return Expr(element, f"__builtin_{name}{s}({{0}}, {{1}})", [e, other], union)

    @INTEGER_RULES.add(1)
    def integer_of_bits(self, depth):
        name = self.rng.choice(sorted(BITS))
        element, lo, hi, form = BITS[name]
        e = self.scalar(element, depth)
        return Expr(INT, f"__builtin_{name}({form})", [e], Range(lo, hi))

    @INTEGER_RULES.add(1)
    def integer_of_float_parts(self, depth):
        element = self.rng.choice([FLOAT, DOUBLE])
        e = self.exact(element, depth)
        if e is None:
            return None
        s, name = suffix(element), self.rng.choice([*INTEGERS_OF_FLOATS, "ilogb"])
        if name == "ilogb":
            form = f"__builtin_ilogb{s}(__builtin_fabs{s}({{0}}) + 1)"
            return Expr(INT, form, [e], Range(0, size_of(e.range) + 1))
        r = Range(int(e.range.lo) - 1, int(e.range.hi) + 1)
        return Expr(INTEGERS_OF_FLOATS[name], f"__builtin_{name}{s}({{0}})", [e], r)
