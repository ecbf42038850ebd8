"""The element types of tiles and what may be known of a value: an interval, how fine a float is.

Every expression carries a Range. It is an upper bound of what the value can be, so that nothing the
generator writes overflows, divides by zero, shifts too far or rounds: where a rule cannot keep that
it gives up and another is tried.
"""

from dataclasses import dataclass, replace


@dataclass(frozen=True)
class Element:
    """A scalar type: its C++ name, kind, width and, for floats, the bits of its significand."""

    name: str
    kind: str  # bool, signed, unsigned, float, restricted
    bits: int
    rank: int = 0  # C++'s conversion rank of an integer
    mantissa: int = 0
    exponent: int = 0

    @property
    def is_integer(self):
        return self.kind in ("bool", "signed", "unsigned")

    @property
    def is_float(self):
        return self.kind == "float"

    @property
    def is_restricted(self):
        return self.kind == "restricted"

    @property
    def size(self):
        return max(self.bits // 8, 1)

    @property
    def lo(self):
        return -(1 << (self.bits - 1)) if self.kind == "signed" else 0

    @property
    def hi(self):
        return (1 << (self.bits - (self.kind == "signed"))) - 1

    @property
    def full(self):
        """Everything an integer of this type can be."""
        return Range(self.lo, self.hi)

    def holds(self, r):
        """Whether each value of the range is a value of this type, exactly."""
        if r.is_inexact:
            return False
        if self.is_integer:
            return r.frac == 0 and self.lo <= r.lo and r.hi <= self.hi
        largest = max(abs(r.lo), abs(r.hi))
        return (
            largest * (1 << r.frac) <= (1 << self.mantissa)
            and r.frac < (1 << (self.exponent - 2))
            and largest < 1 << ((1 << (self.exponent - 1)) - 2)
        )


@dataclass(frozen=True)
class Range:
    """Multiples of 2^-frac from lo to hi; is_inexact: any value, known only to be deterministic."""

    lo: float
    hi: float
    frac: int = 0
    is_inexact: bool = False

    def contains(self, other):
        if self.is_inexact:
            return True
        return (
            not other.is_inexact
            and self.lo <= other.lo
            and other.hi <= self.hi
            and other.frac <= self.frac
        )

    def union(self, other):
        if self.is_inexact or other.is_inexact:
            return INEXACT
        return Range(min(self.lo, other.lo), max(self.hi, other.hi), max(self.frac, other.frac))

    def scaled(self, n):
        """The sum of n values of this range."""
        return replace(self, lo=min(self.lo * n, self.lo), hi=max(self.hi * n, self.hi))


INEXACT = Range(0, 0, 0, True)
TRUTH = Range(0, 1)

BOOL = Element("bool", "bool", 1)
CHAR = Element("char", "signed", 8, 1)
SCHAR = Element("signed char", "signed", 8, 1)
UCHAR = Element("unsigned char", "unsigned", 8, 1)
SHORT = Element("short", "signed", 16, 2)
USHORT = Element("unsigned short", "unsigned", 16, 2)
INT = Element("int", "signed", 32, 3)
UINT = Element("unsigned", "unsigned", 32, 3)
LONG = Element("long", "signed", 64, 4)
ULONG = Element("unsigned long", "unsigned", 64, 4)
LLONG = Element("long long", "signed", 64, 5)
ULLONG = Element("unsigned long long", "unsigned", 64, 5)
HALF = Element("__half", "float", 16, 0, 11, 5)
BF16 = Element("__nv_bfloat16", "float", 16, 0, 8, 8)
FLOAT = Element("float", "float", 32, 0, 24, 8)
DOUBLE = Element("double", "float", 64, 0, 53, 11)
E4M3 = Element("__nv_fp8_e4m3", "restricted", 8, 0, 4, 4)
E5M2 = Element("__nv_fp8_e5m2", "restricted", 8, 0, 3, 5)
TF32 = Element("__nv_tf32", "restricted", 32, 0, 11, 8)
E8M0 = Element("__nv_fp8_e8m0", "restricted", 8, 0, 1, 8)
E2M1 = Element("__nv_fp4_e2m1", "restricted", 4, 0, 2, 2)
CHAR8 = Element("char8_t", "unsigned", 8, 1)
CHAR16 = Element("char16_t", "unsigned", 16, 2)
CHAR32 = Element("char32_t", "unsigned", 32, 3)
WCHAR = Element("wchar_t", "signed", 32, 3)

INTEGERS = [CHAR, SCHAR, UCHAR, SHORT, USHORT, INT, UINT, LONG, ULONG, LLONG, ULLONG]
CHARACTERS = [CHAR8, CHAR16, CHAR32, WCHAR]
INTEGERS += CHARACTERS
FLOATS = [HALF, BF16, FLOAT, DOUBLE]
# How often each is an element of a tile.
TILE_ELEMENTS = {
    BOOL: 2,
    CHAR: 1,
    SCHAR: 2,
    UCHAR: 2,
    SHORT: 2,
    USHORT: 2,
    INT: 8,
    UINT: 4,
    LONG: 1,
    ULONG: 1,
    LLONG: 3,
    ULLONG: 2,
    HALF: 4,
    BF16: 4,
    FLOAT: 8,
    DOUBLE: 2,
    **{e: 0.4 for e in CHARACTERS},
}
SCALARS = {
    BOOL: 2,
    CHAR: 1,
    SCHAR: 2,
    UCHAR: 3,
    SHORT: 3,
    USHORT: 3,
    INT: 8,
    UINT: 5,
    LONG: 1,
    ULONG: 1,
    LLONG: 4,
    ULLONG: 3,
    FLOAT: 5,
    DOUBLE: 2,
    HALF: 1,
    BF16: 1,
    **{e: 0.3 for e in CHARACTERS},
}


def usual_type(a, b):
    """C++'s usual arithmetic conversions of two integer types."""
    a, b = promoted(a), promoted(b)
    if a.kind == b.kind:
        return a if a.rank >= b.rank else b
    signed, unsigned = (a, b) if a.kind == "signed" else (b, a)
    if unsigned.rank >= signed.rank:
        return unsigned
    if signed.bits > unsigned.bits:
        return signed
    return next(e for e in SUFFIX if e.kind == "unsigned" and e.rank == signed.rank)


def promoted(e):
    if e is CHAR32:
        return UINT
    return INT if e.bits < 32 or e is WCHAR else e


def wrapped(r, e):
    """What a value of the range is after a conversion to integer type e."""
    return r if e.holds(r) else e.full


SUFFIX = {INT: "", UINT: "u", LONG: "l", ULONG: "ul", LLONG: "ll", ULLONG: "ull"}


def literal(e, value):
    """A literal of exactly type e."""
    if e is BOOL:
        return "true" if value else "false"
    if e.is_integer:
        if e not in SUFFIX:
            return f"({e.name})({value})"
        if e.kind == "signed" and value == e.lo:
            return f"({value + 1}{SUFFIX[e]} - 1)"
        return f"({value}{SUFFIX[e]})" if value < 0 else f"{value}{SUFFIX[e]}"
    text = repr(float(value))
    if e is DOUBLE:
        return f"({text})" if value < 0 else text
    if e is FLOAT:
        return f"({text}f)" if value < 0 else f"{text}f"
    return f"{e.name}({text}f)"
