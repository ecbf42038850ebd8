"""Operations that round, and values that are not numbers, written to memory that is never read.

One rounding operation on exact operands, or on quotients, which are rounded by themselves: nothing
that a compiler may contract, and no sum whose order matters.
"""

from .base import Rules
from .elements import BF16, BOOL, DOUBLE, FLOAT, HALF, INEXACT, INT, LLONG, UINT, Range
from .memory import STORE_RULES
from .tree import Expr, Tile, count, shape_name

ROUNDED_RULES = Rules()
# With the operand that keeps each within bounds and away from where it is steep.
NEAR = {
    "exp": "{0}",
    "exp2": "{0}",
    "tanh": "{0}",
    "sin": "{0}",
    "cos": "{0}",
    "sinh": "{0}",
    "cosh": "{0}",
    "log": "(ct::abs({0}) + {1})",
    "log2": "(ct::abs({0}) + {1})",
    "rsqrt": "(ct::abs({0}) + {1})",
    "sqrt": "ct::abs({0})",
    "tan": "({0} * {1} * {1})",
}
# With two operands.
NEAR_OF_TWO = {
    "pow": "ct::abs({0}) + {1}, {2}",
    "atan2": "ct::abs({0}) + {1}, {2}",
}
# Modes that floats take, within the same tolerance.
NEAR_MODES = {
    "exp": "round_approximate",
    "exp2": "round_subnormals_to_zero",
    "rsqrt": "round_subnormals_to_zero",
    "sqrt": "round_approximate",
    "tanh": "round_full",
}
MODES = [
    "round_ties_to_even",
    "round_toward_zero",
    "round_toward_negative",
    "round_toward_positive",
]
PADDINGS = ["zero", "positive_inf", "negative_inf", "nan", "negative_zero"]


class Rounding:
    """Mixed into the generator."""

    @STORE_RULES.add(5)
    def store_rounded(self):
        found = [o for o in self.outputs if o.is_sink and not (o.is_near or o.is_narrow)]
        found = [o for o in found if not o.is_reserved]
        found = [o for o in found if o.element.is_float]
        if not found or not self.can_emit:
            return False
        o, shape = self.rng.choice(found), self.usual_shape()
        if count(shape) > o.size:
            return False
        value = self.rounded(o.element, shape)
        i = self.indices(shape, o.size, True)
        self.emit("ct::store({0} + {1}, {2});", o.base, i, value)
        return True

    @STORE_RULES.add(4)
    def store_near(self):
        """A function that each target computes its own way, of an exact operand."""
        found = [o for o in self.outputs if o.is_near]
        if not found or not self.can_emit:
            return False
        o, shape = self.rng.choice(found), self.usual_shape()
        if count(shape) > o.size:
            return False
        name = self.rng.choice([*NEAR, *NEAR_OF_TWO])
        x = self.tile(o.element, shape, 2, Range(-4, 4, 2))
        half, kids = self.constant(o.element, 0.5), [x]
        if name in NEAR:
            arguments = NEAR[name].format("{0}", half)
        else:
            kids.append(self.near_operand(name, o.element, shape))
            arguments = NEAR_OF_TWO[name].format("{0}", half, "{1}")
        if name in NEAR_MODES and o.element is FLOAT and self.chance(0.4):
            arguments += f", ct::{NEAR_MODES[name]}_t{{{{}}}}"
        value = Expr(x.type, f"ct::{name}({arguments})", kids, INEXACT)
        self.emit("ct::store({0} + {1}, {2});", o.base, self.indices(shape, o.size, True), value)
        return True

    def near_operand(self, name, element, shape):
        """The second operand: an exponent may be an integer, either may be a scalar."""
        if self.chance(0.3):
            return self.scalar(element, 1, Range(-4, 4, 2))
        if name == "pow" and self.chance(0.4):
            return self.tile(INT, shape, 1, Range(-4, 4))
        return self.tile(element, shape, 1, Range(-4, 4, 2))

    def rounded(self, element, shape):
        for rule in ROUNDED_RULES.choose(self.rng):
            if (e := rule(self, element, shape)) is not None:
                return Expr(Tile(element, shape), e[0], e[1], INEXACT)
        return self.tile(element, shape, 2)

    def modes(self, element):
        """A rounding mode of the type, and perhaps flushing, as arguments."""
        if self.chance(0.4):
            return ""
        mode = self.rng.choice(MODES)
        spelt = [f"{mode}_t", f"rounding_mode_constant<ct::rounding_mode::{mode}>"]
        mode = self.rng.choice([*spelt, "rounding_mode_constant<ct::default_rounding_mode()>"])
        mode = f", ct::{mode}{{{{}}}}"
        if element is FLOAT and self.chance(0.3):
            mode += self.subnormals("round_subnormals_to_zero")
        elif self.chance(0.2):
            mode += self.subnormals("preserve_subnormals")
        return mode

    def subnormals(self, mode):
        """A mode as one of its spellings."""
        value = f"subnormals_rounding_mode::{mode}"
        if mode == "preserve_subnormals" and self.chance(0.5):
            value = "default_subnormals_rounding_mode()"
        constant = f"subnormals_rounding_mode_constant<ct::{value}>"
        return f", ct::{self.rng.choice([f'{mode}_t', constant])}{{{{}}}}"

    def quotient(self, element, shape):
        a, b = self.tile(element, shape, 1), self.tile(element, shape, 1)
        one = self.constant(element, 0.5)
        return Expr(Tile(element, shape), f"({{0}} / ({{1}} + {one}))", [a, b], INEXACT)

    def operand(self, element, shape):
        return self.quotient(element, shape) if self.chance(0.5) else self.tile(element, shape, 2)

    @ROUNDED_RULES.add(5)
    def rounded_binary(self, element, shape):
        name = self.rng.choice(["add", "sub", "mul", "div"])
        a, b = self.operand(element, shape), self.operand(element, shape)
        if self.chance(0.15):
            mode = f"ct::rounding_mode::{self.rng.choice(MODES)}"
            return f"ct::{name}<{mode}>({{0}}, {{1}}, {{{{}}}})", [a, b]
        return f"ct::{name}({{0}}, {{1}}{self.modes(element)})", [a, b]

    @ROUNDED_RULES.add(2)
    def rounded_fma(self, element, shape):
        kids = [self.operand(element, shape) for _ in range(3)]
        return f"ct::fma({{0}}, {{1}}, {{2}}{self.modes(element)})", kids

    @ROUNDED_RULES.add(2)
    def rounded_root(self, element, shape):
        return f"ct::sqrt(ct::abs({{0}}){self.modes(element)})", [self.operand(element, shape)]

    @ROUNDED_RULES.add(4)
    def rounded_cast(self, element, shape):
        source = self.rng.choice([e for e in (HALF, BF16, FLOAT, DOUBLE) if e is not element])
        return f"ct::element_cast<{element.name}>({{0}})", [self.operand(source, shape)]

    @ROUNDED_RULES.add(3)
    def rounded_from_integer(self, element, shape):
        source = self.rng.choice([INT, UINT, LLONG])
        small = Range(0, 60000) if element is HALF else source.full
        a = self.tile(source, shape, 2, small)
        return f"ct::element_cast<{element.name}>({{0}})", [a]

    @ROUNDED_RULES.add(3)
    def rounded_extremum(self, element, shape):
        name, a = self.rng.choice(["min", "max"]), self.rounded(element, shape)
        tag = self.nan_mode(element)
        return f"ct::{name}({{0}}, {{1}}{tag})", [a, self.tile(element, shape, 1)]

    def nan_mode(self, element):
        """What becomes of NaNs, and perhaps of subnormals, as arguments."""
        mode = self.rng.choice(["", "propagate_nan", "suppress_nan"])
        if not mode:
            return ""
        value = self.rng.choice([f"nan_propagation_mode::{mode}", "default_nan_propagation_mode()"])
        constant = f"nan_propagation_mode_constant<ct::{value}>"
        text = f", ct::{self.rng.choice([f'{mode}_t', constant])}{{{{}}}}"
        if element is FLOAT and self.chance(0.3):
            text += self.subnormals("round_subnormals_to_zero")
        return text

    @ROUNDED_RULES.add(2)
    def rounded_choice(self, element, shape):
        a, b, m = (
            self.rounded(element, shape),
            self.rounded(element, shape),
            self.tile(BOOL, shape, 1),
        )
        return "ct::select({0}, {1}, {2})", [m, a, b]

    @ROUNDED_RULES.add(2)
    def rounded_test(self, element, shape):
        test = self.rng.choice(["ct::isnan({0})", "ct::isinf({0})", "({0} < {1})", "({0} != {1})"])
        a, b = self.rounded(element, shape), self.operand(element, shape)
        return f"ct::element_cast<{element.name}>({test})", [a, b] if "{1}" in test else [a]

    @ROUNDED_RULES.add(2)
    def rounded_reduction(self, element, shape):
        if not shape:
            return None
        d = self.rng.randrange(len(shape))
        name = self.rng.choice(["reduce_max", "reduce_min"])
        tag = self.nan_mode(element)
        form = f"ct::broadcast(ct::{name}({{0}}, {d}_ic{tag}), {shape_name(shape)}{{{{}}}})"
        return form, [self.rounded(element, shape)]

    @ROUNDED_RULES.add(5)
    def padded_load(self, element, shape):
        v = self.any_view(element, shape, False)
        kids = v and self.place(v.type, True, False)
        if not kids:
            return None
        padding = self.rng.choice(PADDINGS)
        places = ", ".join("{%d}" % (i + 1) for i in range(len(kids)))
        form = self.rng.choice(
            [
                f"{{0}}.load_masked<ct::view_padding::{padding}>({places})",
                f"{{0}}.load_masked(ct::view_padding_{padding}_t{{{{}}}}, {places})",
                f"{{0}}.load_masked(ct::view_padding_constant<ct::view_padding::{padding}>{{{{}}}},"
                f" {places})",
            ]
        )
        return form, [v.expr(), *kids]
