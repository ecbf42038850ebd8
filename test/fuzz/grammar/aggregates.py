"""Structs and arrays that hold tiles and scalars, lambdas, and functions of tile code."""

import contextlib
from dataclasses import dataclass, replace

from .base import Variable
from .control import STATEMENT_RULES
from .elements import BOOL, Element, INT, LLONG, Range, SCALARS, UINT
from .scalars import FLOAT_RULES as SCALAR_FLOATS, INTEGER_RULES as SCALAR_INTEGERS
from .tiles import ANY_RULES
from .tree import Callable, Expr, Struct, Tile


@dataclass(frozen=True)
class Array:
    """The type of a local array: what it holds, how many."""

    of: object
    size: int


@dataclass(frozen=True)
class InArray:
    """The type of a pointer into a local array: what it points to, how many are there at least."""

    of: object
    size: int


class Aggregates:
    """Mixed into the generator."""

    # Values of any type.

    def value_type(self):
        if self.chance(0.5):
            return Tile(self.element(), self.usual_shape())
        return self.weighted(SCALARS)

    def value(self, type, depth=2):
        if isinstance(type, Struct):
            found = [v for v in self.variables if v.type == type]
            if found and self.chance(0.6):
                return self.rng.choice(found).expr()
            kids = [self.value(t, 1) for _, t, _ in type.members]
            places = ", ".join("{%d}" % i for i in range(len(kids)))
            return Expr(type, f"{type.name}{{{{{places}}}}}", kids)
        if isinstance(type, Tile):
            return self.tile(type.element, type.shape, min(depth, self.tile_depth))
        if type.is_integer and type is not BOOL and depth > 1:
            return self.scalar(type, depth)
        return self.scalar(type, depth)

    def limit_of(self, type):
        if isinstance(type, Struct):
            return None
        return self.limit(type.element if isinstance(type, Tile) else type)

    def passed_type(self):
        """The type of a parameter or result."""
        return self.struct() if self.chance(0.15) else self.value_type()

    def add_parameters(self, arguments, names, is_const=lambda i: False):
        """Parameters as variables; what is const of a struct is its members."""
        for i, ((type, r), name) in enumerate(zip(arguments, names)):
            if not isinstance(type, Struct):
                self.variables.append(Variable(name, type, r, not is_const(i)))
                continue
            if not is_const(i):
                self.variables.append(Variable(name, type, None))
            for m, t, limit in type.members:
                place = f"{name}.{m}"
                self.variables.append(Variable(place, t, limit, not is_const(i), root=name))

    # Arrays.

    @STATEMENT_RULES.add(3)
    def declare_array(self):
        type, n = self.value_type(), self.rng.choice([2, 3, 4])
        if not isinstance(type, Tile):
            n = self.rng.choice([2, 4, 8])
        elif type.count > 256:
            return False
        kids = [self.value(type, 1) for _ in range(n)]
        places = ", ".join("{%d}" % i for i in range(n))
        self.declare(
            "array", Array(type, n), None, f"{type.name} NAME[{n}] = {{{{{places}}}}};", *kids
        )
        return True

    def slot(self, of=None):
        """An element of an array: (expression, type), or None."""
        found = [v for v in self.variables if isinstance(v.type, Array) and of in (None, v.type.of)]
        if not found:
            return None
        v = self.rng.choice(found)
        i = self.any_integer(Range(0, v.type.size - 1), 1, (INT, INT, UINT, LLONG))
        return Expr(
            v.type.of, f"{v.name}[{{0}}]", [i], self.limit_of(v.type.of), True, variable=v.name
        )

    @STATEMENT_RULES.add(3)
    def assign_slot(self):
        target = None if self.is_pure else self.slot()
        if target is None:
            return False
        self.emit("{0} = {1};", target, self.value(target.type))
        return True

    def read_slot(self, type):
        e = self.slot(type)
        return e and replace(e, is_frozen=False)

    @ANY_RULES.add(2)
    def tile_of_array(self, element, shape, depth):
        return self.read_slot(Tile(element, shape))

    @SCALAR_INTEGERS.add(2)
    def integer_of_array(self, depth):
        found = [
            v.type.of
            for v in self.variables
            if isinstance(v.type, Array)
            and not isinstance(v.type.of, Tile)
            and v.type.of.is_integer
        ]
        return self.read_slot(self.rng.choice(found)) if found else None

    @SCALAR_FLOATS.add(2)
    def float_of_array(self, element, depth):
        return self.read_slot(element)

    # Pointers into arrays.

    def place_in_array(self, of=None):
        """(pointer expression, its type), or None."""
        found = [
            v
            for v in self.variables
            if isinstance(v.type, Array) and isinstance(v.type.of, Element)
            if of in (None, v.type.of)
        ]
        if not found:
            return None
        v = self.rng.choice(found)
        most = self.rng.randint(0, v.type.size - 1)
        form = self.rng.choice([f"({v.name} + {{0}})", f"(&{v.name}[{{0}}])"])
        i = self.any_integer(Range(0, most), 1)
        type = InArray(v.type.of, v.type.size - most)
        return Expr(type, form, [i], None, True, variable=v.name)

    @STATEMENT_RULES.add(3)
    def declare_place(self):
        """A pointer into an array, chosen from two where there are two."""
        p = self.place_in_array()
        if p is None:
            return False
        if self.chance(0.5):
            q = self.place_in_array(p.type.of)
            size = min(p.type.size, q.type.size)
            form = "({0} ? {1} : {2})"
            p = Expr(InArray(p.type.of, size), form, [self.truth(2), p, q], None, True)
        # What a lambda holds copies of is not changed by it.
        word = "const " if self.is_pure else ""
        self.declare("at", p.type, None, f"{word}{p.type.of.name} *NAME = {{0}};", p)
        return True

    def pointed(self, of=None):
        """What a pointer into an array points to, or None."""
        found = [
            v for v in self.variables if isinstance(v.type, InArray) and of in (None, v.type.of)
        ]
        if not found:
            return None
        v = self.rng.choice(found)
        r = self.limit(v.type.of)
        if self.chance(0.3):
            return Expr(v.type.of, f"(*{v.name})", [], r, True, variable=v.name)
        i = self.any_integer(Range(0, v.type.size - 1), 1)
        form = self.rng.choice([f"{v.name}[{{0}}]", f"(*({v.name} + {{0}}))"])
        return Expr(v.type.of, form, [i], r, True, variable=v.name)

    @STATEMENT_RULES.add(3)
    def assign_pointed(self):
        target = None if self.is_pure else self.pointed()
        if target is None:
            return False
        self.emit("{0} = {1};", target, self.value(target.type))
        return True

    @SCALAR_INTEGERS.add(2)
    def integer_pointed(self, depth):
        found = [v.type.of for v in self.variables if isinstance(v.type, InArray)]
        found = [e for e in found if e.is_integer]
        e = self.pointed(self.rng.choice(found)) if found else None
        return e and replace(e, is_frozen=False)

    @SCALAR_FLOATS.add(1)
    def float_pointed(self, element, depth):
        e = self.pointed(element)
        return e and replace(e, is_frozen=False)

    # Structs.

    def struct(self):
        """A struct of two or three members; few to a kernel."""
        if self.structs and self.chance(0.6):
            return self.rng.choice(self.structs)
        name = f"KERNEL_{self.name('s')}"
        members = []
        for i in range(self.rng.randint(2, 3)):
            type = self.value_type()
            members.append((f"m{i}", type, self.limit_of(type)))
        members = tuple(members)
        if self.chance(0.4) and not self.in_function and self.budget > 0:
            methods, text, functions = self.class_of(name, members)
            self.add_global(name, text, functions)
        else:
            methods, fields = (), " ".join(f"{t.name} {m};" for m, t, _ in members)
            self.add_global(name, f"struct {name} {{ {fields} }};")
        struct = Struct(name, members, methods)
        self.structs.append(struct)
        return struct

    def add_members(self, name, struct):
        for m, type, r in struct.members:
            self.variables.append(Variable(f"{name}.{m}", type, r, True, root=name))
        for called, type in struct.methods:
            place = name if called == "operator()" else f"{name}.{called}"
            self.variables.append(Variable(place, type, None, root=name))

    @STATEMENT_RULES.add(3)
    def declare_struct(self):
        found = [v for v in self.variables if isinstance(v.type, Struct)]
        if found and self.chance(0.4):
            v = self.rng.choice(found)
            new = self.declare("s", v.type, None, f"{v.type.name} NAME = {{0}};", v.expr())
            self.add_members(new.name, v.type)
            return True
        made = [v.type.result for v in self.variables if isinstance(v.type, Callable)]
        made = [t for t in made if isinstance(t, Struct)]
        if made and self.chance(0.6):
            struct = self.rng.choice(made)
            v = self.declare("s", struct, None, "auto NAME = {0};", self.call(struct))
            self.add_members(v.name, struct)
            return True
        struct = self.struct()
        kids = [self.value(t, 1) for _, t, _ in struct.members]
        places = ", ".join("{%d}" % i for i in range(len(kids)))
        v = self.declare("s", struct, None, f"{struct.name} NAME{{{{{places}}}}};", *kids)
        self.add_members(v.name, struct)
        return True

    @STATEMENT_RULES.add(1)
    def assign_struct(self):
        found = [v for v in self.variables if isinstance(v.type, Struct)]
        if len(found) < 2 or self.is_pure:
            return False
        v = self.rng.choice(found)
        others = [w for w in found if w.type == v.type and w is not v]
        if not others:
            return False
        self.emit(
            "{0} = {1};",
            Expr(v.type, v.name, [], None, True, variable=v.name),
            self.rng.choice(others).expr(),
        )
        return True

    # Lambdas and functions.

    @contextlib.contextmanager
    def body_of_function(self, result):
        """Statements of a function: no loop around it, its own returns."""
        old = self.loop_depth, self.result, self.in_function
        self.loop_depth, self.result, self.in_function = 0, result, True
        try:
            with self.block() as body:
                yield body
        finally:
            self.loop_depth, self.result, self.in_function = old

    def arguments(self, n):
        return tuple((t, self.limit_of(t)) for t in (self.passed_type() for _ in range(n)))

    @STATEMENT_RULES.add(2)
    def declare_lambda(self):
        if self.depth >= 2 or self.budget < 0 or self.in_function:
            return False
        result = self.value_type() if self.chance(0.7) or self.is_pure else None
        arguments = self.arguments(self.rng.randint(0, 2))
        names = [self.name("q") for _ in arguments]
        words = [self.rng.choice([t.name, t.name, "auto"]) for t, _ in arguments]
        spelt = ", ".join(f"{word} {n}" for word, n in zip(words, names))
        name = self.name("f")
        arrow = f" -> {result.name}" if result else ""
        # What is captured by value is not changed: only a lambda with a result is pure.
        capture = self.rng.choice(["&", "&", "="]) if result else "&"
        head = self.emit(
            f"auto {name} = [{capture}]({spelt}){arrow} {{{{", tail="};", unwraps=False
        )
        with self.body_of_function(result) as body, self.purity(result is not None):
            self.add_parameters(arguments, names)
            self.statements(self.small())
            if result:
                self.emit("return {0};", self.value(result), is_frozen=True)
        head.blocks, head.defines = [body], (name, *names)
        self.variables.append(Variable(name, Callable(result, arguments), None))
        return True

    @contextlib.contextmanager
    def purity(self, is_pure):
        """What is called inside an expression changes nothing outside: operands have no order."""
        old, kept = self.is_pure, self.variables
        self.is_pure = self.is_pure or is_pure
        if is_pure:
            self.variables = [replace(v, is_mutable=False) for v in self.variables]
        try:
            yield
        finally:
            self.is_pure = old
            if is_pure:
                self.variables = kept + [v for v in self.late_parameters if v not in kept]

    def call(self, result):
        found = [
            v for v in self.variables if isinstance(v.type, Callable) and v.type.result == result
        ]
        if not found:
            return None
        v = self.rng.choice(found)
        kids = []
        for i, (t, r) in enumerate(v.type.arguments):
            if i not in v.type.references:
                kids.append(self.value(t, 1))
                continue
            targets = [w for w in self.referable() if w.type == t and w.range == r]
            if not targets:
                return None
            kids.append(self.rng.choice(targets).expr(is_frozen=True))
        places = ", ".join("{%d}" % i for i in range(len(kids)))
        root = v.root or v.name
        r = result and self.limit_of(result)
        return Expr(result, f"{v.name}({places})", kids, r, variable=root)

    @ANY_RULES.add(3)
    def tile_call(self, element, shape, depth):
        return self.call(Tile(element, shape))

    @SCALAR_INTEGERS.add(2)
    def integer_call(self, depth):
        found = [v.type.result for v in self.variables if isinstance(v.type, Callable)]
        found = [t for t in found if isinstance(t, Element) and t.is_integer]
        return self.call(self.rng.choice(found)) if found else None

    @SCALAR_FLOATS.add(1)
    def float_call(self, element, depth):
        return self.call(element)

    @STATEMENT_RULES.add(2)
    def call_statement(self):
        e = None if self.is_pure else self.call(None)
        if e is None:
            return False
        self.emit("{0};", e)
        return True
