"""Views: every layout, extents and strides known or not, boxes inside, across and outside."""

from dataclasses import dataclass

from .elements import INT, LLONG, Range, UINT
from .memory import STORE_RULES
from .tiles import ANY_RULES
from .tree import Expr, Tile, count, shape_name

KINDS = ["partition"] * 4 + ["strided", "gather"]


@dataclass(frozen=True)
class View:
    """The type of a view variable: what it is over and how it is cut."""

    element: object
    is_const: bool
    kind: str  # partition, strided, gather
    extents: tuple
    shape: tuple
    strides: tuple = ()
    along: int = 0


class Views:
    """Mixed into the generator."""

    def extent_text(self, n):
        """A run-time or constant extent or stride."""
        if self.chance(0.5) and n in self.sizes:
            return self.sizes[n].expr()
        if self.chance(0.25) and (v := self.size_parameter(n)):
            return v.expr()
        return (
            self.constant(INT, n)
            if self.chance(0.2)
            else Expr(INT, f"{n}_ic", [], Range(n, n), True)
        )

    def size_parameter(self, n):
        """A parameter of the kernel that is n in every launch."""
        if n not in self.sizes and len(self.sizes) < 6 and not self.is_closed:
            self.sizes[n] = self.parameter(
                self.rng.choice([INT, INT, INT, UINT, LLONG]), [n] * self.launches
            )
        return self.sizes.get(n)

    def extents(self, shape, room, is_masked):
        """Extents of a span of at most `room` elements for boxes of this shape."""
        for _ in range(20):
            extents = []
            for e in shape:
                n = e * self.rng.choice([1, 1, 2, 3])
                if is_masked and self.chance(0.6):
                    n = max(1, n + self.rng.choice([-1, 1, 2, -e // 2, 3]))
                extents.append(n)
            if count(extents) <= room:
                return tuple(extents)
        return None

    def fixed(self, n):
        """The extent as an operand whose value is exactly n."""
        e = self.extent_text(n)
        return e if e.range.lo == n == e.range.hi else Expr(INT, f"{n}_ic", [], Range(n, n), True)

    def span(self, p, extents, room):
        """Text and operands of a span of p with a layout that fits the room."""
        if self.chance(0.2):
            return self.spelt_span(p, extents, room)
        kids = [p] + [self.fixed(n) for n in extents]
        places = ", ".join("{%d}" % (i + 1) for i in range(len(extents)))
        shape = f"ct::extents{{{{{places}}}}}"
        layout = self.rng.choice(
            ["right", "right", "left", "strided", "right_padded", "left_padded"]
        )
        if layout in ("right", "left"):
            form = self.rng.choice(
                [
                    f"ct::tensor_span{{{{{{0}}, ct::layout_{layout}_mapping{{{{{shape}}}}}}}}}",
                    f"ct::tensor_span{{{{{{0}}, {shape}, ct::layout_{layout}{{{{}}}}}}}}",
                ]
            )
            if layout == "right" and self.chance(0.6):
                form = f"ct::tensor_span{{{{{{0}}, {shape}}}}}"
            return form, kids
        order = list(range(len(extents)))
        if layout == "strided":
            self.rng.shuffle(order)
        elif layout == "right_padded":
            order.reverse()  # the last dimension first, in memory
        if layout != "strided" and len(extents) < 2:
            return f"ct::tensor_span{{{{{{0}}, {shape}}}}}", kids
        strides, pitch = [0] * len(extents), 1
        if layout == "strided" and self.chance(0.3):
            pitch = self.rng.choice([2, 3])
        for k, d in enumerate(order):
            strides[d] = pitch
            pitch *= extents[d]
            if self.chance(0.4) and (layout == "strided" or k == 0):
                pitch += self.rng.choice([1, 2, 4, 5])
        last = sum((n - 1) * s for n, s in zip(extents, strides))
        if last >= room:
            return f"ct::tensor_span{{{{{{0}}, {shape}}}}}", kids
        if layout == "strided":
            kids += [self.fixed(s) for s in strides]
            places = ", ".join("{%d}" % (i + 1 + len(extents)) for i in range(len(strides)))
            word = self.rng.choice(["extents", "strides"])
            return (
                f"ct::tensor_span{{{{{{0}}, ct::layout_strided_mapping{{{{{shape}, "
                f"ct::{word}{{{{{places}}}}}}}}}}}}}"
            ), kids
        kids.append(self.fixed(strides[order[1]]))
        return (
            f"ct::tensor_span{{{{{{0}}, ct::layout_{layout}_mapping{{{{{shape}, "
            f"{{{len(extents) + 1}}}}}}}}}}}"
        ), kids

    def spelt_span(self, p, extents, room):
        """One whose types are written out, with the numbers that they leave open."""
        index = self.rng.choice(["int", "unsigned", "long long", "short", "unsigned long long"])
        # A parameter may be a plain pointer where the accessor is of constants.
        if p.type.is_const:
            p = Expr(p.type, f"static_cast<{p.type.name}>({{0}})", [p], p.range)
        self.index_type, kids, words = index, [p], []
        for n in extents:
            is_open = self.chance(0.4)
            words.append("ct::dynamic_extent" if is_open else str(n))
            if is_open:
                kids.append(self.constant(INT, n) if n not in self.sizes else self.sizes[n].expr())
        places = ", ".join("{%d}" % (i + 1) for i in range(len(kids) - 1))
        type = f"ct::extents<{', '.join([index, *words])}>"
        # Braces would refuse a number of a wider type.
        shape = f"{type}({places})" if len(kids) > 1 else f"{type}{{{{}}}}"
        element = f"{'const ' if p.type.is_const else ''}{p.type.element.name}"
        layout = self.rng.choice(["right", "left", "strided", "padded"])
        accessor = f"ct::default_accessor<{element}>{{{{}}}}"
        if layout == "padded" and len(extents) > 1:
            pitch = extents[-1] + self.rng.choice([0, 1, 3])
            if count(extents[:-1]) * pitch <= room:
                mapping = f"ct::layout_right_padded<{pitch}>::mapping<{type}>"
                mapping = f"{mapping}{{{{{shape}, {pitch}_ic}}}}"
                return f"ct::tensor_span{{{{{{0}}, {mapping}}}}}", kids
        if layout == "strided":
            strides = [count(extents[d + 1 :]) for d in range(len(extents))]
            words = []
            for n in strides:
                is_open = self.chance(0.4)
                words.append("ct::dynamic_stride" if is_open else str(n))
                if is_open:
                    kids.append(self.constant(INT, n))
            first = 1 + sum("dynamic_extent" in w for w in type.split(", "))
            places = ", ".join("{%d}" % i for i in range(first, len(kids)))
            steps = f"ct::strides<{', '.join([index, *words])}>"
            mapping = f"ct::layout_strided<{steps}>::mapping<{type}>"
            mapping = f"{mapping}{{{{{shape}, {steps}({places})}}}}"
            return f"ct::tensor_span{{{{{{0}}, {mapping}, {accessor}}}}}", kids
        if layout == "left":
            span = f"ct::tensor_span<{element}, {type}, ct::layout_left>"
            return f"{span}({{0}}, {shape})", kids
        mapping = f"ct::layout_right_mapping{{{{{shape}}}}}"
        return f"ct::tensor_span{{{{{{0}}, {mapping}, {accessor}}}}}", kids

    def view(self, element, shape, is_written):
        """A variable that is a view of boxes of this shape, or None."""
        if not shape or not self.can_emit:
            return None
        p = self.address(element, 1, is_written)
        return p and self.view_of(p, element, shape, is_written)

    def view_of(self, p, element, shape, is_written=True, kinds=KINDS):
        """A view of what p points to."""
        room = min(p.range.hi + 1, 4096)
        extents = self.extents(shape, room, True)
        if extents is None:
            return None
        self.index_type = ""  # of the span
        form, kids = self.span(p, extents, room)
        kind, strides, along = self.rng.choice(kinds), (), 0
        more = ""
        if kind == "strided":
            # Boxes of a written view may not overlap, so that a store is one write per element.
            strides = tuple(
                e + self.rng.choice([0, 1]) if is_written else self.rng.randint(1, e + 1)
                for e in shape
            )
            more = f", ct::strides{{{{{', '.join(f'{s}_ic' for s in strides)}}}}}"
            if self.index_type:
                numbers = ", ".join(map(str, (self.index_type, *strides)))
                more = f", ct::strides<{numbers}>{{{{}}}}"
        if kind == "gather":
            along = self.rng.randrange(len(shape))
            more = f", ct::integral_constant<{along}>{{{{}}}}"
        name = {
            "partition": "partition_view",
            "strided": "strided_view",
            "gather": "gather_scatter_view",
        }[kind]
        type = View(element, p.type.is_const, kind, extents, shape, strides, along)
        return self.declare(
            "view",
            type,
            None,
            f"auto NAME = ct::{name}{{{{{form}, {shape_name(shape)}{{{{}}}}{more}}}}};",
            *kids,
        )

    def any_view(self, element, shape, is_written):
        found = [
            v
            for v in self.variables
            if isinstance(v.type, View)
            and v.type.element == element
            and v.type.shape == shape
            and not (is_written and v.type.is_const)
        ]
        if found and self.chance(0.6):
            return self.rng.choice(found)
        return self.view(element, shape, is_written)

    def place(self, view, is_masked, is_written):
        """Indices of a box. Masked ones may lie across the edge or wholly outside."""
        kids = []
        for d, (extent, e) in enumerate(zip(view.extents, view.shape)):
            if view.kind == "gather" and d == view.along:
                most = extent + 2 if is_masked else extent - 1
                i = self.indices((e,), most + 1, is_written, 1) if e <= most + 1 else None
                if i is None or i.range.hi > most:
                    return None
                kids.append(i)
                continue
            if view.kind == "partition":
                inside, across = extent // e, -(-extent // e)
            elif view.kind == "strided":
                step = view.strides[d]
                inside, across = (extent - e) // step + 1 if extent >= e else 0, -(-extent // step)
            else:
                inside, across = extent - e + 1, extent
            # Unmasked boxes lie inside.
            beyond = 2 if not self.checked and self.chance(0.3) else 0
            most = across + beyond if is_masked else inside
            if most < 1:
                return None
            if self.chance(0.4):
                kids.append(self.number(INT, Range(0, most - 1)))
            else:
                kids.append(self.any_integer(Range(0, most - 1), 1))
        return kids

    @ANY_RULES.add(8)
    def tile_view_load(self, element, shape, depth):
        v = self.any_view(element, shape, False)
        if v is None:
            return None
        is_masked = self.chance(0.6)
        kids = self.place(v.type, is_masked, False)
        if kids is None:
            return None
        places = ", ".join("{%d}" % (i + 1) for i in range(len(kids)))
        load = "load"
        if is_masked:
            load = self.rng.choice(
                ["load_masked"] * 2
                + ["load_masked<ct::view_padding::zero>", "load_masked<ct::default_view_padding()>"]
            )
        return Expr(
            Tile(element, shape), f"{{0}}.{load}({places})", [v.expr(), *kids], self.limit(element)
        )

    @STORE_RULES.add(8)
    def store_view(self):
        o = self.written()
        shape = self.usual_shape()
        v = self.any_view(o.element, shape, True)
        if v is None:
            return False
        is_masked = self.chance(0.6)
        kids = self.place(v.type, is_masked, True)
        if kids is None:
            return False
        value = self.tile(o.element, shape, self.tile_depth)
        places = ", ".join("{%d}" % (i + 2) for i in range(len(kids)))
        self.emit(
            f"{{0}}.{'store_masked' if is_masked else 'store'}({{1}}, {places});",
            v.expr(),
            value,
            *kids,
        )
        return True
