"""The arrays of the corpus without a library: contents from recipes, bytes of every element type.

A recipe is exact, so that any language can make the same array; the manifest has a hash of each.
"""

import math
import struct

# Types with a format of struct; True: as it is, else through the bits of a small float.
STRUCT = {
    "i1": "?", "i8": "b", "i16": "h", "i32": "i", "i64": "q", "u8": "B", "u16": "H", "u32": "I",
    "u64": "Q", "f16": "e", "f32": "f", "f64": "d",
}  # fmt: skip
# Small floats: bits of the exponent and of the mantissa, the bytes of one, infinities or none.
SMALL = {"bf16": (8, 7, 2, True), "f8e4m3fn": (4, 3, 1, False), "f8e5m2": (5, 2, 1, True)}
SIZES = {name: struct.calcsize("<" + code) for name, code in STRUCT.items()}
SIZES |= {name: row[2] for name, row in SMALL.items()} | {"f8e8m0fnu": 1}


def hashed(i, seed):
    """32 bits of a position: lowbias32 of i * 747796405 + seed * 2891336453 + 1."""
    x = (i * 747796405 + seed * 2891336453 + 1) & 0xFFFFFFFF
    x = ((x ^ x >> 16) * 0x7FEB352D) & 0xFFFFFFFF
    x = ((x ^ x >> 15) * 0x846CA68B) & 0xFFFFFFFF
    return x ^ x >> 16


def values(recipe, count):
    """Elements in the order of memory.

    const v        all v
    iota           0, 1, 2, ...
    steps lo n q s (lo + h(i) % n) * q with seed s
    real lo hi s   lo + (hi - lo) * (h(i) >> 8) / 2^24 in double, then rounded to the type
    shuffle s      0 .. count-1, ordered by (h(i), i)
    list [...]     the values over and over
    """
    kind, *rest = recipe
    if kind == "const":
        return [rest[0]] * count
    if kind == "iota":
        return list(range(count))
    if kind == "steps":
        low, n, quantum, seed = rest
        return [(low + hashed(i, seed) % n) * quantum for i in range(count)]
    if kind == "real":
        low, high, seed = rest
        return [low + (high - low) * (hashed(i, seed) >> 8) / 2.0**24 for i in range(count)]
    if kind == "shuffle":
        return sorted(range(count), key=lambda i: (hashed(i, rest[0]), i))
    if kind == "list":
        return [float(rest[0][i % len(rest[0])]) for i in range(count)]
    raise ValueError(kind)


def small_bits(value, exponent_bits, mantissa_bits, has_infinity):
    """The bits of a small float, to the nearest with ties to even."""
    bias = (1 << (exponent_bits - 1)) - 1
    sign = (math.copysign(1, value) < 0) << (exponent_bits + mantissa_bits)
    nan = (1 << (exponent_bits + mantissa_bits)) - 1
    infinity = ((1 << exponent_bits) - 1) << mantissa_bits
    if math.isnan(value):
        return sign | (infinity | 1 << (mantissa_bits - 1) if has_infinity else nan)
    if math.isinf(value):
        return sign | (infinity if has_infinity else nan)
    exponent = max(math.frexp(value)[1] - 1, 1 - bias) if value else 1 - bias
    code = round(abs(value) / 2.0 ** (exponent - mantissa_bits))  # ties to even
    code += (exponent + bias - 1) << mantissa_bits
    limit = infinity if has_infinity else nan
    return sign | (limit if code >= limit else code)


def small_value(bits, exponent_bits, mantissa_bits, has_infinity):
    bias = (1 << (exponent_bits - 1)) - 1
    sign = -1.0 if bits >> (exponent_bits + mantissa_bits) else 1.0
    exponent = bits >> mantissa_bits & ((1 << exponent_bits) - 1)
    mantissa = bits & ((1 << mantissa_bits) - 1)
    if exponent == (1 << exponent_bits) - 1:
        if has_infinity:
            return sign * math.inf if not mantissa else math.nan
        if mantissa == (1 << mantissa_bits) - 1:
            return math.nan
    if not exponent:
        return sign * mantissa * 2.0 ** (1 - bias - mantissa_bits)
    return sign * (mantissa + (1 << mantissa_bits)) * 2.0 ** (exponent - bias - mantissa_bits)


def encode(numbers, name):
    """The bytes of an array."""
    if name in SMALL:
        exponent, mantissa, size, infinity = SMALL[name]
        codes = (small_bits(float(v), exponent, mantissa, infinity) for v in numbers)
        return b"".join(code.to_bytes(size, "little") for code in codes)
    if name == "f8e8m0fnu":  # powers of two
        return bytes(math.frexp(float(v))[1] - 1 + 127 for v in numbers)
    code = STRUCT[name]
    if code in "efd":
        return b"".join(packed(float(v), code) for v in numbers)
    mask = (1 << 8 * SIZES[name]) - 1
    if name == "i1":
        return bytes(bool(v) for v in numbers)
    return b"".join((int(v) & mask).to_bytes(SIZES[name], "little") for v in numbers)


def packed(value, code):
    try:
        return struct.pack("<" + code, value)
    except OverflowError:
        return struct.pack("<" + code, math.copysign(math.inf, value))


def decode(data, name):
    if name in SMALL:
        exponent, mantissa, size, infinity = SMALL[name]
        pieces = (data[i : i + size] for i in range(0, len(data), size))
        return [
            small_value(int.from_bytes(p, "little"), exponent, mantissa, infinity) for p in pieces
        ]
    if name == "f8e8m0fnu":
        return [2.0 ** (b - 127) for b in data]
    return list(struct.unpack(f"<{len(data) // SIZES[name]}{STRUCT[name]}", data))


def is_close(got, want, rtol, atol):
    if math.isnan(want):
        return math.isnan(got)
    return got == want or abs(got - want) <= atol + rtol * abs(want)
