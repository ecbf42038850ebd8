"""Every type of value that crosses to a kernel: given from Python, read back as bytes, on the CPU
and on a GPU."""

import enum
import math
import struct

import numpy as np
import pytest
from conftest import TARGETS, Bytes

import tessera
from tessera import types

ECHO = """
#include <cuda_tile.h>
#include <tessera/interop/types.h>
using namespace tessera::interop;

struct alignas(16) pair { float real, imag; };
struct mutex { aligned<int, 16> line, current; };
struct nested { int8 first; tuple<int8, int32> second; float16x3 third; void *fourth; };

// The values' bytes, each at a multiple of 32.
template <class... T> __tile_global__ void echo(unsigned char *out, T... values) {
  int at = 0;
  ((*reinterpret_cast<T *>(out + at) = values, at += 32), ...);
}
"""

NUMBERS = {
    "bool_": (True, b"\x01"),
    "int8": (-128, struct.pack("b", -128)),
    "int16": (-32768, struct.pack("h", -32768)),
    "int32": (-(2**31), struct.pack("i", -(2**31))),
    "int64": (-(2**63), struct.pack("q", -(2**63))),
    "uint8": (255, b"\xff"),
    "uint16": (65535, b"\xff\xff"),
    "uint32": (2**32 - 1, b"\xff" * 4),
    "uint64": (2**64 - 1, b"\xff" * 8),
    "float16": (1.5, struct.pack("e", 1.5)),
    "float32": (0.1, struct.pack("f", 0.1)),
    "float64": (0.1, struct.pack("d", 0.1)),
    "complex64": (1 + 2j, struct.pack("ff", 1, 2)),
    "complex128": (0.1 - 2j, struct.pack("dd", 0.1, -2)),
    "float8e4m3": (1.125, b"\x39"),
    "float8e5m2": (-1.25, b"\xbd"),
    "bfloat16": (3.140625, b"\x49\x40"),
}
VECTORS = [name for name, layout in tessera._tessera.layouts.items() if len(layout) == 4]


def echo(target, cpp_types, values):
    """The kernel of these types, and the bytes of each value in its memory."""
    kernel = tessera.compile(ECHO, f"echo<{', '.join(cpp_types)}>", target=target)
    out = Bytes(target, 32 * len(values))
    kernel[1](out.array, *values)
    read = bytes(out)
    return kernel, [read[32 * i : 32 * i + 32] for i in range(len(values))]


@pytest.fixture(scope="module", params=TARGETS)
def numbers(request):
    names = list(NUMBERS)
    plain = [value for value, _ in NUMBERS.values()]
    fixed = [getattr(types, name)(value) for name, (value, _) in NUMBERS.items()]
    kernel, from_plain = echo(request.param, names, plain)
    _, from_fixed = echo(request.param, names, fixed)
    return kernel, dict(zip(names, zip(from_plain, from_fixed)))


@pytest.mark.parametrize("name", NUMBERS)
def test_number(numbers, name):
    wanted = NUMBERS[name][1]
    kernel, read = numbers
    for got in read[name]:
        assert got[: len(wanted)] == wanted
    assert types.pack(getattr(types, name)(NUMBERS[name][0]))[0] == wanted
    _, kind, element, size, alignment, _ = kernel.parameters[1 + list(NUMBERS).index(name)]
    assert (kind, element) == ("number", name.rstrip("_"))
    assert (size, alignment) == tessera._tessera.layouts[name] and size == len(wanted)


@pytest.fixture(scope="module", params=TARGETS)
def vectors(request):
    values = []
    for name in VECTORS:
        _, _, element, count = tessera._tessera.layouts[name]
        values.append(getattr(types, name)(*range(1, count + 1)))
    kernel, read = echo(request.param, VECTORS, values)
    return kernel, dict(zip(VECTORS, zip(values, read)))


@pytest.mark.parametrize("name", VECTORS)
def test_vector(vectors, name):
    kernel, read = vectors
    size, alignment, element, count = tessera._tessera.layouts[name]
    value, got = read[name]
    assert len(value) == value.size == count and list(value) == list(range(1, count + 1))
    wanted = b"".join(types.pack(getattr(types, element)(i + 1))[0] for i in range(count))
    assert got[:size] == wanted
    place = 1 + VECTORS.index(name)
    assert kernel.parameters[place][3:5] == (size, alignment)


@types.struct(align=16)
class pair:
    real: float
    imag: float


@types.struct
class mutex:
    line: types.align(int, 16)
    current: types.align(int, 16)


@types.struct
class nested:
    first: types.int8
    second: tuple
    third: types.float16x3
    fourth: type(None)


class color(enum.Enum):
    red = 3


@pytest.mark.parametrize("target", TARGETS)
def test_compounds(target):
    values = [
        (8, 8, 8),
        (1, (2, 3.0), 4 + 5j),
        pair(1, 2.5),
        mutex(7, 8),
        nested(1, (types.int8(2), 3), types.float16x3(1, 2, 3), None),
        None,
        color.red,
        True,
        -7,
        0.5,
        1j,
    ]
    names = [
        "tuple<int32, int32, int32>",
        "tuple<int32, tuple<int32, float>, complex64>",
        "pair",
        "mutex",
        "nested",
        "void *",
        "int",
        "bool",
        "int",
        "float",
        "complex64",
    ]
    kernel, read = echo(target, names, values)
    halves = struct.pack("eee", 1, 2, 3)
    wanted = [
        struct.pack("iii", 8, 8, 8),
        struct.pack("iifxxxxff", 1, 2, 3.0, 4, 5)[:12] + bytes(4) + struct.pack("ff", 4, 5),
        struct.pack("ff", 1, 2.5),
        struct.pack("i12xi12x", 7, 8),
        struct.pack("b3xb3xi", 1, 2, 3) + halves + bytes(6) + bytes(8),
        bytes(8),
        struct.pack("i", 3),
        b"\x01",
        struct.pack("i", -7),
        struct.pack("f", 0.5),
        struct.pack("ff", 0, 1),
    ]
    for name, got, bytes_ in zip(names, read, wanted):
        assert got[: len(bytes_)] == bytes_, name
    assert [row[3:5] for row in kernel.parameters[3:6]] == [(16, 16), (32, 16), (32, 8)]
    out = Bytes(target, 32 * 11).array
    with pytest.raises(TypeError, match="aligned to"):
        kernel[1](out, (8, 8), *values[1:])
    with pytest.raises(OverflowError, match="as int32"):
        kernel[1](out, (8, 8, 2**31), *values[1:])


OUT_OF_RANGE = [
    ("int8", 128, OverflowError),
    ("int8", -129, OverflowError),
    ("uint8", -1, OverflowError),
    ("uint64", 2**64, OverflowError),
    ("int64", 2**63, OverflowError),
    ("int32", 1.0, TypeError),
    ("int32", "1", TypeError),
    ("int32", None, TypeError),
    ("int32", np.zeros(2, int), TypeError),
    ("float16", 65520.0, OverflowError),
    ("float32", 1e39, OverflowError),
    ("float64", 10**400, OverflowError),
    ("float64", "1", TypeError),
    ("float64", 1j, TypeError),
    ("bfloat16", 3.4e38, OverflowError),
    ("float8e4m3", 500.0, OverflowError),
    ("float8e5m2", 60000.0, OverflowError),
    ("complex64", 1e39 + 0j, OverflowError),
    ("complex64", "1", TypeError),
    ("bool_", 1, TypeError),
]


@pytest.mark.parametrize("name, value, error", OUT_OF_RANGE, ids=str)
def test_out_of_range(numbers, name, value, error):
    kernel, _ = numbers
    values = [good for good, _ in NUMBERS.values()]
    values[list(NUMBERS).index(name)] = value
    with pytest.raises(error, match=r"argument '\d+|argument 'values'|argument 'out'"):
        kernel[1](Bytes(kernel.target, 32 * len(values)).array, *values)


def test_numpy_scalars_and_special_values(numbers):
    kernel, _ = numbers
    values = [good for good, _ in NUMBERS.values()]
    values[0], values[3], values[10] = np.bool_(True), np.int64(5), np.float16(math.inf)
    out = Bytes(kernel.target, 32 * len(values))
    kernel[1](out.array, *values)
    assert bytes(out)[96:100] == struct.pack("i", 5)
    assert bytes(out)[320:324] == struct.pack("f", math.inf)


def test_values_do_not_change():
    vector = types.int32x3(1, 2, 3)
    assert (vector.x, vector.y, vector.z, vector[2]) == (1, 2, 3, 3)
    for act in (
        lambda: setattr(vector, "x", 5),
        lambda: vector.w,
        lambda: setattr(pair(1, 2), "real", 3),
        lambda: setattr(types.int8(1), "value", 3),
    ):
        with pytest.raises(AttributeError):
            act()
    assert pair.underlying.__name__ == "pair" and pair(1, 2) == pair(real=1, imag=2)
    for wrong in (lambda: types.int32x3(1, 2), lambda: pair(1), lambda: pair(1, 2, 3)):
        with pytest.raises(TypeError):
            wrong()
    with pytest.raises(OverflowError):
        types.int8(200)
    with pytest.raises(TypeError):
        mutex(1.5, 2)


@pytest.mark.parametrize("name", ["float8e4m3", "float8e5m2", "bfloat16"])
def test_narrow_formats_round_as_cpp_does(numbers, name):
    kernel, _ = numbers
    values = [good for good, _ in NUMBERS.values()]
    place = list(NUMBERS).index(name)
    out = Bytes(kernel.target, 32 * len(values))
    for value in (0.0, -0.0, 1.0, 1.06, 1.0625, 1.1875, 3.3, 1e-3, 2**-9, 2**-10, 2**-17, 447.0):
        values[place] = value
        kernel[1](out.array, *values)
        size = tessera._tessera.layouts[name][0]
        assert bytes(out)[32 * place :][:size] == types.pack(getattr(types, name)(value))[0], value
