"""Kernels about layouts: nests of for, while and if that carry tiles of several types and shapes.

What is carried is permuted, reshaped, transposed and broadcast on its way to reductions, scans,
products, arrays of tiles and other carried tiles, so that each place wants a layout that others
disagree with. Values are whole numbers from 0 to 15 in every type, so that all results are exact.

run.py --nests runs them; there is no tree for reduce.py.
"""

import dataclasses
import random

# Whole numbers below this are exact in sums; integers wrap alike everywhere.
EXACT = {"float": 1 << 24, "double": 1 << 53, "__half": 2048, "__nv_bfloat16": 256}
TYPES = ["int", "float", "float", "double", "__half", "__nv_bfloat16", "unsigned short",
         "signed char", "long long"]  # fmt: skip
FACTORS = ["__half", "__nv_bfloat16", "float", "double", "__nv_tf32"]
LARGEST = 2048  # elements of a tile


def count(shape):
    product = 1
    for extent in shape:
        product *= extent
    return product


def spelled(shape):
    return f"ct::shape<{', '.join(map(str, shape))}>"


@dataclasses.dataclass
class Tile:
    """A variable: its name, its element type and its shape."""

    name: str
    type: str
    shape: tuple

    @property
    def tile_type(self):
        return f"ct::tile<{self.type}, {spelled(self.shape)}>"


class Writer:
    def __init__(self, rng):
        self.rng = rng
        self.lines, self.depth, self.counter = [], 1, 0
        self.tiles, self.small, self.arrays, self.scopes = [], [], [], 0

    def line(self, text):
        self.lines.append("  " * self.depth + text)

    def fresh(self, letter):
        self.counter += 1
        return f"{letter}{self.counter}"

    # ---- expressions ----

    def split(self, shape):
        """Another shape of as many elements."""
        extents = [e for e in shape if e > 1]
        self.rng.shuffle(extents)
        if extents and self.rng.random() < 0.7:
            i = self.rng.randrange(len(extents))
            part = 1 << self.rng.randrange(extents[i].bit_length())
            extents[i : i + 1] = [part, extents[i] // part]
        return tuple(extents[:4]) if count(extents[:4]) == count(shape) else shape

    def turned(self, text, shape):
        """(text, shape) of the tile, permuted."""
        if len(shape) == 2 and self.rng.random() < 0.5:
            return f"ct::transpose({text})", shape[::-1]
        order = list(range(len(shape)))
        self.rng.shuffle(order)
        numbers = ", ".join(map(str, order))
        return f"ct::permute({text}, ct::dimension_map<{numbers}>{{}})", tuple(
            shape[i] for i in order
        )

    def path(self, source, shape, type):
        """The elements of a tile in another order, shape and type."""
        text, now = source.name, source.shape
        if source.type != type and self.rng.random() < 0.5:
            text = f"ct::element_cast<{type}>({text})"
            source = Tile("", type, ())
        for _ in range(self.rng.choice([0, 1, 1, 1, 2])):
            if self.rng.random() < 0.5:
                other = self.split(now)
                if other != now and other:
                    text, now = f"ct::reshape({text}, {spelled(other)}{{}})", other
            if now:
                text, now = self.turned(text, now)
        if now != shape:
            text = f"ct::reshape({text}, {spelled(shape)}{{}})"
        return text if source.type == type else f"ct::element_cast<{type}>({text})"

    def any_of(self, shape, type):
        """An expression of this shape: another variable's elements."""
        same = [t for t in self.tiles if count(t.shape) == count(shape)]
        return self.path(self.rng.choice(same), shape, type)

    def folded(self, shape, type):
        """A reduction, which broadcasts to the shape."""
        dim = self.rng.randrange(len(shape))
        rows = 15 * shape[dim] < EXACT.get(type, 1 << 60)
        names = ["sum", "sum", "reduce_max", "reduce_min"] if rows else ["reduce_max"]
        name = self.rng.choice(names)
        return f"ct::{name}<{dim}>({self.any_of(shape, type)})"

    def settled(self, text, type):
        """Whole numbers from 0 to 15 again."""
        whole, mask = ("long long", "15ll") if type == "long long" else ("int", "15")
        return f"ct::element_cast<{type}>(ct::element_cast<{whole}>({text}) & {mask})"

    # ---- statements ----

    def assign(self, to, text, settle=True):
        self.line(f"{to.name} = {self.settled(text, to.type) if settle else text};")

    def move(self):
        to = self.rng.choice(self.tiles)
        text = self.any_of(to.shape, to.type)
        if self.rng.random() < 0.5:
            text = f"{to.name} + {text}"
        self.assign(to, text)

    def carry(self):
        """A variable becomes its own elements in another order."""
        to = self.rng.choice(self.tiles)
        self.assign(to, self.path(to, to.shape, to.type), settle=False)

    def reduce(self):
        to = self.rng.choice(self.tiles)
        self.assign(to, f"{to.name} + {self.folded(to.shape, to.type)}")

    def keep(self):
        """A row or a column of sums is carried, and met by its tile."""
        if not self.small:
            return self.reduce()
        row, of, dim = self.rng.choice(self.small)
        is_exact = 15 * of.shape[dim] + 15 < EXACT.get(of.type, 1 << 60)
        name = "sum" if is_exact else "reduce_max"
        self.assign(row, f"{row.name} + ct::{name}<{dim}>({self.any_of(of.shape, of.type)})")
        if self.rng.random() < 0.6:
            self.assign(of, f"{of.name} + {row.name}")

    def scan(self):
        to = self.rng.choice(self.tiles)
        dim = self.rng.randrange(len(to.shape))
        if 15 * to.shape[dim] >= EXACT.get(to.type, 1 << 60):
            return self.carry()
        self.assign(to, f"ct::partial_sum<{dim}>({self.any_of(to.shape, to.type)})")

    def choose(self):
        to = self.rng.choice(self.tiles)
        mask = f"{self.any_of(to.shape, to.type)} > {self.any_of(to.shape, to.type)}"
        self.assign(to, f"ct::select({mask}, {to.name}, {self.any_of(to.shape, to.type)})", False)

    def multiply(self):
        """A product into a carried sum of floats; factors are permuted tiles."""
        to = self.rng.choice(self.tiles)
        if len(to.shape) != 2 or min(to.shape) < 8:
            return self.reduce()
        m, n = to.shape
        fits = [t for t in self.tiles if count(t.shape) % m == 0 and count(t.shape) // m >= 16]
        if not fits:
            return self.reduce()
        a = self.rng.choice(fits)
        k = count(a.shape) // m
        behind = [t for t in self.tiles if count(t.shape) == k * n]
        if not behind or k > 256:
            return self.scan()
        b, type = self.rng.choice(behind), self.rng.choice(FACTORS)
        total = "double" if type == "double" else "float"
        x, y = self.path(a, (m, k), type), self.path(b, (k, n), type)
        start = f"ct::element_cast<{total}>({to.name})" if to.type != total else to.name
        self.assign(to, f"ct::mma({x}, {y}, {start})")

    def exchange(self):
        """To an array of tiles and back, at run-time indices."""
        if not self.arrays:
            return self.move()
        array, type, shape = self.rng.choice(self.arrays)
        self.line(f"{array}[(s + {self.rng.randrange(4)}) & 1] = {self.any_of(shape, type)};")
        to = self.rng.choice([t for t in self.tiles if count(t.shape) == count(shape)])
        there = Tile(f"{array}[(s + {self.rng.randrange(4)}) & 1]", type, shape)
        self.assign(to, self.path(there, to.shape, to.type), settle=False)

    def scalar(self):
        tile = self.rng.choice(self.tiles)
        flat = self.path(tile, (count(tile.shape),), "int")
        self.line(f"s = (s + int(ct::reshape(ct::sum<0>({flat}), ct::shape<>{{}}))) & 255;")

    def leave(self):
        if not self.scopes:
            return self.scalar()
        word = self.rng.choice(["break", "continue"])
        self.line(f"if ((s & {self.rng.choice([1, 3, 7])}) == {self.rng.randrange(2)}) {word};")

    def loop(self):
        i = self.fresh("i")
        trips = self.rng.choice(["n", "n", "n - 1", "2", "(s & 3)"])
        if self.rng.random() < 0.6:
            self.line(f"for (int {i} = 0; {i} < {trips}; ++{i}) {{")
        else:
            self.line(f"int {i} = {trips};")
            test = self.rng.choice([f"{i}-- > 0", f"{i}-- > 0 && (s & 1) == 0"])
            self.line(f"while ({test}) {{")
        self.scopes += 1
        self.block()
        self.scopes -= 1

    def branch(self):
        self.line(f"if ((s & {self.rng.choice([1, 2, 3])}) != 0) {{")
        self.block()
        if self.rng.random() < 0.5:
            self.lines[-1] += " else {"
            self.block()

    def block(self):
        self.depth += 1
        self.statements(self.rng.randrange(1, 5))
        self.depth -= 1
        self.line("}")

    def statements(self, number):
        simple = [self.move, self.carry, self.carry, self.reduce, self.reduce, self.keep, self.scan,
                  self.choose, self.multiply, self.exchange, self.scalar, self.leave]  # fmt: skip
        for _ in range(number):
            if self.depth < 5 and self.rng.random() < 0.45:
                self.rng.choice([self.loop, self.loop, self.branch])()
            else:
                self.rng.choice(simple)()


class Nest:
    """Kernel NUMBER of a seed, always the same."""

    def __init__(self, seed, number):
        rng = random.Random(f"nests/{seed}/{number}")
        self.name = f"n{number}"
        writer = Writer(rng)
        extents = [2, 4, 8, 16, 16, 32, 32, 64]
        while True:
            shape = (rng.choice(extents), rng.choice(extents))
            if count(shape) <= LARGEST:
                break
        main, other = rng.choice(TYPES), rng.choice(TYPES)
        writer.tiles = [Tile("x", main, shape), Tile("y", main, shape[::-1])]
        for name in "zw"[: rng.randrange(3)]:
            writer.tiles.append(Tile(name, rng.choice([main, other]), writer.split(shape)))
        for name in ("r", "c")[: rng.randrange(3)]:
            of = rng.choice(writer.tiles)
            dim = rng.randrange(len(of.shape))
            row = tuple(1 if i == dim else e for i, e in enumerate(of.shape))
            writer.small.append((Tile(name, of.type, row), of, dim))
        if rng.random() < 0.3:
            writer.arrays.append(("a", main, shape))
        writer.statements(rng.randrange(3, 6))
        self.body, self.tiles = writer.lines, writer.tiles
        self.rows = [row for row, _, _ in writer.small]
        self.arrays = writer.arrays
        self.trips, self.blocks = rng.choice([1, 2, 3]), 2

    def text(self):
        results = [*self.tiles, *self.rows]
        parameters = ", ".join(f"{t.type} *in_{t.name}, {t.type} *out_{t.name}" for t in results)
        lines = [f"// kernel {self.name}"]
        lines.append(f"__tile_global__ void {self.name}({parameters}, int n) {{")
        lines.append("  const int block = ct::bid().x;")
        lines.append("  int s = block + n;")
        for t in results:
            places = f"ct::iota<ct::tile<int, {spelled(t.shape)}>>()"
            place = f"in_{t.name} + block * {count(t.shape)} + {places}"
            lines.append(f"  auto {t.name} = ct::load({place});")
        for name, type, shape in self.arrays:
            zero = f"ct::zeros<{Tile('', type, shape).tile_type}>()"
            lines.append(f"  {Tile('', type, shape).tile_type} {name}[2] = {{{zero}, {zero}}};")
        lines += self.body
        for t in results:
            places = f"ct::iota<ct::tile<int, {spelled(t.shape)}>>()"
            place = f"out_{t.name} + block * {count(t.shape)} + {places}"
            lines.append(f"  ct::store({place}, {t.name});")
        lines += ["}", "", f"static void run_{self.name}() {{"]
        for t in results:
            n = self.blocks * count(t.shape)
            lines.append(f"  auto in_{t.name} = fuzz::buffer<{t.type}>({n}, 0, 16, 0);")
            lines.append(f"  auto out_{t.name} = fuzz::buffer<{t.type}>({n}, 0, 1, 0);")
        arguments = ", ".join(f"in_{t.name}, out_{t.name}" for t in results)
        lines.append(f"  {self.name}<<<{self.blocks}, 1>>>({arguments}, {self.trips});")
        for t in results:
            lines.append(f'  fuzz::show("{self.name}", "out_{t.name}", out_{t.name});')
        return "\n".join([*lines, "}", ""])
