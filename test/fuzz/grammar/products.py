"""Kernels that are about products of matrices: what the planner gives to the tensor cores, and what
keeps it from doing so.

A kernel of `--products` has one loop over K at its heart, or a loop of such loops, over boxes of
views as kernels have them: the factors come straight from memory, turned, converted, computed or
out of views with more dimensions; the sums are touched in the loop or left alone, are the factors
of a second product, and leave through views or pointers. Sizes are those of the units and odd ones.
The blocks of a kernel do the same each for itself, or are tiles of one large product, which the
planner may merge. `writes.py` has what the loop writes, `epilogues.py` what becomes of the sums.
"""

from dataclasses import dataclass

from .assumptions import STATEMENT_HINTS
from .base import Buffer
from .elements import (
    BF16,
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
    UCHAR,
)
from .reductions import PRODUCTS
from .tree import Expr, Pointer, Tile, shape_name

# How often a sum of these factors is chosen: those of the tensor cores more.
WEIGHTS = {BF16: 6, HALF: 4, TF32: 4, E4M3: 3, E5M2: 3, FLOAT: 1, DOUBLE: 1}
WIDENED = [HALF, BF16, E4M3, E5M2]
# Of elements in a block, for the emulator's sake; and once in six kernels.
MOST_PRODUCTS, RARELY = 1 << 21, 1 << 24
# Blocks along the rows and the columns of one product.
TILINGS = [(2, 1), (1, 2), (2, 2), (2, 2), (4, 1), (1, 4), (4, 2), (2, 4), (3, 2), (3, 3), (5, 1)]


@dataclass
class Plan:
    """Of a loop: acc (m x n) += a (m x k) * b (k x n), `rounds` times, for each of `tiles`."""

    types: tuple
    m: int
    n: int
    k: int
    rounds: int
    tiles: int
    tiling: tuple = (1, 1)  # blocks that share one product
    written: str = ""  # a factor that the loop writes, and belongs to the block
    period: int = 0  # of sums with two levels: multiplies to one promotion
    is_wide: bool = False  # factors are widened to float in front of a multiply

    @property
    def most(self):
        """The range of a sum, whatever was added to it at first."""
        fine = 0 if self.types[2].is_integer else 3
        most = (self.k * self.rounds + 16) * 2
        return Range(-most, most, fine)

    @property
    def is_shared(self):
        return self.tiling != (1, 1)


class Products:
    """Mixed into the generator."""

    def plan_products(self):
        choose, most = self.rng.choice, MOST_PRODUCTS if self.chance(5 / 6) else RARELY
        # More than registers hold, once in a while.
        large, sizes = (1 << 16, [128, 256, 512]) if self.chance(0.1) else (1 << 15, None)
        tiling = choose(TILINGS) if self.chance(0.35) else (1, 1)
        blocks = tiling[0] * tiling[1]
        if blocks > 1:
            large, sizes, most = 1 << 14, None, 1 << 23
        while True:
            types = self.rng.choices(PRODUCTS, [WEIGHTS.get(t[0], 2) for t in PRODUCTS])[0]
            m = choose(sizes or [16, 32, 64, 64, 64, 128, 128, 128, 256])
            n = choose(sizes or [8, 16, 32, 64, 64, 128, 128, 256])
            k = choose([8, 16, 16, 32, 32, 64, 64, 64, 128, 128])
            tiles = 1 if blocks > 1 else choose([1, 1, 1, 2, 3])
            # A ring has up to eight stages: some loops go around it more than once.
            rounds = self.rng.randint(1, 7) if self.chance(0.75) else self.rng.randint(8, 20)
            plan = Plan(types, m, n, k, rounds, tiles, tiling)
            if m * n > large or k * (m + n) > 32768 or not types[2].holds(plan.most):
                continue
            products = m * n * k * plan.rounds * tiles * blocks
            if products <= most and m * n * k * 16 >= min(most, MOST_PRODUCTS):
                break
        self.plan, self.store_forms = plan, {}
        if plan.is_shared:
            self.place_tiling()
        elif self.chance(0.25):
            plan.written = choose(["left", "right"])
        plan.is_wide = types[0] in WIDENED and types[2] is FLOAT and self.chance(0.25)
        if self.chance(0.2):
            plan.period = choose([1, 2, 2, 3, 4])

    def place_tiling(self):
        """Every launch has the product's blocks, numbered along two axes or one."""
        rows, columns = self.plan.tiling
        number = "int(ct::bid().x)"
        grid, self.tile_places = self.rng.choice(
            [
                ((rows, columns, 1), ("int(ct::bid().x)", "int(ct::bid().y)")),
                ((columns, rows, 1), ("int(ct::bid().y)", "int(ct::bid().x)")),
                ((columns, rows, 1), ("ct::bid().y", "ct::bid().x")),
                ((rows * columns, 1, 1), (f"{number} / {columns}", f"{number} % {columns}")),
                ((rows * columns, 1, 1), (f"{number} % {rows}", f"{number} / {rows}")),
            ]
        )
        self.grids = [grid] * self.launches

    def factor_range(self, element):
        if element.is_integer:
            return Range(0 if element is UCHAR else -1, 1)
        return Range(-1, 1, 1)

    def product_buffers(self):
        """The factors, behind them some room for offsets, and the sums."""
        p = self.plan
        result = []
        for name, element, extent in (
            ("left", p.types[0], p.m * p.tiling[0]),
            ("right", p.types[1], p.n * p.tiling[1]),
        ):
            size, r, is_const = extent * p.k * p.rounds + 64, self.factor_range(element), True
            if name == p.written:
                is_const = False
            narrow = element.is_restricted
            result.append(
                Buffer(
                    name,
                    element,
                    size,
                    r,
                    is_const,
                    is_narrow=narrow,
                    is_sink=not is_const,
                    is_reserved=not is_const,
                )
            )
        e = p.types[2]
        if e is FLOAT and self.chance(0.4):
            e = self.rng.choice([HALF, BF16])  # rounded when it is stored
        size = p.m * p.n * p.tiles
        result.append(self.reserved("sums", e, size))
        return [*result, *self.epilogue_buffers(), *self.written_buffers()]

    def reserved(self, name, element, size):
        """An output that these rules alone write, and nothing reads."""
        return Buffer(
            name, element, size, self.limit(element), False, is_sink=True, is_reserved=True
        )

    def buffer_named(self, name):
        return next((b for b in self.buffers if b.name == name), None)

    def place_products(self):
        """Where the block's part of each buffer begins; of one product all parts are a matrix."""
        p = self.plan
        if p.is_shared:
            names = []
            for name, place, extent in zip(("row", "column"), self.tile_places, p.tiling):
                form = f"const int NAME = {place};"
                names.append(self.declare(name, INT, Range(0, extent - 1), form, is_frozen=True))
            self.at = tuple(v.expr(is_frozen=True) for v in names)
            self.variables = [v for v in self.variables if v not in names]
        else:
            self.at = (self.constant(INT, 0), self.constant(INT, 0))
        for b in self.buffers:
            if not b.is_reserved or b.is_atomic:
                continue
            size = b.size if not p.is_shared else 0
            names = [b.name] + [a for a in [self.aliases.get(b.name)] if a]
            pointers = [self.reserved_part(b, name, size) for name in names]
            b.base, b.other = pointers[0], pointers[-1]
            if self.chance(0.5):
                b.base, b.other = b.other, b.base

    def reserved_part(self, b, name, size):
        type, number = Pointer(b.element, False), self.block_number
        form = f"{name} + {number} * {size}" if size else name
        p = Expr(type, form, [], Range(0, b.size - 1), True, variable=number if size else name)
        to = self.declare("to", type, p.range, f"{type.name}NAME = {{0}};", p, is_frozen=True)
        self.variables.remove(to)
        return to.expr(is_frozen=True)

    def products(self):
        """The loops, and what is written of them."""
        p = self.plan
        left = self.boxes_of("left", (p.m, p.k), 1, self.at[0], p.tiling[0])
        right = self.boxes_of("right", (p.k, p.n), 0, self.at[1], p.tiling[1])
        if p.is_wide:
            left, right = self.as_floats(left), self.as_floats(right)
        if p.tiles == 1:
            return self.sum_of_products(left, right, self.constant(INT, 0))
        t = self.name("t")
        head = self.counted_loop(t, p.tiles)
        with self.block() as body:
            at = Expr(INT, t, [], Range(0, p.tiles - 1), variable=t)
            self.sum_of_products(left, right, at)
        head.blocks = [body]

    def sum_of_products(self, left, right, tile):
        p = self.plan
        type = Tile(p.types[2], (p.m, p.n))
        zero = Expr(type, f"ct::zeros<{type.name}>()", [], Range(0, 0))
        start = zero
        if self.chance(0.3):
            start = self.tile(p.types[2], type.shape, 1, Range(-2, 2))
        acc = self.begin(type, p.most, start)
        others = []
        if p.period:
            others.append(self.begin(type, p.most, zero))
        elif self.chance(0.15):
            others.append(self.begin(type, p.most, zero))
        write = self.writer() if p.written or self.chance(0.4) else lambda *_: None
        i = self.name("i")
        head = self.counted_loop(i, p.rounds)
        with self.block() as body:
            at = Expr(INT, i, [], Range(0, p.rounds - 1), variable=i)
            if self.chance(0.2):
                self.statements(1)
            write("first", at, acc, tile)
            a, b = left(at), right(at)
            if self.chance(0.5):
                a, b = (self.read_into(e) for e in (a, b))
            write("read", at, acc, tile)
            if p.period:
                self.two_levels(acc, others[0], a, b, at)
            else:
                self.emit("{0} = ct::mma({1}, {2}, {0});", acc.expr(is_frozen=True), a, b)
            write("multiplied", at, acc, tile)
            if others and not p.period:
                a = left(at) if self.chance(0.5) else a
                self.emit("{0} = ct::mma({1}, {2}, {0});", others[0].expr(is_frozen=True), a, b)
            elif self.chance(0.15):
                self.touch(acc)
        head.blocks = [body]
        sum = acc.expr()
        if p.period:
            # Both together are no more than one sum would be.
            sum = Expr(type, "({0} + {1})", [sum, others[0].expr()], p.most)
        elif others:
            # Each is half of the range at most, but for what was added to one of them.
            kids = [sum, others[0].expr()]
            sum = Expr(type, "ct::max({0}, {1})", kids, p.most)
        elif p.n == p.k and not p.is_shared and self.chance(0.3):
            sum = self.product_of_sum(sum, right) or sum
        self.epilogue(sum, tile)

    def as_floats(self, box):
        """The boxes as floats: numbers of the narrow type still, or of no other type."""
        form = "ct::element_cast<float>({0})"
        if self.chance(0.4):
            other = self.rng.choice(["(-{0})", "ct::abs({0})", "ct::max({0}, -0.5f)"])
            form = other.replace("{0}", form)
        return lambda at: (lambda e: Expr(Tile(FLOAT, e.type.shape), form, [e], e.range))(box(at))

    def read_into(self, e):
        """A variable that is read into, under a hint once in a while."""
        if self.chance(0.3):
            f = self.declare("f", e.type, e.range, f"{e.type.name} NAME;")
            hint = self.hint(STATEMENT_HINTS) + " " if self.chance(0.7) else ""
            self.emit(hint + "{0} = {1};", f.expr(is_frozen=True), e, is_frozen=True)
            return f.expr()
        return self.declare("f", e.type, e.range, "auto NAME = {0};", e).expr()

    def two_levels(self, outer, inner, a, b, at):
        """acc = acc + inner after each `period` multiplies, and inner begins again."""
        period, zero = self.plan.period, f"ct::zeros<{inner.type.name}>()"
        kids = [inner.expr(is_frozen=True), a, b]
        self.emit("{0} = ct::mma({1}, {2}, {0});", *kids)
        head = self.emit(f"if ({{0}} % {period} == {self.rng.randrange(period)}) {{{{", at)
        with self.block() as body:
            self.emit("{0} = {0} + {1};", outer.expr(is_frozen=True), inner.expr(is_frozen=True))
            self.emit(f"{{0}} = {zero};", inner.expr(is_frozen=True), is_frozen=True)
        head.blocks = [body]

    def touch(self, acc):
        """Something else that happens to the sum between two products."""
        p = self.plan
        x = self.rng.randint(1, 16)
        bound, low = (self.constant(p.types[2], value) for value in (x, -x))
        form = self.rng.choice(
            [
                f"{{0}} = ct::max({{0}}, {low});",
                f"{{0}} = ct::min({{0}}, {bound});",
                f"{{0}} = ct::select({{0}} > {bound}, ct::full<{acc.type.name}>({bound}), {{0}});",
            ]
        )
        self.emit(form, acc.expr(is_frozen=True))

    def product_of_sum(self, sum, right):
        """The sum, cut to what a factor holds, times a box of the right factor."""
        p = self.plan
        e = p.types[0]
        r = self.factor_range(e)
        if e.is_integer or not p.types[2].holds(Range(-p.k, p.k, 4)):
            return None
        low, high = (self.constant(p.types[2], x) for x in (r.lo, r.hi))
        # Halves are exact in every factor's type; what lies between is rounded away first.
        form = f"ct::element_cast<{e.name}>(ct::floor(ct::min(ct::max({{0}}, {low}), {high})))"
        if p.is_wide:
            form, e = f"ct::element_cast<float>({form})", FLOAT
        a = Expr(Tile(e, (p.m, p.k)), form, [sum], r)
        zero = Expr(sum.type, f"ct::zeros<{sum.type.name}>()", [], Range(0, 0))
        kids = [a, right(self.constant(INT, 0)), zero]
        return Expr(sum.type, "ct::mma({0}, {1}, {2})", kids, p.most)

    # Factors.

    def boxes_of(self, name, shape, along, place, blocks):
        """A function of the counter: a box of the buffer that moves along this dimension of K, at
        the block's place among so many along the other one."""
        p, b = self.plan, self.buffer_named(name)
        element, r = b.element, b.range
        turned = self.chance(0.3)
        form = self.rng.choice(["plain"] * 6 + ["units"] * 2 + ["split"])
        box = shape[::-1] if turned else shape
        moves = 1 - along if turned else along
        extents = [e * (p.rounds if d == moves else blocks) for d, e in enumerate(box)]
        masked = self.chance(0.6)
        if masked and self.chance(0.6) and not self.checked:
            d = self.rng.randrange(2)
            extents[d] = max(1, extents[d] - self.rng.choice([1, 2, 3, 5, 8, box[d] // 2]))
        at = self.constant(INT, self.rng.choice([0, 0, 0, 1, 2, 4, 8, 16]))
        base = Expr(Pointer(element, True), b.name, [], Range(0, b.size - 1), variable=b.name)
        if not b.is_const:
            base = b.base
        if at.range.hi:
            room = Range(0, b.size - 1 - at.range.hi)
            base = Expr(base.type, "({0} + {1})", [base, at], room)
        places = ["{1}" if d == moves else "{2}" if blocks > 1 else "0" for d in range(2)]
        matrix = box
        if form == "units":  # as arrays of heads and batches are: 1 x rows x 1 x columns
            for d in self.rng.choice([(0,), (1,), (2,), (0, 2), (0, 1)]):
                extents.insert(d, 1), places.insert(d, "0")
                box = (*box[:d], 1, *box[d:])
        elif form == "split":  # one dimension is two in memory
            d = self.rng.randrange(2)
            inner = 1 << self.rng.randint(0, box[d].bit_length() - 1)
            extents[d : d + 1] = [extents[d] // inner, inner]
            extents[d] = max(1, extents[d])
            places.insert(d + 1, "0")
            box = (*box[:d], box[d] // inner, inner, *box[d + 1 :])
        form, kids = self.span(base, tuple(extents), base.range.hi + 1)
        form = f"auto NAME = ct::partition_view{{{{{form}, {shape_name(box)}{{{{}}}}}}}};"
        view = self.declare("view", None, None, form, *kids).expr()
        word = "load_masked" if masked else "load"
        if name == p.written:
            self.plan_writes(b, box, view, places, word)
        computed = self.chance(0.15) and not element.is_restricted and not element.is_integer

        def load(counter):
            form = f"{{0}}.{word}({', '.join(places)})"
            kids = [view, counter, place] if blocks > 1 else [view, counter]
            e = Expr(Tile(element, box), form, kids, r)
            if box != matrix:
                form = f"ct::reshape<{shape_name(matrix)}>({{0}})"
                e = Expr(Tile(element, matrix), form, [e], r)
            if turned:
                forms = ["ct::transpose({0})", "ct::permute({0}, ct::dimension_map<1, 0>{{}})"]
                e = Expr(Tile(element, shape), self.rng.choice(forms), [e], r)
            if computed:
                e = Expr(e.type, self.rng.choice(["(-{0})", "ct::abs({0})"]), [e], r)
            return e

        return load
