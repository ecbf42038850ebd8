"""Classes with member functions, templates of functions, references to variables.

A function's text may be a template afterwards: the type of a parameter has a name then, also where
the body speaks of it. So every instance is what the plain function would be.
"""

import re
from dataclasses import dataclass, field

from .base import Variable
from .control import STATEMENT_RULES
from .elements import Element, UINT
from .scalars import INTEGER_RULES as SCALAR_INTEGERS
from .tiles import INTEGER_RULES
from .tree import Callable, Expr, Struct, Tile


@dataclass
class Global:
    """Text in front of the kernel; a class has functions in its last line's place."""

    name: str
    text: str
    functions: list = field(default_factory=list)

    def lines(self):
        yield self.text
        for function in self.functions:
            yield from ("  " + line for line in function.lines())
        if self.functions:
            yield "};"


@dataclass
class Function:
    """A function of tile code. substitute: a parameter's type and its name in a template."""

    name: str
    head: str
    body: list
    parameters: tuple
    before: str = ""  # a line in front: template <...>, with what the name stands for
    substitute: tuple = ()
    last: str = ""  # lines behind

    def lines(self):
        lines = [self.head + " {"]
        for statement in self.body:
            lines.extend(statement.lines())
        lines.append("}")
        text = "\n".join(lines)
        if self.substitute:
            text = with_type_named(text, *self.substitute)
        yield from [*([self.before] if self.before else []), *text.split("\n")]
        if self.last:
            yield self.last


def with_type_named(text, type, name):
    """The text with the name where it declares something of the type."""
    inside = r"(?<!unsigned )(?<!signed )(?<!long )(?<![\w:])"
    return re.sub(rf"{inside}{re.escape(type)}(?= (?!long|int|short|char)[&*\w])", name, text)


class Generic:
    """Mixed into the generator."""

    def add_global(self, name, text, functions=()):
        self.globals.append(Global(name, text, list(functions)))

    # Functions.

    def function(self, name, result, arguments, spelt, names, members=(), is_changing=False):
        """A function that sees its parameters, and the members of its class, alone."""
        outer, sizes, is_closed = self.variables, self.sizes, self.is_closed
        self.variables, self.sizes, self.is_closed = [], {}, True
        late = len(self.late_parameters)
        with self.body_of_function(result) as body, self.purity(True):
            self.variables = []
            self.add_parameters(arguments, names, lambda i: spelt[i].startswith("const"))
            for m, t, limit in members:
                self.variables.append(Variable(m, t, limit, is_changing))
            self.statements(self.small() + (not is_changing))
            if result:
                self.emit("return {0};", self.value(result), is_frozen=True)
            for m, t, limit in members if is_changing else ():
                target = Expr(t, m, [], limit, True, variable=m)
                self.emit("{0} = {1};", target, self.value(t))
        assert late == len(self.late_parameters)
        self.variables, self.sizes, self.is_closed = outer, sizes, is_closed
        return Function(name, "", body, (*names, *(m for m, _, _ in members)))

    @STATEMENT_RULES.add(2)
    def declare_function(self):
        """A function of tile code in front of the kernel, or a template of one."""
        if self.in_function or len(self.functions) >= 3 or self.budget < 0:
            return False
        is_changing = self.chance(0.2) and not self.is_pure
        result = None if is_changing else self.passed_type()
        arguments = self.arguments(self.rng.randint(1, 3))
        name, names = f"KERNEL_f{len(self.functions)}", [self.name("q") for _ in arguments]
        spelt = []
        for (t, _), n in zip(arguments, names):
            spelt.append(self.rng.choice([f"{t.name} {n}", f"const {t.name} &{n}"]))
        if is_changing:
            # Its first parameter is changed by it.
            type = self.value_type()
            arguments = ((type, self.limit(getattr(type, "element", type))), *arguments[1:])
            spelt[0] = f"{type.name} &{names[0]}"
        made = self.function(name, result, arguments, spelt, names)
        word = self.rng.choice(["static ", "", "inline "])
        made.head = f"{word}__tile__ {result.name if result else 'void'} {name}({', '.join(spelt)})"
        call = name
        if self.chance(0.5):
            call = self.as_template(made, arguments, name)
        self.functions.append(made)
        references = (0,) if is_changing else ()
        callable = Callable(result, arguments, references)
        self.variables.append(Variable(call, callable, None, root=name))
        return True

    def as_template(self, made, arguments, name):
        """Makes a template of a function; how it is called then."""
        type = self.rng.choice(arguments)[0]
        t = self.name("T")
        kind = self.concept_of(type)
        arguments = [type.name]
        before = f"template <{kind} {t}>"
        if self.chance(0.3):
            before = f"template <class {t}, int N = 3>" + f"\n  requires(N > 2 && sizeof({t}) > 0)"
        made.substitute = (type.name, t)
        made.before = before
        if self.chance(0.25):
            # The function itself is a specialisation of a template that is not used otherwise.
            made.before = (
                f"template <class {t}, int N> struct {name}_t;\n"
                f"template <int N> struct {name}_t<{type.name}, N> {{\n"
                f"  using {t} = {type.name};\n  static "
            )
            made.last = "};"
            made.head = made.head.replace("static ", "").replace("inline ", "")
            return f"{name}_t<{type.name}, {self.rng.randint(0, 9)}>::{name}"
        return self.rng.choice([name, f"{name}<{arguments[0]}>"])

    def concept_of(self, type):
        if isinstance(type, Struct) or self.chance(0.4):
            return "class"
        element = type.element if isinstance(type, Tile) else type
        kinds = ["ct::tile_like", "ct::numeric_tile", "ct::arithmetic_tile"]
        kinds += ["ct::integral_tile"] if element.is_integer else ["ct::basic_floating_point_tile"]
        if isinstance(type, Element):
            kinds = ["ct::scalar", "ct::arithmetic_scalar"]
            kinds += ["ct::integral"] if element.is_integer else ["ct::floating_point_scalar"]
        return self.rng.choice(kinds)

    # Classes.

    def class_of(self, name, members):
        """(the methods' types, text): a constructor and functions of a class."""
        text = [f"struct {name} {{", *(f"  {t.name} {m};" for m, t, _ in members)]
        spelt = ", ".join(f"{t.name} {m}_" for m, t, _ in members)
        begin = ", ".join(f"{m}({m}_)" for m, t, _ in members)
        text.append(f"  __tile__ {name}({spelt}) : {begin} {{}}")
        methods, functions = [], []
        for k in range(self.rng.randint(1, 2)):
            is_changing = self.chance(0.4)
            result = None if is_changing else self.value_type()
            arguments = tuple(
                (t, self.limit_of(t))
                for t in (self.value_type() for _ in range(self.rng.randint(0, 2)))
            )
            names = [self.name("q") for _ in arguments]
            spelt = [f"{t.name} {n}" for (t, _), n in zip(arguments, names)]
            called = f"get{k}" if k or self.chance(0.6) else "operator()"
            made = self.function(called, result, arguments, spelt, names, members, is_changing)
            made.head = f"__tile__ {result.name if result else 'void'} {called}({', '.join(spelt)})"
            made.head += "" if is_changing else " const"
            functions.append(made)
            methods.append((called, Callable(result, arguments)))
        return tuple(methods), "\n".join(text), functions

    # References and addresses.

    def referable(self):
        """Variables that another name may be given to."""
        return [
            v
            for v in self.variables
            if v.is_mutable and isinstance(v.type, (Tile, Element)) and v.range is not None
        ]

    @STATEMENT_RULES.add(2)
    def declare_reference(self):
        found = self.referable()
        if not found:
            return False
        v = self.rng.choice(found)
        target = v.expr(is_frozen=True)
        if self.chance(0.5):
            form = self.rng.choice([f"{v.type.name} &NAME = {{0}};", "auto &NAME = {0};"])
            self.declare("r", v.type, v.range, form, target, is_mutable=True)
            return True
        new = self.declare("r", None, v.range, f"{v.type.name} *NAME = &{{0}};", target)
        self.variables[-1] = Variable(f"(*{new.name})", v.type, v.range, True, root=new.name)
        return True

    # Templates that end at compile time, packs.

    @INTEGER_RULES.add(0.5)
    def tile_through_templates(self, element, shape, depth):
        if element is not UINT:
            return None
        a = self.tile(element, shape, depth)
        return Expr(Tile(element, shape), self.repeated(), [a], UINT.full)

    @SCALAR_INTEGERS.add(0.5)
    def integer_through_templates(self, depth):
        return Expr(UINT, self.repeated(), [self.scalar(UINT, depth)], UINT.full)

    def repeated(self):
        if not any(g.name == "KERNEL_repeat" for g in self.globals):
            step = self.rng.choice(["x * 5u + unsigned(N)", "x ^ (x >> N)", "x + x * unsigned(N)"])
            self.add_global(
                "KERNEL_repeat",
                "template <int N, class T> __tile__ T KERNEL_repeat(T x) {\n"
                "  if constexpr (N == 0)\n    return x;\n"
                f"  else\n    return KERNEL_repeat<N - 1>({step});\n"
                "}\n"
                "template <class... T> __tile__ auto KERNEL_repeat_all(T... x) {\n"
                "  return (... ^ x);\n}",
            )
        if self.chance(0.5):
            return "KERNEL_repeat_all({0}, 7u, KERNEL_repeat<1>({0}))"
        return f"KERNEL_repeat<{self.rng.randint(0, 4)}>({{0}})"
