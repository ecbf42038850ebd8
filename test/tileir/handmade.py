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


X = np.int32(1)
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
    (every_exit, "13.1", lambda x: np.full(16, 45 + 300, np.int32)),
    (several_entries, "13.1", lambda x: x),
]


def main():
    out = Path("corpus")
    for make, since, expect in CASES:
        name = "made_" + make.__name__
        recipe = ["steps", -2000000000, 4000000001, 1, 90]
        x = recipes.make(recipe, 16, "i32")
        want = expect(x).astype(np.int32)
        record = {
            "name": name,
            "kernel": make.__name__,
            "symbol": name,
            "grid": [1, 1, 1],
            "gpu": "sm_90",
            "since": since,
            "rtol": 0.0,
            "atol": 0.0,
            "note": make.__doc__,
            "parameters": [{"kind": "pointer", "array": "x"}, {"kind": "pointer", "array": "o"}],
            "arrays": [
                {
                    "name": "x",
                    "type": "i32",
                    "shape": [16],
                    "strides": [1],
                    "elements": 16,
                    "aligned": 16,
                    "recipe": recipe,
                    "sha256": hashlib.sha256(x.tobytes()).hexdigest()[:16],
                },
                {
                    "name": "o",
                    "type": "i32",
                    "shape": [16],
                    "strides": [1],
                    "elements": 16,
                    "aligned": 16,
                    "recipe": ["const", 0],
                    "sha256": hashlib.sha256(bytes(64)).hexdigest()[:16],
                    "expected": base64.b64encode(want.tobytes()).decode(),
                },
            ],
            "versions": [],
        }
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


if __name__ == "__main__":
    main()
