"""What loops carry: accumulators of sums and products over boxes, and tiles of pointers that are
chosen, moved on, turned and read."""

from .control import STATEMENT_RULES
from .elements import BOOL, DOUBLE, FLOAT, HALF, INT, LLONG, Range, UINT
from .memory import STORE_RULES
from .reductions import PRODUCTS
from .tiles import ANY_RULES
from .tree import Expr, Pointer, Tile, count, shape_name


class Carried:
    """Mixed into the generator. The range of a pointer tile is what may be added to it."""

    # Accumulators.

    def counted_loop(self, i, most):
        """The head of a loop of at most `most` rounds; counter i stays below it."""
        n = self.scalar(INT, 1, Range(0, most))
        forms = [
            f"for (int {i} = 0; {i} < {{0}}; ++{i}) {{{{",
            f"for (auto {i} : ct::irange(0, {{0}})) {{{{",
            f"for (int {i} = {{0}} - 1; {i} >= 0; --{i}) {{{{",
        ]
        if self.chance(0.5):
            n = self.constant(INT, most)
        return self.emit(self.rng.choice(forms), n, defines=(i,))

    @STATEMENT_RULES.add(4)
    def accumulate(self):
        """acc = acc + x or acc = mma(a, b, acc) in a loop, over boxes that follow the counter."""
        if self.depth >= 2 or self.budget < 0:
            return False
        rounds = self.rng.choice([2, 3, 4, 6])
        if self.chance(0.5):
            return self.accumulate_product(rounds)
        element, shape = self.rng.choice([INT, FLOAT, FLOAT, DOUBLE, LLONG]), self.usual_shape()
        most = Range(-64 * rounds, 64 * rounds, 3 if element.is_float else 0)
        acc = self.begin(Tile(element, shape), most, self.tile(element, shape, 1, Range(-9, 9)))
        i = self.name("i")
        x = self.box(element, shape, i, rounds) if self.chance(0.7) else None
        head = self.counted_loop(i, rounds)
        with self.block() as body:
            x = self.kept_tile(x or self.tile(element, shape, 2), Range(-32, 32, most.frac))
            self.emit("{0} = {0} + {1};", acc.expr(is_frozen=True), x)
        head.blocks = [body]
        return True

    def begin(self, type, r, start):
        """A variable of the accumulator's whole range; only its loop writes it."""
        return self.declare("acc", type, r, f"{type.name} NAME = {{0}};", start)

    def accumulate_product(self, rounds):
        types = self.rng.choice([t for t in PRODUCTS if t[2] is not BOOL])
        m, n, k = (1 << self.rng.randint(0, 6) for _ in range(3))
        if self.chance(0.3):  # what a warpgroup multiplies
            m, n, k = (1 << self.rng.randint(*bits) for bits in ((6, 7), (3, 6), (3, 6)))
        left, right, sum = types
        small = Range(0, 1) if left.kind == "unsigned" or right.kind == "unsigned" else Range(-1, 1)
        most = Range(
            -k * rounds - 2, k * rounds + 2, 2 if left.is_float or left.is_restricted else 0
        )
        if k * (m + n) > 8192 or m * n > 4096 or not sum.holds(most):
            return False
        start = self.tile(sum, (m, n), 1, Range(-2, 2, 0))
        acc = self.begin(Tile(sum, (m, n)), most, start)
        i = self.name("i")
        a = self.moving_factor(left, (m, k), i, rounds, small)
        b = self.moving_factor(right, (k, n), i, rounds, small)
        head = self.counted_loop(i, rounds)
        with self.block() as body:
            if self.chance(0.3):
                self.statements(1)
            self.emit("{0} = ct::mma({1}, {2}, {0});", acc.expr(is_frozen=True), a, b)
        head.blocks = [body]
        return True

    def moving_factor(self, element, shape, i, rounds, small):
        kid = FLOAT if element.is_restricted else element
        turned = self.chance(0.3)
        wanted = shape[::-1] if turned else shape
        e = self.box(kid, wanted, i, rounds) or self.tile(kid, wanted, 1, small)
        e = self.kept_tile(e, small)
        if turned:
            e = Expr(Tile(kid, shape), "ct::transpose({0})", [e], e.range)
        if element.is_restricted:
            form = f"ct::element_cast<{element.name}>({{0}})"
            e = Expr(Tile(element, shape), form, [e], e.range)
        return e

    def box(self, element, shape, i, rounds):
        """A load of the box that a loop's counter names, or None."""
        if not shape or not self.readable() & {element}:
            return None
        p = self.address(element)
        if p is None:
            return None
        room, counter = min(p.range.hi + 1, 4096), Expr(
            INT, i, [], Range(0, rounds - 1), variable=i
        )
        if self.chance(0.5):
            d = self.rng.randrange(len(shape))
            extents = tuple(e * rounds if k == d else e for k, e in enumerate(shape))
            if self.chance(0.4) and not self.checked:
                extents = tuple(max(1, e - self.rng.choice([0, 1, 3])) for e in extents)
            if count(extents) > room:
                return None
            form, kids = self.span(p, extents, room)
            form = f"auto NAME = ct::partition_view{{{{{form}, {shape_name(shape)}{{{{}}}}}}}};"
            view = self.declare("view", None, None, form, *kids).expr()
            places = ", ".join("{1}" if k == d else "0" for k in range(len(shape)))
            form = f"{{0}}.load_masked({places})"
            return Expr(Tile(element, shape), form, [view, counter], self.limit(element))
        step = (room - count(shape)) // rounds
        if step < 0:
            return None
        step = self.rng.choice([step, min(step, count(shape)), min(step, 1)])
        lanes = self.iota(shape)
        form = self.rng.choice(
            [
                f"ct::load({{0}} + ({{1}} + {{2}} * {step}))",
                f"ct::load({{0}} + {{2}} * {step} + {{1}})",
            ]
        )
        return Expr(Tile(element, shape), form, [p, lanes, counter], self.limit(element))

    # Tiles that nests carry.

    @STATEMENT_RULES.add(3)
    def nest(self):
        """A tile that for, while and if carry inside one another, moved in each, reduced inside."""
        shape = self.usual_shape()
        if self.depth >= 1 or self.budget < 0 or len(shape) < 1 or count(shape) > 1024:
            return False
        element = self.rng.choice([INT, INT, UINT, FLOAT, FLOAT, HALF])
        type, r = Tile(element, shape), self.limit(element)
        start = self.kept_tile(self.tile(element, shape, 2), r)
        v = self.declare("carried", type, r, f"{type.name} NAME = {{0}};", start)
        self.nest_level(v, self.rng.choice([1, 2, 2, 3]))
        return True

    def nest_level(self, v, depth):
        if depth == 0:
            return self.move_carried(v)
        kind, counter = self.rng.choice(["for", "for", "while", "if"]), ""
        if kind == "for":
            head = self.counted_loop(self.name("i"), self.rng.choice([1, 2, 3]))
        elif kind == "while":
            counter = self.counter()
            c = Expr(INT, counter, [], Range(0, 3), True, variable=counter)
            head = self.emit("while ({0}++ < {1}) {{", c, self.scalar(INT, 1, Range(0, 3)))
        else:
            truth = self.truth(1)
            if self.chance(0.4):
                truth = Expr(
                    BOOL, "({0} > {1})", [self.one_of(v), self.constant(v.type.element, 0)]
                )
            head = self.emit("if ({0}) {{", truth)
        with self.block() as body:
            for _ in range(self.rng.choice([0, 1, 1, 2])):
                self.move_carried(v)
            self.nest_level(v, depth - 1)
            if self.chance(0.4) and not self.is_pure:
                self.store()
        head.blocks = [body]
        if kind == "if" and self.chance(0.4):
            with self.block() as body:
                self.move_carried(v)
            head.blocks.append(body)
            head.between = ["} else {"]
        return None

    def one_of(self, v):
        """A number that depends on every element."""
        n, word = count(v.type.shape), self.rng.choice(["reduce_max", "reduce_min"])
        form = f"ct::{word}<0>(ct::reshape<ct::shape<{n}>>({{0}}))"
        form = f"static_cast<{v.type.element.name}>({form})"
        return Expr(v.type.element, form, [v.expr()], v.range)

    def move_carried(self, v):
        """The tile in another order, of another shape in between, or as wide as its reduction."""
        e, shape, x = v.type.element, v.type.shape, v.expr(is_frozen=True)
        name, kind = shape_name(shape), self.rng.choice(["permute", "reshape", "reduce", "meet"])
        if kind == "permute" and len(shape) > 1:
            order = list(range(len(shape)))
            self.rng.shuffle(order)
            form = f"ct::permute({{0}}, ct::dimension_map<{', '.join(map(str, order))}>{{{{}}}})"
            return self.emit(f"{{0}} = ct::reshape<{name}>({form});", x)
        if kind == "reshape":
            other = self.regrouped(shape)
            form = f"ct::reshape<{shape_name(other)}>({{0}})"
            if len(other) > 1:
                form = f"ct::transpose({form})"
            return self.emit(f"{{0}} = ct::reshape<{name}>({form});", x)
        if kind == "reduce":
            d = self.rng.randrange(len(shape))
            word = self.rng.choice(["reduce_max", "reduce_min"])
            mask = self.tile(BOOL, self.narrowed(shape), 1)
            form = f"ct::broadcast<{name}>(ct::{word}<{d}>({{0}}))"
            return self.emit(f"{{0}} = ct::select({{1}}, {form}, {{0}});", x, mask)
        other = self.kept_tile(self.tile(e, self.narrowed(shape), 1), v.range)
        word = self.rng.choice(["min", "max"])
        return self.emit(f"{{0}} = ct::{word}({{0}}, {{1}});", x, other)

    # Tiles of pointers.

    @STATEMENT_RULES.add(4)
    def declare_pointer_tile(self):
        found = sorted(self.readable(), key=str)
        if not found:
            return False
        shape, p = self.usual_shape(), self.address(self.rng.choice(found), 64)
        if p is None or not shape:
            return False
        if p.type.is_const:
            # A parameter may be a plain pointer; tiles of both kinds do not mix.
            p = Expr(p.type, f"static_cast<{p.type.name}>({{0}})", [p], p.range)
        room = min(p.range.hi + 1, 4096)
        i = self.indices(shape, max(room // 2, 1), False, 1)
        type = Tile(p.type, shape)
        r = Range(-i.range.lo, room - 1 - i.range.hi)
        e = Expr(type, "({0} + {1})", [p, i], r)
        other = self.any_pointer_tile(type)
        if other is not None and self.chance(0.5):
            r = Range(max(r.lo, other.range.lo), min(r.hi, other.range.hi))
            mask = self.tile(BOOL, self.narrowed(shape), 1)
            e = Expr(type, "ct::select({0}, {1}, {2})", [mask, e, other], r)
        if self.chance(0.5):
            return self.walk_pointers(e)
        self.declare("ptrs", type, e.range, "auto NAME = {0};", e)
        return True

    def any_pointer_tile(self, type):
        found = [v for v in self.in_scope(type) if v.range.lo <= 0 <= v.range.hi]
        return self.rng.choice(found).expr() if found else None

    def walk_pointers(self, e):
        """A tile of pointers that a loop moves on."""
        rounds, step = self.rng.choice([2, 3, 4]), self.rng.choice([1, 3, 16, 64])
        r = Range(e.range.lo, e.range.hi - rounds * step)
        if r.hi < 0 or self.depth >= 2 or self.budget < 0:
            return False
        v = self.declare("ptrs", e.type, r, "auto NAME = {0};", e)
        head = self.counted_loop(self.name("i"), rounds)
        with self.block() as body:
            self.loop_depth += 1
            self.statements(self.small())
            self.loop_depth -= 1
            self.emit(f"{{0}} = {{0}} + {step};", v.expr(is_frozen=True), is_frozen=True)
        head.blocks = [body]
        return True

    @ANY_RULES.add(3)
    def tile_through_pointers(self, element, shape, depth):
        found = [
            v
            for v in self.variables
            if isinstance(v.type, Tile)
            and isinstance(v.type.element, Pointer)
            and v.type.element.element == element
            and v.type.count == count(shape)
        ]
        if not found:
            return None
        v = self.rng.choice(found)
        e = v.expr()
        if v.type.shape != shape:
            form = f"ct::reshape<{shape_name(shape)}>({{0}})"
            e = Expr(Tile(v.type.element, shape), form, [e], v.range)
        type, r = Tile(element, shape), self.limit(element)
        if self.chance(0.4) and v.range.hi > 0:
            i = self.any_integer(Range(0, min(v.range.hi, 63)), 1)
            return Expr(type, "ct::load({0} + {1})", [e, i], r)
        if self.chance(0.3):
            mask, pad = self.tile(BOOL, shape, 1), self.scalar(element, 1)
            return Expr(type, "ct::load_masked({0}, {1}, {2})", [e, mask, pad], r.union(pad.range))
        return Expr(type, "ct::load({0})", [e], r)

    @STORE_RULES.add(2)
    def store_through_pointers(self):
        """Distinct places that are a tile of pointers first."""
        o = self.written()
        p = self.address(o.element, 1, True)
        shape = self.usual_shape()
        if not shape or count(shape) > p.range.hi + 1 or not self.can_emit:
            return False
        i = self.indices(shape, p.range.hi + 1, True)
        type = Tile(p.type, shape)
        at = self.declare("ptrs", type, Range(0, 0), "auto NAME = {0} + {1};", p, i).expr(True)
        self.emit("ct::store({0}, {1});", at, self.tile(o.element, shape, self.tile_depth))
        return True
