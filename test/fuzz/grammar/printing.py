"""printf of scalars and tiles, by the first block alone: lines of several blocks have no order."""

from .control import STATEMENT_RULES
from .elements import BF16, BOOL, DOUBLE, FLOAT, HALF, INT, LLONG, LONG, UINT, ULLONG, ULONG
from .tree import Expr, Tile

SCALARS = {INT: "d", UINT: "u", LONG: "ld", ULONG: "lu", LLONG: "lld", ULLONG: "llu", DOUBLE: "g"}
TILES = {**SCALARS, BOOL: "d", FLOAT: "g", HALF: "g", BF16: "g"}


class Printing:
    """Mixed into the generator."""

    @STATEMENT_RULES.add(1)
    def print_values(self):
        if self.is_pure or self.is_closed or self.prints > 2:
            return False
        self.prints += 1
        texts, kids = [], [Expr(INT, self.block_number, [], None, True, variable=self.block_number)]
        for k in range(self.rng.randint(1, 3)):
            e = self.printed_tile() if self.chance(0.6) else self.printed_scalar()
            kids.append(e[1])
            texts.append(e[0])
        words = self.rng.choice([" ", ",", "|"]).join(texts)
        places = ", ".join("{%d}" % (k + 1) for k in range(len(texts)))
        text = f'"KERNELNAME print{self.prints} {words}\\n"'
        self.emit(f"if ({{0}} == 0) printf({text}, {places});", *kids)
        return True

    def printed_scalar(self):
        element = self.rng.choice(list(SCALARS))
        e = self.scalar(element, 2)
        if element is DOUBLE:
            e = Expr(element, "({0} + 0.0)", [e], e.range)  # zeros without a sign
        width = self.rng.choice(["", "", "3", "-5", "08"])
        return f"%{width}{SCALARS[element]}", e

    def printed_tile(self):
        found = [v for v in self.variables if isinstance(v.type, Tile)]
        found = [v for v in found if v.type.element in TILES and v.type.count <= 64]
        found = [v for v in found if not v.range.is_inexact]
        if not found:
            return self.printed_scalar()
        v = self.rng.choice(found)
        e = v.expr()
        if v.type.element.is_float:
            e = Expr(v.type, f"({{0}} + {self.constant(v.type.element, 0)})", [e], v.range)
        return f"%{TILES[v.type.element]}", e
