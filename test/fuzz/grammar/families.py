"""Families of programs for twins: one computation, written in several forms.

A problem fixes what is computed: sizes, element types, layouts of memory, what is done with a sum.
A form fixes what must not matter: sizes of tiles, extents known to the compiler or not, views or
pointers, the shape of loops, which block does which tile, hints. Integers and floats are small, so
that every sum is exact whatever its order, and all forms of a problem have equal bits.
"""

from .elements import BF16, CHAR, E4M3, FLOAT, HALF, INT, SCHAR, UCHAR
from .kernel import POSITIONS

FAMILIES = []
HINTS = [
    "0, occupancy = 1",
    "900, occupancy = 2",
    "1000, occupancy = 1",
    "800, num_cta_in_cga = 1",
    "0, num_worker_warps_per_cta = 4",
    "1200, occupancy = 4, num_worker_warps_per_cta = 8",
]
# Operands, accumulator, and what is stored of it.
TYPES = [
    (HALF, FLOAT, FLOAT),
    (HALF, FLOAT, HALF),
    (BF16, FLOAT, BF16),
    (BF16, FLOAT, FLOAT),
    (FLOAT, FLOAT, FLOAT),
    (E4M3, FLOAT, HALF),
    (SCHAR, INT, INT),
    (UCHAR, INT, INT),
    (CHAR, INT, INT),
    (HALF, HALF, HALF),
]


def family(weight):
    def register(kind):
        FAMILIES.append((weight, kind))
        return kind

    return register


class Twin:
    """A kernel of a form, with what runs it."""

    def __init__(self, name, parameters, buffers, body, grid, rng):
        """parameters: (declaration, argument)
        buffers: (name, element, count, lo, span, is_read)"""
        self.name, self.parameters, self.buffers = name, parameters, buffers
        self.body, self.grid = body, grid
        self.hint = f"[[cutile::hint({rng.choice(HINTS)})]] " if rng.random() < 0.4 else ""
        self.word = " __restrict__" if rng.random() < 0.5 else ""
        self.position = rng.choice([*POSITIONS]) if rng.random() < 0.3 else "statement"

    def text(self):
        declared, arguments = [], []
        for name, e, *_, is_read in self.buffers:
            declared.append(f"{'const ' if is_read else ''}{e.name} *{self.word} {name}")
            arguments.append(name)
        for declaration, argument in self.parameters:
            declared.append(declaration), arguments.append(str(argument))
        lines = [f"// kernel {self.name}"]
        lines.append(f"{self.hint}__tile_global__ void {self.name}({', '.join(declared)}) {{")
        lines += [f"  {line}" for line in self.body.strip().splitlines()]
        lines += ["}", "", f"static void run_{self.name}() {{"]
        for name, e, count, lo, span, _ in self.buffers:
            lines.append(f"  auto {name} = fuzz::buffer<{e.name}>({count}, {lo}ll, {span}ull, 0);")
        grid = "dim3({}, {}, {})".format(*self.grid)
        launch = f"{self.name}<<<{grid}, 1>>>({', '.join(arguments)})"
        lines.append("  " + POSITIONS[self.position].format(launch))
        for name, *_, is_read in self.buffers:
            if not is_read:
                lines.append(f'  fuzz::show("{self.name}", "{name}", {name});')
        return "\n".join(lines + ["}", ""])


class Matrix:
    """How a form reads and writes boxes of a matrix in memory: by a view or through pointers."""

    def __init__(self, rng, name, element, rows, columns, is_left, box):
        self.rng, self.name, self.element, self.is_left = rng, name, element, is_left
        self.extents, self.box = (rows, columns), box
        self.by_view = rng.random() < 0.7
        self.is_turned = is_left and rng.random() < 0.5
        self.mode = rng.choice(["static", "given", "mixed", "literal"])

    def extent(self, d):
        n, kind = self.extents[d], self.mode
        if kind == "mixed":
            kind = ["static", "given"][d]
        return {"static": f"{n}_ic", "given": f"{self.name}_{d}", "literal": str(n)}[kind]

    def parameters(self):
        return [(f"int {self.name}_{d}", n) for d, n in enumerate(self.extents)]

    def view(self):
        if not self.by_view:
            return ""
        order = (1, 0) if self.is_turned else (0, 1)
        extents = ", ".join(self.extent(d) for d in order)
        box = ", ".join(str(self.box[d]) for d in order)
        layout = ", ct::layout_left{}" if self.is_left and not self.is_turned else ""
        return (
            f"auto {self.name}_view = ct::partition_view{{ct::tensor_span{{{self.name}, "
            f"ct::extents{{{extents}}}{layout}}}, ct::shape<{box}>{{}}}};\n"
        )

    def places(self, row, column):
        """(offsets, mask) of a box, by the numbers of boxes."""
        m, n = self.box
        rows = f"(ct::iota<ct::tile<int, ct::shape<{m}, 1>>>() + ({row}) * {m})"
        columns = f"(ct::iota<ct::tile<int, ct::shape<1, {n}>>>() + ({column}) * {n})"
        pitch = self.extents[0] if self.is_left else self.extents[1]
        if self.mode in ("given", "mixed"):
            pitch = f"{self.name}_{0 if self.is_left else 1}"
        offsets = (
            f"{rows} + {columns} * {pitch}" if self.is_left else f"{rows} * {pitch} + {columns}"
        )
        mask = f"({rows} < {self.extent(0)}) && ({columns} < {self.extent(1)})"
        return offsets, mask.replace("_ic", "")

    def load(self, row, column):
        if self.by_view:
            order = (column, row) if self.is_turned else (row, column)
            text = f"{self.name}_view.load_masked({order[0]}, {order[1]})"
            return f"ct::transpose({text})" if self.is_turned else text
        offsets, mask = self.places(row, column)
        zero = f"{self.element.name}(0.0f)" if self.element.is_restricted else "0"
        if self.element.is_integer or self.element.is_float:
            zero = f"static_cast<{self.element.name}>(0)"
        return f"ct::load_masked({self.name} + ({offsets}), {mask}, {zero})"

    def store(self, value, row, column):
        if self.by_view:
            order = (column, row) if self.is_turned else (row, column)
            value = f"ct::transpose({value})" if self.is_turned else value
            return f"{self.name}_view.store_masked({value}, {order[0]}, {order[1]});"
        offsets, mask = self.places(row, column)
        return f"ct::store_masked({self.name} + ({offsets}), {value}, {mask});"


def ceil(a, b):
    return -(-a // b)


def indented(text):
    return "".join(f"  {line}\n" for line in text.strip().splitlines())


def counted(rng, i, first, last, body):
    """A loop from first to below last; the order of its iterations does not matter."""
    form = rng.choice(["for", "for", "range", "down", "while", "halves"])
    inside = indented(body)
    if form == "halves":
        middle = f"({first} + ({last} - {first}) / 2)"
        return (
            f"for (int {i} = {first}; {i} < {middle}; ++{i}) {{\n{inside}}}\n"
            f"for (int {i} = {middle}; {i} < {last}; ++{i}) {{\n{inside}}}\n"
        )
    if form == "while":
        return f"int {i} = {first};\nwhile ({i} < {last}) {{\n{inside}  ++{i};\n}}\n"
    head = {
        "for": f"for (int {i} = {first}; {i} < {last}; ++{i})",
        "range": f"for (auto {i} : ct::irange(int({first}), int({last})))",
        "down": f"for (int {i} = {last} - 1; {i} >= {first}; --{i})",
    }[form]
    return f"{head} {{\n{inside}}}\n"


def over_blocks(rng, rows, columns, body):
    """(body for the tiles of a grid of so many rows and columns, the launch's grid)"""
    form = rng.choice(["plane", "plane", "turned", "line", "line", "persistent"])
    if form == "persistent":
        blocks = rng.randint(1, 4)
        head = f"for (int at = ct::bid().x; at < {rows * columns}; at += ct::num_blocks().x) {{\n"
        inside = f"const int row = at / {columns}, column = at % {columns};\n{body}"
        return head + indented(inside) + "}\n", (blocks, 1, 1)
    places = {
        "plane": ("ct::bid().x", "ct::bid().y", (rows, columns, 1)),
        "turned": ("ct::bid().y", "ct::bid().x", (columns, rows, 1)),
        "line": (f"ct::bid().x / {columns}", f"ct::bid().x % {columns}", (rows * columns, 1, 1)),
    }[form]
    return f"const int row = {places[0]}, column = {places[1]};\n{body}", places[2]


def zeros(element, *shape):
    return f"ct::zeros<ct::tile<{element.name}, ct::shape<{', '.join(map(str, shape))}>>>()"


def operand_span(element):
    """(lo, span) of small operands."""
    return (0, 2) if element is UCHAR else (-1, 3)


@family(5)
class Product:
    """C = epilogue(A B), whose K, tiles, blocks and layouts of memory are free."""

    def __init__(self, rng):
        self.types = rng.choice(TYPES)
        self.m, self.n = (rng.choice([16, 60, 64, 100, 128, 192, 200, 256]) for _ in range(2))
        self.k = rng.choice([8, 24, 32, 64, 96, 100, 128, 160, 256])
        if self.m * self.n <= 1 << 14 and rng.random() < 0.4:
            self.k = rng.choice([400, 512, 650])  # around a ring of eight stages
        self.lefts = [rng.random() < 0.3 for _ in range(3)]
        self.steps = rng.sample(["bias", "relu", "residual", "scan"], rng.randint(0, 2))
        self.has_rows = rng.random() < 0.25 and self.types[1] is not HALF

    def form(self, rng, name):
        e, acc, out = self.types
        while True:
            bm, bn = rng.choice([16, 32, 64, 64, 128]), rng.choice([16, 32, 64, 64, 128, 256])
            bk = rng.choice([16, 32, 64, 128])
            if "scan" in self.steps:
                bn = 256
            if bm * bn <= 1 << 15 and bk * (bm + bn) <= 1 << 14:
                break
        a = Matrix(rng, "a", e, self.m, self.k, self.lefts[0], (bm, bk))
        b = Matrix(rng, "b", e, self.k, self.n, self.lefts[1], (bk, bn))
        c = Matrix(rng, "c", out, self.m, self.n, self.lefts[2], (bm, bn))
        d = Matrix(rng, "d", acc, self.m, self.n, False, (bm, bn))
        body = f"auto acc = {zeros(acc, bm, bn)};\n"
        rounds = rng.choice([str(ceil(self.k, bk)), f"(a_1 + {bk - 1}) / {bk}"])
        body += self.loop(rng, a, b, rounds, (acc, bm, bn))
        for step in self.steps:
            body += self.step(step, d, (acc, bm, bn))
        if self.has_rows:
            rows = f"ct::iota<ct::tile<int, ct::shape<{bm}, 1>>>() + row * {bm}"
            columns = f"ct::iota<ct::tile<int, ct::shape<1, {bn}>>>() + column * {bn}"
            body += f"auto part = ct::select({columns} < {self.n}, acc, {zeros(acc, bm, bn)});\n"
            body += (
                f"auto r = {rows};\n"
                f"ct::atomic_add_masked(rows + r, ct::sum<1>(part), r < {self.m}, "
                "ct::memory_order_relaxed_t{}, ct::thread_scope_device_t{});\n"
            )
        value = "acc" if out is acc else f"ct::element_cast<{out.name}>(acc)"
        body += c.store(value, "row", "column") + "\n"
        body, grid = over_blocks(rng, ceil(self.m, bm), ceil(self.n, bn), body)
        body = (
            "".join(x.view() for x in (a, b, c, *([d] if "residual" in self.steps else []))) + body
        )
        buffers = [
            ("a", e, self.m * self.k, *operand_span(e), True),
            ("b", e, self.k * self.n, *operand_span(e), True),
            ("c", out, self.m * self.n, 0, 1, False),
            ("d", acc, self.m * self.n, -2, 5, True),
            ("rows", acc, self.m, 0, 1, False),
        ]
        parameters = [*a.parameters(), *b.parameters(), *c.parameters(), *d.parameters()]
        return Twin(name, parameters, buffers, body, grid, rng)

    def loop(self, rng, a, b, rounds, sum):
        loads = f"auto x = {a.load('row', 'i')};\nauto y = {b.load('i', 'column')};\n"
        kind = rng.choice(["plain"] * 3 + ["two levels", "two sums", "restart"])
        if kind == "two levels":
            n = rng.choice([1, 2, 3])
            inner = f"inner = ct::mma(x, y, inner);\nif (i % {n} == {n - 1}) {{\n"
            inner += f"  acc = acc + inner;\n  inner = {zeros(*sum)};\n}}\n"
            head = f"auto inner = {zeros(*sum)};\n"
            return head + counted(rng, "i", 0, rounds, loads + inner) + "acc = acc + inner;\n"
        if kind == "two sums":
            inner = (
                "if (i & 1)\n  acc = ct::mma(x, y, acc);\nelse\n  other = ct::mma(x, y, other);\n"
            )
            head = f"auto other = {zeros(*sum)};\n"
            return head + counted(rng, "i", 0, rounds, loads + inner) + "acc = acc + other;\n"
        if kind == "restart":
            inner = f"acc = acc + ct::mma(x, y, {zeros(*sum)});\n"
            return counted(rng, "i", 0, rounds, loads + inner)
        return counted(rng, "i", 0, rounds, loads + "acc = ct::mma(x, y, acc);\n")

    def step(self, step, d, sum):
        acc, bm, bn = sum
        if step == "bias":
            line = f"ct::iota<ct::tile<int, ct::shape<1, {bn}>>>() + column * {bn}"
            return f"acc = acc + ct::element_cast<{acc.name}>(({line}) & 3);\n"
        if step == "relu":
            return f"acc = ct::max(acc, {zeros(acc, bm, bn)});\n"
        if step == "residual":
            return f"acc = acc + {d.load('row', 'column')};\n"
        # Along the whole row, which every form has in one tile.
        one = f"ct::full<ct::tile<{acc.name}, ct::shape<{bm}, {bn}>>>(static_cast<{acc.name}>(1))"
        return f"acc = ct::partial_sum<1>(ct::min(ct::max(acc, -{one}), {one}));\n"


@family(2)
class Chain:
    """As attention: O = f(Q K^T) V over chunks of K and V."""

    def __init__(self, rng):
        self.types = rng.choice(
            [t for t in TYPES if t[0] in (HALF, BF16, SCHAR) and t[1] is not HALF]
        )
        self.m, self.n = rng.choice([32, 64, 100, 128]), rng.choice([32, 64, 100, 160, 256])
        self.d = rng.choice([16, 32, 64])
        self.is_causal = rng.random() < 0.4

    def form(self, rng, name):
        e, acc, out = self.types
        bm, bn = rng.choice([16, 32, 64, 128]), rng.choice([16, 32, 64, 128])
        q = Matrix(rng, "q", e, self.m, self.d, False, (bm, self.d))
        k = Matrix(rng, "k", e, self.n, self.d, False, (bn, self.d))
        v = Matrix(rng, "v", e, self.n, self.d, False, (bn, self.d))
        o = Matrix(rng, "o", out, self.m, self.d, False, (bm, self.d))
        one = f"ct::full<ct::tile<{acc.name}, ct::shape<{bm}, {bn}>>>(static_cast<{acc.name}>(1))"
        inner = f"auto s = ct::mma(x, ct::transpose({k.load('i', '0')}), {zeros(acc, bm, bn)});\n"
        inner += f"s = ct::min(ct::max(s, -{one}), {one});\n"
        if self.is_causal:
            rows = f"(ct::iota<ct::tile<int, ct::shape<{bm}, 1>>>() + row * {bm})"
            columns = f"(ct::iota<ct::tile<int, ct::shape<1, {bn}>>>() + i * {bn})"
            inner += f"s = ct::select({rows} >= {columns}, s, {zeros(acc, bm, bn)});\n"
        inner += f"auto p = ct::element_cast<{e.name}>(s);\n"
        inner += f"acc = ct::mma(p, {v.load('i', '0')}, acc);\n"
        inner += "most = ct::max(most, ct::reduce_max<1>(s));\n"
        body = f"auto x = {q.load('row', '0')};\nauto acc = {zeros(acc, bm, self.d)};\n"
        body += f"auto most = {zeros(acc, bm, 1)};\n"
        rounds = rng.choice([str(ceil(self.n, bn)), f"(k_0 + {bn - 1}) / {bn}"])
        body += counted(rng, "i", 0, rounds, inner) + "acc = acc + most;\n"
        value = "acc" if out is acc else f"ct::element_cast<{out.name}>(acc)"
        body += o.store(value, "row", "column") + "\n"
        body, grid = over_blocks(rng, ceil(self.m, bm), 1, body)
        body = "".join(x.view() for x in (q, k, v, o)) + body
        buffers = [
            ("q", e, self.m * self.d, *operand_span(e), True),
            ("k", e, self.n * self.d, *operand_span(e), True),
            ("v", e, self.n * self.d, *operand_span(e), True),
            ("o", out, self.m * self.d, 0, 1, False),
        ]
        parameters = [p for x in (q, k, v, o) for p in x.parameters()]
        return Twin(name, parameters, buffers, body, grid, rng)


@family(2)
class Heads:
    """A chain for each of several heads: where a head's matrices lie is an offset of a pointer or a
    dimension of a view, its blocks of rows are along any axis of the grid, and under a causal mask
    the number of iterations depends on the block. Windows and lengths hide more, and products are
    added to the accumulator by the multiply or behind it."""

    def __init__(self, rng):
        self.types = rng.choice([(HALF, FLOAT, FLOAT), (BF16, FLOAT, BF16), (HALF, FLOAT, HALF)])
        self.heads = (rng.randint(1, 3), rng.randint(1, 3))
        self.rows = rng.choice([100, 128, 200, 256, 300, 385])
        self.d = rng.choice([64, 64, 128, 128, 256])
        self.is_causal = rng.random() < 0.7
        self.window = rng.choice([None, None, None, 33, 90, 200])
        self.length = rng.choice([None, None, None, 64, 150, 290])

    def form(self, rng, name):
        e, acc, out = self.types
        bm, d = rng.choice([64, 64, 128, 128, 256]), self.d
        bn = rng.choice([32, 64, 128] if d > 64 else [64, 128, 128])
        axis, others = rng.choice([("x", "yz"), ("y", "xz"), ("z", "xy")])
        blocks = ceil(self.rows, bm)
        along = f"int(ct::bid().{axis})"
        if rng.random() < 0.5:
            along = f"{blocks} - 1 - {along}"
        inner, outer = (f"ct::bid().{o}" for o in others)
        count = f"ct::num_blocks().{others[0]}"
        body = f"const int row = {along};\n"
        body += f"const int head = {outer} * {count} + {inner};\n"
        body += self.views(rng, (bm, bn), (inner, outer, count))
        body += f"auto x = {self.load('q', bm, 'row')};\nauto acc = {zeros(acc, bm, d)};\n"
        body += f"auto most = {zeros(acc, bm, 1)};\n" + self.loops(rng, (bm, bn))
        body += "acc = acc + most;\n"
        value = "acc" if out is acc else f"ct::element_cast<{out.name}>(acc)"
        if self.is_view:
            value = f"ct::reshape({value}, ct::shape<1, {bm}, {d}>{{}})"
        place = "head, row, 0" if self.is_view else "row, 0"
        body += f"o_view.store_masked({value}, {place});\n"
        size = self.heads[0] * self.heads[1] * self.rows * d
        buffers = [(n, e, size, *operand_span(e), True) for n in "qkv"]
        buffers.append(("o", out, size, 0, 1, False))
        sizes = {axis: blocks, others[0]: self.heads[0], others[1]: self.heads[1]}
        return Twin(name, [("int rows", self.rows)], buffers, body, [sizes[a] for a in "xyz"], rng)

    def views(self, rng, tile, block):
        """The views of q, k, v and o, of a head or of all of them."""
        inner, outer, count = block
        rows, d = rng.choice(["rows", f"{self.rows}_ic"]), self.d
        step = f"{self.rows * d}" if rng.random() < 0.5 else f"rows * {d}"
        self.is_view = rng.random() < 0.3
        offset = rng.choice(
            [
                f"static_cast<long long>(head) * {step}",
                f"static_cast<long long>(head) * ({step})",
                f"(size_t{{{outer}}} * {count} + {inner}) * {step}",
                f"size_t{{{outer}}} * {count} * {step} + size_t{{{inner}}} * {step}",
                f"head * ({step})",
            ]
        )
        text = ""
        for name, height in zip("qkvo", (tile[0], tile[1], tile[1], tile[0])):
            base = f"ct::assume_aligned<16>({name})" if rng.random() < 0.7 else name
            shape, extents = f"{height}, {d}", f"{rows}, {d}_ic"
            if self.is_view:
                heads = self.heads[0] * self.heads[1]
                shape, extents = f"1, {shape}", f"{heads}, {extents}"
            else:
                base = f"{base} + {offset}"
            text += (
                f"auto {name}_view = ct::partition_view{{ct::tensor_span{{{base}, "
                f"ct::extents{{{extents}}}}}, ct::shape<{shape}>{{}}}};\n"
            )
        return text

    def load(self, name, height, at):
        if not self.is_view:
            return f"{name}_view.load_masked({at}, 0)"
        tile = f"ct::shape<{height}, {self.d}>{{}}"
        return f"ct::reshape({name}_view.load_masked(head, {at}, 0), {tile})"

    def masked(self, rng, is_causal, tile):
        """The scores that are seen, else zeros: by conditions that hold, or by ones that do not."""
        bm, bn = tile
        left = f"(ct::iota<ct::tile<int, ct::shape<{bm}, 1>>>() + row * {bm})"
        right = f"(ct::iota<ct::tile<int, ct::shape<1, {bn}>>>() + i * {bn})"
        conditions = []  # each with its opposite
        if is_causal:
            conditions.append((f"{left} >= {right}", f"{left} < {right}"))
        if self.window:
            edge = f"{left} - {self.window}"
            conditions.append((f"{right} > {edge}", f"{right} <= {edge}"))
        if self.length:
            conditions.append((f"{right} < {self.length}", f"{self.length} <= {right}"))
        rng.shuffle(conditions)
        whole = f"ct::full<ct::tile<bool, ct::shape<{bm}, {bn}>>>"
        hidden = zeros(self.types[1], bm, bn)
        if rng.random() < 0.7:
            seen = " && ".join([f"{whole}(true)"] + [holds for holds, _ in conditions])
            return f"ct::select({seen}, s, {hidden})"
        unseen = " || ".join([f"{whole}(false)"] + [fails for _, fails in conditions])
        return f"ct::select({unseen}, {hidden}, s)"

    def loops(self, rng, tile):
        e, acc, _ = self.types
        bm, bn = tile
        one = f"ct::full<ct::tile<{acc.name}, ct::shape<{bm}, {bn}>>>(static_cast<{acc.name}>(1))"
        added = rng.random() < 0.3

        def iteration(is_masked):
            k, v = self.load("k", bn, "i"), self.load("v", bn, "i")
            text = f"auto s = ct::mma(x, ct::transpose({k}), {zeros(acc, bm, bn)});\n"
            text += f"s = ct::min(ct::max(s, -{one}), {one});\n"
            if is_masked or self.window or self.length:
                text += f"s = {self.masked(rng, is_masked, tile)};\n"
            if added:
                product = f"ct::mma(ct::element_cast<{e.name}>(s), {v}, {zeros(acc, bm, self.d)})"
                text += f"acc = acc + {product};\n"
            else:
                text += f"acc = ct::mma(ct::element_cast<{e.name}>(s), {v}, acc);\n"
            return text + "most = ct::max(most, ct::reduce_max<1>(s));\n"

        chunks = rng.choice([str(ceil(self.rows, bn)), f"((rows + {bn - 1}) / {bn})"])
        if not self.is_causal:
            return counted(rng, "i", 0, chunks, iteration(False))
        end = f"ct::min({chunks}, ((row + 1) * {bm} + {bn - 1}) / {bn})"
        kind = rng.choice(["all", "ends", "ends", "elements", "two loops", "two loops"])
        if kind == "all":
            return counted(rng, "i", 0, chunks, iteration(True))
        head = f"const int end = {end}, whole = row * {bm} / {bn};\n"
        if kind == "ends":
            return head + counted(rng, "i", 0, "end", iteration(True))
        if kind == "elements":  # which carries the number of the tile
            step = indented(iteration(True) + "++i;\n")
            return head + f"int i = 0;\nfor (int e = 0; e < end * {bn}; e += {bn}) {{\n{step}}}\n"
        return (
            head
            + f"for (int i = 0; i < whole; ++i) {{\n{indented(iteration(False))}}}\n"
            + f"for (int i = whole; i < end; ++i) {{\n{indented(iteration(True))}}}\n"
        )


@family(2)
class Rows:
    """Reductions and scans of rows, in chunks that hand on what they found."""

    def __init__(self, rng):
        self.element = rng.choice([INT, INT, FLOAT, HALF])
        self.rows, self.width = rng.choice([1, 7, 32, 50]), rng.choice([1, 20, 64, 100, 200])
        self.is_left = rng.random() < 0.3
        self.kind = rng.choice(["sum", "max", "min", "scan"])

    def form(self, rng, name):
        e, kind = self.element, self.kind
        bm, bn = rng.choice([1, 2, 8, 16, 64]), rng.choice([8, 16, 32, 64, 256])
        x = Matrix(rng, "x", e, self.rows, self.width, self.is_left, (bm, bn))
        y = Matrix(rng, "y", e, self.rows, self.width, False, (bm, bn))
        z = Matrix(rng, "z", e, self.rows, 1, False, (bm, 1))
        z.by_view = True
        body = f"auto acc = {zeros(e, bm, 1)};\n"
        load = f"auto t = {x.load('row', 'i')};\n"
        rounds = str(ceil(self.width, bn))
        if kind == "scan":
            load += "auto s = ct::partial_sum<1>(t) + acc;\n" + y.store("s", "row", "i") + "\n"
            load += "acc = acc + ct::sum<1>(t);\n"
            body += f"for (int i = 0; i < {rounds}; ++i) {{\n{indented(load)}}}\n"
        else:
            step = {"sum": "acc + ct::sum<1>(t)", "max": "ct::max(acc, ct::reduce_max<1>(t))"}
            step["min"] = "ct::min(acc, ct::reduce_min<1>(t))"
            body += counted(rng, "i", 0, rounds, load + f"acc = {step[kind]};\n")
        body += z.store("acc", "row", "column") + "\n"
        body, grid = over_blocks(rng, ceil(self.rows, bm), 1, body)
        body = x.view() + (y.view() if kind == "scan" else "") + z.view() + body
        buffers = [
            ("x", e, self.rows * self.width, -1, 3, True),
            ("y", e, self.rows * self.width, 0, 1, False),
            ("z", e, self.rows, 0, 1, False),
        ]
        return Twin(name, [p for m in (x, y, z) for p in m.parameters()], buffers, body, grid, rng)


@family(2)
class Plane:
    """Element by element over a matrix, with a row and a column of others; turned or not."""

    def __init__(self, rng):
        self.element = rng.choice([INT, INT, FLOAT, HALF, SCHAR, UCHAR])
        self.rows, self.columns = (rng.choice([1, 9, 33, 64, 100]) for _ in range(2))
        self.lefts = [rng.random() < 0.4 for _ in range(2)]
        self.formula = rng.choice(
            [
                "ct::max({t}, {u}) + {v}",
                "ct::select({t} > {u}, {t}, {wide_v})",
                "{t} * {u} + {v}",
                "ct::min({t} + {u}, {v})",
                "ct::select(({t} == {u}) || ({t} < {v}), {wide_u}, {wide_v})",
            ]
        )
        self.counts = rng.random() < 0.3  # also how often a number occurs

    def form(self, rng, name):
        e = self.element
        bm, bn = rng.choice([1, 4, 16, 32, 64]), rng.choice([1, 8, 32, 64, 128])
        x = Matrix(rng, "x", e, self.rows, self.columns, self.lefts[0], (bm, bn))
        y = Matrix(rng, "y", e, self.rows, self.columns, self.lefts[1], (bm, bn))
        r = Matrix(rng, "r", e, self.rows, 1, False, (bm, 1))
        c = Matrix(rng, "c", e, 1, self.columns, False, (1, bn))
        body = f"auto t = {x.load('row', 'column')};\nauto u = {r.load('row', '0')};\n"
        body += f"auto v = {c.load('0', 'column')};\n"
        names, wide = dict(t="t", u="u", v="v"), "ct::broadcast<ct::shape<{}, {}>>({})"
        for other in "uv":
            names[f"wide_{other}"] = wide.format(bm, bn, other)
            if rng.random() < 0.4:
                names[other] = names[f"wide_{other}"]
        formula = self.formula.format(**names)
        if self.counts:
            _, mask = x.places("row", "column")
            one = f"ct::full<ct::tile<int, ct::shape<{bm}, {bn}>>>(1)"
            body += (
                f"ct::atomic_add_masked(n + (ct::element_cast<int>(t) & 7), {one}, {mask}, "
                "ct::memory_order_relaxed_t{}, ct::thread_scope_device_t{});\n"
            )
        body += y.store(formula, "row", "column") + "\n"
        body, grid = over_blocks(rng, ceil(self.rows, bm), ceil(self.columns, bn), body)
        body = x.view() + y.view() + r.view() + c.view() + body
        small = operand_span(e)
        buffers = [
            ("x", e, self.rows * self.columns, *small, True),
            ("y", e, self.rows * self.columns, 0, 1, False),
            ("r", e, self.rows, *small, True),
            ("c", e, self.columns, *small, True),
            ("n", INT, 8, 0, 1, False),
        ]
        parameters = [p for m in (x, y, r, c) for p in m.parameters()]
        return Twin(name, parameters, buffers, body, grid, rng)


def make_problem(rng):
    return rng.choices([k for _, k in FAMILIES], [w for w, _ in FAMILIES])[0](rng)
