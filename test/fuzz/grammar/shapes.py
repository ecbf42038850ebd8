"""Operations that move elements: reshape, transpose, permute, extract, insert, cat."""

from .elements import DOUBLE, FLOAT, INT, LLONG, Range, UINT
from .tiles import ANY_RULES
from .tree import Expr, Tile, count, shape_name


class Shapes:
    """Mixed into the generator. Every rule gives a tile of a wanted shape."""

    def regrouped(self, shape):
        """Another shape of as many elements."""
        bits = count(shape).bit_length() - 1
        rank = self.rng.choice([1, 2, 3, 4])
        cuts = sorted(self.rng.randint(0, bits) for _ in range(rank - 1))
        return tuple(1 << (b - a) for a, b in zip([0] + cuts, cuts + [bits]))

    @ANY_RULES.add(5)
    def tile_reshape(self, element, shape, depth):
        a = self.tile(element, self.regrouped(shape), depth)
        form = self.rng.choice(
            [
                f"ct::reshape({{0}}, {shape_name(shape)}{{{{}}}})",
                f"ct::reshape<{shape_name(shape)}>({{0}})",
            ]
        )
        return Expr(Tile(element, shape), form, [a], a.range)

    @ANY_RULES.add(4)
    def tile_transpose(self, element, shape, depth):
        if len(shape) < 2:
            return None
        a = self.tile(element, (shape[1], shape[0]) + shape[2:], depth)
        return Expr(Tile(element, shape), "ct::transpose({0})", [a], a.range)

    @ANY_RULES.add(4)
    def tile_permute(self, element, shape, depth):
        order = list(range(len(shape)))
        if len(order) < 2:
            return None
        self.rng.shuffle(order)
        source = [0] * len(shape)
        for k, d in enumerate(order):
            source[d] = shape[k]
        a = self.tile(element, tuple(source), depth)
        return Expr(
            Tile(element, shape),
            f"ct::permute({{0}}, ct::dimension_map<{', '.join(map(str, order))}>{{{{}}}})",
            [a],
            a.range,
        )

    def part_index(self, parts):
        """An index below `parts`: a constant or known at run time only."""
        if self.chance(0.5):
            return self.constant(INT, self.rng.randint(0, parts - 1))
        return self.any_integer(Range(0, parts - 1), 1, (INT, UINT, LLONG))

    @ANY_RULES.add(3)
    def tile_extract(self, element, shape, depth):
        whole = tuple(e * self.rng.choice([1, 2, 4]) if count(shape) <= 256 else e for e in shape)
        if not shape or count(whole) > 2048:
            return None
        a = self.tile(element, whole, depth)
        at = [self.part_index(w // e) for w, e in zip(whole, shape)]
        places = ", ".join("{%d}" % (i + 1) for i in range(len(at)))
        return Expr(
            Tile(element, shape),
            f"ct::extract({{0}}, {shape_name(shape)}{{{{}}}}, {places})",
            [a, *at],
            a.range,
        )

    @ANY_RULES.add(2)
    def tile_insert(self, element, shape, depth):
        if not shape:
            return None
        part = tuple(e // self.rng.choice([1, 2, 4]) if e >= 4 else e for e in shape)
        a, b = self.tile(element, shape, depth), self.tile(element, part, depth)
        at = [self.part_index(e // p) for e, p in zip(shape, part)]
        places = ", ".join("{%d}" % (i + 2) for i in range(len(at)))
        return Expr(
            Tile(element, shape),
            f"ct::insert({{0}}, {{1}}, {places})",
            [a, b, *at],
            a.range.union(b.range),
        )

    @ANY_RULES.add(0.15)
    def tile_large_parts(self, element, shape, depth):
        """Put together, changed and cut out at places known at run time, beyond shared memory."""
        if len(shape) != 2 or element not in (INT, FLOAT, DOUBLE, LLONG) or self.is_large:
            return None
        if max(shape) > 128 or self.depth > 1:
            return None
        self.is_large = True
        whole = (128, 256) if self.chance(0.5) else (256, 128)
        d = self.rng.randrange(2)
        half = tuple(e // 2 if k == d else e for k, e in enumerate(whole))
        a = self.tile(element, half, 0, self.limit(element))
        row = self.tile(element, (1, half[1]), 1)
        column = self.tile(element, (half[0], 1), 1)
        b = self.rng.choice([row, column])
        part = self.tile(element, (8, 32), 1)
        kids = [a, b, part]
        form = f"ct::cat<{d}>({{0}}, ct::broadcast<{shape_name(half)}>({{1}}))"
        for cut in ((8, 32), shape):
            for e, p in zip(whole, cut):
                kids.append(self.part_index(e // p))
        form = f"ct::insert({form}, {{2}}, {{3}}, {{4}})"
        form = f"ct::extract({form}, {shape_name(shape)}{{{{}}}}, {{5}}, {{6}})"
        return Expr(Tile(element, shape), form, kids, self.limit(element))

    @ANY_RULES.add(3)
    def tile_cat(self, element, shape, depth):
        dims = [d for d, e in enumerate(shape) if e > 1]
        if not dims:
            return None
        d = self.rng.choice(dims)
        half = shape[:d] + (shape[d] // 2,) + shape[d + 1 :]
        a, b = self.tile(element, half, depth), self.tile(element, half, depth)
        return Expr(
            Tile(element, shape), f"ct::cat<{d}>({{0}}, {{1}})", [a, b], a.range.union(b.range)
        )
