"""What loops of multiplies write, which a planner that reads ahead must not get wrong: scalars,
boxes of views, tiles through pointers, atomics, under conditions and masks; to other memory, and to
a factor that the loop still reads, through the pointer that is read or through another one.
"""

from .elements import DOUBLE, FLOAT, INT, Range
from .tree import Expr, Tile, count

POSITIONS = ["first", "read", "multiplied"]


class Writes:
    """Mixed into the generator, beside Products. A factor that the loop writes is the block's own,
    and keeps its range, so that sums keep theirs."""

    def written_buffers(self):
        p = self.plan
        size = p.m * p.n * p.rounds
        if size > 1 << 17 or self.chance(0.6):
            return []
        return [self.reserved("chunks", self.stored_element(), size)]

    def plan_writes(self, buffer, box, view, places, load):
        """What is known of the factor that the loop writes."""
        self.target = (buffer, box, view, places, load)

    def writer(self):
        """A function of a position in the loop that writes there what was chosen for it."""
        kinds = [self.write_number, self.write_number, self.write_anything, self.write_anything]
        if self.buffer_named("chunks"):
            kinds += [self.write_chunk] * 6
        if self.buffer_named("total"):
            kinds += [self.write_total] * 2
        if self.plan.written:
            kinds += [self.write_box] * 6 + [self.write_into_factor] * 4
        chosen = [
            (self.rng.choice(POSITIONS), self.rng.choice(kinds), self.chance(0.25))
            for _ in range(self.rng.choice([1, 1, 1, 2, 3]))
        ]
        if self.plan.written and not any(
            k in (self.write_box, self.write_into_factor) for _, k, _ in chosen
        ):
            chosen.append((self.rng.choice(POSITIONS), self.write_box, False))

        def write(position, at, acc, tile):
            for where, kind, is_conditional in chosen:
                if where != position:
                    continue
                if not is_conditional:
                    kind(at, acc, tile)
                    continue
                odd = Expr(INT, "({0} & 1)", [at], Range(0, 1))
                truth = odd if self.chance(0.6) else self.truth(1)
                head = self.emit("if ({0}) {{", truth)
                with self.block() as body:
                    kind(at, acc, tile)
                head.blocks = [body]

        return write

    def write_anything(self, at, acc, tile):
        self.store()

    def write_number(self, at, acc, tile):
        """An element that the counter names."""
        o = self.written()
        p = self.address(o.element, 8, True, 0)
        if p is None:
            return
        form = self.rng.choice(["{0}[{1}] = {2};", "ct::store({0} + {1}, {2});"])
        self.emit(form, p, at, self.scalar(o.element, 2))

    def write_chunk(self, at, acc, tile):
        """The sum as it is, into a box or a part of the iteration's own."""
        value = self.stored_as(acc.expr(), self.buffer_named("chunks"))
        self.store_part(self.buffer_named("chunks"), value, at, self.plan.rounds)

    def write_total(self, at, acc, tile):
        o = self.written()
        if self.chance(0.5) or o.element not in (FLOAT, DOUBLE):
            return self.write_anything(at, acc, tile)
        i = self.any_integer(Range(0, 255), 1)
        scope = "ct::memory_order_relaxed_t{{}}, ct::thread_scope_block_t{{}}"
        p = self.address(o.element, 256, True)
        if p is not None:
            self.emit(
                f"ct::atomic_store({{0}} + {{1}}, {{2}}, {scope});", p, i, self.scalar(o.element, 2)
            )

    # Into a factor.

    def other_iteration(self, at):
        rounds = self.plan.rounds
        form = self.rng.choice(
            [
                "{0}",
                "{0}",
                f"({{0}} + 1) % {rounds}",
                f"({{0}} + 2) % {rounds}",
                f"{rounds - 1} - {{0}}",
                "0",
                "{0} / 2",
            ]
        )
        kids = [at] if "{0}" in form else []
        return Expr(INT, f"({form})", kids, Range(0, rounds - 1))

    def value_of_factor(self, shape):
        b = self.target[0]
        if b.element.is_restricted:
            return self.narrow(b.element, shape, 1)
        return self.tile(b.element, shape, 1, b.range)

    def write_box(self, at, acc, tile):
        """A box of the factor, of this iteration or another one: changed, or made anew."""
        b, box, view, places, load = self.target
        to = self.other_iteration(at)
        value = self.value_of_factor(box)
        if self.chance(0.4) and not b.element.is_restricted and b.range.lo < 0:
            places_read = ", ".join(places)
            form = f"(-{{0}}.{load}({places_read}))"
            value = Expr(Tile(b.element, box), form, [view, self.other_iteration(at)], b.range)
        store = "store_masked" if load == "load_masked" else "store"
        places = ", ".join(places).replace("{1}", "{2}")
        hint = self.store_hint()
        self.emit(f"{hint}{{0}}.{store}({{1}}, {places});", view, value, to)

    def write_into_factor(self, at, acc, tile):
        """Elements of the factor through a pointer, which may be a second one to this memory."""
        b = self.target[0]
        pointer, shape = b.other if self.chance(0.6) else b.base, self.usual_shape()
        if self.chance(0.4) and not b.element.is_restricted:
            i = self.any_integer(Range(0, b.size - 1), 1)
            value = self.scalar(b.element, 2, b.range)
            forms = ["{0}[{1}] = {2};", "*({0} + {1}) = {2};", "ct::store({0} + {1}, {2});"]
            if b.element in (FLOAT, DOUBLE):
                forms.append("ct::atomic_store({0} + {1}, {2}, ct::memory_order_relaxed_t{{}});")
            return self.emit(self.rng.choice(forms), pointer, i, value)
        if count(shape) > b.size or not shape:
            return None
        value = self.value_of_factor(shape)
        if self.chance(0.4):
            i, mask = self.masked_indices(shape, b.size, True)
            form = "ct::store_masked({0} + {1}, {2}, {3});"
            return self.emit(form, pointer, i, value, mask)
        i = self.indices(shape, b.size, True)
        return self.emit("ct::store({0} + {1}, {2});", pointer, i, value)
