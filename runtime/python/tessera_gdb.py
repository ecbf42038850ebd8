"""Tiles under gdb: a table of elements, with the type as programs write it.

Loads itself: programs that run on the CPU have this text in their section .debug_gdb_scripts, which
gdb reads from files that its auto-load safe-path has. `source PREFIX/share/tessera/tessera_gdb.py`
does the same by hand. Stepping goes past the functions of the tile header (`info skip`).
"""

import re

import gdb

MOST_ROWS = 32
MOST_COLUMNS = 16

# Name of the class, bits of exponent, bits of fraction, bias: formats that are carried as integers.
FLOATS = {
    "__half": (5, 10, 15),
    "__nv_bfloat16": (8, 7, 127),
    "__nv_tf32": (8, 23, 127),
    "__nv_fp8_e4m3": (4, 3, 7),
    "__nv_fp8_e5m2": (5, 2, 15),
    "__nv_fp4_e2m1": (2, 1, 1),
}
WITHOUT_INFINITY = ("__nv_fp8_e4m3", "__nv_fp4_e2m1")


def decode(code, name):
    """The number that a code of a floating-point format stands for."""
    exponent_bits, fraction_bits, bias = FLOATS[name]
    sign = -1.0 if code >> (exponent_bits + fraction_bits) & 1 else 1.0
    exponent = code >> fraction_bits & ((1 << exponent_bits) - 1)
    fraction = code & ((1 << fraction_bits) - 1)
    last = (1 << exponent_bits) - 1
    if exponent == last and name not in WITHOUT_INFINITY:
        return sign * float("nan" if fraction else "inf")
    if name == "__nv_fp8_e4m3" and exponent == last and fraction == 7:
        return float("nan")
    if exponent == 0:
        return sign * fraction * 2.0 ** (1 - bias - fraction_bits)
    return sign * (1 + fraction / 2.0**fraction_bits) * 2.0 ** (exponent - bias)


class Tile:
    """ct::tile<E, shape<...>> of the CPU: lanes in row-major order."""

    def __init__(self, value):
        self.value = value
        self.element = value.type.template_argument(0).strip_typedefs()
        shape = str(value.type.template_argument(1).strip_typedefs())
        self.shape = [int(n) for n in re.findall(r"\b(\d+)ul\b", shape)]

    def element_text(self, lane):
        name = self.element.name or ""
        if name in FLOATS:
            return f"{decode(int(lane), name):.6g}"
        if name == "__nv_fp8_e8m0":
            return "nan" if int(lane) == 255 else f"{2.0 ** (int(lane) - 127):.6g}"
        if self.element.code == gdb.TYPE_CODE_PTR:
            return hex(int(lane))
        if self.element.code == gdb.TYPE_CODE_BOOL:
            return "true" if int(lane) else "false"
        if self.element.code == gdb.TYPE_CODE_FLT:
            return f"{float(lane):.6g}"
        return str(int(lane))

    def table(self, first, rows, columns):
        """Lines for `rows` rows from the element `first` on."""
        lanes = self.value["lanes_"]["v"]
        shown = min(columns, MOST_COLUMNS)
        cells = [
            [self.element_text(lanes[first + i * columns + j]) for j in range(shown)]
            for i in range(min(rows, MOST_ROWS))
        ]
        widths = [max([len(str(j))] + [len(row[j]) for row in cells]) for j in range(shown)]
        more = "  ..." if shown < columns else ""

        def line(head, row):
            return f"{head:>6}" + "".join(f"  {c:>{w}}" for c, w in zip(row, widths)) + more

        lines = [line("", [str(j) for j in range(shown)])]
        lines += [line(str(i), row) for i, row in enumerate(cells)]
        return lines + (["   ..."] if len(cells) < rows else [])

    def to_string(self):
        shape = "x".join(str(n) for n in self.shape) or "scalar"
        text = [f"tile<{self.element.name or self.element}, {shape}>"]
        if self.value.is_optimized_out:
            return text[0] + " <optimized out>"
        columns = self.shape[-1] if self.shape else 1
        rows = self.shape[-2] if len(self.shape) > 1 else 1
        outer = self.shape[:-2]
        count = 1
        for n in outer:
            count *= n
        for number in range(min(count, MOST_ROWS)):
            if outer:
                place, rest = [], number
                for n in reversed(outer):
                    place.insert(0, str(rest % n))
                    rest //= n
                text.append(f"  [{', '.join(place)}]")
            text += self.table(number * rows * columns, rows, columns)
        if count > MOST_ROWS:
            text.append("  ...")
        return "\n".join(text)


def find_printer(value):
    kind = value.type.strip_typedefs().unqualified()
    if kind.code != gdb.TYPE_CODE_STRUCT or not (kind.tag or "").startswith("cuda::tiles::tile<"):
        return None
    return Tile(value)


def install():
    if any(printer.__name__ == find_printer.__name__ for printer in gdb.pretty_printers
           if hasattr(printer, "__name__")):
        return
    gdb.pretty_printers.append(find_printer)
    gdb.execute("skip -gfi */include/tessera/*", to_string=True)
    gdb.execute("skip -gfi */include/tessera/*/*", to_string=True)
    gdb.execute("skip -gfi */include/tessera/*/*/*", to_string=True)


install()
