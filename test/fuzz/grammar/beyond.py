"""What tile code may do with --extensions: call device and constexpr functions of scalars, and
functions that call themselves a number of times that is known when they are compiled.

Such functions stay SIMT code as well, so nothing of the tile language stands in them: while one is
written, `is_plain` leaves the rules that are C++'s alone.
"""

from .control import STATEMENT_RULES
from .elements import BOOL, DOUBLE, FLOAT, INT, LLONG, Range, SHORT, UCHAR, UINT, ULLONG
from .scalars import INTEGER_RULES as SCALAR_INTEGERS
from .tiles import INTEGER_RULES
from .base import Variable
from .generic import Function
from .tree import Callable, Expr, Tile

HEADS = ["__device__", "static __device__", "__host__ __device__", "constexpr"]
PASSED = [INT, INT, UINT, LLONG, ULLONG, SHORT, UCHAR, BOOL, FLOAT, FLOAT, DOUBLE]


class Beyond:
    """Mixed into the generator."""

    @STATEMENT_RULES.add(3)
    def declare_plain_function(self):
        if not self.beyond or self.in_function or len(self.functions) >= 4 or self.budget < 0:
            return False
        types = [self.rng.choice(PASSED) for _ in range(self.rng.randint(1, 3))]
        arguments = tuple((t, self.limit(t)) for t in types)
        result, name = self.rng.choice(PASSED), f"KERNEL_f{len(self.functions)}"
        names = [self.name("q") for _ in arguments]
        made = self.plain_function(name, result, arguments, names)
        word, spelt = self.rng.choice(HEADS), [f"{t.name} {n}" for t, n in zip(types, names)]
        made.head = f"{word} {result.name} {name}({', '.join(spelt)})"
        self.functions.append(made)
        call = name
        if word != "constexpr" and self.chance(0.3):
            call = self.as_template(made, arguments, name)
        self.variables.append(Variable(call, Callable(result, arguments), None, root=name))
        return True

    def plain_function(self, name, result, arguments, names):
        outer, sizes, is_closed = self.variables, self.sizes, self.is_closed
        self.variables, self.sizes, self.is_closed, self.is_plain = [], {}, True, True
        with self.body_of_function(result) as body, self.purity(True):
            self.variables = []
            self.add_parameters(arguments, names)
            if self.chance(0.6):
                e = self.integer(2)
                self.declare("v", e.type, e.range, f"const {e.type.name} NAME = {{0}};", e)
            if self.chance(0.4):
                self.plain_loop()
            if self.chance(0.4):
                head = self.emit("if ({0}) {{", self.truth(2), unwraps=False)
                with self.block() as inside:
                    self.emit("return {0};", self.scalar(result, 2), is_frozen=True)
                head.blocks = [inside]
            self.emit("return {0};", self.scalar(result, 3), is_frozen=True)
        self.is_plain = False
        self.variables, self.sizes, self.is_closed = outer, sizes, is_closed
        return Function(name, "", body, tuple(names))

    def plain_loop(self):
        """A variable that a loop changes."""
        n, i = self.scalar(INT, 1, Range(0, 7)), self.name("i")
        v = self.declare("v", UINT, UINT.full, "unsigned NAME = {0};", self.scalar(UINT, 2))
        head = self.emit(f"for (int {i} = 0; {i} < {{0}}; ++{i}) {{{{", n, defines=(i,))
        with self.block() as body:
            self.variables.append(Variable(i, INT, Range(0, 6)))
            self.emit("{0} = {1};", v.expr(is_frozen=True), self.scalar(UINT, 2))
        head.blocks = [body]

    # Constants, recursion.

    @SCALAR_INTEGERS.add(0.7)
    def integer_of_class(self, depth):
        """A constexpr member function, of a value that is made where it is called."""
        if not self.beyond:
            return None
        if not any(g.name == "KERNEL_between" for g in self.globals):
            self.add_global(
                "KERNEL_between",
                "struct KERNEL_between {\n  int from, to;\n  constexpr unsigned size() const {\n"
                "    return from < to ? unsigned(to) - unsigned(from) : 3u;\n  }\n};",
            )
        kids = [self.scalar(INT, depth), self.scalar(INT, depth)]
        return Expr(UINT, "KERNEL_between{{{0}, {1}}}.size()", kids, UINT.full)

    @SCALAR_INTEGERS.add(0.7)
    def integer_recursive(self, depth):
        if not self.beyond:
            return None
        if self.chance(0.4):
            if not any(g.name == "KERNEL_steps" for g in self.globals):
                self.add_global(
                    "KERNEL_steps",
                    "constexpr unsigned KERNEL_steps(unsigned n) {\n"
                    "  return n < 2 ? n + 1 : KERNEL_steps(n - 1) * 3u + KERNEL_steps(n - 2);\n}",
                )
            return Expr(UINT, f"KERNEL_steps({self.rng.randint(0, 7)}u)", [], UINT.full)
        return Expr(UINT, self.power(), [self.scalar(UINT, depth)], UINT.full)

    @INTEGER_RULES.add(0.7)
    def tile_recursive(self, element, shape, depth):
        if not self.beyond or element is not UINT:
            return None
        return Expr(Tile(UINT, shape), self.power(), [self.tile(UINT, shape, depth)], UINT.full)

    def power(self):
        if not any(g.name == "KERNEL_power" for g in self.globals):
            self.add_global(
                "KERNEL_power",
                "template <class T> __tile__ T KERNEL_power(T x, int n) {\n"
                "  return n == 1 ? x : x * KERNEL_power(x, n - 1);\n}",
            )
        return f"KERNEL_power({{0}}, {self.rng.randint(1, 5)})"
