"""Kernels of the corpus about what is easily overlooked: small floats as lists of constants and
with other roundings, what stands where a mask is false, functions that call themselves."""

import cuda.tile as ct
import numpy as np

from kernels import Arr, Num, case, f16, f32, i32, ml_dtypes, u8

ConstInt = ct.Constant[int]
RM = ct.RoundingMode
VALUES = (1.0, 2.0, -4.0, 6.0, 0.0999755859375, 3.0, 1e30, -1e-30)


# ---- tf32 ----


def to_tf32(x, added):
    """The nineteen highest bits of floats, to whose magnitude something is added before."""
    bits = x.view(np.uint32)
    finite = np.where(np.isfinite(x), bits + np.uint32(added), bits)
    return (finite & np.uint32(0xFFFFE000)).view(np.float32)


@ct.kernel
def tf32_constants(o):
    ct.store(o, (0,), ct.astype(ct.astile(VALUES, dtype=ct.tfloat32), f32))


case(
    tf32_constants,
    1,
    [Arr("o", f32, (8,))],
    lambda o: {"o": to_tf32(np.array(VALUES, np.float32), 0x1000)},
    since="13.1",
)


@ct.kernel
def tf32_roundings(x, o, T: ConstInt):
    t = ct.load(x, (0,), (T,))
    away = ct.astype(t, ct.tfloat32, rounding_mode=RM.RA)
    cut = ct.astype(t, ct.tfloat32, rounding_mode=RM.RZ)
    ct.store(o, (0, 0), ct.astype(away, f32).reshape((1, T)))
    ct.store(o, (1, 0), ct.astype(cut, f32).reshape((1, T)))


TIES = [1 + 2**-11, -1 - 2**-11, 1 + 3 * 2**-11, 2.0**-130, "inf", "-inf", "nan", 3.4028234e38]
case(
    tf32_roundings,
    1,
    [
        Arr("x", f32, (16,), ("list", [*TIES, 1 + 2**-11 - 2**-23, 0, 7, -1.7, 0.1, -0.1, 9, 3])),
        Arr("o", f32, (2, 16)),
        16,
    ],
    lambda x, o: {"o": np.stack([to_tf32(x, 0x1000), to_tf32(x, 0)])},
    since="13.4",
)


# ---- masks ----


@ct.kernel
def exchange_of_some(x, old, T: ConstInt, HALF: ConstInt):
    i = ct.arange(T, dtype=i32)
    was = x.get_raw_memory().atomic_cas_offset(i, i * 3, i * 0 - 1, mask=i < HALF)
    ct.store(old, (0,), was)


case(
    exchange_of_some,
    1,
    [Arr("x", i32, (64,), ("list", [0, 3, 5, 9])), Arr("old", i32, (64,)), 64, 32],
    lambda x, old: {
        "x": np.where((np.arange(64) < 32) & (x == np.arange(64) * 3), -1, x).astype(np.int32),
        "old": np.where(np.arange(64) < 32, x, np.arange(64) * 3).astype(np.int32),
    },
    note="where the mask is false the result is what was compared",
)


# ---- calls ----


def climb(x, steps):
    if steps > 0:
        y = climb(x, steps - 1) + 1
    else:
        y = x
    return y


@ct.kernel
def calls_of_itself(x, o):
    ct.store(o, (0,), climb(ct.load(x, (0,), (8,)), 90))


case(
    calls_of_itself,
    1,
    [Arr("x", i32, (8,), ("iota",)), Arr("o", i32, (8,))],
    lambda x, o: {"o": x + 90},
    note="places of 90 callers",
)


# ---- truth values of rank 0 ----


@ct.kernel
def truth_of_numbers(o, a, b, c, d):
    t = ct.astile(((a, b), (c, d)), dtype=ct.bool_)
    u = ct.astile(((d & (a > 2), d | (b > 7)), (d ^ (c > 0.5), d)), dtype=ct.bool_)
    ct.store(o, (0, 0), ct.astype(t, i32))
    ct.store(o, (1, 0), ct.astype(u, i32))


case(
    truth_of_numbers,
    1,
    [
        Arr("o", i32, (4, 2)),
        Num("a", i32, 3),
        Num("b", i32, 0),
        Num("c", f32, 1.0),
        Num("d", ct.bool_, True),
    ],
    lambda o: {"o": np.array([[1, 0], [1, 1], [1, 1], [0, 1]], np.int32)},
    note="integers of one bit outside of tiles",
)


@ct.kernel
def four_bits(x, packed, halves, back):
    t = ct.astype(ct.load(x, (0,), (64,)), ct.float4_e2m1fn)
    raw = ct.pack_to_bytes(t)
    ct.store(packed, (0,), raw)
    again = ct.unpack_from_bytes(raw, ct.float4_e2m1fn)
    rows = ct.transpose(ct.reshape(again, (8, 8)))
    ct.store(halves, (0, 0), ct.astype(rows, ct.float16))
    ones = ct.full((8, 8), 1.5, ct.float4_e2m1fn)
    ct.store(back, (0, 0), ct.astype(ct.where(ct.astype(rows, f32) < 0, ones, rows), f32))


def _four_bits(x, packed, halves, back):
    t = x.astype(ml_dtypes.float4_e2m1fn)
    bits = t.view(np.uint8) & 15
    rows = t.reshape(8, 8).T.astype(np.float32)
    return {
        "packed": bits[::2] | bits[1::2] << 4,
        "halves": rows.astype(np.float16),
        "back": np.where(rows < 0, np.float32(1.5), rows),
    }


case(
    four_bits,
    1,
    [
        Arr("x", f32, (64,), ("steps", -8, 65, 0.25, 91)),
        Arr("packed", u8, (32,)),
        Arr("halves", f16, (8, 8)),
        Arr("back", f32, (8, 8)),
    ],
    _four_bits,
    since="13.3",
    gpu="sm_100",
)


@ct.kernel
def matmul_of_four_bits(a, sa, b, sb, c, M: ConstInt, N: ConstInt, K: ConstInt, S: ConstInt):
    left = ct.reshape(ct.load(a, (0, 0), (M, K // 2)), (M * K // 2,))
    left = ct.reshape(ct.unpack_from_bytes(left, ct.float4_e2m1fn), (M, K))
    right = ct.reshape(ct.load(b, (0, 0), (N, K // 2)), (N * K // 2,))
    right = ct.transpose(ct.reshape(ct.unpack_from_bytes(right, ct.float4_e2m1fn), (N, K)))
    scales = ct.load(sa, (0, 0), (M, S)), ct.load(sb, (0, 0), (S, N))
    zero = ct.zeros((M, N), f32)
    ct.store(c, (0, 0), ct.mma_scaled(left, scales[0], right, scales[1], zero))


def _matmul_of_four_bits(a, sa, b, sb, c):
    def numbers(x):
        bits = np.stack([x & 15, x >> 4], -1).reshape(x.shape[0], -1)
        return bits.view(ml_dtypes.float4_e2m1fn).astype(np.float64)

    each = 2 * a.shape[1] // sa.shape[1]
    left = numbers(a) * np.repeat(sa.astype(np.float64), each, 1)
    right = numbers(b).T * np.repeat(sb.astype(np.float64), each, 0)
    return {"c": (left @ right).astype(np.float32)}


for name, scale, count in (("e8m0", ct.float8_e8m0fnu, 2), ("e4m3", ct.float8_e4m3fn, 4)):
    case(
        matmul_of_four_bits,
        1,
        [
            Arr("a", u8, (32, 32), ("steps", 0, 256, 1, 92)),
            Arr("sa", scale, (32, count), ("list", [0.5, 1, 2, 4])),
            Arr("b", u8, (32, 32), ("steps", 0, 256, 1, 93)),
            Arr("sb", scale, (count, 32), ("list", [1, 0.25, 2])),
            Arr("c", f32, (32, 32)),
            32,
            32,
            64,
            count,
        ],
        _matmul_of_four_bits,
        name=f"matmul_of_four_bits_{name}",
        since="13.3",
        gpu="sm_100",
    )
