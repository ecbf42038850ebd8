"""What becomes of the sums of products: biases, residuals, activations, scans, reductions along
either axis; one store or several, as boxes or through pointers, rows in another order; atomics.

Every step keeps the sum exact, or is left out. Blocks of one product store their parts of a matrix.
"""

from .assumptions import STATEMENT_HINTS
from .base import Buffer
from .elements import BF16, BOOL, FLOAT, HALF, INT, Range
from .tree import Expr, Pointer, Tile, shape_name


class Epilogues:
    """Mixed into the generator, beside Products."""

    def stored_element(self):
        e = self.plan.types[2]
        return self.rng.choice([FLOAT, HALF, BF16]) if e is FLOAT else e

    def epilogue_buffers(self):
        p, result = self.plan, []
        size, e = p.m * p.n * p.tiles, p.types[2]
        if self.chance(0.3):
            result.append(self.reserved("more", self.stored_element(), size))
        if self.chance(0.25):
            kinds = [HALF, BF16, FLOAT] if e.is_float else [e]
            kinds = [k for k in kinds if k.bits <= e.bits]
            x = self.rng.choice(kinds)
            r = Range(-2, 2, 1 if x.is_float else 0)
            all = size * p.tiling[0] * p.tiling[1]
            result.append(Buffer("residual", x, all, r, True))
        if self.chance(0.2):
            # Each of two reductions along K's sides has m or n numbers.
            result.append(self.reserved("rows", e, max(p.m, p.n) * p.tiles))
        if self.chance(0.2) and not self.checked:
            kind = FLOAT if e is HALF else e
            blocks = max(g[0] * g[1] * g[2] for g in self.grids) * self.launches * p.tiles
            if kind.holds(p.most.scaled(blocks)):
                total = Buffer("total", kind, p.m * p.n, Range(0, 0), False, is_atomic=True)
                total.is_reserved, total.operations = True, ["add"]
                result.append(total)
        return result

    def store_hint(self):
        return self.hint(STATEMENT_HINTS) + " " if self.chance(0.15) else ""

    def epilogue(self, sum, tile):
        self.write_total_of(sum)
        if self.buffer_named("rows") and self.chance(0.8):
            self.write_reduction(sum, tile)
        steps = [self.biased, self.activated, self.with_residual, self.scanned, self.centred]
        more = self.buffer_named("more")
        for step in self.rng.choices(steps, k=self.rng.choice([0, 0, 1, 1, 2, 3])):
            if more and self.chance(0.3):
                sum = self.declare("sum", sum.type, sum.range, "auto NAME = {0};", sum).expr()
            sum = step(sum, tile) or sum
        if more:
            sum = self.declare("sum", sum.type, sum.range, "auto NAME = {0};", sum).expr()
            other = self.rng.choice(steps)(sum, tile) if self.chance(0.5) else None
            pair = [("sums", sum), ("more", other or sum)]
            self.rng.shuffle(pair)
            for name, value in pair:
                self.store_sum(name, value, tile)
        else:
            self.store_sum("sums", sum, tile)

    def store_sum(self, name, sum, tile):
        o = self.buffer_named(name)
        self.store_part(o, self.stored_as(sum, o), tile, self.plan.tiles)

    # Steps: the sum and what it is after each, or None.

    def kept_exact(self, form, kids, r):
        type = kids[0].type
        return Expr(type, form, kids, r) if type.element.holds(r) else None

    def biased(self, sum, tile):
        p = self.plan
        shape = self.rng.choice([(1, p.n), (p.m, 1), (p.n,)])
        other = self.tile(sum.type.element, shape, 1, Range(-2, 2))
        r = Range(sum.range.lo - 2, sum.range.hi + 2, sum.range.frac)
        return self.kept_exact("({0} + {1})", [sum, other], r)

    def activated(self, sum, tile):
        e, r = sum.type.element, sum.range
        zero = self.constant(e, 0)
        kind = self.rng.choice(["max", "select", "leaky", "clamp"])
        if kind == "max":
            return Expr(sum.type, f"ct::max({{0}}, {zero})", [sum], Range(0, max(r.hi, 0), r.frac))
        sum = self.declare("sum", sum.type, r, "auto NAME = {0};", sum).expr()
        if kind == "clamp":
            low, high = self.constant(e, -8), self.constant(e, 8)
            form = f"ct::min(ct::max({{0}}, {low}), {high})"
            return Expr(sum.type, form, [sum], Range(-8, 8, r.frac))
        other = f"ct::zeros<{sum.type.name}>()"
        if kind == "leaky" and e.is_float:
            other, r = f"{{0}} * {self.constant(e, 0.5)}", Range(r.lo, r.hi, r.frac + 1)
        return self.kept_exact(f"ct::select({{0}} > {zero}, {{0}}, {other})", [sum], r)

    def with_residual(self, sum, tile):
        p, b = self.plan, self.buffer_named("residual")
        if b is None:
            return None
        base = Expr(Pointer(b.element, True), b.name, [], Range(0, b.size - 1), variable=b.name)
        x, e = self.load_part(b, base, tile), sum.type.element
        if b.element != e:
            x = Expr(Tile(e, x.type.shape), f"ct::element_cast<{e.name}>({{0}})", [x], x.range)
        r = Range(sum.range.lo - 2, sum.range.hi + 2, max(sum.range.frac, b.range.frac))
        return self.kept_exact("({0} + {1})", [sum, x], r)

    def scanned(self, sum, tile):
        d, e = self.rng.randrange(2), sum.type.element
        r = sum.range.scaled(sum.type.shape[d])
        if not e.holds(r):
            sum = self.kept_tile(sum, Range(-1, 1))
            r = Range(-sum.type.shape[d], sum.type.shape[d])
        return self.kept_exact(f"ct::partial_sum<{d}>({{0}})", [sum], r)

    def reduced_sum(self, sum, d):
        """The largest, the smallest or the sum of the rows or the columns."""
        name = self.rng.choice(["reduce_max", "reduce_min", "sum"])
        shape = tuple(1 if k == d else e for k, e in enumerate(sum.type.shape))
        r = sum.range.scaled(sum.type.shape[d]) if name == "sum" else sum.range
        if not sum.type.element.holds(r):
            name, r = "reduce_max", sum.range
        return Expr(Tile(sum.type.element, shape), f"ct::{name}<{d}>({{0}})", [sum], r)

    def centred(self, sum, tile):
        """As in a softmax: less what the row or the column has of largest."""
        sum = self.declare("sum", sum.type, sum.range, "auto NAME = {0};", sum).expr()
        x = self.reduced_sum(sum, self.rng.randrange(2))
        r = Range(sum.range.lo - x.range.hi, sum.range.hi - x.range.lo, sum.range.frac)
        return self.kept_exact("({0} - {1})", [sum, x], r)

    # Memory.

    def write_reduction(self, sum, tile):
        o, d = self.buffer_named("rows"), self.rng.randrange(2)
        value = self.reduced_sum(sum, d)
        self.store_part(o, self.stored_as(value, o), tile, self.plan.tiles)

    def write_total_of(self, sum):
        """Added to what all blocks add to."""
        b, p = self.buffer_named("total"), self.plan
        if b is None:
            return
        base = Expr(Pointer(b.element, False), b.name, [], Range(0, b.size - 1), variable=b.name)
        value = self.stored_as(sum, b)
        order = "ct::memory_order_relaxed_t{{}}, ct::thread_scope_device_t{{}}"
        if self.chance(0.5):
            form = f"ct::atomic_add({{0}} + {{1}}, {{2}}, {order});"
            return self.emit(form, base, self.iota((p.m, p.n)), value, is_frozen=True)
        form, kids = self.span(base, (p.m, p.n), b.size)
        form = f"auto NAME = ct::partition_view{{{{{form}, {shape_name((p.m, p.n))}{{{{}}}}}}}};"
        view = self.declare("view", None, None, form, *kids).expr()
        return self.emit(f"{{0}}.atomic_add({{1}}, {order}, 0, 0);", view, value, is_frozen=True)

    def stored_as(self, value, o):
        if o.element == value.type.element:
            return value
        form = f"ct::element_cast<{o.element.name}>({{0}})"
        return Expr(Tile(o.element, value.type.shape), form, [value], self.limit(o.element))

    def part_places(self, tile, count):
        """The box of a part: of `count` of them below one another in each block."""
        row, column = self.at
        if not self.plan.is_shared:
            return tile, column
        row = Expr(INT, f"({{0}} * {count} + {{1}})", [row, tile], None, True)
        return row, column

    def matrix(self, shape, count):
        return shape[0] * self.plan.tiling[0] * count, shape[1] * self.plan.tiling[1]

    def load_part(self, b, base, tile):
        p = self.plan
        shape = (p.m, p.n)
        if not p.is_shared:
            # Every block reads the same part.
            tile = tile if b.size >= p.m * p.n * p.tiles else self.constant(INT, 0)
        form, kids = self.span(base, self.matrix(shape, p.tiles), b.size)
        form = f"auto NAME = ct::partition_view{{{{{form}, {shape_name(shape)}{{{{}}}}}}}};"
        view = self.declare("view", None, None, form, *kids).expr()
        word = "load_masked" if self.chance(0.6) else "load"
        kids = [view, *self.part_places(tile, p.tiles)]
        return Expr(Tile(b.element, shape), f"{{0}}.{word}({{1}}, {{2}})", kids, b.range)

    def store_part(self, o, value, tile, count):
        """As a box of a view, through pointers, or row by row in another order."""
        shape, (row, column) = value.type.shape, self.part_places(tile, count)
        rows, columns = self.matrix(shape, count)
        extents, made = self.store_form(o, rows, columns)
        if made is None:
            return self.scatter_part(o, value, row, column, columns)
        form, kids = made
        form = f"auto NAME = ct::partition_view{{{{{form}, {shape_name(shape)}{{{{}}}}}}}};"
        view = self.declare("view", None, None, form, *kids).expr()
        word = "store_masked" if extents != (rows, columns) or self.chance(0.7) else "store"
        form = f"{self.store_hint()}{{0}}.{word}({{1}}, {{2}}, {{3}});"
        return self.emit(form, view, value, row, column, is_frozen=True)

    def store_form(self, o, rows, columns):
        """(extents, a span or None for pointers); one for all stores to what blocks share."""
        if self.plan.is_shared and o.name in self.store_forms:
            return self.store_forms[o.name]
        extents, made = (rows, columns), None
        if self.chance(0.4) and not self.checked:
            cut = (self.rng.choice([0, 1, 7]), self.rng.choice([0, 1, 2]))
            extents = tuple(max(1, e - c) for e, c in zip(extents, cut))
        if self.chance(0.7):
            made = self.span(o.base, extents, rows * columns)
        self.store_forms[o.name] = (extents, made)
        return self.store_forms[o.name]

    def scatter_part(self, o, value, row, column, columns):
        """Through a tile of pointers; the part's rows in another order, some left out."""
        m, n = value.type.shape
        lanes = [self.iota((m, 1)), self.iota((1, n))]
        line = "{3}"
        if self.chance(0.4):
            line = f"(({{3}} * {self.rng.choice([1, 3, 5])} + {self.rng.randrange(m)}) & {m - 1})"
        at = f"({{1}} * {m} + {line}) * {columns} + {{2}} * {n} + {{4}}"
        kids = [o.base, row, column, *lanes, value]
        if self.chance(0.3):
            mask = self.tile(BOOL, self.rng.choice([(m, 1), (1, n), (m, n)]), 1)
            mask = Expr(Tile(BOOL, (m, n)), f"ct::broadcast<{shape_name((m, n))}>({{0}})", [mask])
            form = f"ct::store_masked({{0}} + ({at}), {{5}}, {{6}});"
            return self.emit(form, *kids, mask, is_frozen=True)
        return self.emit(f"ct::store({{0}} + ({at}), {{5}});", *kids, is_frozen=True)
