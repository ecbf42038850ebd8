"""Kernels of the corpus that reduce and scan by functions of their own, of several tiles and along
every axis. A function gets the elements, then what is combined of those before them."""

import cuda.tile as ct
import numpy as np

from kernels import Arr, case, f16, f32, f64, i8, i16, i32, i64, u8

ConstInt = ct.Constant[int]


# ---- the largest, with what it has ----


def largest(value, place, payload, value_before, place_before, payload_before):
    first = (value == value_before) & (place < place_before)
    takes = (value > value_before) | first
    return (
        ct.where(takes, value, value_before),
        ct.where(takes, place, place_before),
        ct.where(takes, payload, payload_before),
    )


NOTHING = (-1000000, 1 << 30, 0)


@ct.kernel
def largest_of_rank_1(x, w, most, place, payload, N: ConstInt):
    value, where, carried = ct.reduce(
        (ct.load(x, (0,), (N,)), ct.arange(N, dtype=i32), ct.load(w, (0,), (N,))),
        0,
        largest,
        NOTHING,
    )
    ct.store(most, (0,), value.reshape((1,)))
    ct.store(place, (0,), where.reshape((1,)))
    ct.store(payload, (0,), carried.reshape((1,)))


def _largest_of_rank_1(x, w, most, place, payload):
    k = int(x.argmax())
    return {"most": x[k : k + 1], "place": np.array([k], np.int32), "payload": w[k : k + 1]}


case(
    largest_of_rank_1,
    1,
    [
        Arr("x", i32, (256,), ("steps", -500, 400, 1, 201)),
        Arr("w", f32, (256,), ("real", -1, 1, 202)),
        Arr("most", i32, (1,)),
        Arr("place", i32, (1,)),
        Arr("payload", f32, (1,)),
        256,
    ],
    _largest_of_rank_1,
)


@ct.kernel
def largest_of_rank_2(x, w, most, place, payload, R: ConstInt, C: ConstInt):
    values = ct.load(x, (0, 0), (R, C))
    carried = ct.load(w, (0, 0), (R, C))
    rows = ct.broadcast_to(ct.arange(R, dtype=i32).reshape((R, 1)), (R, C))
    columns = ct.broadcast_to(ct.arange(C, dtype=i32).reshape((1, C)), (R, C))
    v, p, c = ct.reduce((values, rows, carried), 0, largest, NOTHING)
    ct.store(most, (0,), v)
    ct.store(place, (0,), p)
    ct.store(payload, (0,), c)
    v, p, c = ct.reduce((values, columns, carried), 1, largest, NOTHING)
    ct.store(most, (C // R,), v)
    ct.store(place, (C // R,), p)
    ct.store(payload, (C // R,), c)


def along(x, w, axis):
    k = x.argmax(axis)
    take = lambda t: np.take_along_axis(t, np.expand_dims(k, axis), axis).squeeze(axis).ravel()
    return take(x), k.astype(np.int32).ravel(), take(w)


def _largest_of_rank_2(x, w, most, place, payload):
    parts = [along(x, w, axis) for axis in (0, 1)]
    return dict(zip(("most", "place", "payload"), (np.concatenate(p) for p in zip(*parts))))


case(
    largest_of_rank_2,
    1,
    [
        Arr("x", f32, (16, 64), ("steps", -20, 41, 0.5, 203)),
        Arr("w", i32, (16, 64), ("iota",)),
        Arr("most", f32, (80,)),
        Arr("place", i32, (80,)),
        Arr("payload", i32, (80,)),
        16,
        64,
    ],
    _largest_of_rank_2,
    note="ties: the first place",
)


@ct.kernel
def largest_of_rank_3(x, w, a, b, c, A: ConstInt, B: ConstInt, C: ConstInt):
    values = ct.load(x, (0, 0, 0), (A, B, C))
    carried = ct.load(w, (0, 0, 0), (A, B, C))
    place = ct.broadcast_to(ct.arange(A, dtype=i32).reshape((A, 1, 1)), (A, B, C))
    ct.store(a, (0, 0), ct.reduce((values, place, carried), 0, largest, NOTHING)[2])
    place = ct.broadcast_to(ct.arange(B, dtype=i32).reshape((1, B, 1)), (A, B, C))
    ct.store(b, (0, 0), ct.reduce((values, place, carried), 1, largest, NOTHING)[2])
    place = ct.broadcast_to(ct.arange(C, dtype=i32).reshape((1, 1, C)), (A, B, C))
    ct.store(c, (0, 0), ct.reduce((values, place, carried), 2, largest, NOTHING)[2])


case(
    largest_of_rank_3,
    1,
    [
        Arr("x", i64, (4, 8, 16), ("steps", -9, 19, 1, 204)),
        Arr("w", i16, (4, 8, 16), ("iota",)),
        Arr("a", i16, (8, 16)),
        Arr("b", i16, (4, 16)),
        Arr("c", i16, (4, 8)),
        4,
        8,
        16,
    ],
    lambda x, w, a, b, c: {
        "a": along(x, w, 0)[2].reshape(8, 16),
        "b": along(x, w, 1)[2].reshape(4, 16),
        "c": along(x, w, 2)[2].reshape(4, 8),
    },
)


# ---- several accumulators ----


def merge(n, mean, squares, n_before, mean_before, squares_before):
    total = n + n_before
    delta = mean - mean_before
    share = ct.astype(n, f64) / ct.astype(ct.maximum(total, 1), f64)
    return (
        total,
        mean_before + delta * share,
        squares + squares_before + delta * delta * ct.astype(n_before, f64) * share,
    )


@ct.kernel
def moments_of_columns(x, count, mean, squares, R: ConstInt, C: ConstInt):
    t = ct.astype(ct.load(x, (0, 0), (R, C)), f64)
    n, m, s = ct.reduce(
        (ct.full((R, C), 1, i32), t, ct.zeros((R, C), f64)), 0, merge, (0, 0.0, 0.0)
    )
    ct.store(count, (0,), n)
    ct.store(mean, (0,), m)
    ct.store(squares, (0,), s)


case(
    moments_of_columns,
    1,
    [
        Arr("x", f32, (128, 16), ("real", 3, 9, 205)),
        Arr("count", i32, (16,)),
        Arr("mean", f64, (16,)),
        Arr("squares", f64, (16,)),
        128,
        16,
    ],
    lambda x, count, mean, squares: {
        "count": np.full(16, 128, np.int32),
        "mean": x.astype(np.float64).mean(0),
        "squares": x.astype(np.float64).var(0) * 128,
    },
    rtol=1e-12,
)


@ct.kernel
def running_moments(x, mean, squares, N: ConstInt):
    t = ct.astype(ct.load(x, (0,), (N,)), f64)
    n, m, s = ct.scan((ct.full((N,), 1, i32), t, ct.zeros((N,), f64)), 0, merge, (0, 0.0, 0.0))
    ct.store(mean, (0,), m)
    ct.store(squares, (0,), s)


def _running_moments(x, mean, squares):
    t = x.astype(np.float64)
    return {
        "mean": np.array([t[: k + 1].mean() for k in range(len(t))]),
        "squares": np.array([t[: k + 1].var() * (k + 1) for k in range(len(t))]),
    }


case(
    running_moments,
    1,
    [
        Arr("x", f32, (512,), ("real", 3, 9, 206)),
        Arr("mean", f64, (512,)),
        Arr("squares", f64, (512,)),
        512,
    ],
    _running_moments,
    rtol=1e-11,
    atol=1e-12,
)


# ---- scans ----


def sum_of_segment(starts, value, started, before):
    return starts | started, ct.where(starts, value, before + value)


@ct.kernel
def segmented_sums(x, marks, o, p, R: ConstInt, C: ConstInt):
    starts = ct.load(marks, (0, 0), (R, C)) != 0
    t = ct.load(x, (0, 0), (R, C))
    ct.store(o, (0, 0), ct.scan((starts, t), 1, sum_of_segment, (False, 0))[1])
    ct.store(p, (0, 0), ct.scan((starts, t), 0, sum_of_segment, (False, 0), reverse=True)[1])


def _segmented(x, marks):
    out = x.copy()
    for k in range(1, len(x)):
        out[k] += np.where(marks[k] != 0, 0, out[k - 1])
    return out


case(
    segmented_sums,
    1,
    [
        Arr("x", i32, (8, 128), ("steps", -50, 101, 1, 207)),
        Arr("marks", i8, (8, 128), ("list", [0, 0, 1, 0, 0, 0, 1, 1, 0, 0, 0])),
        Arr("o", i32, (8, 128)),
        Arr("p", i32, (8, 128)),
        8,
        128,
    ],
    lambda x, marks, o, p: {
        "o": np.ascontiguousarray(_segmented(x.T.copy(), marks.T).T),
        "p": _segmented(x[::-1].copy(), marks[::-1])[::-1].copy(),
    },
    note="truth values are accumulated, too",
)


def then(a, b, a_before, b_before):
    return a * a_before, a * b_before + b


@ct.kernel
def recurrence_of_chunks(a, b, o, R: ConstInt, C: ConstInt, COUNT: ConstInt):
    state = ct.zeros((R, 1), f32)
    for k in range(COUNT):
        slope, value = ct.scan(
            (ct.load(a, (0, k), (R, C)), ct.load(b, (0, k), (R, C))), 1, then, (1.0, 0.0)
        )
        h = slope * state + value
        ct.store(o, (0, k), h)
        is_last = ct.broadcast_to(ct.arange(C, dtype=i32).reshape((1, C)), (R, C)) == C - 1
        state = ct.sum(ct.where(is_last, h, 0.0), 1, keepdims=True)


def recurrence(a, b):
    h, out = np.zeros(a.shape[1:]), np.zeros(a.shape)
    for k in range(len(a)):
        h = a[k].astype(np.float64) * h + b[k]
        out[k] = h
    return out.astype(np.float32)


case(
    recurrence_of_chunks,
    1,
    [
        Arr("a", f32, (4, 256), ("real", 0.2, 0.9, 208)),
        Arr("b", f32, (4, 256), ("real", -1, 1, 209)),
        Arr("o", f32, (4, 256)),
        4,
        64,
        4,
    ],
    lambda a, b, o: {"o": np.ascontiguousarray(recurrence(a.T, b.T).T)},
    rtol=1e-5,
    atol=1e-6,
    note="h[k] = a[k] h[k-1] + b[k], with a state from chunk to chunk",
)


@ct.kernel
def recurrence_of_rank_3(a, b, o, p, q, A: ConstInt, B: ConstInt, C: ConstInt):
    lines = (ct.load(a, (0, 0, 0), (A, B, C)), ct.load(b, (0, 0, 0), (A, B, C)))
    ct.store(o, (0, 0, 0), ct.scan(lines, 0, then, (1.0, 0.0))[1])
    ct.store(p, (0, 0, 0), ct.scan(lines, 1, then, (1.0, 0.0), reverse=True)[1])
    ct.store(q, (0, 0, 0), ct.scan(lines, 2, then, (1.0, 0.0))[1])


def _recurrence_of_rank_3(a, b, o, p, q):
    turned = lambda axis, by: np.ascontiguousarray(
        np.moveaxis(
            recurrence(np.moveaxis(a, axis, 0)[::by], np.moveaxis(b, axis, 0)[::by])[::by], 0, axis
        )
    )
    return {"o": turned(0, 1), "p": turned(1, -1), "q": turned(2, 1)}


case(
    recurrence_of_rank_3,
    1,
    [
        Arr("a", f32, (8, 4, 32), ("real", 0.2, 0.9, 210)),
        Arr("b", f32, (8, 4, 32), ("real", -1, 1, 211)),
        Arr("o", f32, (8, 4, 32)),
        Arr("p", f32, (8, 4, 32)),
        Arr("q", f32, (8, 4, 32)),
        8,
        4,
        32,
    ],
    _recurrence_of_rank_3,
    rtol=1e-5,
    atol=1e-6,
)


@ct.kernel
def running_extremes(x, y, o, p, q, R: ConstInt, C: ConstInt):
    t = ct.load(x, (0, 0), (R, C))
    ct.store(o, (0, 0), ct.scan(t, 1, ct.maximum, float("-inf")))
    ct.store(p, (0, 0), ct.scan(t, 0, ct.minimum, float("inf"), reverse=True))
    ct.store(q, (0, 0), ct.scan(ct.load(y, (0, 0), (R, C)), 1, ct.maximum, 0))


case(
    running_extremes,
    1,
    [
        Arr("x", f16, (16, 64), ("real", -4, 4, 212)),
        Arr("y", u8, (16, 64), ("steps", 0, 256, 1, 213)),
        Arr("o", f16, (16, 64)),
        Arr("p", f16, (16, 64)),
        Arr("q", u8, (16, 64)),
        16,
        64,
    ],
    lambda x, y, o, p, q: {
        "o": np.maximum.accumulate(x, 1),
        "p": np.minimum.accumulate(x[::-1], 0)[::-1].copy(),
        "q": np.maximum.accumulate(y, 1),
    },
)
