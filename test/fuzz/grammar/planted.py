"""A mistake at a kernel's begin, which --check=bounds has to report on every target alike.

Each breaks a promise that the language lets a program make: a box or an index that is outside, a
false assumption. What is wrong comes at run time, as an argument.
"""

from .elements import INT
from .tree import Expr

EIGHT, INTS = "ct::shape<8>{}", "ct::tile<int, ct::shape<8>>"
# A statement with N for the number, numbers that are wrong, what stands in front.
VIEW = "auto view = ct::partition_view{ct::tensor_span{P, ct::extents{20}}, ct::shape<8>{}};"
ROWS = "auto view = ct::partition_view{ct::tensor_span{P, ct::extents{4, 20}}, ct::shape<2, 8>{}};"
STEPS = (
    "auto view = ct::strided_view{ct::tensor_span{P, ct::extents{20}}, ct::shape<8>{}, "
    "ct::strides{4_ic}};"
)
GATHERED = (
    "auto view = ct::gather_scatter_view{ct::tensor_span{P, ct::extents{20}}, ct::shape<8>{}, "
    "ct::integral_constant<0>{}};\n  auto i = ct::iota<ct::tile<int, ct::shape<8>>>() * N;"
)
TILE = "auto x = ct::load(P + ct::iota<ct::tile<int, ct::shape<16>>>());"
PLANTS = [
    (VIEW, "view.store(view.load(N), 0);", [2, 3, -1, 1000, -2147483647]),
    (VIEW, "view.store(view.load(0), N);", [2, 3, -1, 1000]),
    (VIEW, "view.store(view.load_masked(N), 0);", [3, -1, 50]),
    (VIEW, "view.store_masked(view.load(1), N);", [3, -1, 50, -2147483647]),
    (STEPS, "view.store(view.load(N), 0);", [4, 5, -1]),
    (ROWS, "view.store(view.load(0, N), 0, 1);", [2, 3, -1]),
    (ROWS, "view.store(view.load(N, 1), 0, 1);", [2, -1]),
    (ROWS, "view.store_masked(view.load(1, 0), N, 2);", [2, -1]),
    (GATHERED, "view.store(view.load(i), ct::iota<ct::tile<int, ct::shape<8>>>());", [3, -1]),
    (GATHERED, "view.store(view.load(ct::iota<ct::tile<int, ct::shape<8>>>()), i);", [3, -1]),
    (TILE, f"ct::store(P + ct::iota<{INTS}>(), ct::extract(x, {EIGHT}, N));",
     [2, -1, 7]),
    (TILE, f"ct::store(P + ct::iota<{INTS}>(), ct::extract(ct::insert(x, "
     f"ct::load(P + ct::iota<{INTS}>()), N), {EIGHT}, 0));", [2, -1]),
    ("", "P[ct::assume_bounded<0, 9>(N)] = P[0];", [10, 99]),
    ("", "P[ct::assume_bounded_above<9>(N)] = P[0];", [10, 99]),
    ("", "P[ct::assume_bounded_below<8>(N)] = P[0];", [7, 0]),
    ("", "P[ct::assume_divisible<4>(N)] = P[0];", [6, 1]),
]


class Planted:
    """Mixed into the generator."""

    def plant(self):
        """By the first block alone, so that every target reports the same."""
        o = self.written()
        before, form, numbers = self.rng.choice(PLANTS)
        n = self.parameter(INT, [self.rng.choice(numbers)] * self.launches)
        lines = [line for line in (before, form) if line]
        text = "\n".join(f"  {line}" for line in lines).replace("{", "{{").replace("}", "}}")
        text = text.replace("P", "{1}").replace("N", "{2}")
        block = Expr(INT, self.block_number, [], None, True, variable=self.block_number)
        form = f"if ({{0}} == 0) {{{{\n{text}\n}}}}"
        self.emit(form, block, o.base, n.expr(True), is_frozen=True)
