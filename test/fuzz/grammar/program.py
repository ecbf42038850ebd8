"""Writes a kernel and its launches."""

import random
from dataclasses import dataclass

from .aggregates import Aggregates
from .assumptions import Assumptions
from .atomics import Atomics
from .beyond import Beyond
from .carried import Carried
from .base import Base, Buffer, Variable
from .control import Control
from .epilogues import Epilogues
from .exchanges import Exchanges
from .generic import Generic
from .kernel import BY_TEMPLATE, POSITIONS, Kernel, Template
from .elements import (
    BF16,
    BOOL,
    DOUBLE,
    E4M3,
    E5M2,
    FLOAT,
    HALF,
    INT,
    Range,
    SCALARS,
    TF32,
    TILE_ELEMENTS,
    UINT,
    literal,
)
from .memory import Memory
from .narrow import Narrow, SMALL
from .parts import Parts
from .planted import Planted
from .printing import Printing
from .products import Products
from .records import Records
from .reductions import Reductions
from .rounding import Rounding
from .scalars import Scalars
from .shapes import Shapes
from .tables import Tables
from .tiles import Tiles
from .tree import Expr, Pointer
from .views import Views
from .writes import Writes


@dataclass(frozen=True)
class Language:
    """What of the language kernels are made of."""

    newer: bool = False  # elements of sm_100 and later
    beyond: bool = False  # in every other kernel what --extensions allows
    checked: bool = False  # nothing that a check of --check stops at
    planted: bool = False  # but one access at its begin that is outside
    products: bool = False  # a loop of products of matrices in each


class Generator(
    Printing,
    Beyond,
    Parts,
    Planted,
    Records,
    Assumptions,
    Exchanges,
    Narrow,
    Tables,
    Rounding,
    Writes,
    Epilogues,
    Products,
    Carried,
    Generic,
    Aggregates,
    Atomics,
    Control,
    Views,
    Memory,
    Reductions,
    Shapes,
    Tiles,
    Scalars,
    Base,
):
    """Writes one kernel."""

    def kernel(self, name):
        self.grids = [
            (
                tuple(self.rng.choice([1, 1, 2, 3]) for _ in range(3))
                if self.chance(0.2)
                else (self.rng.randint(1, 3), 1, 1)
            )
            for _ in range(self.rng.choice([1, 1, 2, 3]))
        ]
        self.launches = len(self.grids)
        self.budget = self.rng.randint(6, 16)
        self.tile_depth = self.rng.choice([1, 2, 2, 3, 4])
        self.sizes = {}
        if self.of_products:
            self.plan_products()
        self.shapes = self.rng.sample(self.pool[0], self.rng.randint(1, 3))
        self.make_tables()
        self.make_buffers()
        self.make_records(self.is_restrict)
        self.make_templates()
        for _ in range(self.rng.randint(1, 3)):
            element = self.weighted(SCALARS)
            values = [self.number(element, self.argument_range(element)) for _ in self.grids]
            r = values[0].range
            for v in values:
                r = r.union(v.range)
            self.parameter(element, [str(v) for v in values], r)
        self.place_blocks()
        if self.is_planted:
            self.plant()
        if self.of_products:
            # A product's blocks alone, or with more beside it.
            is_bare = self.plan.is_shared and self.chance(0.6)
            self.place_products()
            self.statements(0 if is_bare else self.rng.randint(0, 2))
            self.products()
            self.budget = 0 if is_bare else self.rng.randint(0, 3)
        self.statements(self.budget)
        while not any("store" in s.form for s in self.body):
            self.store()
        return Kernel(
            name,
            [p for p in self.parameters],
            self.buffers,
            self.body,
            self.grids,
            self.globals,
            self.functions,
            self.templates,
            [self.rng.choice(["chevrons", "grid", "call", "ex", "exc"]) for _ in self.grids],
            self.chance(0.3),
            self.kernel_hint(),
            self.simt_kernels(),
            [
                self.rng.choice([*POSITIONS, BY_TEMPLATE]) if self.chance(0.6) else "statement"
                for _ in self.grids
            ],
        )

    def simt_kernels(self):
        """A kernel of threads that changes an output behind each launch."""
        found = [o for o in self.outputs if o.element in (INT, UINT, FLOAT, DOUBLE)]
        found = [o for o in found if not (o.is_atomic or o.is_sink)]
        if not found or self.chance(0.85):
            return []
        o = self.rng.choice(found)
        e, one = o.element.name, self.constant(o.element, 1)
        self.add_global(
            "KERNEL_simt",
            f"__global__ void KERNEL_simt({e} *p, std::size_t n) {{\n"
            "  const std::size_t i = blockIdx.x * blockDim.x + threadIdx.x;\n"
            f"  if (i < n)\n    p[i] = p[i] < {one} ? {one} : -p[i];\n}}",
        )
        return [("KERNEL_simt", o.name)]

    def make_templates(self):
        """Parameters of a kernel that is a template: elements of its buffers, numbers."""
        self.templates = []
        if self.chance(0.7):
            return
        for b in self.rng.sample(self.buffers, 1):
            name = self.name("T")
            names = [b.element.name] * self.launches
            self.templates.append(Template(f"class {name}", name, names, b.element))
        if self.chance(0.6):
            name = self.name("N")
            values = [self.rng.randint(1, 5) for _ in self.grids]
            self.templates.append(Template(f"int {name}", name, [str(v) for v in values]))
            self.variables.append(Variable(name, INT, Range(min(values), max(values))))

    def argument_range(self, element):
        if element is BOOL or self.chance(0.6) and element.is_integer:
            return Range(0, min(element.hi, 5))
        return self.limit(element)

    def parameter(self, element, values, r=None):
        name = self.name("n")
        if r is None:
            r = Range(min(values), max(values))
            values = [literal(element, v) for v in values]
        self.parameters.append((name, f"{element.name} {name}", values))
        v = Variable(name, element, r)
        self.variables.append(v)
        self.late_parameters.append(v)
        return v

    def make_buffers(self):
        elements = [self.element() for _ in range(self.rng.randint(1, 3))]
        self.buffers = []
        for k, e in enumerate(elements):
            size = self.rng.choice([512, 1000, 2048, 4096])
            self.buffers.append(Buffer(f"a{k}", e, size, self.limit(e), True))
        for k in range(self.rng.randint(1, 2)):
            e = self.rng.choice(elements) if self.chance(0.6) else self.element()
            self.buffers.append(
                Buffer(f"o{k}", e, self.rng.choice([256, 1024, 2048]), self.limit(e), False)
            )
        if self.chance(0.3):
            e = self.atomic_element()
            self.buffers.append(
                Buffer(
                    "sum",
                    e,
                    self.rng.choice([1, 16, 300, 1024]),
                    e.full if e.is_integer else Range(0, 1, 2),
                    False,
                    is_atomic=True,
                    operations=self.rng.choice(self.atomic_kinds(e)),
                )
            )
        if self.chance(0.3) and not self.checked:
            # Boxes of an input of the type have paddings.
            found = [x for x in elements if x in (HALF, BF16, FLOAT, DOUBLE)]
            if not found or self.chance(0.4):
                found = [HALF, BF16, FLOAT, FLOAT, DOUBLE]
            e = self.rng.choice(found)
            self.buffers.append(Buffer("rounded", e, 1024, self.limit(e), False, is_sink=True))
        if self.chance(0.25) and not self.checked:
            e = self.rng.choice([HALF, BF16, FLOAT, FLOAT, DOUBLE])
            self.buffers.append(
                Buffer("near", e, 256, self.limit(e), False, is_sink=True, is_near=True)
            )
        for name in ("narrow", "narrow_out"):
            if self.chance(0.2):
                e, is_const = self.rng.choice([E4M3, E5M2, TF32]), name == "narrow"
                self.buffers.append(
                    Buffer(name, e, 1024, SMALL, is_const, is_sink=not is_const, is_narrow=True)
                )
        if self.of_products:
            self.buffers += self.product_buffers()
        self.inputs = [b for b in self.buffers if b.is_const]
        self.outputs = [b for b in self.buffers if not b.is_const]
        self.is_restrict = is_restrict = self.chance(0.5 if self.of_products else 0.3)
        for b in self.buffers:
            is_const = b.is_const and self.chance(0.8)
            word = " __restrict__" if is_restrict else ""
            self.parameters.append(
                (
                    b.name,
                    f"{'const ' if is_const else ''}{b.element.name} *{word} {b.name}",
                    [b.name] * self.launches,
                )
            )
            if b.is_const:
                self.variables.append(
                    Variable(b.name, Pointer(b.element, True), Range(0, b.size - 1))
                )
        self.aliases = {}  # of outputs: a second parameter on the same memory
        if not is_restrict and self.chance(0.3):
            reserved = [b for b in self.buffers if b.is_reserved and not b.is_atomic]
            self.make_alias(self.rng.choice(reserved * 3 + self.buffers))

    def make_alias(self, b):
        if b.is_atomic or b.is_sink and not b.is_reserved:
            return
        name = f"{b.name}_too"
        word = "const " if b.is_const else ""
        self.parameters.append((name, f"{word}{b.element.name} * {name}", [b.name] * self.launches))
        if b.is_const:
            self.variables.append(Variable(name, Pointer(b.element, True), Range(0, b.size - 1)))
        else:
            self.aliases[b.name] = name

    def place_blocks(self):
        """Each block's part of the outputs."""
        if any(g[1] * g[2] > 1 for g in self.grids):
            block = "int(b.x + n.x * (b.y + n.y * b.z))"
            block = block.replace("b.", "ct::bid().").replace("n.", "ct::num_blocks().")
        else:
            block = self.rng.choice(["int(ct::bid().x)", "ct::bid().x"])
        most = max(g[0] * g[1] * g[2] for g in self.grids) - 1
        element = INT if block.startswith("int") else UINT
        e = Expr(element, block, [], Range(0, most), True)
        v = self.declare("block", element, e.range, "const auto NAME = {0};", e, is_frozen=True)
        self.block_number = v.name
        self.make_block_variables()
        for o in self.outputs:
            if o.is_atomic or o.is_reserved:
                continue
            o.base = self.part_of_block(o, o.name, v)
            if o.name in self.aliases:
                self.part_of_block(o, self.aliases[o.name], v)
            for other, text in self.record_outputs:
                if other is o:
                    self.part_of_block(o, text, v)
            if o.is_sink and not o.is_narrow:
                self.variables.pop()  # nothing else reads or writes it

    def part_of_block(self, o, name, block):
        """A pointer to the elements of an output that belong to the block."""
        type = Pointer(o.element, False)
        form = f"{name} + {block.name} * {o.size}"
        p = Expr(type, form, [], Range(0, o.size - 1), True, variable=block.name)
        to = self.declare("to", type, p.range, f"{type.name}NAME = {{0}};", p, is_frozen=True)
        return to.expr(is_frozen=True)


def make_kernel(seed, index, language=Language()):
    """Kernel `index` of a seed, the same every time. Neighbours have shapes and element types in
    common, so that a file of them instantiates fewer templates."""
    pool = Generator(random.Random(f"{seed}/{index // 100}/types"))
    shapes = [pool.shape() for _ in range(5)]
    elements = {pool.weighted(TILE_ELEMENTS): 1 for _ in range(7)}
    generator = Generator(random.Random(f"{seed}/{index}"))
    generator.newer, generator.checked = language.newer, language.checked
    generator.beyond = language.beyond and generator.chance(0.5)
    generator.is_planted = language.planted
    generator.of_products = language.products
    generator.pool = shapes, {e: TILE_ELEMENTS[e] for e in elements}
    return generator.kernel(f"k{index}")
