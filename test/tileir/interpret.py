#!/usr/bin/env python3
"""Runs Tile IR bytecode with NumPy, a block at a time in order of the grid: the meaning of the
corpus, and its test.

    interpret.py [NAME ...]      every case and version of corpus/, against the manifests
"""

import base64
import hashlib
import json
import math
import struct
import sys
from pathlib import Path

import ml_dtypes
import numpy as np

import decode
import recipes

ELEMENT = {
    "i1": np.dtype(np.bool_),
    "i4": np.dtype(np.int8),  # with its sign
    "i8": np.dtype(np.int8),
    "i16": np.dtype(np.int16),
    "i32": np.dtype(np.int32),
    "i64": np.dtype(np.int64),
    "f16": np.dtype(np.float16),
    "bf16": np.dtype(ml_dtypes.bfloat16),
    "f32": np.dtype(np.float32),
    "tf32": np.dtype(np.float32),
    "f64": np.dtype(np.float64),
    "f8e4m3fn": np.dtype(ml_dtypes.float8_e4m3fn),
    "f8e5m2": np.dtype(ml_dtypes.float8_e5m2),
    "f8e8m0fnu": np.dtype(ml_dtypes.float8_e8m0fnu),
    "f4e2m1fn": np.dtype(ml_dtypes.float4_e2m1fn),
}
POINTER = np.dtype(np.int64)
UNSIGNED = {1: np.uint8, 2: np.uint16, 4: np.uint32, 8: np.uint64}
MANTISSA = {"f16": 10, "bf16": 7, "f32": 23, "tf32": 10, "f64": 52}


def signed_nibbles(x):
    return np.left_shift(x, 4, dtype=np.int8) >> 4


class Unsupported(Exception):
    pass


class Leave(Exception):
    def __init__(self, values):
        self.values = values


class Yield(Leave):
    pass


class Break(Leave):
    pass


class Continue(Leave):
    pass


class Return(Leave):
    pass


def element(t):
    return str(t.element) if t.kind == "tile" else str(t)


def dtype_of(t):
    return POINTER if t.element.kind == "pointer" else ELEMENT[t.element.element]


def unsigned(x):
    return x if x.dtype == np.bool_ else x.view(UNSIGNED[x.dtype.itemsize])


def flush(x):
    return np.where(np.abs(x) < np.float32(2.0**-126), np.copysign(np.float32(0), x), x)


def round_to(exact, name, mode):
    """A double, or a value in the type itself, to `name`."""
    t = ELEMENT[name]
    if name == "tf32":
        exact = np.asarray(exact, np.float32)
        bits = exact.view(np.uint32).astype(np.uint64)
        added = {"nearest_away": 0x1000, "zero": 0}.get(mode, 0xFFF + ((bits >> 13) & 1))
        bits = np.where(np.isfinite(exact), bits + added, bits)
        return (bits & 0xFFFFE000).astype(np.uint32).view(np.float32)
    near = np.asarray(exact).astype(t)
    if mode in ("nearest_even", "full", "approx", None) or name == "f64":
        return near
    back, exact = near.astype(np.float64), np.asarray(exact, np.float64)
    bits = near.view(UNSIGNED[t.itemsize])
    toward_zero = (bits - (np.abs(back) > np.abs(exact)).astype(bits.dtype)).view(t)
    away = toward_zero.view(bits.dtype) + (toward_zero.astype(np.float64) != exact).astype(
        bits.dtype
    )
    away = away.view(t)
    if mode == "zero":
        return toward_zero
    if mode == "negative_inf":
        return np.where(exact < 0, away, toward_zero)
    if mode == "positive_inf":
        return np.where(exact > 0, away, toward_zero)
    raise Unsupported(mode)


class Machine:
    """Memory: one array of bytes; a pointer is an index into it."""

    def __init__(self, size=1 << 22):
        self.heap = np.zeros(size, np.uint8)
        self.top = 256
        self.globals = {}
        self.printed = []

    def allocate(self, data, aligned=256, skew=0):
        at = -(-self.top // 256) * 256 + skew
        self.heap[at : at + len(data)] = np.frombuffer(bytes(data), np.uint8)
        self.top = at + len(data) + 64
        return at

    def load(self, addresses, t, mask=None, padding=None):
        size = t.itemsize
        addresses = np.asarray(addresses, np.int64)
        safe = addresses if mask is None else np.where(mask, addresses, 0)
        raw = self.heap[safe[..., None] + np.arange(size)]
        value = (
            np.ascontiguousarray(raw)
            .reshape(-1)
            .view(np.uint8 if t == np.bool_ else t)
            .reshape(addresses.shape)
        )
        if t == np.bool_:
            value = value != 0
        if mask is not None:
            fill = np.zeros((), t) if padding is None else padding
            value = np.where(mask, value, np.broadcast_to(fill, value.shape).astype(t))
        return value

    def store(self, addresses, value, mask=None):
        addresses = np.asarray(addresses, np.int64)
        t = value.dtype
        raw = (
            np.ascontiguousarray(np.broadcast_to(value, addresses.shape))
            .reshape(-1)
            .view(np.uint8)
            .reshape(-1, t.itemsize)
        )
        flat = addresses.reshape(-1)
        if mask is not None:
            keep = np.broadcast_to(mask, addresses.shape).reshape(-1)
            flat, raw = flat[keep], raw[keep]
        self.heap[flat[:, None] + np.arange(t.itemsize)] = raw


class View:
    def __init__(self, base, shape, strides, element_type):
        self.base, self.shape, self.strides, self.element = base, shape, strides, element_type


class Block:
    """One block of the grid at work."""

    def __init__(self, machine, module, ids, grid):
        self.m, self.module, self.ids, self.grid = machine, module, ids, grid
        self.values, self.types_of = {}, {}

    def run(self, function, arguments):
        self.types_of.update(zip(function.body.arguments, function.body.types))
        self.values.update(zip(function.body.arguments, arguments))
        try:
            self.body(function.body)
        except Return:
            pass

    def body(self, block):
        for op in block.ops:
            results = self.op(op)
            if not isinstance(results, tuple):
                results = (results,)
            for n, value, t in zip(op.results, results, op.types):
                if t.kind == "tile" and not self.lanes:
                    value = np.asarray(value)
                    if value.shape != tuple(t.shape) or value.dtype != dtype_of(t):
                        raise Unsupported(f"{op.name}: {value.dtype}{value.shape} for {t}")
                self.values[n] = value
                self.types_of[n] = t  # numbers are used again behind a region

    lanes = ()  # the shape of what a region of reduce or scan works on at once

    def get(self, op, name):
        if name not in op.operands:
            return None
        n = op.operands[name]
        return [self.values[k] for k in n] if isinstance(n, list) else self.values[n]

    def op(self, op):
        handler = getattr(self, "op_" + op.name, None)
        if handler:
            return handler(op)
        if op.name in UNARY:
            x = self.get(op, "x")
            return self.finish(op, UNARY[op.name](self.wide(x)))
        if op.name in BINARY:
            a, b = self.get(op, "a"), self.get(op, "b")
            if op.attributes.get("ftz"):
                a, b = flush(a), flush(b)
            return self.finish(op, BINARY[op.name](self.wide(a), self.wide(b)))
        raise Unsupported(op.name)

    @staticmethod
    def wide(x):
        return x.astype(np.float64)

    def finish(self, op, exact):
        r = round_to(exact, element(op.types[0]), op.attributes.get("rounding"))
        return flush(r) if op.attributes.get("ftz") else r

    # -- constants, shapes
    def op_constant(self, op):
        t = op.types[0]
        raw = op.attributes["value"]
        count = int(np.prod(t.shape))
        e = element(t)
        if e == "i1":
            if len(raw) == 1 and (raw[0] in (0, 255) or count > 8):
                return np.full(t.shape, raw[0] & 1 != 0)
            return (
                np.unpackbits(np.frombuffer(raw, np.uint8), bitorder="little")[:count]
                .astype(bool)
                .reshape(t.shape)
            )
        if e == "tf32":
            values = np.array(
                [int.from_bytes(raw[i : i + 3], "little") << 13 for i in range(0, len(raw), 3)],
                np.uint32,
            ).view(np.float32)
        else:
            values = np.frombuffer(raw, dtype_of(t))
        return np.resize(values, count).reshape(t.shape) if count else values

    def op_iota(self, op):
        return np.arange(op.types[0].shape[0]).astype(dtype_of(op.types[0]))

    def op_reshape(self, op):
        return self.get(op, "x").reshape(op.types[0].shape)

    def op_broadcast(self, op):
        return np.ascontiguousarray(np.broadcast_to(self.get(op, "x"), op.types[0].shape))

    def op_permute(self, op):
        return np.ascontiguousarray(np.transpose(self.get(op, "x"), op.attributes["permutation"]))

    def op_cat(self, op):
        return np.concatenate([self.get(op, "a"), self.get(op, "b")], op.attributes["dim"])

    def part(self, whole, part, indices):
        return tuple(slice(int(i) * n, int(i) * n + n) for i, n in zip(indices, part))

    def op_extract(self, op):
        x, shape = self.get(op, "x"), op.types[0].shape
        return np.ascontiguousarray(x[self.part(x.shape, shape, self.get(op, "indices"))])

    def op_insert(self, op):
        x, into = self.get(op, "x"), self.get(op, "into").copy()
        into[self.part(into.shape, x.shape, self.get(op, "indices"))] = x
        return into

    def op_assume(self, op):
        x = self.get(op, "x")
        kind, *rest = op.attributes["predicate"]
        if kind == "div_by":
            size = 1
            assert not np.any(x % (rest[0] * size)) or rest[1] is not None, (
                f"false promise {op.attributes} of {x}"
            )
        if kind == "bounded":
            assert rest[0] is None or np.all(x >= rest[0]), "false promise"
            assert rest[1] is None or np.all(x <= rest[1]), "false promise"
        return x

    def op_select(self, op):
        return np.where(self.get(op, "condition"), self.get(op, "a"), self.get(op, "b"))

    # -- floats
    def op_absf(self, op):
        return np.abs(self.get(op, "x"))

    def op_negf(self, op):
        return -self.get(op, "x")

    def op_fma(self, op):
        a, b, c = (self.get(op, n) for n in "abc")
        if op.attributes["ftz"]:
            a, b, c = flush(a), flush(b), flush(c)
        if element(op.types[0]) == "f64":
            return np.vectorize(math.fma)(a, b, c) if hasattr(math, "fma") else a * b + c
        # The product of two floats is exact in double; the sum is not always, but nearly.
        product = a.astype(np.float64) * b.astype(np.float64)
        return self.finish(op, product + c.astype(np.float64))

    def op_maxf(self, op, pick=(np.maximum, np.fmax)):
        a, b = self.get(op, "a"), self.get(op, "b")
        if op.attributes["ftz"]:
            a, b = flush(a), flush(b)
        return (pick[0] if op.attributes["nan"] else pick[1])(a, b)

    def op_minf(self, op):
        return self.op_maxf(op, (np.minimum, np.fmin))

    def op_cmpf(self, op):
        a, b = self.get(op, "a"), self.get(op, "b")
        r = COMPARE[op.attributes["predicate"]](a, b)
        either = np.isnan(a) | np.isnan(b)
        return np.asarray(r | either if op.attributes["ordering"] == "unordered" else r & ~either)

    def op_fpowi(self, op):
        return self.finish(
            op, np.power(self.wide(self.get(op, "a")), self.get(op, "b").astype(np.float64))
        )

    # -- integers
    def signs(self, op, *values, key="signedness"):
        if op.attributes[key] == "unsigned":
            return [unsigned(v) for v in values]
        return [-(v.astype(np.int8)) if v.dtype == np.bool_ else v for v in values]

    def back(self, op, r):
        t = dtype_of(op.types[0])
        return (
            np.asarray(r).astype(np.int64 if t == np.bool_ else t, copy=False) & 1 == 1
            if t == np.bool_
            else (
                np.asarray(r).astype(UNSIGNED[t.itemsize], copy=False).view(t)
                if np.asarray(r).dtype.itemsize == t.itemsize
                else np.asarray(r).astype(t)
            )
        )

    def op_addi(self, op):
        a, b = self.get(op, "a"), self.get(op, "b")
        return a ^ b if a.dtype == np.bool_ else a + b  # of one bit, without the carry

    def op_subi(self, op):
        a, b = self.get(op, "a"), self.get(op, "b")
        return a ^ b if a.dtype == np.bool_ else a - b

    def op_muli(self, op):
        return self.get(op, "a") * self.get(op, "b")

    def op_mulhii(self, op):
        a, b = unsigned(self.get(op, "a")), unsigned(self.get(op, "b"))
        bits = a.dtype.itemsize * 8
        return np.vectorize(lambda x, y: (int(x) * int(y)) >> bits, otypes=[a.dtype])(a, b).view(
            self.get(op, "a").dtype
        )

    def op_absi(self, op):
        return np.abs(self.get(op, "x"))

    def op_negi(self, op):
        x = self.get(op, "x")
        return x if x.dtype == np.bool_ else -x

    def op_andi(self, op):
        return self.get(op, "a") & self.get(op, "b")

    def op_ori(self, op):
        return self.get(op, "a") | self.get(op, "b")

    def op_xori(self, op):
        return self.get(op, "a") ^ self.get(op, "b")

    def op_shli(self, op):
        return np.left_shift(self.get(op, "a"), self.get(op, "b"))

    def op_shri(self, op):
        a, b = self.signs(op, self.get(op, "a"), self.get(op, "b"))
        return self.back(op, np.right_shift(a, b))

    def op_divi(self, op):
        a, b = self.signs(op, self.get(op, "a"), self.get(op, "b"))
        q = a // np.where(b == 0, 1, b).astype(b.dtype)
        exact = q * b == a
        mode = op.attributes["rounding"]
        if mode == "zero":
            q = q + (~exact & ((a < 0) != (b < 0))).astype(q.dtype)
        elif mode == "positive_inf":
            q = q + (~exact).astype(q.dtype)
        elif mode != "negative_inf":
            raise Unsupported(mode)
        return self.back(op, q)

    def op_remi(self, op):
        a, b = self.signs(op, self.get(op, "a"), self.get(op, "b"))
        return self.back(op, np.fmod(a, np.where(b == 0, 1, b).astype(b.dtype)))

    def op_maxi(self, op):
        return self.back(op, np.maximum(*self.signs(op, self.get(op, "a"), self.get(op, "b"))))

    def op_mini(self, op):
        return self.back(op, np.minimum(*self.signs(op, self.get(op, "a"), self.get(op, "b"))))

    def op_cmpi(self, op):
        return np.asarray(
            COMPARE[op.attributes["predicate"]](
                *self.signs(op, self.get(op, "a"), self.get(op, "b"))
            )
        )

    # -- conversions
    def op_exti(self, op):
        x = self.get(op, "x")
        is_unsigned = op.attributes["signedness"] == "unsigned"
        if is_unsigned and element(self.types_of[op.operands["x"]]) == "i4":
            x = x & 15
        return self.signs(op, x)[0].astype(dtype_of(op.types[0]))

    def op_trunci(self, op):
        x = self.get(op, "x")
        if element(op.types[0]) == "i4":
            return signed_nibbles(x.astype(np.int8))
        return (x & 1) == 1 if element(op.types[0]) == "i1" else x.astype(dtype_of(op.types[0]))

    def op_itof(self, op):
        x = self.signs(op, self.get(op, "x"))[0]
        if x.dtype.itemsize == 8 and element(op.types[0]) not in ("f32", "f64"):
            x = x.astype(np.float64)
        name = element(op.types[0])
        return (
            x.astype(ELEMENT[name])
            if name in ("f32", "f64")
            else round_to(x.astype(np.float64), name, op.attributes["rounding"])
        )

    def op_ftoi(self, op):
        x = self.wide(self.get(op, "x"))
        t = dtype_of(op.types[0])
        if t == np.bool_:
            return x != 0
        x = np.trunc(x)
        target = np.dtype(UNSIGNED[t.itemsize]) if op.attributes["signedness"] == "unsigned" else t
        if op.attributes["saturating"]:
            x = np.clip(np.nan_to_num(x), np.iinfo(target).min, np.iinfo(target).max)
        return x.astype(target).view(t)

    def op_ftof(self, op):
        name = element(op.types[0])
        return round_to(self.wide(self.get(op, "x")), name, op.attributes["rounding"])

    def op_bitcast(self, op):
        return self.get(op, "x").view(dtype_of(op.types[0]))

    op_int_to_ptr = op_ptr_to_int = op_ptr_to_ptr = lambda self, op: self.get(op, "x")

    def op_pack(self, op):
        if element(self.types_of[op.operands["x"]]) in ("f4e2m1fn", "i4"):
            low, high = (self.get(op, "x")[k::2].view(np.uint8) & 15 for k in (0, 1))
            return (low | high << 4).view(np.int8)
        return np.ascontiguousarray(self.get(op, "x")).view(np.int8).reshape(op.types[0].shape)

    def op_unpack(self, op):
        if element(op.types[0]) in ("f4e2m1fn", "i4"):
            x = self.get(op, "x").view(np.uint8)
            x = np.stack([x & 15, x >> 4], 1).reshape(-1).view(dtype_of(op.types[0]))
            return signed_nibbles(x) if element(op.types[0]) == "i4" else x
        return (
            np.ascontiguousarray(self.get(op, "x"))
            .view(dtype_of(op.types[0]))
            .reshape(op.types[0].shape)
        )

    # -- reductions: the region works on all lanes at once
    def fold(self, op, keep):
        xs = self.get(op, "x")
        dim = op.attributes["dim"]
        region = op.regions[0]
        identities = [identity(i) for i in op.attributes["identities"]]
        lanes = tuple(n for k, n in enumerate(xs[0].shape) if k != dim)
        acc = [np.full(lanes, i, x.dtype) for i, x in zip(identities, xs)]
        kept = []
        steps = range(xs[0].shape[dim])
        outer, self.lanes = self.lanes, (lanes,)
        for k in reversed(steps) if op.attributes.get("reverse") else steps:
            for i, x in enumerate(xs):
                self.values[region.arguments[2 * i]] = np.take(x, k, dim)
                self.values[region.arguments[2 * i + 1]] = acc[i]
            try:
                self.body(region)
            except Yield as done:
                acc = [np.broadcast_to(v, lanes) for v in done.values]
            kept.append(acc)
        self.lanes = outer
        if not keep:
            return tuple(np.array(a) for a in acc)
        if op.attributes.get("reverse"):
            kept.reverse()
        return tuple(np.stack([k[i] for k in kept], dim) for i in range(len(xs)))

    def op_reduce(self, op):
        return self.fold(op, False)

    def op_scan(self, op):
        return self.fold(op, True)

    # -- products
    def op_mmaf(self, op):
        a, b, c = (self.get(op, n) for n in "abc")
        return (np.matmul(self.wide(a), self.wide(b)) + self.wide(c)).astype(c.dtype)

    def op_mmai(self, op):
        (a,) = self.signs(op, self.get(op, "a"), key="signedness_a")
        (b,) = self.signs(op, self.get(op, "b"), key="signedness_b")
        return np.matmul(a.astype(np.int32), b.astype(np.int32)) + self.get(op, "c")

    def op_mmaf_scaled(self, op):
        a, b, c, sa, sb = (
            self.wide(self.get(op, n)) for n in ("a", "b", "c", "scale_a", "scale_b")
        )
        a = a * np.repeat(sa, a.shape[-1] // sa.shape[-1], -1)
        b = b * np.repeat(sb, b.shape[-2] // sb.shape[-2], -2)
        return (np.matmul(a, b) + c).astype(np.float32)

    # -- pointers
    def op_offset(self, op):
        size = pointee_size(op.types[0])
        return self.get(op, "pointer") + self.get(op, "offset").astype(np.int64) * size

    def op_load_ptr_tko(self, op):
        return (
            self.m.load(
                self.get(op, "pointers"),
                dtype_of(op.types[0]),
                self.get(op, "mask"),
                self.get(op, "padding"),
            ),
            None,
        )

    def op_store_ptr_tko(self, op):
        self.m.store(self.get(op, "pointers"), self.get(op, "x"), self.get(op, "mask"))
        return (None,)

    def atomic(self, addresses, x, mode, mask):
        old = np.zeros(addresses.shape, x.dtype)
        for k in np.ndindex(addresses.shape):
            if mask is not None and not np.broadcast_to(mask, addresses.shape)[k]:
                continue
            was = self.m.load(addresses[k], x.dtype)
            old[k] = was
            self.m.store(addresses[k], np.asarray(ATOMIC[mode](was, x[k])).astype(x.dtype))
        return old

    def op_atomic_rmw_tko(self, op):
        p, x = self.get(op, "pointers"), self.get(op, "x")
        return (
            self.atomic(
                p, np.broadcast_to(x, p.shape), op.attributes["mode"], self.get(op, "mask")
            ),
            None,
        )

    def op_atomic_cas_tko(self, op):
        p, compared, new, mask = (self.get(op, n) for n in ("pointers", "compared", "new", "mask"))
        old = np.array(np.broadcast_to(compared, p.shape))
        for k in np.ndindex(p.shape):
            if mask is not None and not mask[k]:
                continue
            was = self.m.load(p[k], old.dtype)
            if was.tobytes() == np.asarray(compared[k]).tobytes():
                self.m.store(p[k], np.asarray(new[k]))
            old[k] = was
        return old, None

    # -- views
    def op_make_tensor_view(self, op):
        t = op.types[0]
        shape, strides = iter(self.get(op, "shape")), iter(self.get(op, "strides"))

        def fill(numbers, given):
            return [int(unsigned(next(given))) if n == decode.DYNAMIC else n for n in numbers]

        return View(
            int(self.get(op, "base")), fill(t.shape, shape), fill(t.strides, strides), t.element
        )

    def op_make_partition_view(self, op):
        return self.get(op, "tensor")

    op_make_strided_view = op_make_gather_scatter_view = op_make_partition_view

    def op_get_tensor_shape(self, op):
        v = self.get(op, "view")
        return tuple(np.asarray(n).astype(dtype_of(t)) for n, t in zip(v.shape, op.types))

    def view_type(self, op, name="view"):
        return self.types_of[op.operands[name]]

    def op_get_index_space_shape(self, op):
        v, t = self.get(op, "view"), self.view_type(op)
        steps = t.steps or t.shape
        mapped = t.dim_map or range(len(steps))
        return tuple(
            np.asarray(-(-v.shape[d] // s)).astype(dtype_of(r))
            for d, s, r in zip(mapped, steps, op.types)
        )

    def places(self, op):
        """Addresses of a tile of a view, and which are inside."""
        v, t = self.get(op, "view"), self.view_type(op)
        index = self.get(op, "index")
        rank = len(t.shape)
        mapped = list(t.dim_map or range(rank))
        steps = t.steps or t.shape
        address, inside = np.asarray(v.base), np.asarray(True)
        size = ELEMENT[v.element.element].itemsize if v.element.kind == "element" else 8
        for k in range(rank):
            d = mapped[k]
            if t.kind == "gather_scatter_view":
                at = (
                    index[k].astype(np.int64)
                    if k == t.sparse
                    else int(index[k]) + np.arange(t.shape[k])
                )
            else:
                at = int(index[k]) * steps[k] + np.arange(t.shape[k], dtype=np.int64)
            at = at.reshape([-1] + [1] * (rank - 1 - k))
            address = address + at * v.strides[d] * size
            inside = inside & (at >= 0) & (at < v.shape[d])
        return address, inside, t

    def op_load_view_tko(self, op):
        address, inside, t = self.places(op)
        dt = dtype_of(op.types[0])
        padding = {
            "zero": 0.0,
            "neg_zero": -0.0,
            "nan": np.nan,
            "pos_inf": np.inf,
            "neg_inf": -np.inf,
        }.get(t.padding or "zero")
        fill = (
            np.zeros((), dt)
            if padding == 0 and not np.signbit(padding)
            else np.asarray(padding, np.float64).astype(dt)
        )
        return self.m.load(address, dt, inside, fill), None

    def op_store_view_tko(self, op):
        address, inside, _ = self.places(op)
        self.m.store(address, self.get(op, "x"), inside)
        return (None,)

    def op_atomic_red_view_tko(self, op):
        address, inside, _ = self.places(op)
        self.atomic(address, self.get(op, "x"), op.attributes["mode"], inside)
        return (None,)

    # -- the grid, tokens
    def op_get_tile_block_id(self, op):
        return tuple(np.asarray(n, np.int32) for n in self.ids)

    def op_get_num_tile_blocks(self, op):
        return tuple(np.asarray(n, np.int32) for n in self.grid)

    def op_make_token(self, op):
        return (None,)

    op_join_tokens = op_gdc_wait_tko = op_gdc_launch_dependents_tko = op_memory_fence_alias_tko = (
        op_make_token
    )

    def op_alloca(self, op):
        return np.asarray(
            self.m.allocate(bytes(op.attributes["count"] * pointee_size(op.types[0])))
        )

    def op_get_global(self, op):
        return np.asarray(self.m.globals[op.attributes["name"]])

    def op_assert(self, op):
        if not np.all(self.get(op, "condition")):
            raise AssertionError(op.attributes["message"])

    def op_print_tko(self, op):
        self.m.printed.append(
            (op.attributes["format"], [np.asarray(v).tolist() for v in self.get(op, "x")])
        )
        return (None,)

    # -- control flow
    def op_yield(self, op):
        raise Yield(self.get(op, "x") or [])

    def op_continue(self, op):
        raise Continue(self.get(op, "x") or [])

    def op_break(self, op):
        raise Break(self.get(op, "x") or [])

    def op_return(self, op):
        raise Return([])

    def op_if(self, op):
        try:
            self.body(op.regions[0 if bool(self.get(op, "condition")) else 1])
        except Yield as done:
            return tuple(done.values)

    def loop(self, op, turns, initial):
        region = op.regions[0]
        values = list(initial)
        self.types_of.update(zip(region.arguments, region.types))
        for first in turns:
            for n, v in zip(region.arguments, first + values):
                self.values[n] = v
            try:
                self.body(region)
            except Continue as done:
                values = list(done.values)
            except Break as done:
                return tuple(done.values)
        return tuple(values)

    def op_for(self, op):
        low, high, step = (self.get(op, n) for n in ("lower", "upper", "step"))
        if op.attributes["unsigned"]:
            low, high, step = unsigned(low), unsigned(high), unsigned(step)
        t = self.get(op, "lower").dtype
        return self.loop(
            op,
            ([np.asarray(i).astype(t)] for i in range(int(low), int(high), int(step))),
            self.get(op, "initial"),
        )

    def op_loop(self, op):
        def forever():
            for _ in range(100000):
                yield []
            raise Unsupported("a loop without an end")

        return self.loop(op, forever(), self.get(op, "initial"))


def identity(value):
    if value[0] == "bool":
        return bool(value[1])
    kind, t, bits = value
    if kind == "int":
        d = ELEMENT[t.element]
        return (
            bool(bits)
            if t.element == "i1"
            else np.array(bits, np.uint64).astype(UNSIGNED[d.itemsize]).view(d)
        )
    d = ELEMENT[t.element]
    return (
        np.array(bits & ((1 << (8 * d.itemsize)) - 1), np.uint64)
        .astype(UNSIGNED[d.itemsize])
        .view(d)
    )


def pointee_size(t):
    inner = t.element.element
    return ELEMENT[inner.element].itemsize if inner.kind == "element" else 8


def quiet(f):
    def call(*a):
        with np.errstate(all="ignore"):
            return f(*a)

    return call


UNARY = {
    n: quiet(f)
    for n, f in {
        "exp": np.exp,
        "exp2": np.exp2,
        "log": np.log,
        "log2": np.log2,
        "sqrt": np.sqrt,
        "rsqrt": lambda x: 1 / np.sqrt(x),
        "sin": np.sin,
        "cos": np.cos,
        "tan": np.tan,
        "sinh": np.sinh,
        "cosh": np.cosh,
        "tanh": np.tanh,
        "floor": np.floor,
        "ceil": np.ceil,
    }.items()
}
BINARY = {
    n: quiet(f)
    for n, f in {
        "addf": np.add,
        "subf": np.subtract,
        "mulf": np.multiply,
        "divf": np.divide,
        "remf": np.fmod,
        "pow": np.power,
        "atan2": np.arctan2,
    }.items()
}
COMPARE = {
    "equal": np.equal,
    "not_equal": np.not_equal,
    "less_than": np.less,
    "less_than_or_equal": np.less_equal,
    "greater_than": np.greater,
    "greater_than_or_equal": np.greater_equal,
}


def as_unsigned(f):
    return lambda a, b: f(unsigned(np.asarray(a)), unsigned(np.asarray(b))).view(
        np.asarray(a).dtype
    )


ATOMIC = {
    "and": np.bitwise_and,
    "or": np.bitwise_or,
    "xor": np.bitwise_xor,
    "add": np.add,
    "addf": np.add,
    "max": np.maximum,
    "min": np.minimum,
    "umax": as_unsigned(np.maximum),
    "umin": as_unsigned(np.minimum),
    "xchg": lambda a, b: b,
}


def launch(machine, module, name, grid, arguments):
    function = next(f for f in module.functions if f.name == name)
    for g in module.globals:
        machine.globals[g[0]] = machine.allocate(g[2])
    for z in range(grid[2]):
        for y in range(grid[1]):
            for x in range(grid[0]):
                with np.errstate(all="ignore"):
                    Block(machine, module, (x, y, z), grid).run(function, arguments)


def run_case(record, bytecode):
    """-> what differs, or None."""
    machine = Machine()
    at, buffers = {}, {}
    for a in record["arrays"]:
        buffer = recipes.make(a["recipe"], a["elements"], a["type"])
        assert hashlib.sha256(buffer.tobytes()).hexdigest()[:16] == a["sha256"], a["name"]
        buffers[a["name"]] = buffer
        at[a["name"]] = machine.allocate(
            buffer.tobytes(), skew=0 if a["aligned"] >= 16 else a["aligned"]
        )
    module = decode.read(bytecode)
    function = module.functions[0]
    arguments = []
    for p, t in zip(record["parameters"], function.type.parameters):
        if p["kind"] == "pointer":
            arguments.append(np.asarray(at[p["array"]]))
        elif p["kind"] == "list":
            words = []
            for a in p["arrays"]:
                words += [at[a["array"]], *a["shape"], *a["strides"]]
            arguments.append(np.asarray(machine.allocate(struct.pack(f"<{len(words)}q", *words))))
        else:
            arguments.append(np.asarray(p["value"]).astype(dtype_of(t)))
    assert len(record["parameters"]) == len(function.type.parameters), "number of parameters"
    launch(machine, module, record["symbol"], record["grid"], arguments)
    for a in record["arrays"]:
        dtype = recipes.NUMPY[a["type"]]
        start = at[a["name"]]
        got = machine.heap[start : start + a["elements"] * dtype.itemsize]
        want = base64.b64decode(a["expected"]) if "expected" in a else buffers[a["name"]].tobytes()
        if bytes(got) == want:
            continue
        got, want = (
            got.view(dtype).astype(np.float64),
            np.frombuffer(want, dtype).astype(np.float64),
        )
        close = np.isclose(got, want, record["rtol"], record["atol"], equal_nan=True)
        if not close.all():
            k = int(np.flatnonzero(~close)[0])
            count = int((~close).sum())
            return f"{a['name']}[{k}] is {got[k]}, not {want[k]}; {count} of {len(close)} differ"
    return None


def main(names):
    good = bad = 0
    for path in sorted(Path("corpus").glob("*.json")):
        if names and path.stem not in names:
            continue
        record = json.loads(path.read_text())
        for version in record["versions"]:
            try:
                problem = run_case(
                    record, (path.parent / f"{path.stem}.{version}.tilebc").read_bytes()
                )
            except Exception as error:
                problem = f"{type(error).__name__}: {error}"
            if problem:
                bad += 1
                print(f"{path.stem} {version}: {problem}")
            else:
                good += 1
    print(f"{good} good, {bad} bad")
    return bad != 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
