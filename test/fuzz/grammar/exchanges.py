"""Atomics on memory that belongs to the block: loads, stores, changes whose old values are used.

Nobody else touches that memory, so what they find does not depend on the order of the blocks.
Floats are not compared and exchanged: that compares bits, and the sign of a zero is not promised.
"""

from .control import STATEMENT_RULES
from .elements import DOUBLE, FLOAT, INT, INTEGERS, LLONG, LONG, Range, UINT, ULLONG, ULONG
from .memory import STORE_RULES
from .scalars import FLOAT_RULES as SCALAR_FLOATS, INTEGER_RULES as SCALAR_INTEGERS
from .tiles import ANY_RULES
from .tree import Expr, Tile, count

WIDE = [INT, UINT, LONG, ULONG, LLONG, ULLONG]
SCOPES = ["block", "device", "system"]
READS, WRITES = ["relaxed", "acquire"], ["relaxed", "release"]
CHANGES = ["relaxed", "acquire", "release", "acq_rel"]


class Exchanges:
    """Mixed into the generator."""

    def order_and_scope(self, orders):
        """(template arguments, last arguments): one of them is empty."""
        order = self.rng.choice(orders)
        scope = self.rng.choice(SCOPES) if self.chance(0.6) else None
        if self.chance(0.25):
            more = f", ct::thread_scope::{scope}" if scope else ""
            return f"<ct::memory_order::{order}{more}>", ""
        tag = self.rng.choice(
            [f"ct::memory_order_{order}_t", f"ct::memory_order_constant<ct::memory_order::{order}>"]
        )
        text = f", {tag}{{{{}}}}"
        if scope:
            tag = self.rng.choice(
                [
                    f"ct::thread_scope_{scope}_t",
                    f"ct::thread_scope_constant<ct::thread_scope::{scope}>",
                    "ct::thread_scope_constant<ct::default_thread_scope()>",
                ]
            )
            text += f", {tag}{{{{}}}}"
        return "", text

    # Loads: expressions, as plain loads are.

    @ANY_RULES.add(2)
    def tile_atomic_load(self, element, shape, depth):
        p = self.address(element)
        if p is None:
            return None
        name, last = self.order_and_scope(READS)
        type, r = Tile(element, shape), self.limit(element)
        room = min(p.range.hi + 1, 4096)
        if self.can_emit and self.chance(0.4):
            # What a masked load gives elsewhere is unspecified.
            i, mask = self.masked_indices(shape, room, False)
            other = self.tile(element, shape, 0, r)
            load = f"ct::atomic_load_masked{name}({{0}} + {{1}}, {{2}}{last})"
            form = f"ct::select({{2}}, {load}, {{3}})"
            return Expr(type, form, [p, i, mask, other], r)
        i = self.indices(shape, room, False, min(depth, 1))
        return Expr(type, f"ct::atomic_load{name}({{0}} + {{1}}{last})", [p, i], r)

    def atomic_element_read(self, elements):
        readable = self.readable()
        found = [e for e in elements if e in readable]
        p = self.address(self.rng.choice(found)) if found else None
        if p is None:
            return None
        i = self.any_integer(Range(0, min(p.range.hi, 255)), 1)
        name, last = self.order_and_scope(READS)
        form = f"ct::atomic_load{name}({{0}} + {{1}}{last})"
        return Expr(p.type.element, form, [p, i], self.limit(p.type.element))

    @SCALAR_INTEGERS.add(1)
    def integer_atomic_load(self, depth):
        return self.atomic_element_read(INTEGERS)

    @SCALAR_FLOATS.add(1)
    def float_atomic_load(self, element, depth):
        return self.atomic_element_read([element])

    @ANY_RULES.add(2)
    def tile_view_atomic_load(self, element, shape, depth):
        v = self.any_view(element, shape, False)
        is_masked = self.chance(0.5)
        kids = v and self.place(v.type, is_masked, False)
        if not kids:
            return None
        name, last = self.order_and_scope(READS)
        places = ", ".join("{%d}" % (i + 1) for i in range(len(kids)))
        pad = ""
        if is_masked:
            pad = "ct::view_padding_zero_t{{}}, "
            if name:
                name, pad = name.replace("<", "<ct::view_padding::zero, "), ""
        last = f"{last[2:]}, " if last else ""
        load = "atomic_load_masked" if is_masked else "atomic_load"
        form = f"{{0}}.{load}{name}({pad}{last}{places})"
        return Expr(Tile(element, shape), form, [v.expr(), *kids], self.limit(element))

    # Stores.

    @STORE_RULES.add(3)
    def store_atomically(self):
        o, shape = self.written(), self.usual_shape()
        p = self.address(o.element, 1, True)
        name, last = self.order_and_scope(WRITES)
        if self.chance(0.3):
            i = self.any_integer(Range(0, min(p.range.hi, 255)), 1)
            value = self.scalar(o.element, 2)
            self.emit(f"ct::atomic_store{name}({{0}} + {{1}}, {{2}}{last});", p, i, value)
            return True
        if self.chance(0.4):
            return self.store_view_atomically(o.element, shape, name, last)
        room = p.range.hi + 1
        if count(shape) > room:
            return False
        value = self.tile(o.element, shape, self.tile_depth)
        if self.chance(0.4):
            i, mask = self.masked_indices(shape, room, True)
            form = f"ct::atomic_store_masked{name}({{0}} + {{1}}, {{2}}, {{3}}{last});"
            self.emit(form, p, i, value, mask)
            return True
        i = self.indices(shape, room, True)
        self.emit(f"ct::atomic_store{name}({{0}} + {{1}}, {{2}}{last});", p, i, value)
        return True

    def store_view_atomically(self, element, shape, name, last):
        v = self.any_view(element, shape, True)
        is_masked = self.chance(0.5)
        kids = v and self.place(v.type, is_masked, True)
        if not kids:
            return False
        value = self.tile(element, shape, self.tile_depth)
        places = ", ".join("{%d}" % (i + 2) for i in range(len(kids)))
        store = "atomic_store_masked" if is_masked else "atomic_store"
        self.emit(f"{{0}}.{store}{name}({{1}}{last}, {places});", v.expr(), value, *kids)
        return True

    @STORE_RULES.add(2)
    def reduce_into_view(self):
        """An operation of a view that gives nothing back, on the block's own memory."""
        outputs = [o for o in self.outputs if o.element in WIDE and not o.is_atomic]
        if not outputs:
            return False
        o, shape = self.rng.choice(outputs), self.usual_shape()
        v = shape and self.any_view(o.element, shape, True)
        if not v or v.type.kind == "gather":
            return False
        kids = self.place(v.type, not self.checked, True)
        if not kids:
            return False
        names = ["and", "or", "xor", "max", "min"]
        names += ["add", "sub"] if o.element.kind == "unsigned" else []
        scope = self.rng.choice(["block", "device"])
        tags = f"ct::memory_order_relaxed_t{{{{}}}}, ct::thread_scope_{scope}_t{{{{}}}}"
        value = self.tile(o.element, shape, min(self.tile_depth, 2))
        places = ", ".join("{%d}" % (i + 2) for i in range(len(kids)))
        form = f"{{0}}.atomic_{self.rng.choice(names)}({{1}}, {tags}, {places});"
        self.emit(form, v.expr(), value, *kids)
        return True

    # Changes whose old values are kept.

    def change_of(self, element, shape):
        """(name, values) of an atomic function for elements of this type, or None."""
        value = lambda: (
            self.tile(element, shape, 2) if shape is not None else self.scalar(element, 2)
        )
        names = ["xchg", "xchg"]
        if element.is_integer:
            names += ["compare_exchange", "compare_exchange", "and", "or", "xor", "max", "min"]
        if element.kind == "unsigned":
            names += ["add", "sub"]
        name = self.rng.choice(names)
        return name, [value(), value()] if name == "compare_exchange" else [value()]

    @STATEMENT_RULES.add(3)
    def exchange(self):
        wide = [*WIDE, FLOAT, DOUBLE]
        outputs = [
            o for o in self.outputs if o.element in wide and not o.is_atomic and not o.is_sink
        ]
        if not outputs or self.is_pure or self.is_closed or not self.can_emit:
            return False
        o, shape = self.rng.choice(outputs), self.usual_shape()
        p, e = self.address(o.element, 1, True), o.element
        room, r = p.range.hi + 1, self.limit(e)
        name, last = self.order_and_scope(CHANGES)
        if self.chance(0.3):
            i = self.any_integer(Range(0, min(p.range.hi, 255)), 1)
            what, values = self.change_of(e, None)
            places = ", ".join("{%d}" % (k + 2) for k in range(len(values)))
            form = f"const {e.name} NAME = ct::atomic_{what}{name}({{0}} + {{1}}, {places}{last});"
            self.declare("old", e, r, form, p, i, *values)
            return True
        if count(shape) > room:
            return False
        what, values = self.change_of(e, shape)
        places = ", ".join("{%d}" % (k + 2) for k in range(len(values)))
        type = Tile(e, shape)
        if self.chance(0.4):
            i, mask = self.masked_indices(shape, room, True)
            n = len(values) + 2
            other = self.tile(e, shape, 0, r)
            form = f"ct::atomic_{what}_masked{name}({{0}} + {{1}}, {places}, {{{n}}}{last})"
            form = f"auto NAME = ct::select({{{n}}}, {form}, {{{n + 1}}});"
            self.declare("old", type, r, form, p, i, *values, mask, other)
            return True
        i = self.indices(shape, room, True)
        form = f"auto NAME = ct::atomic_{what}{name}({{0}} + {{1}}, {places}{last});"
        self.declare("old", type, r, form, p, i, *values)
        return True
