"""Kernels of the corpus whose tiles are large enough for wgmma, rings and a producer warp."""

import cuda.tile as ct
import numpy as np

from kernels import Arr, Num, attention, case, f16, f32

ConstInt = ct.Constant[int]
SCALE = 0.36


def attention_of(causal, heads, keys, depth):
    """The cached keys may be fewer heads than there are, in a buffer of one head."""

    def expect(q, k, v, o):
        shape = (heads, keys, depth)
        k = np.broadcast_to(k.reshape(-1, keys, depth), shape).astype(np.float64)
        v = np.broadcast_to(v.reshape(-1, keys, depth), shape).astype(np.float64)
        s = np.einsum("hmd,hnd->hmn", q.astype(np.float64), k) * SCALE
        if causal:
            s = np.where(np.tri(s.shape[1], s.shape[2], dtype=bool), s, -np.inf)
        p = np.exp2(s - s.max(-1, keepdims=True))
        out = np.einsum("hmn,hnd->hmd", p, v) / p.sum(-1, keepdims=True)
        return {"o": out.astype(np.float16)}

    return expect


def large(name, causal, rows, keys, depth, tile, strides=None, elements=None, heads=2):
    """heads: of the grid; those behind the second one are outside of the arrays."""
    shape = (2, keys, depth)
    case(
        attention,
        (-(-rows // tile[0]), heads),
        [
            Arr("q", f16, (2, rows, depth), ("real", -1, 1, 178)),
            Arr("k", f16, shape, ("real", -1, 1, 179), strides, elements),
            Arr("v", f16, shape, ("real", -1, 1, 180), strides, elements),
            Arr("o", f16, (2, rows, depth)),
            Num("scale", f32, SCALE),
            depth,
            *tile,
            causal,
        ],
        attention_of(causal, 2, keys, depth),
        rtol=4e-3,
        atol=1e-3,
        name=name,
    )


large("large_attention", False, 144, 400, 64, (128, 128))
large("large_attention_causal", True, 272, 272, 64, (128, 128))
# The heads of keys are one: their stride is 0, which no tensor map has.
large("large_attention_of_one_head", False, 128, 272, 64, (128, 128), (0, 64, 1), 272 * 64)


# ---- Inputs/product.cu ----


@ct.kernel
def large_product(a, b, c, M: ConstInt, N: ConstInt, K: ConstInt):
    i, j = ct.bid(0), ct.bid(1)
    accumulator = ct.zeros((M, N), f32)
    zero = ct.PaddingMode.ZERO
    for k in range(ct.num_tiles(a, 1, (M, K))):
        x = ct.load(a, (i, k), (M, K), padding_mode=zero)
        y = ct.load(b, (k, j), (K, N), padding_mode=zero)
        accumulator = ct.mma(x, y, accumulator)
    ct.store(c, (i, j), accumulator.astype(c.dtype))


case(
    large_product,
    (2, 2),
    [
        Arr("a", f16, (240, 144), ("steps", -2, 5, 0.5, 181)),
        Arr("b", f16, (144, 208), ("steps", -2, 5, 0.5, 182)),
        Arr("c", f16, (240, 208)),
        128,
        128,
        64,
    ],
    lambda a, b, c: {"c": (a.astype(np.float64) @ b.astype(np.float64)).astype(np.float16)},
)


# ---- Blocks of 64 rows, two of which a block computes side by side ----

large("large_attention_of_few_rows", True, 208, 208, 128, (64, 64))


@ct.kernel
def attention_by_elements(q, k, v, o, scale, D: ConstInt, M: ConstInt, N: ConstInt):
    """Loops over elements, below the diagonal and at it, that carry the number of the tile, too."""
    i, head = ct.bid(0), ct.bid(1)
    queries = ct.load(q, (head, i, 0), (1, M, D)).reshape((M, D))
    weight = ct.zeros((M, 1), f32)
    acc = ct.zeros((M, D), f32)
    rows = i * M + ct.arange(M, dtype=ct.int32)[:, None]
    tile = 0
    for first in range(0, i * M, N):
        keys = ct.load(k, (head, 0, tile), (1, D, N), order=(0, 2, 1)).reshape((D, N))
        p = ct.exp2(ct.mma(queries, keys, ct.zeros((M, N), f32)) * scale)
        weight = weight + ct.sum(p, 1, keepdims=True)
        values = ct.load(v, (head, tile, 0), (1, N, D)).reshape((N, D))
        acc = ct.mma(p.astype(v.dtype), values, acc)
        tile += 1
    tile = i * M // N
    for first in range(i * M, (i + 1) * M, N):
        keys = ct.load(k, (head, 0, tile), (1, D, N), order=(0, 2, 1)).reshape((D, N))
        scores = ct.mma(queries, keys, ct.zeros((M, N), f32)) * scale
        columns = first + ct.arange(N, dtype=ct.int32)[None, :]
        p = ct.exp2(ct.where(columns <= rows, scores, -float("inf")))
        weight = weight + ct.sum(p, 1, keepdims=True)
        values = ct.load(v, (head, tile, 0), (1, N, D)).reshape((N, D))
        acc = ct.mma(p.astype(v.dtype), values, acc)
        tile += 1
    out = ct.truediv(acc, weight, rounding_mode=ct.RoundingMode.APPROX)
    ct.store(o, (head, i, 0), out.astype(o.dtype).reshape((1, M, D)))


case(
    attention_by_elements,
    (3, 2),
    [
        Arr("q", f16, (2, 192, 128), ("real", -1, 1, 183)),
        Arr("k", f16, (2, 192, 128), ("real", -1, 1, 184)),
        Arr("v", f16, (2, 192, 128), ("real", -1, 1, 185)),
        Arr("o", f16, (2, 192, 128)),
        Num("scale", f32, SCALE),
        128,
        64,
        32,
    ],
    attention_of(True, 2, 192, 128),
    rtol=4e-3,
    atol=1e-3,
)


# More tile blocks than an H100 has multiprocessors: a block computes two of them side by side.
large("large_attention_of_many_blocks", True, 144, 144, 128, (64, 64), heads=45)
