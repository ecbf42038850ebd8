"""Scalar expressions: C++'s own arithmetic with its promotions, in every width and sign."""

from . import arithmetic
from .base import Rules
from .elements import (
    BF16,
    BOOL,
    DOUBLE,
    FLOAT,
    HALF,
    INT,
    INTEGERS,
    LLONG,
    Range,
    SCALARS,
    TRUTH,
    UINT,
    promoted,
    usual_type,
    wrapped,
)
from .tree import Expr

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


def is_scalar(type, kinds=("bool", "signed", "unsigned")):
    return getattr(type, "kind", None) in kinds


class Scalars:
    """Mixed into the generator."""

    def scalar(self, element, depth, want=None):
        """An expression of exactly this type, within `want` if given."""
        r = want or self.limit(element)
        if element is BOOL:
            return self.truth(depth)
        e = self.integer(depth) if element.is_integer else self.floating(element, depth)
        if e.type != element or self.chance(0.15):
            e = self.converted(e, element)
        return self.kept(e, r)

    def any_integer(self, want, depth, elements=(INT, INT, UINT, LLONG)):
        """An index: an integer of some type within a range."""
        return self.scalar(self.rng.choice(elements), depth, want)

    # Keeping a value in a range.

    def kept(self, e, r):
        if r.contains(e.range):
            return e
        return self.kept_float(e, r) if e.type.is_float else self.kept_integer(e, r)

    def kept_integer(self, e, r):
        r = Range(max(r.lo, e.type.lo), min(r.hi, e.type.hi))
        if r.lo == r.hi:
            return self.constant(e.type, r.lo)
        width = r.hi - r.lo + 1
        mask = (1 << (width.bit_length() - 1)) - 1
        if self.chance(0.75) and mask <= e.type.hi:
            bits, r = f"{{0}} & {self.constant(e.type, mask)}", Range(r.lo, r.lo + mask)
            form = bits if r.lo == 0 else f"({bits}) + {self.constant(e.type, r.lo)}"
        elif (
            r.hi == -r.lo
            and r.hi < e.type.hi
            or r.lo == 0
            and e.type.kind == "unsigned"
            and (r.hi < e.type.hi)
        ):
            form = f"{{0}} % {self.constant(e.type, r.hi + 1)}"
        else:
            low, high = self.constant(e.type, r.lo), self.constant(e.type, r.hi)
            if self.is_plain:
                form = f"({{0}} < {low} ? {low} : {{0}} > {high} ? {high} : {{0}})"
                return Expr(e.type, cast_form(e.type).format(form), [e], r)
            return Expr(e.type, f"ct::min(ct::max({{0}}, {low}), {high})", [e], r)
        # Promotion: narrow operands give int.
        form = f"({form})" if promoted(e.type) is e.type else cast_form(e.type).format(form)
        return Expr(e.type, form, [e], r)

    def kept_float(self, e, r):
        if e.range.is_inexact:
            return self.number(e.type, r)
        low = self.number(e.type, Range(r.lo, r.lo, r.frac))
        high = self.number(e.type, Range(r.hi, r.hi, r.frac))
        if self.is_plain:
            if e.range.frac > r.frac:
                return self.number(e.type, r)
            form = f"({{0}} < {low} ? {low} : {{0}} > {high} ? {high} : {{0}})"
            return Expr(e.type, form, [e], r)
        if e.range.frac > r.frac:
            e = Expr(e.type, "ct::floor({0})", [e], Range(e.range.lo - 1, e.range.hi, 0))
        return Expr(e.type, f"ct::min(ct::max({{0}}, {low}), {high})", [e], r)

    def converted(self, e, element):
        """A conversion of any scalar to any type, where it is defined."""
        source = e.type
        if source == element and self.chance(0.5):
            return e
        if element is BOOL:
            return Expr(BOOL, "bool({0})", [e], TRUTH)
        if element.is_integer:
            if source.is_float:
                whole = Range(int(e.range.lo) - 1, int(e.range.hi) + 1)
                if e.range.is_inexact or not element.holds(whole):
                    return self.number(element, Range(0, 9))
                return Expr(element, cast_form(element), [e], whole)
            return Expr(element, self.spelt_cast(element), [e], wrapped(e.range, element))
        if source is BOOL or not element.holds(e.range) and source.is_integer:
            e = self.kept(self.converted(e, INT), Range(0, 15))
        if not element.holds(e.range):
            e = (
                self.kept(e, self.limit(element))
                if not e.range.is_inexact
                else self.number(source, self.limit(element))
            )
        if element in (HALF, BF16) and e.type is not FLOAT:
            return Expr(element, f"{element.name}(float({{0}}))", [e], e.range)
        return Expr(element, f"{element.name}({{0}})", [e], e.range)

    def spelt_cast(self, element):
        return self.rng.choice([cast_form(element), f"static_cast<{element.name}>({{0}})"])

    # Integers.

    def integer(self, depth):
        if depth <= 0:
            return self.integer_leaf()
        for rule in INTEGER_RULES.choose(self.rng, is_plain=self.is_plain):
            if (e := rule(self, depth - 1)) is not None:
                return e
        return self.integer_leaf()

    def integer_leaf(self):
        found = [v for v in self.variables if is_scalar(v.type)]
        if found and self.chance(0.75):
            # Recent variables more often.
            return self.rng.choice(found[-8:] if self.chance(0.6) else found).expr()
        element = self.integer_type()
        return self.number(element, element.full)

    def integer_type(self):
        return self.weighted({e: w for e, w in SCALARS.items() if e.is_integer and e is not BOOL})

    @INTEGER_RULES.add(10, is_plain=True)
    def integer_binary(self, depth):
        op = self.rng.choice(
            ["add", "add", "sub", "mul", "and", "or", "xor", "shl", "shr", "div", "rem"]
        )
        a, b = self.integer(depth), self.integer(depth - 1)
        type = promoted(a.type) if op in ("shl", "shr") else usual_type(a.type, b.type)
        if op in ("shl", "shr"):
            b = self.kept(b, Range(0, min(type.bits - 1, b.type.hi)))
            b_range = b.range
        elif op in ("div", "rem"):
            b = self.kept(b, Range(1, min(100, b.type.hi)))
            b_range = b.range
        else:
            b_range = wrapped(b.range, type)
        r = arithmetic.integer(op, wrapped(a.range, type), b_range, type)
        if r is None:
            a, b = (self.kept(x, Range(max(-99, x.type.lo), min(99, x.type.hi))) for x in (a, b))
            r = arithmetic.integer(op, wrapped(a.range, type), wrapped(b.range, type), type)
        return r and Expr(type, f"({{0}} {SIGNS[op]} {{1}})", [a, b], r)

    @INTEGER_RULES.add(3, is_plain=True)
    def integer_unary(self, depth):
        a = self.integer(depth)
        type = promoted(a.type)
        if self.chance(0.5):
            return Expr(
                type, "(~{0})", [a], wrapped(arithmetic.complement(wrapped(a.range, type)), type)
            )
        r = arithmetic.negate(wrapped(a.range, type))
        if not type.holds(r):
            if type.kind == "signed":
                return None
            r = type.full
        return Expr(type, "(-{0})", [a], r)

    @INTEGER_RULES.add(5, is_plain=True)
    def integer_cast(self, depth):
        return self.converted(self.integer(depth), self.integer_type())

    @INTEGER_RULES.add(3, is_plain=True)
    def integer_choice(self, depth):
        c, a, b = self.truth(depth), self.integer(depth), self.integer(depth)
        type = a.type if a.type == b.type else usual_type(a.type, b.type)
        r = wrapped(a.range, type).union(wrapped(b.range, type))
        return Expr(type, "({0} ? {1} : {2})", [c, a, b], r)

    @INTEGER_RULES.add(1, is_plain=True)
    def integer_of_truth(self, depth):
        return Expr(INT, "int({0})", [self.truth(depth)], TRUTH)

    @INTEGER_RULES.add(2)
    def integer_function(self, depth):
        """ct functions on scalars promote nothing: both of one type."""
        element = self.integer_type()
        op = self.rng.choice(["min", "max", "floordiv", "ceildiv", "add", "sub", "mul"])
        a = self.scalar(element, depth, Range(0, 99))
        b = self.scalar(element, depth, Range(1, min(99, element.hi)))
        r = arithmetic.integer(op, a.range, b.range, element)
        return r and Expr(element, f"ct::{op}({{0}}, {{1}})", [a, b], r)

    @INTEGER_RULES.add(2, is_plain=True)
    def integer_of_float(self, depth):
        return self.converted(
            self.floating(self.rng.choice([FLOAT, DOUBLE]), depth), self.integer_type()
        )

    @INTEGER_RULES.add(4)
    def integer_load(self, depth):
        return self.element_read([e for e in INTEGERS], depth)

    # Floats.

    def floating(self, element, depth):
        if depth > 0:
            for rule in FLOAT_RULES.choose(self.rng, is_plain=self.is_plain):
                if (e := rule(self, element, depth - 1)) is not None:
                    return e
        found = self.in_scope(element)
        if found and self.chance(0.7):
            return self.rng.choice(found).expr()
        return self.number(element, self.limit(element))

    @FLOAT_RULES.add(8, is_plain=True)
    def float_binary(self, element, depth):
        op = self.rng.choice(["add", "sub", "mul"])
        a, b = self.floating(element, depth), self.floating(element, depth)
        r = arithmetic.floating(op, a.range, b.range, element)
        return (
            r
            and not r.is_inexact
            and Expr(element, f"({{0}} {SIGNS[op]} {{1}})", [a, b], r)
            or None
        )

    @FLOAT_RULES.add(2, is_plain=True)
    def float_choice(self, element, depth):
        c, a, b = self.truth(depth), self.floating(element, depth), self.floating(element, depth)
        return Expr(element, "({0} ? {1} : {2})", [c, a, b], a.range.union(b.range))

    @FLOAT_RULES.add(1, is_plain=True)
    def float_negation(self, element, depth):
        a = self.floating(element, depth)
        if a.range.is_inexact:
            return None
        return Expr(element, "(-{0})", [a], arithmetic.negate(a.range))

    @FLOAT_RULES.add(2, is_plain=True)
    def float_of_integer(self, element, depth):
        return self.converted(self.kept(self.integer(depth), Range(0, 7)), element)

    @FLOAT_RULES.add(1)
    def float_function(self, element, depth):
        name = self.rng.choice(["floor", "ceil", "abs"])
        a = self.floating(element, depth)
        r = a.range
        if r.is_inexact:
            return None
        r = arithmetic.absolute(r) if name == "abs" else Range(int(r.lo) - 1, int(r.hi) + 1)
        return Expr(element, f"ct::{name}({{0}})", [a], r) if element.holds(r) else None

    @FLOAT_RULES.add(4)
    def float_load(self, element, depth):
        return self.element_read([element], depth)

    # Truth values.

    def truth(self, depth):
        if depth > 0:
            for rule in TRUTH_RULES.choose(self.rng, is_plain=self.is_plain):
                if (e := rule(self, depth - 1)) is not None:
                    return e
        found = self.in_scope(BOOL)
        if found and self.chance(0.6):
            return self.rng.choice(found).expr()
        a = self.integer_leaf()
        return Expr(
            BOOL, "({0} > " + str(self.number(promoted(a.type), Range(0, 40))) + ")", [a], TRUTH
        )

    @TRUTH_RULES.add(8, is_plain=True)
    def truth_comparison(self, depth):
        sign = self.rng.choice(["<", "<=", ">", ">=", "==", "!="])
        if self.chance(0.75):
            a, b = self.integer(depth), self.integer(depth)
        else:
            element = self.rng.choice([FLOAT, DOUBLE, FLOAT])
            a, b = self.floating(element, depth), self.floating(element, depth)
        return Expr(BOOL, f"({{0}} {sign} {{1}})", [a, b], TRUTH)

    @TRUTH_RULES.add(3, is_plain=True)
    def truth_logic(self, depth):
        sign = self.rng.choice(["&&", "||"])
        with self.without_statements():
            return Expr(
                BOOL, f"({{0}} {sign} {{1}})", [self.truth(depth), self.truth(depth)], TRUTH
            )

    @TRUTH_RULES.add(1, is_plain=True)
    def truth_negation(self, depth):
        return Expr(BOOL, "(!{0})", [self.truth(depth)], TRUTH)

    @TRUTH_RULES.add(2, is_plain=True)
    def truth_bits(self, depth):
        a = self.integer(depth)
        return Expr(
            BOOL,
            f"(({{0}} & {self.constant(INT, self.rng.choice([1, 2, 3, 5, 12]))}) != 0)",
            [a],
            TRUTH,
        )


def cast_form(element):
    """A C-style cast would read `T(U(x))` behind it as a type; so the operand gets two pairs."""
    return f"({element.name})(({{0}}))" if " " in element.name else f"{element.name}({{0}})"
