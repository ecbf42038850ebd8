# targets: emulate cpu
"""A product and attention as cuTile's samples write them: tiles of a group of rows, masked at the
ends; a running maximum and sum over the keys, with a causal mask."""

import cuda.tile as ct
import numpy as np

ConstInt = ct.Constant[int]


@ct.kernel(occupancy=2)
def product(a, b, c, tm: ConstInt, tn: ConstInt, tk: ConstInt, group: ConstInt):
    rows, columns = ct.cdiv(c.shape[0], tm), ct.cdiv(c.shape[1], tn)
    first = ct.bid(0) // (group * columns) * group
    height = min(rows - first, group)
    place = ct.bid(0) % (group * columns)
    row, column = first + place % height, place // height
    total = ct.zeros((tm, tn), ct.float32)
    for k in range(ct.num_tiles(a, axis=1, shape=(tm, tk))):
        left = ct.load(a, (row, k), (tm, tk), padding_mode=ct.PaddingMode.ZERO)
        right = ct.load(b, (k, column), (tk, tn), padding_mode=ct.PaddingMode.ZERO)
        total = ct.mma(left, right, total)
    ct.store(c, (row, column), ct.astype(total, c.dtype))


@ct.kernel
def attention(q, k, v, out, scale: float, tq: ConstInt, tk: ConstInt, depth: ConstInt):
    head, first = ct.bid(1), ct.bid(0) * tq
    queries = ct.reshape(ct.load(q, (head, ct.bid(0), 0), (1, tq, depth)), (tq, depth))
    rows = (first + ct.arange(tq, dtype=ct.int32))[:, None]
    largest = ct.full((tq, 1), -np.inf, ct.float32)
    total = ct.zeros((tq, 1), ct.float32)
    result = ct.zeros((tq, depth), ct.float32)
    for j in range(ct.cdiv(min(first + tq, k.shape[1]), tk)):
        keys = ct.load(k, (head, 0, j), (1, depth, tk), order=(0, 2, 1), latency=2)
        scores = ct.mma(queries, ct.reshape(keys, (depth, tk)), ct.zeros((tq, tk), ct.float32))
        columns = (j * tk + ct.arange(tk, dtype=ct.int32))[None, :]
        isseen = (columns <= rows) & (columns < k.shape[1])
        scores = ct.where(isseen, scores * scale, -np.inf)
        larger = max(largest, ct.max(scores, axis=1, keepdims=True))
        weights = ct.exp2(scores - larger)
        kept = ct.exp2(largest - larger)
        total = total * kept + ct.sum(weights, axis=1, keepdims=True)
        values = ct.reshape(ct.load(v, (head, j, 0), (1, tk, depth), latency=4), (tk, depth))
        result = ct.mma(ct.astype(weights, ct.float16), values, result * kept)
        largest = larger
    shaped = ct.reshape(result / total, (1, tq, depth))
    ct.store(out, (head, ct.bid(0), 0), ct.astype(shaped, out.dtype))


random = np.random.default_rng(0)


def made(*shape):
    return random.standard_normal(shape, np.float32).astype(np.float16)


a, b, c = made(100, 72), made(72, 90), np.zeros((100, 90), np.float16)
ct.launch(0, (4 * 3,), product, (a, b, c, 32, 32, 32, 2))
wanted = a.astype(np.float32) @ b.astype(np.float32)
print("product", np.allclose(c, wanted, rtol=2e-3, atol=1e-2))
# CHECK: product True

q, k, v = made(2, 96, 64), made(2, 96, 64), made(2, 96, 64)
out = np.zeros_like(q)
scale = 1 / 8 / np.log(2)
ct.launch(0, (3, 2), attention, (q, k, v, out, scale, 32, 32, 64))
scores = q.astype(np.float32) @ k.astype(np.float32).transpose(0, 2, 1) / 8
scores = np.where(np.tril(np.ones((96, 96), bool)), scores, -np.inf)
weights = np.exp(scores - scores.max(-1, keepdims=True))
wanted = weights / weights.sum(-1, keepdims=True) @ v.astype(np.float32)
print("attention", np.allclose(out, wanted, rtol=1e-2, atol=1e-2))
# CHECK: attention True
