"""Inputs of the corpus: seeded, exact, and short enough to be written again in any language."""

import numpy as np
import ml_dtypes

NUMPY = {
    "i1": np.dtype(np.bool_),
    "i8": np.dtype(np.int8),
    "i16": np.dtype(np.int16),
    "i32": np.dtype(np.int32),
    "i64": np.dtype(np.int64),
    "u8": np.dtype(np.uint8),
    "u16": np.dtype(np.uint16),
    "u32": np.dtype(np.uint32),
    "u64": np.dtype(np.uint64),
    "f16": np.dtype(np.float16),
    "bf16": np.dtype(ml_dtypes.bfloat16),
    "f32": np.dtype(np.float32),
    "f64": np.dtype(np.float64),
    "f8e4m3fn": np.dtype(ml_dtypes.float8_e4m3fn),
    "f8e5m2": np.dtype(ml_dtypes.float8_e5m2),
    "f8e8m0fnu": np.dtype(ml_dtypes.float8_e8m0fnu),
}


def hashed(count, seed):
    """h(i), 32 bits: lowbias32 of i * 747796405 + seed * 2891336453 + 1."""
    x = np.arange(count, dtype=np.uint64)
    x = (x * 747796405 + (seed * 2891336453 + 1)) & 0xFFFFFFFF
    x ^= x >> 16
    x = (x * 0x7FEB352D) & 0xFFFFFFFF
    x ^= x >> 15
    x = (x * 0x846CA68B) & 0xFFFFFFFF
    return x ^ (x >> 16)


def make(recipe, count, dtype):
    """`count` elements in memory order. Recipes:
    const v        all v
    iota           0, 1, 2, ...
    steps lo n q s (lo + h(i) % n) * q with seed s: exact in every type that holds the values
    real lo hi s   lo + (hi - lo) * (h(i) >> 8) / 2^24 in double, then rounded to the type
    shuffle s      0 .. count-1, ordered by (h(i), i)
    list [...]     the values over and over
    """
    kind, *rest = recipe
    target = NUMPY[dtype]
    if kind == "const":
        return np.full(count, rest[0]).astype(target)
    if kind == "iota":
        return np.arange(count).astype(target)
    if kind == "steps":
        low, n, quantum, seed = rest
        values = (low + (hashed(count, seed) % n).astype(np.int64)) * quantum
        return values.astype(target)
    if kind == "real":
        low, high, seed = rest
        return (low + (high - low) * (hashed(count, seed) >> 8) / 2.0**24).astype(target)
    if kind == "shuffle":
        return np.argsort(hashed(count, rest[0]), kind="stable").astype(target)
    if kind == "list":
        values = [float(v) if isinstance(v, str) else v for v in rest[0]]
        return np.resize(np.array(values), count).astype(target)
    raise ValueError(kind)
