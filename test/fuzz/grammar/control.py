"""Statements: variables, assignments, branches, loops of every form, break, continue, return."""

from .base import Rules, Variable
from .elements import (
    BOOL,
    INT,
    LLONG,
    Range,
    SCALARS,
    SHORT,
    UCHAR,
    UINT,
    ULLONG,
)
from .tree import Expr, Pointer, Statement, Tile

STATEMENT_RULES = Rules()
LOOP_RULES = Rules()
COMPOUND = ["+=", "-=", "*=", "&=", "|=", "^=", "<<=", ">>="]


class Control:
    """Mixed into the generator."""

    def statements(self, n):
        for _ in range(n):
            self.statement()

    def statement(self):
        self.budget -= 1
        for rule in STATEMENT_RULES.choose(self.rng, 20):
            if rule(self):
                return

    def block_of(self, n):
        """A block of statements that was written in a scope of its own."""
        with self.block() as body:
            self.statements(n)
        return body

    def small(self):
        return self.rng.randint(1, 3)

    # Variables.

    @STATEMENT_RULES.add(10)
    def declare_scalar(self):
        element = self.weighted(SCALARS)
        if self.chance(0.3):
            e = self.integer(3)
            self.declare(
                "x", e.type, e.range, self.rng.choice(["auto", "const auto"]) + " NAME = {0};", e
            )
            return True
        r = self.limit(element)
        if element.is_integer and element is not BOOL:
            e = self.integer(3)  # converted by the initialisation
        else:
            e = self.scalar(element, 3)
        self.declare("x", element, r, f"{element.name} NAME = {{0}};", e, is_mutable=True)
        return True

    @STATEMENT_RULES.add(10)
    def assign_scalar(self):
        found = [
            v for v in self.variables if v.is_mutable and not isinstance(v.type, (Tile, Pointer))
        ]
        if not found:
            return False
        v = self.rng.choice(found)
        target = v.expr(is_frozen=True)
        if v.type is BOOL or v.type.is_float:
            self.emit("{0} = {1};", target, self.scalar(v.type, 3, v.range))
            return True
        return self.rng.choice(
            [self.assign_plain, self.assign_plain, self.assign_compound, self.assign_step]
        )(v, target)

    def assign_plain(self, v, target):
        self.emit("{0} = {1};", target, self.integer(3))
        return True

    def assign_compound(self, v, target):
        op = self.rng.choice(COMPOUND)
        e = self.integer(2)
        if op in ("<<=", ">>="):
            e = self.kept(e, Range(0, min(max(v.type.bits, 32) - 1, e.type.hi)))
            if v.type.kind == "signed" or v.type.bits >= 32:
                e = self.kept(e, Range(0, v.type.bits - 1))
        elif op in ("+=", "-=", "*="):
            if v.type.bits >= 32 and v.type.kind == "signed":
                return False  # might overflow
            # Narrow types compute in int; wider operands might overflow a wider type.
            e = self.kept(
                self.converted(e, SHORT if v.type.bits < 32 else v.type),
                Range(0, 99) if v.type.bits < 32 else v.type.full,
            )
        self.emit(f"{{0}} {op} {{1}};", target, e)
        return True

    def assign_step(self, v, target):
        if v.type.bits >= 32 and v.type.kind == "signed":
            return False
        self.emit(self.rng.choice(["{0}++;", "{0}--;", "++{0};", "--{0};"]), target)
        return True

    @STATEMENT_RULES.add(10)
    def declare_tile(self):
        element, shape = self.element(), self.usual_shape()
        e = self.tile(element, shape, self.tile_depth)
        type = Tile(element, shape)
        if self.chance(0.5):
            self.declare("t", type, e.range, "auto NAME = {0};", e)
            return True
        e = self.kept_tile(e, self.limit(element))
        self.declare(
            "t", type, self.limit(element), f"{type.name} NAME = {{0}};", e, is_mutable=True
        )
        return True

    @STATEMENT_RULES.add(10)
    def assign_tile(self):
        found = [v for v in self.variables if v.is_mutable and isinstance(v.type, Tile)]
        if not found:
            return False
        v = self.rng.choice(found)
        target = v.expr(is_frozen=True)
        self.emit(
            "{0} = {1};", target, self.tile(v.type.element, v.type.shape, self.tile_depth, v.range)
        )
        return True

    @STATEMENT_RULES.add(3)
    def declare_pointer(self):
        """A pointer that is chosen, and may be moved on later."""
        found = [v for v in self.variables if isinstance(v.type, Pointer)]
        if not found:
            return False
        type = self.rng.choice(found).type
        p = self.address(type.element, 8, not type.is_const)
        if p is None or p.type != type:
            return False
        if self.chance(0.5):
            q = self.address(type.element, 8, not type.is_const)
            if q is not None and q.type == type:
                if self.chance(0.5):
                    return self.merge_pointers(p, q)
                r = Range(max(p.range.lo, q.range.lo), min(p.range.hi, q.range.hi))
                p = Expr(type, "({0} ? {1} : {2})", [self.truth(2), p, q], r)
        if p.range.lo > 0 or p.range.hi < 0:
            return False
        self.declare("p", type, p.range, f"{type.name}NAME = {{0}};", p)
        return True

    def merge_pointers(self, p, q):
        r = Range(max(p.range.lo, q.range.lo), min(p.range.hi, q.range.hi))
        if r.lo > 0 or r.hi < 8:
            return False
        v = self.declare("p", p.type, r, f"{p.type.name}NAME = {{0}};", p)
        target = v.expr(is_frozen=True)
        head = self.emit("if ({0}) {{", self.truth(2))
        with self.block() as body:
            self.emit("{0} = {1};", target, q)
        head.blocks = [body]
        return True

    @STATEMENT_RULES.add(12)
    def write(self):
        if self.is_pure:
            return False
        self.store()
        return True

    # Branches.

    @STATEMENT_RULES.add(7)
    def branch(self):
        if self.depth >= 3 or self.budget < 0:
            return False
        if self.chance(0.2):
            return self.branch_with_variable()
        head = self.emit("if ({0}) {{", self.truth(3))
        head.blocks = [self.block_of(self.small())]
        if self.chance(0.5):
            head.blocks.append(self.block_of(self.small()))
            head.between = ["} else {"]
        return True

    def branch_with_variable(self):
        """if and else with a variable of their own."""
        e = self.integer(2)
        v = Variable(self.name("x"), e.type, e.range)
        bound = self.number(e.type, Range(0, min(40, e.type.hi)))
        form = f"if (const auto {v.name} = {{0}}; {v.name} > {bound}) {{{{"
        head = self.emit(form, e, defines=(v.name,), unwraps=False, between=["} else {"])
        for _ in range(2):
            with self.block() as body:
                self.variables.append(v)
                self.statements(self.small())
            head.blocks.append(body)
        return True

    @STATEMENT_RULES.add(2)
    def switch(self):
        if self.depth >= 3 or self.budget < 0:
            return False
        labels = self.rng.sample(range(6), self.rng.randint(1, 3))
        head = self.emit("switch ({0}) {{", self.kept(self.integer(2), Range(0, 7)), unwraps=False)
        body = []
        for label in labels + ["default"]:
            if label == "default" and self.chance(0.5):
                continue
            word = "default" if label == "default" else f"case {label}"
            inner = self.in_switch(self.small())
            body.append(
                Statement(
                    f"{word}: {{{{",
                    blocks=[inner],
                    unwraps=False,
                    tail="}" if self.chance(0.2) else "} break;",
                )
            )
        head.blocks = [body]
        return True

    def in_switch(self, n):
        """No continue stands directly in a switch."""
        old, self.loop_depth = self.loop_depth, 0
        body = self.block_of(n)
        self.loop_depth = old
        return body

    @STATEMENT_RULES.add(3)
    def leave(self):
        """break or continue where there is a loop, or return."""
        words = ["break;", "continue;"] * 4 if self.loop_depth else []
        if self.loop_depth > 1 or self.chance(0.25 if self.depth else 0.1):
            words.append("return;" if self.result is None else "return {0};")
        if not words:
            return False
        head = self.emit("if ({0}) {{", self.truth(3))
        with self.block() as body:
            if self.chance(0.4):
                self.statements(1)
            word = self.rng.choice(words)
            self.emit(word, *([self.value(self.result)] if "{0}" in word else []))
        head.blocks = [body]
        return True

    # Loops.

    @STATEMENT_RULES.add(8)
    def loop(self):
        if self.depth >= 3 or self.budget < 0:
            return False
        for rule in LOOP_RULES.choose(self.rng, 20):
            if rule(self):
                return True
        return False

    def loop_body(self, head, *counters, first=()):
        with self.block() as body:
            body.extend(first)
            self.variables.extend(counters)
            self.loop_depth += 1
            self.statements(self.small() + 1)
            self.loop_depth -= 1
        head.blocks = [body]
        head.defines = tuple(c.root or c.name for c in counters)
        return True

    def bounds(self, element):
        return self.scalar(element, 2, Range(0, 3)), self.scalar(element, 2, Range(0, 5))

    @LOOP_RULES.add(6)
    def loop_up(self):
        element = self.rng.choice([INT, INT, INT, UINT, LLONG, ULLONG, SHORT, UCHAR])
        lo, hi = self.bounds(element)
        i = self.name("i")
        step = self.rng.choice([f"{i}++", f"++{i}", f"{i} += 2", f"{i} += 3"])
        head = self.emit(f"for ({element.name} {i} = {{0}}; {i} < {{1}}; {step}) {{{{", lo, hi)
        return self.loop_body(head, Variable(i, element, Range(0, 4)))

    @LOOP_RULES.add(3)
    def loop_down(self):
        element = self.rng.choice([INT, INT, LLONG, SHORT])
        lo, hi = self.bounds(element)
        i = self.name("i")
        head = self.emit(f"for ({element.name} {i} = {{1}}; {i} >= {{0}}; --{i}) {{{{", lo, hi)
        return self.loop_body(head, Variable(i, element, Range(0, 5)))

    @LOOP_RULES.add(6)
    def loop_range(self):
        element = self.rng.choice([INT, INT, UINT, LLONG])
        lo, hi = self.bounds(element)
        i = self.name("i")
        step = (
            ", " + str(self.constant(element, self.rng.choice([1, 2, 3])))
            if self.chance(0.3)
            else ""
        )
        head = self.emit(f"for (auto {i} : ct::irange({{0}}, {{1}}{step})) {{{{", lo, hi)
        return self.loop_body(head, Variable(i, element, Range(0, 4)))

    @LOOP_RULES.add(1)
    def loop_iterator(self):
        """The iterators of a range, one by one."""
        element = self.rng.choice([INT, UINT, LLONG])
        lo, hi = self.bounds(element)
        range, i = self.name("range"), self.name("i")
        self.emit(f"auto {range} = ct::irange({{0}}, {{1}});", lo, hi, defines=(range,))
        kid = Expr(INT, range, [], None, True, variable=range)
        head = self.emit(f"for (auto {i} = {{0}}.begin(); {i} != {{0}}.end(); ++{i}) {{{{", kid)
        return self.loop_body(head, Variable(f"(*{i})", element, Range(0, 4), root=i))

    @LOOP_RULES.add(2)
    def loop_doubling(self):
        i = self.name("i")
        head = self.emit(
            f"for (int {i} = {{0}}; {i} < {{1}}; {i} *= 2) {{{{",
            self.scalar(INT, 2, Range(1, 3)),
            self.scalar(INT, 2, Range(0, 16)),
        )
        return self.loop_body(head, Variable(i, INT, Range(1, 15)))

    def counter(self):
        """A variable that only the loop's own parts change."""
        c = self.name("c")
        self.emit(f"int {c} = 0;", defines=(c,), is_frozen=True)
        return c

    @LOOP_RULES.add(4)
    def loop_while(self):
        c = self.counter()
        n, more = self.scalar(INT, 1, Range(0, 4)), self.truth(2)
        form = self.rng.choice(
            [
                "while ({0}++ < {1}) {{",
                "while ({0}++ < {1} && {2}) {{",
                "for (; {2} && {0} < {1}; {0}++) {{",
            ]
        )
        head = self.emit(form, Expr(INT, c, [], Range(0, 5), True, variable=c), n, more)
        return self.loop_body(head, Variable(c, INT, Range(0, 5)))

    @LOOP_RULES.add(2)
    def loop_do(self):
        c = self.counter()
        head = self.emit("do {{")
        with self.without_statements():
            n, more = self.scalar(INT, 1, Range(0, 4)), self.truth(2)
        self.loop_body(head, Variable(c, INT, Range(0, 4)))
        head.tail = f"}} while (++{c} < {n} && {more});"
        head.kids = [Expr(INT, c, [], None, True, variable=c), n, more]
        return True

    @LOOP_RULES.add(2)
    def loop_forever(self):
        c = self.counter()
        n = self.scalar(INT, 1, Range(0, 4))
        head = self.emit("for (;;) {{", unwraps=False)
        stop = Statement(
            "if ({0}++ >= {1}) break;",
            [Expr(INT, c, [], None, True, variable=c), n],
            is_frozen=True,
        )
        return self.loop_body(head, Variable(c, INT, Range(0, 5)), first=[stop])

    @LOOP_RULES.add(3)
    def loop_pointer(self):
        """A pointer that is carried along."""
        found = [
            v
            for v in self.variables
            if isinstance(v.type, Pointer) and v.range.lo <= 0 and v.range.hi >= 64
        ]
        if not found:
            return False
        v = self.rng.choice(found)
        p, n = self.name("p"), self.scalar(INT, 1, Range(0, 4))
        step = self.rng.choice([1, 1, 2, 7, 16])
        move = f"++{p}" if step == 1 else f"{p} += {step}"
        type, i = v.type.name, self.name("i")
        # Where the test is for one address alone, the body must not move it.
        end = f"*{i} = {p} + {{1}} * {step}"
        heads = [f"for ({type}{p} = {{0}}, {end}; {p} != {i}; {move})"]
        if v.type.is_const:
            pair = f"auto [{p}, {i}] = walk<{type}>{{{{{{0}}, 0}}}}"
            heads.append(f"for ({pair}; {i} < {{1}}; {move}, ++{i})")
        else:
            heads.append(f"for ({type}{p} = {{0}}, *{i} = {p}; {p} < {i} + {{1}} * {step}; {move})")
        head = self.emit(self.rng.choice(heads) + " {{", v.expr(), n)
        return self.loop_body(head, Variable(p, v.type, Range(0, v.range.hi - 4 * step)))
