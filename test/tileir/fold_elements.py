"""Kernels of the corpus that reduce and scan by functions of their own: of every element type, of
one element, with numbers from outside, in loops and ifs, and beside a matrix product."""

import cuda.tile as ct
import numpy as np

from folds import largest, recurrence, then
from kernels import Arr, Num, bf16, case, f16, f32, f64, i8, i16, i32, i64

ConstInt = ct.Constant[int]


# ---- types of elements ----


def both(a, b):
    return a + b + a * b


@ct.kernel
def products_of_sums(x, o, p, q, R: ConstInt, C: ConstInt):
    t = ct.load(x, (0, 0), (R, C))
    ct.store(o, (0,), ct.reduce(t, 1, both, 0))
    ct.store(p, (0,), ct.reduce(t, 0, both, 0))
    ct.store(q, (0, 0), ct.scan(t, 1, both, 0, reverse=True))


def _products(x, axis, keep=False):
    x = np.moveaxis(x, axis, 0)
    wide = x.astype(np.int64 if x.dtype.kind in "iu" else np.float64)
    out, total = [], np.zeros(x.shape[1:], wide.dtype)
    for row in wide[::-1]:
        total = total + row + total * row
        out.append(total)
    return np.ascontiguousarray(np.moveaxis(np.stack(out[::-1]), 0, axis)) if keep else total


for number, (name, dtype, recipe, rtol) in enumerate(
    (
        ("i8", i8, ("steps", -3, 7, 1, 221), 0),
        ("i16", i16, ("steps", -3, 7, 1, 222), 0),
        ("i64", i64, ("steps", -3, 7, 1, 223), 0),
        ("f16", f16, ("real", -0.05, 0.05, 224), 0.02),
        ("bf16", bf16, ("real", -0.05, 0.05, 225), 0.15),
        ("f64", f64, ("real", -0.5, 0.5, 226), 1e-13),
    )
):
    case(
        products_of_sums,
        1,
        [
            Arr("x", dtype, (16, 32), recipe),
            Arr("o", dtype, (16,)),
            Arr("p", dtype, (32,)),
            Arr("q", dtype, (16, 32)),
            16,
            32,
        ],
        lambda x, o, p, q: {
            "o": _products(x, 1).astype(x.dtype),
            "p": _products(x, 0).astype(x.dtype),
            "q": _products(x, 1, True).astype(x.dtype),
        },
        rtol=rtol,
        atol=0.02 if rtol > 1e-6 else rtol,
        name=f"products_of_sums_{name}",
    )


@ct.kernel
def sums_of_halves(x, o, p, C: ConstInt):
    t = ct.load(x, (0, 0), (4, C))
    ct.store(o, (0,), ct.sum(t, 1))
    ct.store(p, (0, 0), ct.cumsum(t, 1))


case(
    sums_of_halves,
    1,
    [
        Arr("x", f16, (4, 1024), ("real", 0, 1, 227)),
        Arr("o", f16, (4,)),
        Arr("p", f16, (4, 1024)),
        1024,
    ],
    lambda x, o, p: {
        "o": x.astype(np.float64).sum(1).astype(np.float16),
        "p": x.astype(np.float64).cumsum(1).astype(np.float16),
    },
    rtol=0.02,
    note="the order of the sum, and so what is rounded, is open",
)


@ct.kernel
def folds_of_truth(x, o, p, C: ConstInt):
    t = ct.load(x, (0, 0), (8, C)) != 0
    ct.store(o, (0, 0), ct.astype(ct.reduce(t, 1, lambda a, b: a & b, True), i32).reshape((1, 8)))
    ct.store(o, (1, 0), ct.astype(ct.reduce(t, 1, lambda a, b: a | b, False), i32).reshape((1, 8)))
    ct.store(o, (2, 0), ct.astype(ct.reduce(t, 1, lambda a, b: a ^ b, False), i32).reshape((1, 8)))
    ct.store(o, (3, 0), ct.astype(ct.max(t, 1), i32).reshape((1, 8)))
    ct.store(o, (4, 0), ct.astype(ct.min(t, 1), i32).reshape((1, 8)))
    ct.store(p, (0, 0), ct.astype(ct.scan(t, 1, lambda a, b: a ^ b, False), i8))


case(
    folds_of_truth,
    1,
    [
        Arr("x", i32, (8, 64), ("list", [1, 0, 1, 1] + [1] * 133)),
        Arr("o", i32, (5, 8)),
        Arr("p", i8, (8, 64)),
        64,
    ],
    lambda x, o, p: {
        "o": np.stack(
            [
                (x != 0).all(1),
                (x != 0).any(1),
                (x != 0).sum(1) % 2,
                (x != 0).any(1),
                (x != 0).all(1),
            ]
        ).astype(np.int32),
        "p": ((x != 0).cumsum(1) % 2).astype(np.int8),
    },
)


# ---- captures ----


@ct.kernel
def folds_with_numbers(x, shift, scale, o, p, R: ConstInt, C: ConstInt):
    t = ct.load(x, (0, 0), (R, C))
    k = ct.bid(0) + 1
    factor = scale / 2.0
    ct.store(
        o, (ct.bid(0), 0), ct.reduce(t, 1, lambda a, b: a + b + factor * a * b, 0.0).reshape((1, R))
    )
    ct.store(
        p,
        (ct.bid(0), 0),
        ct.scan(
            (ct.astype(t * 100.0, i32) + shift) % (k * 7 + shift),
            1,
            lambda a, b: (a + b) % (k * 7 + shift),
            0,
        ),
    )


def _folds_with_numbers(x, o, p, scale=3.0, shift=5):
    blocks, rows = len(o), x.shape[0]
    total, running = np.zeros((blocks, rows)), np.zeros(p.shape, np.int32)
    number = (x * np.float32(100)).astype(np.int32) + shift
    for b in range(blocks):
        for column in x.astype(np.float64).T:
            total[b] = total[b] + column + scale / 2 * total[b] * column
        modulus = (b + 1) * 7 + shift
        running[b * rows : (b + 1) * rows] = number.cumsum(1) % modulus
    return {"o": total.astype(np.float32), "p": running}


case(
    folds_with_numbers,
    3,
    [
        Arr("x", f32, (8, 32), ("steps", 0, 8, 0.01, 231)),
        Num("shift", i32, 5),
        Num("scale", f32, 3.0),
        Arr("o", f32, (3, 8)),
        Arr("p", i32, (24, 32)),
        8,
        32,
    ],
    _folds_with_numbers,
    rtol=1e-5,
    atol=1e-6,
    note="the functions read parameters and the number of the block",
)


# ---- small extents ----


@ct.kernel
def folds_of_one(x, y, o, p, N: ConstInt):
    one = ct.load(x, (0,), (1,))
    ct.store(o, (0,), ct.reduce(one, 0, both, 0.0).reshape((1,)))
    ct.store(o, (1,), ct.scan(one, 0, both, 0.0))
    flat = ct.load(y, (0, 0), (1, N))
    ct.store(p, (0, 0), ct.reduce(flat, 0, both, 0.0).reshape((1, N)))
    ct.store(p, (1, 0), ct.scan(flat, 0, both, 0.0, reverse=True))
    ct.store(p, (2, 0), ct.broadcast_to(ct.reduce(flat, 1, both, 0.0).reshape((1, 1)), (1, N)))
    tall = flat.reshape((N, 1))
    ct.store(p, (3, 0), ct.reduce(tall, 1, both, 0.0).reshape((1, N)))
    ct.store(p, (4, 0), ct.scan(tall, 1, both, 0.0).reshape((1, N)))
    ct.store(p, (5, 0), ct.scan(tall, 0, both, 0.0).reshape((1, N)))
    most, place = ct.reduce(
        (flat, ct.zeros((1, N), i32)),
        0,
        lambda a, i, b, j: (ct.where(a > b, a, b), ct.where(a > b, i, j)),
        (-10.0, 0),
    )
    ct.store(p, (6, 0), (most + ct.astype(place, f32)).reshape((1, N)))


def _folds_of_one(x, y, o, p):
    row = y[0].astype(np.float64)
    running = np.cumprod(1 + row) - 1
    return {
        "o": np.array([x[0], x[0]], np.float32),
        "p": np.stack([row, row, np.full(len(row), running[-1]), row, row, running, row]).astype(
            np.float32
        ),
    }


case(
    folds_of_one,
    1,
    [
        Arr("x", f32, (1,), ("const", 2.5)),
        Arr("y", f32, (1, 16), ("real", -0.5, 0.5, 241)),
        Arr("o", f32, (2,)),
        Arr("p", f32, (7, 16)),
        16,
    ],
    _folds_of_one,
    rtol=1e-5,
    atol=1e-6,
)


# ---- in loops, ifs, by a product ----


@ct.kernel
def folds_in_control(x, count, o, T: ConstInt):
    n = ct.gather(count, ())
    total = ct.zeros((), i32)
    for k in range(n):
        t = ct.load(x, (k,), (T,))
        if k % 2 == 0:
            total = total + ct.reduce(t, 0, lambda a, b: (a * b) % 1009, 1)
        else:
            total = ct.maximum(total, ct.reduce(t, 0, lambda a, b: (a + b) % (total + 3), 0) % 3)
        steps = 0
        while steps < 3:
            steps = steps + 1
            running = ct.scan(t % (k + 5), 0, lambda a, b: (a + b) % (k + 5), 0)
            if ct.sum(running) > 40:
                break
        total = total + steps
    ct.store(o, (0,), total.reshape((1,)))


def _folds_in_control(x, count, o, T=64):
    total = 0
    for k in range(int(count)):
        t = [int(v) for v in x[k * T : (k + 1) * T]]
        if k % 2 == 0:
            product = 1
            for v in t:
                product = product * v % 1009
            total += product
        else:
            total = max(total, sum(t) % (total + 3) % 3)
        sums = np.cumsum(t) % (k + 5)
        total += 1 if sums.sum() > 40 else 3
    return {"o": np.array([total], np.int32)}


case(
    folds_in_control,
    1,
    [
        Arr("x", i32, (256,), ("steps", 1, 9, 1, 251)),
        Arr("count", i32, (), ("const", 4)),
        Arr("o", i32, (1,)),
        64,
    ],
    _folds_in_control,
    note="functions that read what a loop carries",
)


@ct.kernel
def folds_of_a_product(a, b, most, place, lines, M: ConstInt, N: ConstInt, K: ConstInt):
    c = ct.mma(ct.load(a, (0, 0), (M, K)), ct.load(b, (0, 0), (K, N)), ct.zeros((M, N), f32))
    columns = ct.broadcast_to(ct.arange(N, dtype=i32).reshape((1, N)), (M, N))
    v, p, _ = ct.reduce((c, columns, c), 1, largest, (-1e30, 1 << 30, 0.0))
    ct.store(most, (0,), v)
    ct.store(place, (0,), p)
    ct.store(lines, (0, 0), ct.scan((c * 0.01, c), 0, then, (1.0, 0.0))[1])


def _folds_of_a_product(a, b, most, place, lines):
    c = a.astype(np.float32) @ b.astype(np.float32)
    return {
        "most": c.max(1),
        "place": c.argmax(1).astype(np.int32),
        "lines": recurrence(c * np.float32(0.01), c),
    }


case(
    folds_of_a_product,
    1,
    [
        Arr("a", f16, (64, 32), ("steps", -4, 9, 0.25, 252)),
        Arr("b", f16, (32, 64), ("steps", -4, 9, 0.25, 253)),
        Arr("most", f32, (64,)),
        Arr("place", i32, (64,)),
        Arr("lines", f32, (64, 64)),
        64,
        64,
        32,
    ],
    _folds_of_a_product,
    rtol=1e-4,
    atol=1e-4,
)
