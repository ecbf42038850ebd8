"""Pointers, scalar and tile loads through them, stores to the block's own part of an output.

The range of a pointer is the indices that may be used with it. All memory of one element type
holds values within that type's limit, so a load may come from anywhere.
"""

from .base import Rules
from .elements import BOOL, INT, LLONG, Range, SCHAR, SHORT, UCHAR, UINT, ULLONG, USHORT
from .tiles import ANY_RULES
from .tree import Expr, Pointer, Tile, count, shape_name

INDEX_RULES = Rules()
STORE_RULES = Rules()


class Memory:
    """Mixed into the generator."""

    # Pointers.

    def pointers(self, element, is_written=False):
        """What may be read or written with elements of this type."""
        found = [
            v
            for v in self.variables
            if isinstance(v.type, Pointer)
            and v.type.element == element
            and not (is_written and v.type.is_const)
        ]
        return found

    def readable(self):
        return {v.type.element for v in self.variables if isinstance(v.type, Pointer)}

    def address(self, element, room=1, is_written=False, depth=1):
        """A pointer with indices 0 to room - 1, or None."""
        found = [
            v
            for v in self.pointers(element, is_written)
            if v.range.lo <= 0 <= v.range.hi + 1 - room
        ]
        if not found:
            return None
        p = self.rng.choice(found).expr()
        if depth > 0 and self.chance(0.35):
            most = p.range.hi + 1 - room
            if most > 0:
                n = self.any_integer(Range(0, min(most, 63)), 1)
                p = Expr(
                    p.type,
                    "({0} + {1})",
                    [p, n],
                    Range(p.range.lo - n.range.lo, p.range.hi - n.range.hi),
                )
        if depth > 0 and self.chance(0.1):
            q = self.address(element, room, is_written, 0)
            if q and q.type == p.type:
                r = Range(max(p.range.lo, q.range.lo), min(p.range.hi, q.range.hi))
                p = Expr(p.type, "({0} ? {1} : {2})", [self.truth(1), p, q], r)
        return p

    def element_read(self, elements, depth):
        """One element of memory: p[i], *(p + i), ct::load(p + i)."""
        readable = self.readable()
        elements = [e for e in elements if e in readable]
        if not elements:
            return None
        p = self.address(self.rng.choice(elements))
        if p is None:
            return None
        i = self.any_integer(
            Range(0, min(p.range.hi, 255)),
            min(depth, 1),
            (INT, INT, UINT, LLONG, ULLONG, SHORT, UCHAR),
        )
        form = self.rng.choice(["{0}[{1}]", "{0}[{1}]", "(*({0} + {1}))", "ct::load({0} + {1})"])
        element = p.type.element
        return Expr(element, form, [p, i], self.limit(element))

    # Index tiles.

    def indices(self, shape, room, is_distinct, depth=1):
        """A tile of indices below room, which is the count at least when they are distinct."""
        if count(shape) > room:
            return self.tile(INT, shape, depth, Range(0, room - 1))
        for rule in INDEX_RULES.choose(self.rng):
            if (e := rule(self, shape, room, is_distinct, depth)) is not None:
                return e
        return self.index_row(shape, room, is_distinct, depth)

    def iota(self, shape, element=INT):
        type = Tile(element, shape)
        return Expr(type, f"ct::iota<{type.name}>()", [], Range(0, count(shape) - 1), True)

    @INDEX_RULES.add(6)
    def index_row(self, shape, room, is_distinct, depth):
        slack = room - count(shape)
        i = self.iota(shape, self.rng.choice([INT, INT, INT, UINT, LLONG]))
        if slack <= 0 or self.chance(0.3):
            return i
        start = self.scalar(i.type.element, depth, Range(0, min(slack, 200)))
        return Expr(i.type, "({0} + {1})", [i, start], Range(0, room - 1), True)

    @INDEX_RULES.add(3)
    def index_grid(self, shape, room, is_distinct, depth):
        """A sum of one term per dimension, rows apart by more than a row."""
        if len(shape) < 2:
            return None
        order = list(range(len(shape)))
        if self.chance(0.4):
            self.rng.shuffle(order)
        pitch, terms, most = 1, [None] * len(shape), 0
        for d in reversed(order):
            along = tuple(e if k == d else 1 for k, e in enumerate(shape))
            i = self.iota(along)
            step = self.constant(INT, pitch)
            if self.chance(0.5) and pitch in self.sizes and self.sizes[pitch].type is INT:
                step = self.sizes[pitch].expr()
            terms[d] = Expr(i.type, "{0} * {1}", [i, step], Range(0, (shape[d] - 1) * pitch), True)
            most += (shape[d] - 1) * pitch
            pitch = pitch * shape[d] + (self.rng.choice([0, 0, 1, 3]) if shape[d] > 1 else 0)
        if most >= room:
            return None
        return Expr(
            Tile(INT, shape),
            "(" + " + ".join("{%d}" % d for d in range(len(shape))) + ")",
            terms,
            Range(0, most),
            True,
        )

    @INDEX_RULES.add(2)
    def index_mixed(self, shape, room, is_distinct, depth):
        """A permutation of a power of two places."""
        places = 1 << (room.bit_length() - 1)
        if places < count(shape):
            return None
        i = self.iota(shape)
        odd = self.constant(INT, self.rng.choice([1, 3, 5, 7, 13, 27]))
        shift = self.scalar(INT, depth, Range(0, 1000))
        return Expr(
            i.type,
            f"(({{0}} * {odd} + {{1}}) & {places - 1})",
            [i, shift],
            Range(0, places - 1),
            True,
        )

    @INDEX_RULES.add(1)
    def index_backwards(self, shape, room, is_distinct, depth):
        i = self.iota(shape)
        return Expr(i.type, f"({count(shape) - 1} - {{0}})", [i], i.range, True)

    @INDEX_RULES.add(2)
    def index_moved(self, shape, room, is_distinct, depth):
        """Distinct indices in another order of elements."""
        kid = self.indices(self.regrouped(shape), room, is_distinct, 0)
        return Expr(
            Tile(kid.type.element, shape),
            f"ct::reshape({{0}}, {shape_name(shape)}{{{{}}}})",
            [kid],
            kid.range,
            True,
        )

    @INDEX_RULES.add(4)
    def index_any(self, shape, room, is_distinct, depth):
        if is_distinct:
            return None
        element = self.rng.choice([e for e in (INT, INT, UINT, LLONG, SHORT, USHORT, UCHAR, SCHAR)])
        return self.tile(element, shape, depth, Range(0, min(room - 1, element.hi)))

    def masked_indices(self, shape, room, is_distinct):
        """(indices that may lie outside [0, room), mask of those inside)."""
        i = self.iota(shape)
        step = self.rng.choice([1, 1, 1, 2, 3])
        start = self.scalar(INT, 1, Range(-300, 300))
        e = Expr(
            i.type,
            f"{{0}} * {step} + {{1}}",
            [i, start],
            Range(-300, 300 + step * count(shape)),
            True,
        )
        v = self.declare("at", i.type, e.range, "auto NAME = {0};", e, is_frozen=True).expr()
        mask = Expr(Tile(BOOL, shape), "({0} >= 0 && {0} < " + str(room) + ")", [v], None, True)
        if self.chance(0.4):
            more = self.tile(BOOL, shape, 1)
            mask = Expr(mask.type, "({0} && {1})", [mask, more], None, True)
        return v, mask

    # Tile loads and stores.

    @ANY_RULES.add(7)
    def tile_load(self, element, shape, depth):
        p = self.address(element)
        if p is None:
            return None
        room = min(p.range.hi + 1, 4096)
        type, r = Tile(element, shape), self.limit(element)
        if self.can_emit and self.chance(0.35):
            i, mask = self.masked_indices(shape, room, False)
            pad = self.scalar(element, 1)
            return Expr(
                type, "ct::load_masked({0} + {1}, {2}, {3})", [p, i, mask, pad], r.union(pad.range)
            )
        i = self.indices(shape, room, False, min(depth, 1))
        return Expr(type, "ct::load({0} + {1})", [p, i], r)

    def store(self):
        """A statement that writes memory of the block."""
        for rule in STORE_RULES.choose(self.rng, 20):
            if rule(self):
                return

    def written(self):
        return self.rng.choice([o for o in self.outputs if not (o.is_atomic or o.is_sink)])

    @STORE_RULES.add(5)
    def store_element(self):
        o = self.written()
        p = self.address(o.element, 1, True)
        i = self.any_integer(Range(0, min(p.range.hi, 255)), 1)
        value = self.scalar(o.element, 3)
        form = self.rng.choice(
            [
                "{0}[{1}] = {2};",
                "{0}[{1}] = {2};",
                "*({0} + {1}) = {2};",
                "ct::store({0} + {1}, {2});",
            ]
        )
        self.emit(form, p, i, value)
        return True

    @STORE_RULES.add(4)
    def store_converted(self):
        """The value of any integer type: C++ converts it to the element's."""
        outputs = [
            o
            for o in self.outputs
            if o.element.is_integer and o.element is not BOOL and not (o.is_atomic or o.is_sink)
        ]
        if not outputs:
            return False
        o = self.rng.choice(outputs)
        p = self.address(o.element, 1, True)
        i = self.any_integer(Range(0, min(p.range.hi, 255)), 1)
        self.emit("{0}[{1}] = {2};", p, i, self.integer(3))
        return True

    @STORE_RULES.add(10)
    def store_tile(self):
        o = self.written()
        p = self.address(o.element, 1, True)
        room = p.range.hi + 1
        shape = self.usual_shape()
        if count(shape) > room:
            return False
        value = self.tile(o.element, shape, self.tile_depth)
        if self.chance(0.35):
            i, mask = self.masked_indices(shape, room, True)
            self.emit("ct::store_masked({0} + {1}, {2}, {3});", p, i, value, mask)
        else:
            self.emit("ct::store({0} + {1}, {2});", p, self.indices(shape, room, True), value)
        return True
