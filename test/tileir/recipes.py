"""The arrays of manifests as NumPy has them; arrays.py says what a recipe means."""

import ml_dtypes
import numpy as np

import arrays

NUMPY = {
    "i1": np.dtype(np.bool_), "i8": np.dtype(np.int8), "i16": np.dtype(np.int16),
    "i32": np.dtype(np.int32), "i64": np.dtype(np.int64), "u8": np.dtype(np.uint8),
    "u16": np.dtype(np.uint16), "u32": np.dtype(np.uint32), "u64": np.dtype(np.uint64),
    "f16": np.dtype(np.float16), "bf16": np.dtype(ml_dtypes.bfloat16),
    "f32": np.dtype(np.float32), "f64": np.dtype(np.float64),
    "f8e4m3fn": np.dtype(ml_dtypes.float8_e4m3fn), "f8e5m2": np.dtype(ml_dtypes.float8_e5m2),
    "f8e8m0fnu": np.dtype(ml_dtypes.float8_e8m0fnu),
}  # fmt: skip


def make(recipe, count, dtype):
    """`count` elements in the order of memory."""
    return np.frombuffer(arrays.encode(arrays.values(recipe, count), dtype), NUMPY[dtype]).copy()
