"""Kernels that are about products of matrices: what the planner gives to the matrix units, and what
keeps it from doing so.

A kernel of `--products` has one loop over K at its heart, or a loop of such loops, over boxes of
views as kernels have them: the factors come straight from memory, turned, converted, computed or
out of views with more dimensions; the sums are touched in the loop or left alone, are the factors
of a second product, and leave through views or pointers. Sizes are those of the units and odd ones.
"""

from dataclasses import dataclass

from .elements import BF16, DOUBLE, E4M3, E5M2, FLOAT, HALF, INT, Range, TF32, UCHAR
from .base import Buffer
from .reductions import PRODUCTS
from .tree import Expr, Pointer, Tile, shape_name

# How often a sum of these factors is chosen: those of the matrix units more.
WEIGHTS = {BF16: 6, HALF: 4, TF32: 4, E4M3: 3, E5M2: 3, FLOAT: 1, DOUBLE: 1}
# Of elements in a block, for the emulator's sake; and once in six kernels.
MOST_PRODUCTS, RARELY = 1 << 21, 1 << 24


@dataclass
class Plan:
    """Of a loop: acc (m x n) += a (m x k) * b (k x n), `rounds` times, for each of `tiles`."""

    types: tuple
    m: int
    n: int
    k: int
    rounds: int
    tiles: int

    @property
    def most(self):
        """The range of a sum, whatever was added to it at first."""
        fine = 0 if self.types[2].is_integer else 3
        most = (self.k * self.rounds + 16) * 2
        return Range(-most, most, fine)


class Products:
    """Mixed into the generator."""

    def plan_products(self):
        choose, most = self.rng.choice, MOST_PRODUCTS if self.chance(5 / 6) else RARELY
        # More than registers hold, once in a while.
        large, sizes = (1 << 16, [128, 256, 512]) if self.chance(0.1) else (1 << 15, None)
        while True:
            types = self.rng.choices(PRODUCTS, [WEIGHTS.get(t[0], 2) for t in PRODUCTS])[0]
            m = choose(sizes or [16, 32, 64, 64, 64, 128, 128, 128, 256])
            n = choose(sizes or [8, 16, 32, 64, 64, 128, 128, 256])
            k = choose([8, 16, 16, 32, 32, 64, 64, 64, 128, 128])
            plan = Plan(types, m, n, k, self.rng.randint(1, 7), choose([1, 1, 1, 2, 3]))
            if m * n > large or k * (m + n) > 32768 or not types[2].holds(plan.most):
                continue
            if m * n * k * plan.rounds * plan.tiles <= most and m * n * k * 16 >= most:
                self.plan = plan
                return

    def factor_range(self, element):
        if element.is_integer:
            return Range(0 if element is UCHAR else -1, 1)
        return Range(-1, 1, 1)

    def product_buffers(self):
        """The factors, behind them some room for offsets, and the sums."""
        p = self.plan
        result = []
        for name, element, extent in (("left", p.types[0], p.m), ("right", p.types[1], p.n)):
            size = extent * p.k * p.rounds + 64
            r = self.factor_range(element)
            result.append(Buffer(name, element, size, r, True, is_narrow=element.is_restricted))
        e = p.types[2]
        if e is FLOAT and self.chance(0.4):
            e = self.rng.choice([HALF, BF16])  # rounded when it is stored
        size = p.m * p.n * p.tiles
        return [*result, Buffer("sums", e, size, self.limit(e), False, is_sink=True)]

    def buffer_named(self, name):
        return next(b for b in self.buffers if b.name == name)

    def products(self):
        """The loops, and what is written of them."""
        p = self.plan
        left = self.boxes_of("left", (p.m, p.k), 1)
        right = self.boxes_of("right", (p.k, p.n), 0)
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
        second = self.begin(type, p.most, zero) if self.chance(0.15) else None
        i = self.name("i")
        head = self.counted_loop(i, p.rounds)
        with self.block() as body:
            at = Expr(INT, i, [], Range(0, p.rounds - 1), variable=i)
            if self.chance(0.2):
                self.statements(1)
            a, b = left(at), right(at)
            if self.chance(0.5):
                a, b = (self.declare("f", e.type, e.range, "auto NAME = {0};", e) for e in (a, b))
                a, b = a.expr(), b.expr()
            self.emit("{0} = ct::mma({1}, {2}, {0});", acc.expr(is_frozen=True), a, b)
            if second:
                a = left(at) if self.chance(0.5) else a
                self.emit("{0} = ct::mma({1}, {2}, {0});", second.expr(is_frozen=True), a, b)
            elif self.chance(0.15):
                self.touch(acc)
        head.blocks = [body]
        sum = acc.expr()
        if second:
            # Each is half of the range at most, but for what was added to one of them.
            kids = [sum, second.expr()]
            sum = Expr(type, "ct::max({0}, {1})", kids, p.most)
        elif p.n == p.k and self.chance(0.3):
            sum = self.product_of_sum(sum, right) or sum
        self.write_sums(sum, tile)

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
        a = Expr(Tile(e, (p.m, p.k)), form, [sum], r)
        zero = Expr(sum.type, f"ct::zeros<{sum.type.name}>()", [], Range(0, 0))
        kids = [a, right(self.constant(INT, 0)), zero]
        return Expr(sum.type, "ct::mma({0}, {1}, {2})", kids, p.most)

    # Factors.

    def boxes_of(self, name, shape, along):
        """A function of the counter: a box of the buffer that moves along this dimension of K."""
        p, b = self.plan, self.buffer_named(name)
        element, r = b.element, b.range
        turned = self.chance(0.3)
        form = self.rng.choice(["plain"] * 6 + ["units"] * 2 + ["split"])
        box = shape[::-1] if turned else shape
        moves = 1 - along if turned else along
        extents = [e * p.rounds if d == moves else e for d, e in enumerate(box)]
        masked = self.chance(0.6)
        if masked and self.chance(0.6) and not self.checked:
            d = self.rng.randrange(2)
            extents[d] = max(1, extents[d] - self.rng.choice([1, 2, 3, 5, 8, box[d] // 2]))
        at = self.constant(INT, self.rng.choice([0, 0, 0, 1, 2, 4, 8, 16]))
        base = Expr(Pointer(element, True), b.name, [], Range(0, b.size - 1), variable=b.name)
        if at.range.hi:
            room = Range(0, b.size - 1 - at.range.hi)
            base = Expr(base.type, "({0} + {1})", [base, at], room)
        places = ["{1}" if d == moves else "0" for d in range(2)]
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
        computed = self.chance(0.15) and not element.is_restricted and not element.is_integer

        def load(counter):
            form = f"{{0}}.{word}({', '.join(places)})"
            e = Expr(Tile(element, box), form, [view, counter], r)
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

    # Sums.

    def write_sums(self, sum, tile):
        """Into the block's part of the buffer, as a box of a view or through pointers."""
        p, o = self.plan, self.buffer_named("sums")
        type = sum.type
        if self.chance(0.3):
            other = self.tile(type.element, (1, p.n), 1, Range(-2, 2))
            r = Range(p.most.lo - 2, p.most.hi + 2, p.most.frac)
            if type.element.holds(r):
                sum = Expr(type, "({0} + {1})", [sum, other], r)
        if o.element != type.element:
            form = f"ct::element_cast<{o.element.name}>({{0}})"
            sum = Expr(Tile(o.element, type.shape), form, [sum], self.limit(o.element))
        if self.chance(0.25):
            lanes = self.iota(type.shape)
            form = f"ct::store({{0}} + ({{1}} + {{2}} * {p.m * p.n}), {{3}});"
            return self.emit(form, o.base, lanes, tile, sum, is_frozen=True)
        extents = (p.m * p.tiles, p.n)
        if self.chance(0.4) and not self.checked:
            extents = (extents[0] - self.rng.choice([0, 1, 7]), p.n - self.rng.choice([0, 1, 2]))
        form, kids = self.span(o.base, extents, o.size)
        form = f"auto NAME = ct::partition_view{{{{{form}, {shape_name(type.shape)}{{{{}}}}}}}};"
        view = self.declare("view", None, None, form, *kids).expr()
        self.emit("{0}.store_masked({1}, {2}, 0);", view, sum, tile, is_frozen=True)
