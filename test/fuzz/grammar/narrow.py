"""Elements of 8 and 4 bits and tf32: memory of them, moved and converted; scaled products.

They are loaded, stored, moved, converted and multiplied, never added. Elements of newer GPUs (E8M0
and E2M1) are written only where `newer` says that the kernel is for one.
"""

from .base import Rules
from .elements import BOOL, E2M1, E4M3, E5M2, E8M0, FLOAT, Range, TF32
from .memory import STORE_RULES
from .tiles import FLOAT_RULES
from .tree import Expr, Pointer, Tile, count, shape_name

NARROW_RULES = Rules()
# What every element type here holds exactly, and every memory of one.
SMALL = Range(-1, 1, 1)
# Factors, their scales, how many elements of K a scale is for.
SCALED = [(E4M3, E8M0, 32), (E5M2, E8M0, 32), (E2M1, E8M0, 32), (E2M1, E8M0, 16), (E2M1, E4M3, 16)]


class Narrow:
    """Mixed into the generator."""

    def narrow_elements(self):
        return [E4M3, E5M2, TF32, *([E2M1] if self.newer else [])]

    def narrow(self, element, shape, depth):
        """A tile of a restricted element type with values in SMALL."""
        if depth > 0:
            for rule in NARROW_RULES.choose(self.rng, 4):
                if (e := rule(self, element, shape, depth - 1)) is not None:
                    return e
        a = self.tile(FLOAT, shape, max(depth, 0), SMALL)
        return Expr(Tile(element, shape), f"ct::element_cast<{element.name}>({{0}})", [a], SMALL)

    @NARROW_RULES.add(6)
    def narrow_load(self, element, shape, depth):
        found = [
            v
            for v in self.variables
            if isinstance(v.type, Pointer) and v.type.element == element and v.range.lo == 0
        ]
        if not found:
            return None
        v = self.rng.choice(found)
        room = v.range.hi + 1
        type = Tile(element, shape)
        if shape and self.can_emit and self.chance(0.4):
            view = self.view_of(v.expr(), element, shape, False)
            kids = view and self.place(view.type, True, False)
            if kids:
                places = ", ".join("{%d}" % (i + 1) for i in range(len(kids)))
                return Expr(type, f"{{0}}.load_masked({places})", [view.expr(), *kids], SMALL)
        i = self.indices(shape, room, False, depth)
        return Expr(type, "ct::load({0} + {1})", [v.expr(), i], SMALL)

    @NARROW_RULES.add(3)
    def narrow_select(self, element, shape, depth):
        mask = self.tile(BOOL, shape, depth)
        kids = [mask, self.narrow(element, shape, depth), self.narrow(element, shape, depth)]
        return Expr(Tile(element, shape), "ct::select({0}, {1}, {2})", kids, SMALL)

    @NARROW_RULES.add(3)
    def narrow_moved(self, element, shape, depth):
        type = Tile(element, shape)
        kind = self.rng.choice(["reshape", "transpose", "cat", "extract", "broadcast"])
        if kind == "reshape":
            a = self.narrow(element, self.regrouped(shape), depth)
            return Expr(type, f"ct::reshape<{shape_name(shape)}>({{0}})", [a], SMALL)
        if kind == "broadcast":
            a = self.narrow(element, self.narrowed(shape), depth)
            return Expr(type, f"ct::broadcast<{shape_name(shape)}>({{0}})", [a], SMALL)
        if len(shape) < 2 or count(shape) > 512:
            return None
        if kind == "transpose":
            a = self.narrow(element, (shape[1], shape[0]) + shape[2:], depth)
            return Expr(type, "ct::transpose({0})", [a], SMALL)
        if kind == "cat":
            if shape[0] == 1:
                return None
            half = (shape[0] // 2,) + shape[1:]
            kids = [self.narrow(element, half, depth), self.narrow(element, half, depth)]
            return Expr(type, "ct::cat<0>({0}, {1})", kids, SMALL)
        a = self.narrow(element, (2 * shape[0],) + shape[1:], depth)
        places = ", ".join(["{1}"] + ["0"] * (len(shape) - 1))
        form = f"ct::extract({{0}}, {shape_name(shape)}{{{{}}}}, {places})"
        return Expr(type, form, [a, self.part_index(2)], SMALL)

    @FLOAT_RULES.add(2)
    def float_of_narrow(self, element, shape, depth):
        via = self.rng.choice(self.narrow_elements())
        a = self.narrow(via, shape, min(depth, 2))
        return Expr(Tile(element, shape), f"ct::element_cast<{element.name}>({{0}})", [a], SMALL)

    @STORE_RULES.add(2)
    def store_narrow(self):
        found = [v for v in self.variables if isinstance(v.type, Pointer) and v.range.lo == 0]
        found = [v for v in found if v.type.element.is_restricted and not v.type.is_const]
        if not found:
            return False
        v, shape = self.rng.choice(found), self.usual_shape()
        room = v.range.hi + 1
        if count(shape) > room:
            return False
        i, value = self.indices(shape, room, True), self.narrow(v.type.element, shape, 2)
        self.emit("ct::store({0} + {1}, {2});", v.expr(), i, value)
        return True

    # Scaled products of newer GPUs.

    def scales(self, element, shape):
        """Powers of two: the one type holds nothing else."""
        mask = self.tile(BOOL, shape, 1)
        low, high = self.rng.choice([(0.5, 1), (1, 2), (0.5, 2)])
        low_tile, high_tile = (
            f"ct::full<{Tile(FLOAT, shape).name}>({self.constant(FLOAT, x)})" for x in (low, high)
        )
        form = f"ct::element_cast<{element.name}>(ct::select({{0}}, {low_tile}, {high_tile}))"
        return Expr(Tile(element, shape), form, [mask], Range(low, high, 1))

    @FLOAT_RULES.add(2)
    def scaled_product(self, element, shape, depth):
        if not self.newer or element is not FLOAT or len(shape) not in (2, 3):
            return None
        factor, scale, run = self.rng.choice(SCALED)
        batch, (m, n) = shape[:-2], shape[-2:]
        k = run * self.rng.choice([1, 2])
        if k * (m + n) > 4096:
            return None
        one = tuple(1 for _ in batch) if self.chance(0.3) else batch
        a = self.narrow(factor, one + (m, k), min(depth, 1))
        b = self.narrow(factor, batch + (k, n), min(depth, 1))
        c = self.tile(FLOAT, shape, 0, Range(-16, 16, 2))
        kids = [a, self.scales(scale, one + (m, k // run)), b]
        kids += [self.scales(scale, batch + (k // run, n)), c]
        r = Range(c.range.lo - 4 * k, c.range.hi + 4 * k, 4)
        return Expr(Tile(FLOAT, shape), "ct::scaled_mma({0}, {1}, {2}, {3}, {4})", kids, r)
