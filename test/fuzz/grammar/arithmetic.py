"""What an operation does to ranges. None: it might overflow, round or be undefined."""

from .elements import BOOL, INEXACT, Range


def hull(values, frac=0):
    return Range(min(values), max(values), frac)


def _bits(r, e):
    if r.lo < 0:
        return e.full
    return Range(0, (1 << int(r.hi).bit_length()) - 1)


def add(a, b):
    return Range(a.lo + b.lo, a.hi + b.hi, max(a.frac, b.frac))


def sub(a, b):
    return Range(a.lo - b.hi, a.hi - b.lo, max(a.frac, b.frac))


def mul(a, b):
    return hull([x * y for x in (a.lo, a.hi) for y in (b.lo, b.hi)], a.frac + b.frac)


def quotient(a, b):
    """Integers towards zero; b is positive."""
    if b.lo <= 0:
        return None
    ends = [abs(x) // y * (1 if x >= 0 else -1) for x in (a.lo, a.hi) for y in (b.lo, b.hi)]
    return hull(ends)


def remainder(a, b):
    if b.lo <= 0:
        return None
    most = b.hi - 1
    return Range(max(a.lo, -most) if a.lo < 0 else 0, min(a.hi, most) if a.hi > 0 else 0)


def floor_quotient(a, b):
    if b.lo <= 0:
        return None
    return hull([x // y for x in (a.lo, a.hi) for y in (b.lo, b.hi)])


def ceil_quotient(a, b):
    if b.lo <= 0:
        return None
    return hull([-(-x // y) for x in (a.lo, a.hi) for y in (b.lo, b.hi)])


def bit_and(a, b, e):
    if a.lo >= 0 and b.lo >= 0:
        return Range(0, min(a.hi, b.hi))
    if a.lo >= 0 or b.lo >= 0:
        return Range(0, a.hi if a.lo >= 0 else b.hi)
    return e.full


def bit_or(a, b, e):
    return _bits(a.union(b), e)


def shift_right(a, b):
    return Range(a.lo if a.lo < 0 else 0, a.hi if a.hi >= 0 else -1)


def minimum(a, b):
    return Range(min(a.lo, b.lo), min(a.hi, b.hi), max(a.frac, b.frac))


def maximum(a, b):
    return Range(max(a.lo, b.lo), max(a.hi, b.hi), max(a.frac, b.frac))


def negate(a):
    return Range(-a.hi, -a.lo, a.frac)


def absolute(a):
    return Range(
        0 if a.lo <= 0 <= a.hi else min(abs(a.lo), abs(a.hi)), max(abs(a.lo), abs(a.hi)), a.frac
    )


def complement(a):
    return Range(-1 - a.hi, -1 - a.lo)


def integer(op, a, b, e):
    """The range of `a op b` in integer type e, or None where it would be undefined."""
    if op in ("add", "sub", "mul"):
        r = {"add": add, "sub": sub, "mul": mul}[op](a, b)
        if e.holds(r):
            return r
        return e.full if e.kind == "unsigned" else None
    if op == "and":
        return bit_and(a, b, e)
    if op in ("or", "xor"):
        return bit_or(a, b, e)
    if op == "shl":
        if b.lo < 0 or b.hi >= e.bits:
            return None
        r = hull([x << y for x in (a.lo, a.hi) for y in (b.lo, b.hi)])
        return r if e.holds(r) else e.full
    if op == "shr":
        return None if b.lo < 0 or b.hi >= e.bits else shift_right(a, b)
    r = {
        "div": quotient,
        "rem": remainder,
        "floordiv": floor_quotient,
        "ceildiv": ceil_quotient,
        "min": minimum,
        "max": maximum,
    }[op](a, b)
    return r if r and e.holds(r) else None


def floating(op, a, b, e):
    """Likewise for floats: exact in type e, or None."""
    if a.is_inexact or b.is_inexact:
        return INEXACT if op in ("min", "max") else None
    r = {"add": add, "sub": sub, "mul": mul, "min": minimum, "max": maximum}[op](a, b)
    return r if e.holds(r) else None


def binary(op, a, b, e):
    if e is BOOL:
        return {"and": bit_and, "or": bit_or, "xor": bit_or}[op](a, b, e)
    return integer(op, a, b, e) if e.is_integer else floating(op, a, b, e)
