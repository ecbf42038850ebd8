"""Atomics of every block on shared memory, whose result does not depend on their order."""

from .elements import DOUBLE, FLOAT, INT, LLONG, Range, UINT, ULLONG
from .memory import STORE_RULES
from .tree import Expr, Pointer, count

KINDS = [["add", "sub"], ["add"], ["and"], ["or"], ["xor"], ["max"], ["min"]]
# Small enough that a hundred thousand of them still add up exactly.
ADDED = {FLOAT: Range(-2, 2, 2), DOUBLE: Range(-2, 2, 3)}
RELAXED = "ct::memory_order_relaxed_t{{}}, ct::thread_scope_device_t{{}}"
ORDERS = ["relaxed", "relaxed", "relaxed", "acquire", "release", "acq_rel"]


class Atomics:
    """Mixed into the generator. A buffer of this kind has one kind of operation, no other use."""

    def atomic_kinds(self, element):
        return [["add", "sub"]] if element.is_float else KINDS

    def atomic_element(self):
        return self.rng.choice([INT, INT, UINT, LLONG, ULLONG, FLOAT, DOUBLE])

    def atomic_value(self, element, shape):
        want = ADDED.get(element) or (Range(-99, 99) if element.kind == "signed" else element.full)
        if shape is None:
            return self.scalar(element, 2, want)
        return self.tile(element, shape, min(self.tile_depth, 2), want)

    @STORE_RULES.add(6)
    def atomic(self):
        found = [b for b in self.outputs if b.is_atomic and not b.is_reserved]
        if not found:
            return False
        b = self.rng.choice(found)
        name = f"atomic_{self.rng.choice(b.operations)}"
        p = Expr(Pointer(b.element, False), b.name, [], Range(0, b.size - 1), True, variable=b.name)
        order = f"ct::memory_order_{self.rng.choice(ORDERS)}_t{{{{}}}}"
        scope = self.rng.choice(
            ["", ", ct::thread_scope_device_t{{}}", ", ct::thread_scope_system_t{{}}"]
        )
        if self.chance(0.3):
            i = self.any_integer(Range(0, b.size - 1), 1)
            self.emit(
                f"ct::{name}({{0}} + {{1}}, {{2}}, {order}{scope});",
                p,
                i,
                self.atomic_value(b.element, None),
            )
            return True
        shape = self.usual_shape()
        if not shape or count(shape) > 512:
            return False
        value = self.atomic_value(b.element, shape)
        if self.chance(0.3):
            v = self.view_of(p, b.element, shape, True, ["partition", "strided"])
            if v:  # a plain access through it would race with the atomics of other blocks
                self.variables.remove(v)
            kids = v and self.place(v.type, not self.checked, True)
            if kids:
                places = ", ".join("{%d}" % (i + 2) for i in range(len(kids)))
                self.emit(
                    f"{{0}}.{name}({{1}}, {RELAXED}, {places});",
                    v.expr(),
                    value,
                    *kids,
                )
                return True
        if self.chance(0.4):
            i, mask = self.masked_indices(shape, b.size, False)
            self.emit(
                f"ct::{name}_masked({{0}} + {{1}}, {{2}}, {{3}}, {order}{scope});",
                p,
                i,
                value,
                mask,
            )
        else:
            i = self.indices(shape, b.size, False)
            self.emit(f"ct::{name}({{0}} + {{1}}, {{2}}, {order}{scope});", p, i, value)
        return True
