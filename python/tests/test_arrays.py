"""Arrays: NumPy's by DLPack, and each clause of the CUDA Array Interface."""

import numpy as np
import pytest

import tessera


class Interface:
    """An array that another library owns: its memory as an Array Interface of these entries."""

    def __init__(self, memory, **entries):
        self.memory = memory
        self.__cuda_array_interface__ = {
            "shape": memory.shape,
            "typestr": memory.dtype.str,
            "data": (memory.ctypes.data, not memory.flags.writeable),
            "version": 3,
            **entries,
        }
        for key in [key for key, value in entries.items() if value is ...]:
            del self.__cuda_array_interface__[key]


def matrix(rows=5, columns=6):
    return np.arange(rows * columns, dtype=np.float32).reshape(rows, columns)


def grid(x):
    return tuple((extent + 3) // 4 for extent in x.shape)


def check(copy, given, wanted):
    result = np.zeros(wanted.shape, np.float32)
    copy[grid(wanted)](given, result)
    np.testing.assert_array_equal(result, wanted)


def refuse(copy, error, pattern, x, y=None):
    with pytest.raises(error, match=pattern):
        copy[2, 2](x, np.zeros((5, 6), np.float32) if y is None else y)


# ---- NumPy -------------------------------------------------------------------------------------
def test_strides(copy):
    x = matrix(8, 12)
    for view in (x, x.T, x[::2, 1::3], x[1:6, 3:], np.broadcast_to(x[0], (4, 12)), x[:, :1]):
        check(copy, view, view)
    result = np.zeros((24, 12), np.float32)
    copy[grid(x)](x, result[::3])
    np.testing.assert_array_equal(result[::3], x)
    assert not result[1::3].any()


def test_other_arrays_are_refused(copy):
    x = matrix()
    refuse(copy, TypeError, "argument 'x': an array of float64", x.astype(np.float64))
    refuse(copy, ValueError, "argument 'x': an array of 1 dim", x[0])
    refuse(copy, ValueError, "argument 'x': a stride of -24 bytes", x[::-1])
    refuse(copy, TypeError, "argument 'x': list, but an array", [1.0])
    refuse(copy, TypeError, "argument 'x': NoneType", None)
    constant = matrix()
    constant.flags.writeable = False
    check(copy, constant, matrix())
    refuse(copy, ValueError, "argument 'y': a read-only array", x, constant)
    bytes_ = np.zeros(24 * 5 + 1, np.uint8)[1:].view(np.float32).reshape(5, 6)
    refuse(copy, ValueError, "argument 'x': an array that is not aligned", bytes_)
    refuse(copy, (TypeError, ValueError), "argument 'x'", x.astype(">f4"))
    refuse(copy, (TypeError, ValueError), "argument 'x'", np.array([["a"]]))


def test_empty_arrays(copy, scale):
    copy[1](np.zeros((0, 4), np.float32), np.zeros((0, 4), np.float32))
    scale[1](np.zeros(0, np.float32), np.zeros(0, np.float32), 0, 1.0)
    scale[1](None, None, 0, 1.0)


def test_pointers(scale):
    x, y = np.arange(100, dtype=np.float32), np.zeros(100, np.float32)
    scale[2](x, y, 100, 3)
    np.testing.assert_array_equal(y, 3 * x)
    with pytest.raises(TypeError, match="argument 'x': int, but an array"):
        scale[2](x.ctypes.data, y, 100, 3)


def test_grids_and_streams(scale):
    x, y = np.ones(64, np.float32), np.zeros(64, np.float32)

    class Stream:
        cuda_stream = 0

    for where in (1, (1,), (1, 1), (1, 1, 1), ((1,), None), (1, None), ((1, 1), 0), (1, Stream())):
        y[:] = 0
        scale[where](x, y, 64, 2.0)
        assert y[0] == 2, where
    for wrong in (0, -1, 2**31, (), (1, 1, 1, 1), "a", 1.5, ((1,), "s"), ((1,), 1.5)):
        with pytest.raises((TypeError, ValueError)):
            scale[wrong](x, y, 64, 2.0)
    with pytest.raises(RuntimeError, match="launch failed"):
        scale[1, 2**20](x, y, 64, 2.0)


def test_dlpack_comes_first(copy):
    class Both(Interface):
        def __dlpack__(self, **words):
            assert words.pop("max_version", None) == (1, 0) and not words
            return self.memory.__dlpack__()

        def __dlpack_device__(self):
            return (1, 0)

    class Old(Both):
        def __dlpack__(self, stream=None):
            return self.memory.__dlpack__()

    for kind in (Both, Old):
        check(copy, kind(matrix(), shape="nonsense"), matrix())


def test_producers_that_fail(copy):
    class Used:
        def __dlpack__(self, **words):
            return 3

    class Fails:
        def __dlpack__(self, **words):
            raise KeyError("mine")

    class Property:
        @property
        def __cuda_array_interface__(self):
            raise KeyError("mine")

    class Nothing:
        __dlpack__ = None
        __cuda_array_interface__ = None

    refuse(copy, TypeError, "argument 'x': its __dlpack__ returns no", Used())
    refuse(copy, KeyError, "mine", Fails())
    refuse(copy, KeyError, "mine", Property())
    refuse(copy, TypeError, "argument 'x': Nothing, but an array", Nothing())


# ---- the CUDA Array Interface, clause by clause ------------------------------------------------
def test_interface(copy):
    for version in (2, 3):
        check(copy, Interface(matrix(), version=version), matrix())


def test_interface_strides(copy):
    x = matrix()
    for strides in (None, ..., (24, 4)):
        check(copy, Interface(x, strides=strides), x)
    check(copy, Interface(x, shape=(6, 5), strides=(4, 24)), x.T)
    check(copy, Interface(x, shape=(3, 6), strides=(0, 4)), np.broadcast_to(x[0], (3, 6)))
    for strides in ((24,), (24, 4, 4), (24, 2), (-24, 4), (2**62, 4), (2**70, 4), "ab", [24, 4]):
        refuse(copy, ValueError, "argument 'x'", Interface(x, strides=strides))


@pytest.mark.parametrize("entry", ["shape", "typestr", "data", "version"])
def test_interface_entries_that_must_be_there(copy, entry):
    refuse(copy, ValueError, f"argument 'x'.* no '{entry}'", Interface(matrix(), **{entry: ...}))


def test_interface_zero_size(copy):
    x = Interface(matrix(), shape=(0, 6), data=(0, False))
    copy[1](x, np.zeros((0, 6), np.float32))
    refuse(copy, ValueError, "argument 'x'.* null", Interface(matrix(), data=(0, False)))


def test_interface_read_only(copy):
    x = Interface(matrix(), data=(matrix().ctypes.data, True))
    refuse(copy, ValueError, "argument 'y': a read-only array", matrix(), x)
    kept = matrix()
    check(copy, Interface(kept, data=(kept.ctypes.data, True)), kept)


def test_interface_mask(copy):
    refuse(copy, NotImplementedError, "argument 'x'", Interface(matrix(), mask=Interface(matrix())))
    check(copy, Interface(matrix(), mask=None), matrix())


def test_interface_descr(copy):
    check(copy, Interface(matrix(), descr=[("", "<f4")]), matrix())
    refuse(copy, TypeError, "argument 'x'", Interface(matrix(), typestr="|V4"))


def test_interface_versions(copy):
    for version in (0, 1, 4, -3, 2**80, "3", True, 3.0):
        refuse(copy, ValueError, "argument 'x'", Interface(matrix(), version=version))


def test_interface_streams(copy):
    for stream in (None, 1, 2, 12345):
        check(copy, Interface(matrix(), stream=stream), matrix())
    check(copy, Interface(matrix(), stream=0, version=2), matrix())
    for stream in (0, -1, "1", 1.5, 2**70):
        refuse(copy, ValueError, "argument 'x'", Interface(matrix(), stream=stream))


def test_interface_memory(copy):
    x = matrix()
    for address in (1, 64, 2**47, 2**64 - 64, 2**64, -4, x.ctypes.data + 1):
        refuse(copy, ValueError, "argument 'x'", Interface(x, data=(address, False)))
    refuse(copy, ValueError, "argument 'x'", Interface(x, shape=(2**40, 6)))
    code = Interface(x, data=(id(type) & ~15, False), shape=(2**20, 2**20))
    refuse(copy, ValueError, "argument 'y'", x, code)


def test_a_kernel_is_one_object(copy):
    from conftest import KERNELS

    assert tessera.compile(KERNELS, "copy<float>", target="cpu") is copy


def test_arrays_without_dimensions():
    source = """
#include <cuda_tile.h>
#include <tessera/interop/array_descriptor.h>
__tile_global__ void add(cuda::interoperable_array_descriptor<int, 0> x, int n) { *x.data += n; }
"""
    add = tessera.compile(source, "add", target="cpu")
    x = np.array(40, np.int32)
    add[1](x, np.array(2))
    assert int(x) == 42
    with pytest.raises(ValueError, match="argument 'x': an array of 1 dim"):
        add[1](x.reshape(1), 2)
    with pytest.raises(TypeError, match="argument 'n'"):
        add[1](x, np.array([2, 3]))


def test_structs_as_elements():
    source = """
#include <cuda_tile.h>
#include <tessera/interop/array_descriptor.h>
struct pair { int a, b; };
__tile_global__ void sum(cuda::interoperable_array_descriptor<pair, 1> x, pair *y) { ++y[1].b; }
"""
    add = tessera.compile(source, "sum", target="cpu")
    pairs = np.zeros(4, np.int32)
    with pytest.raises(NotImplementedError, match="argument 'x': arrays of structs"):
        add[1](pairs, pairs)


NAMES = """
#include <cuda_tile.h>
int launch = 3, wait, describe, interop, message;
struct P {};
namespace library {
template <class T, int N = 2> __tile_global__ void run(T *__restrict__ kernel, const int l);
}
template <class T, int N> __tile_global__ void library::run(T *__restrict__ kernel, const int l) {
  *kernel = N * l;
}
__tile_global__ void entry(int *x) { *x = 5; }
__tile_global__ void l() {}
int main() {}
"""


def test_names_of_the_program_are_its_own():
    x = np.zeros((), np.int32)
    run = tessera.compile(NAMES, "::library::run<int, 7>", target="cpu")
    run[1](x, 3)
    assert int(x) == 21 and [row[0] for row in run.parameters] == ["kernel", "l"]
    tessera.compile(NAMES, "entry", target="cpu")[1](x)
    assert int(x) == 5


@pytest.mark.long
def test_other_names_of_the_program():
    x = np.zeros((), np.int32)
    tessera.compile(NAMES, "library::run<int>", target="cpu")[1](x, 4)
    assert int(x) == 8
    tessera.compile(NAMES, "l", target="cpu")[2, 3]()
