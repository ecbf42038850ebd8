#!/usr/bin/env python3
"""Writes corpus/made_*: what cuTile Python never writes, by the encoder that it ships, in
every version that has it. Run after make_corpus.py, in the same environment."""

import base64
import hashlib
from pathlib import Path

import cuda.tile._bytecode as bc
import numpy as np

import recipes
from make_corpus import VERSIONS, write_json

S = bc.SimpleType
RNE = bc.RoundingMode.NEAREST_EVEN


class Maker:
    def __init__(self, writer, builder):
        self.tt, self.b, self.version = writer.type_table, builder, writer.version
        self.writer = writer

    def element(self, e):
        return self.tt.simple(e)

    def tile(self, e, *shape):
        return self.tt.tile(e if isinstance(e, bc.TypeId) else self.element(e), shape)

    def pointer(self, e):
        return self.tt.pointer(self.element(e), bc.PtrAttr.Missing)

    def pointers(self, e, *shape):
        return self.tt.tile(self.pointer(e), shape)

    def number(self, n, e=S.I32, *shape, size=4):
        return bc.encode_ConstantOp(
            self.b, self.tile(e, *shape), int(n).to_bytes(size, "little", signed=True)
        )

    def spread(self, pointer, e, count):
        """pointer + 0, 1, ... count - 1"""
        row = bc.encode_ReshapeOp(self.b, self.pointers(e, 1), pointer)
        row = bc.encode_BroadcastOp(self.b, self.pointers(e, count), row)
        return bc.encode_OffsetOp(
            self.b, self.pointers(e, count), row, bc.encode_IotaOp(self.b, self.tile(S.I32, count))
        )

    def load(self, pointers, e, count, token=None):
        value, _ = bc.encode_LoadPtrTkoOp(
            self.b,
            self.tile(e, count),
            self.tt.Token,
            pointers,
            None,
            None,
            token,
            bc.MemoryOrderingSemantics.WEAK,
            None,
            None,
        )
        return value

    def store(self, pointers, value, token=None):
        return bc.encode_StorePtrTkoOp(
            self.b,
            self.tt.Token,
            pointers,
            value,
            None,
            token,
            bc.MemoryOrderingSemantics.WEAK,
            None,
            None,
        )

    def end(self):
        bc.encode_ReturnOp(self.b, ())


def high_product(m, x, o):
    """mulhii, ptr_to_int, int_to_ptr, ptr_to_ptr."""
    a = m.load(m.spread(x, S.I32, 16), S.I32, 16)
    high = bc.encode_MulhiIOp(m.b, m.tile(S.I32, 16), a, a)
    address = bc.encode_PtrToIntOp(m.b, m.tile(S.I64), o)
    back = bc.encode_IntToPtrOp(m.b, m.pointers(S.F32), address)
    again = bc.encode_PtrToPtrOp(m.b, m.pointers(S.I32), back)
    m.store(m.spread(again, S.I32, 16), high)
    m.end()


def use_global(m, x, o):
    """A global, initialised; get_global."""
    data = np.arange(16, dtype=np.int32) * 5
    m.writer.global_section.define_global("table", m.tile(S.I32, 16), data.tobytes(), alignment=16)
    table = bc.encode_GetGlobalOp(m.b, m.pointers(S.I32), "table")
    a = m.load(m.spread(x, S.I32, 16), S.I32, 16)
    b = m.load(m.spread(table, S.I32, 16), S.I32, 16)
    m.store(
        m.spread(o, S.I32, 16),
        bc.encode_AddIOp(m.b, m.tile(S.I32, 16), a, b, bc.IntegerOverflow.NW),
    )
    m.end()


def view_shape(m, x, o):
    """A view with static extents, get_tensor_shape."""
    t = m.tt.tensor_view(m.element(S.I32), (16,), (1,), bc.PtrAttr.Missing)
    view = bc.encode_MakeTensorViewOp(m.b, t, x, (), ())
    (n,) = bc.encode_GetTensorShapeOp(m.b, (m.tile(S.I32),), view)
    row = bc.encode_BroadcastOp(
        m.b, m.tile(S.I32, 16), bc.encode_ReshapeOp(m.b, m.tile(S.I32, 1), n)
    )
    m.store(m.spread(o, S.I32, 16), row)
    m.end()


def fence_of_aliases(m, x, o):
    """memory_fence_alias_tko between a store and a load through another type."""
    p = m.spread(o, S.I32, 16)
    token = m.store(p, m.load(m.spread(x, S.I32, 16), S.I32, 16))
    token = bc.encode_MemoryFenceAliasTkoOp(m.b, m.tt.Token, token)
    q = bc.encode_PtrToPtrOp(m.b, m.pointers(S.F32, 16), p)
    v = bc.encode_BitcastOp(m.b, m.tile(S.I32, 16), m.load(q, S.F32, 16, token))
    m.store(p, bc.encode_NegIOp(m.b, m.tile(S.I32, 16), v, bc.IntegerOverflow.NONE), token)
    m.end()


def scratch(m, x, o):
    """alloca: 16 numbers of the block's own."""
    p = bc.encode_AllocaOp(m.b, m.pointers(S.I32), 16, 64, False)
    token = m.store(m.spread(p, S.I32, 16), m.load(m.spread(x, S.I32, 16), S.I32, 16))
    m.store(m.spread(o, S.I32, 16), m.load(m.spread(p, S.I32, 16), S.I32, 16, token))
    m.end()


def nibbles(m, x, o):
    """i4: unpacked, assumed, taken out, selected, carried and wrapped by a loop, read with a sign
    and without, joined and packed."""
    i4, i32 = m.tile(S.I4, 16), m.tile(S.I32, 16)
    signed, unsigned = bc.Signedness.Signed, bc.Signedness.Unsigned
    none = bc.IntegerOverflow.NONE

    def widened(nibbles, signedness):
        return bc.encode_ExtIOp(m.b, i32, nibbles, signedness)

    def sum_of(a, b, factor):
        scaled = bc.encode_MulIOp(m.b, i32, b, m.number(factor, S.I32, 16), none)
        return bc.encode_AddIOp(m.b, i32, a, scaled, none)

    numbers = bc.encode_PtrToPtrOp(m.b, m.pointers(S.I8), x)
    numbers = m.load(m.spread(numbers, S.I8, 64), S.I8, 64)
    numbers = bc.encode_UnpackOp(m.b, m.tile(S.I4, 128), numbers)
    numbers = bc.encode_AssumeOp(m.b, m.tile(S.I4, 128), numbers, bc.DivBy(1))
    first = bc.encode_ExtractOp(m.b, i4, numbers, [m.number(1)])
    second = bc.encode_ExtractOp(m.b, i4, numbers, [m.number(5)])
    is_below = bc.encode_CmpIOp(
        m.b,
        m.tile(S.I1, 16),
        widened(first, signed),
        m.number(0, S.I32, 16),
        bc.ComparisonPredicate.LESS_THAN,
        signed,
    )
    picked = bc.encode_SelectOp(m.b, i4, is_below, second, first)
    counted = bc.encode_ForOp(
        m.b, (i4,), m.number(0), m.number(3), m.number(1), (picked,), False
    )
    with counted.new_block((m.tile(S.I32), i4)) as (_, carried):
        raised = sum_of(widened(carried, unsigned), m.number(1, S.I32, 16), 1)
        bc.encode_ContinueOp(m.b, (bc.encode_TruncIOp(m.b, i4, raised, none),))
    (picked,) = counted.done()
    both = bc.encode_CatOp(m.b, m.tile(S.I4, 32), picked, second, 0)
    packed = bc.encode_PackOp(m.b, m.tile(S.I8, 16), both)
    result = sum_of(widened(picked, signed), widened(picked, unsigned), 100)
    m.store(m.spread(o, S.I32, 16), sum_of(result, widened(packed, unsigned), 10000))
    m.end()


def splats_of_truth(m, x, o):
    """One byte for more than eight truth values: its lowest bit is that of all."""
    total = m.number(0, S.I32, 16)
    for value, worth in ((b"\x01", 1), (b"\x02", 10), (b"\xff", 100), (b"\xfe", 1000)):
        all_of = bc.encode_ConstantOp(m.b, m.tile(S.I1, 16), value)
        number = bc.encode_SelectOp(
            m.b, m.tile(S.I32, 16), all_of, m.number(worth, S.I32, 16), m.number(0, S.I32, 16)
        )
        total = bc.encode_AddIOp(
            m.b, m.tile(S.I32, 16), total, number, bc.IntegerOverflow.NONE
        )
    m.store(m.spread(o, S.I32, 16), total)
    m.end()


def nibbles_of(x):
    """What `nibbles` computes."""
    data = x.view(np.uint8)
    numbers = np.stack([data & 15, data >> 4], axis=1).reshape(-1).astype(np.int32)
    first, second = numbers[16:32], numbers[80:96]
    picked = (np.where(first > 7, second, first) + 3) % 16
    both = np.concatenate([picked, second])
    packed = both[0::2] | both[1::2] << 4
    return np.where(picked > 7, picked - 16, picked) + 100 * picked + 10000 * packed


def every_exit(m, x, o):
    """A loop with values, left from an if; an if that yields; unsigned bounds of a for."""
    i32 = m.tile(S.I32)
    zero, one, ten = m.number(0), m.number(1), m.number(10)
    loop = bc.encode_LoopOp(m.b, (i32, i32), (zero, zero))
    with loop.new_block((i32, i32)) as (k, total):
        done = bc.encode_CmpIOp(
            m.b,
            m.tile(S.I1),
            k,
            ten,
            bc.ComparisonPredicate.GREATER_THAN_OR_EQUAL,
            bc.Signedness.Signed,
        )
        branch = bc.encode_IfOp(m.b, (i32,), done)
        with branch.new_block(()):
            bc.encode_BreakOp(m.b, (k, total))
        with branch.new_block(()):
            bc.encode_YieldOp(m.b, (bc.encode_AddIOp(m.b, i32, total, k, bc.IntegerOverflow.NONE),))
        (more,) = branch.done()
        bc.encode_ContinueOp(
            m.b, (bc.encode_AddIOp(m.b, i32, k, one, bc.IntegerOverflow.NONE), more)
        )
    _, total = loop.done()
    unsigned = m.version >= bc.BytecodeVersion.V_13_2
    high = m.number(-1) if unsigned else m.number(3)
    low = m.number(-4) if unsigned else zero
    counted = bc.encode_ForOp(m.b, (i32,), low, high, one, (total,), unsigned)
    with counted.new_block((i32, i32)) as (_, sofar):
        bc.encode_ContinueOp(
            m.b, (bc.encode_AddIOp(m.b, i32, sofar, m.number(100), bc.IntegerOverflow.NONE),)
        )
    (total,) = counted.done()
    row = bc.encode_BroadcastOp(
        m.b, m.tile(S.I32, 16), bc.encode_ReshapeOp(m.b, m.tile(S.I32, 1), total)
    )
    m.store(m.spread(o, S.I32, 16), row)
    m.end()


def several_entries(m, x, o):
    """See main: two entries in a module."""
    m.store(m.spread(o, S.I32, 16), m.load(m.spread(x, S.I32, 16), S.I32, 16))
    m.end()


SIGNS = (bc.Signedness.Signed, bc.Signedness.Unsigned)


class Bits:
    """Truth values that become the bits of a number, the first one the lowest."""

    def __init__(self, m):
        self.m, self.count = m, 0
        self.row = m.tile(S.I32, 16)
        self.number = m.number(0, S.I32, 16)

    def add(self, truth):
        m = self.m
        bit = bc.encode_ExtIOp(m.b, self.row, truth, bc.Signedness.Unsigned)
        place = m.number(self.count, S.I32, 16)
        bit = bc.encode_ShLIOp(m.b, self.row, bit, place, bc.IntegerOverflow.NONE)
        self.number = bc.encode_OrIOp(m.b, self.row, self.number, bit)
        self.count += 1


def as_bits(columns):
    return sum(np.asarray(c, bool).astype(np.int32) << k for k, c in enumerate(columns))


def truth_values(m, x, o):
    """i1 as an integer: signed true is -1; trunci keeps the lowest bit; exti, itof, arithmetic."""
    t, row, reals = m.tile(S.I1, 16), m.tile(S.I32, 16), m.tile(S.F32, 16)
    v = m.load(m.spread(x, S.I32, 16), S.I32, 16)
    zero, none = m.number(0, S.I32, 16), bc.IntegerOverflow.NONE
    a = bc.encode_CmpIOp(m.b, t, v, zero, bc.ComparisonPredicate.LESS_THAN, SIGNS[0])
    b = bc.encode_TruncIOp(m.b, t, v, none)
    bits = Bits(m)
    for sign in SIGNS:
        bits.add(bc.encode_MaxIOp(m.b, t, a, b, sign))
        bits.add(bc.encode_MinIOp(m.b, t, a, b, sign))
        for predicate in bc.ComparisonPredicate:
            bits.add(bc.encode_CmpIOp(m.b, t, a, b, predicate, sign))
        wide = bc.encode_ExtIOp(m.b, row, a, sign)
        bits.add(bc.encode_CmpIOp(m.b, t, wide, zero, bc.ComparisonPredicate.LESS_THAN, SIGNS[0]))
        real = bc.encode_IToFOp(m.b, reals, a, sign, RNE)
        wide = bc.encode_FToIOp(
            m.b, row, real, SIGNS[0], bc.RoundingMode.NEAREST_INT_TO_ZERO, False
        )
        bits.add(bc.encode_CmpIOp(m.b, t, wide, zero, bc.ComparisonPredicate.LESS_THAN, SIGNS[0]))
    bits.add(bc.encode_AddIOp(m.b, t, a, b, none))
    bits.add(bc.encode_SubIOp(m.b, t, a, b, none))
    bits.add(bc.encode_MulIOp(m.b, t, a, b, none))
    bits.add(bc.encode_NegIOp(m.b, t, a, none))
    m.store(m.spread(o, S.I32, 16), bits.number)
    m.end()


def expected_truth_values(x):
    a, b = x < 0, x & 1 == 1
    columns = []
    for is_signed in (True, False):
        p, q = (-1 * a, -1 * b) if is_signed else (1 * a, 1 * b)
        columns += [np.maximum(p, q) != 0, np.minimum(p, q) != 0]
        columns += [p == q, p != q, p < q, p <= q, p > q, p >= q]
        columns += [p < 0, p < 0]
    return as_bits([*columns, a ^ b, a ^ b, a & b, a])


def with_nan(m, v):
    """Numbers from integers, where the lowest two bits are ones NaN."""
    row, reals = m.tile(S.I32, 16), m.tile(S.F32, 16)
    real = bc.encode_IToFOp(m.b, reals, v, SIGNS[0], RNE)
    nan = bc.encode_ConstantOp(m.b, reals, np.float32("nan").tobytes())
    three = m.number(3, S.I32, 16)
    low = bc.encode_AndIOp(m.b, row, v, three)
    is_nan = bc.encode_CmpIOp(
        m.b, m.tile(S.I1, 16), low, three, bc.ComparisonPredicate.EQUAL, SIGNS[0]
    )
    return bc.encode_SelectOp(m.b, reals, is_nan, nan, real)


def reals_with_nan(x):
    return np.where(x & 3 == 3, np.float32("nan"), x.astype(np.float32))


def comparisons(m, x, o):
    """Every comparison of floats, ordered and unordered, with NaN."""
    v = m.load(m.spread(x, S.I32, 16), S.I32, 16)
    shifted = bc.encode_ShRIOp(m.b, m.tile(S.I32, 16), v, m.number(1, S.I32, 16), SIGNS[0])
    a, b, bits = with_nan(m, v), with_nan(m, shifted), Bits(m)
    for other in (b, a):
        for predicate in bc.ComparisonPredicate:
            for ordering in bc.ComparisonOrdering:
                bits.add(bc.encode_CmpFOp(m.b, m.tile(S.I1, 16), a, other, predicate, ordering))
    m.store(m.spread(o, S.I32, 16), bits.number)
    m.end()


def expected_comparisons(x):
    a, columns = reals_with_nan(x), []
    for b in (reals_with_nan(x >> 1), a):
        either = np.isnan(a) | np.isnan(b)
        for r in (a == b, a != b, a < b, a <= b, a > b, a >= b):
            columns += [r | either, r & ~either]
    return as_bits(columns)


def saturating(m, x, o):
    """ftoi that saturates, to every width, with NaN and numbers outside of the range."""
    v = m.load(m.spread(x, S.I32, 16), S.I32, 16)
    row, reals = m.tile(S.I32, 16), m.tile(S.F32, 16)
    numbers = with_nan(m, v)
    result = m.number(0, S.I32, 16)
    for element, scale in ((S.I8, 2**-23), (S.I16, 2**-15), (S.I32, 4)):
        for sign in SIGNS:
            factor = bc.encode_ConstantOp(m.b, reals, np.float32(scale).tobytes())
            scaled = bc.encode_MulFOp(m.b, reals, numbers, factor, RNE, False)
            narrow = bc.encode_FToIOp(
                m.b,
                m.tile(element, 16),
                scaled,
                sign,
                bc.RoundingMode.NEAREST_INT_TO_ZERO,
                True,
            )
            if element != S.I32:
                narrow = bc.encode_ExtIOp(m.b, row, narrow, sign)
            result = bc.encode_MulIOp(
                m.b, row, result, m.number(31, S.I32, 16), bc.IntegerOverflow.NONE
            )
            result = bc.encode_AddIOp(m.b, row, result, narrow, bc.IntegerOverflow.NONE)
    m.store(m.spread(o, S.I32, 16), result)
    m.end()


def expected_saturating(x):
    numbers, result = reals_with_nan(x), np.zeros(16, np.int64)
    for bits, scale in ((8, 2**-23), (16, 2**-15), (32, 4)):
        for low, high in ((-(2 ** (bits - 1)), 2 ** (bits - 1) - 1), (0, 2**bits - 1)):
            whole = np.trunc(np.nan_to_num(numbers * np.float32(scale)).astype(np.float64))
            result = result * 31 + np.clip(whole, low, high).astype(np.int64)
    return (result & 0xFFFFFFFF).astype(np.uint32).view(np.int32)


def lists(m, x, o):
    """Constants that are no splats: integers, floats, truth values."""
    v = m.load(m.spread(x, S.I32, 16), S.I32, 16)
    row, reals = m.tile(S.I32, 16), m.tile(S.F32, 16)
    whole = bc.encode_ConstantOp(m.b, row, (np.arange(16, dtype=np.int32) ** 3).tobytes())
    real = bc.encode_ConstantOp(m.b, reals, (np.arange(16, dtype=np.float32) * 2.5).tobytes())
    truth = bc.encode_ConstantOp(m.b, m.tile(S.I1, 16), bytes((0b10110010, 0b00001101)))
    number = bc.encode_FToIOp(
        m.b, row, real, SIGNS[0], bc.RoundingMode.NEAREST_INT_TO_ZERO, False
    )
    added = bc.encode_AddIOp(m.b, row, whole, number, bc.IntegerOverflow.NONE)
    m.store(m.spread(o, S.I32, 16), bc.encode_SelectOp(m.b, row, truth, v, added))
    m.end()


def expected_lists(x):
    places = np.arange(16)
    bits = np.array([0b0000110110110010 >> k & 1 for k in places], bool)
    return np.where(bits, x, places**3 + np.trunc(places * 2.5).astype(np.int64))


CASES = [
    (
        high_product,
        "13.1",
        lambda x: ((x.view(np.uint32).astype(np.uint64) ** 2) >> 32)
        .astype(np.uint32)
        .view(np.int32),
    ),
    (use_global, "13.1", lambda x: x + np.arange(16, dtype=np.int32) * 5),
    (view_shape, "13.1", lambda x: np.full(16, 16, np.int32)),
    (fence_of_aliases, "13.4", lambda x: -x),
    (scratch, "13.3", lambda x: x),
    (nibbles, "13.3", nibbles_of),
    (splats_of_truth, "13.1", lambda x: np.full(16, 101, np.int32)),
    (every_exit, "13.1", lambda x: np.full(16, 45 + 300, np.int32)),
    (several_entries, "13.1", lambda x: x),
    (truth_values, "13.1", expected_truth_values),
    (comparisons, "13.1", expected_comparisons),
    (saturating, "13.4", expected_saturating),
    (lists, "13.1", expected_lists),
]


# By the writer of cutile-rs: Inputs/rows.rs.
RUST_VERSIONS = ["13.2", "13.3"]


def expected_rust_rows(x):
    return x + x.max() + 300 + np.arange(16, dtype=np.int32) * 5


def manifest(name, kernel, since, note, expect):
    recipe = ["steps", -2000000000, 4000000001, 1, 90]
    x = recipes.make(recipe, 16, "i32")
    with np.errstate(over="ignore"):
        want = expect(x).astype(np.int32)
    array = {"type": "i32", "shape": [16], "strides": [1], "elements": 16, "aligned": 16}
    return {
        "name": name,
        "kernel": kernel,
        "symbol": name,
        "grid": [1, 1, 1],
        "gpu": "sm_90",
        "since": since,
        "rtol": 0.0,
        "atol": 0.0,
        "note": note,
        "parameters": [{"kind": "pointer", "array": "x"}, {"kind": "pointer", "array": "o"}],
        "arrays": [
            {
                "name": "x",
                **array,
                "recipe": recipe,
                "sha256": hashlib.sha256(x.tobytes()).hexdigest()[:16],
            },
            {
                "name": "o",
                **array,
                "recipe": ["const", 0],
                "sha256": hashlib.sha256(bytes(64)).hexdigest()[:16],
                "expected": base64.b64encode(want.tobytes()).decode(),
            },
        ],
        "versions": [],
    }


def main():
    out = Path("corpus")
    for make, since, expect in CASES:
        name = "made_" + make.__name__
        record = manifest(name, make.__name__, since, make.__doc__, expect)
        for version in VERSIONS:
            if float(version) < float(since):
                continue
            v = next(v for v in bc.BytecodeVersion if v.as_string() == version)
            buffer = bytearray()
            symbols = [name, name + "_2"] if make is several_entries else [name]
            with bc.write_bytecode(len(symbols), buffer, v) as writer:
                p = writer.type_table.tile(
                    writer.type_table.pointer(writer.type_table.I32, bc.PtrAttr.Missing), ()
                )
                for symbol in symbols:
                    with writer.function(
                        symbol, (p, p), (), True, {}, bc.MISSING_DEBUG_ATTR_ID
                    ) as (builder, (x_, o_)):
                        make(Maker(writer, builder), x_, o_)
            (out / f"{name}.{version}.tilebc").write_bytes(buffer)
            record["versions"].append(version)
        write_json(out / f"{name}.json", record)
    note = "What cutile-rs's writer does: padding, hints, a private global, a loop without signs."
    record = manifest("rust_rows", "rows", "13.2", note, expected_rust_rows)
    write_json(out / "rust_rows.json", {**record, "versions": RUST_VERSIONS})


if __name__ == "__main__":
    main()
