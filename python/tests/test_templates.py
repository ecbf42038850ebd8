"""Template arguments that the kernel's arrays tell: of pointers, descriptors, ranks and numbers."""

import enum

import numpy as np
import pytest
import test_arrays

import tessera
from tessera import templates, types

SOURCE = """
#include <cuda_tile.h>
#include <tessera/interop/tensor_span.h>
namespace ct = cuda::tiles;
template <class T, int N> using array = cuda::interoperable_array_descriptor<T, N>;

template <typename T> __tile_global__ void axpy(T *x, T a, array<const T, 1> y, int n) {
  for (int i = 0; i < n; ++i)
    x[i] = x[i] + a * y.data[i * y.strides[0]];
}
namespace library {
// The number of elements, and Width.
template <int Width, class T, int N>
__tile_global__ void count(array<const T, N> x, int *out) {
  long all = 1;
  for (int k = 0; k < N; ++k)
    all *= x.shape[k];
  out[0] = all;
  out[1] = Width;
  out[2] = sizeof(T);
}
}
template <class T, int Width = 3, class U> __tile_global__ void mixed(T *x, U *y) {
  *x = Width;
  *y = sizeof(T);
}
template <class T> __tile_global__ void of_value(T value, int *size) { *size = sizeof(T); }
template <class T, class U> __tile_global__ void unknown(T *x) { *x = sizeof(U); }
template <class... T> __tile_global__ void many(int *x, T... rest) { *x = sizeof...(T); }
template <class T> __tile_global__ void twice(T *x) {}
template <class T> __tile_global__ void twice(array<T, 1> x) {}
__tile_global__ void plain(int *x) { *x = 1; }
"""


def in_nightly(*values):
    """Of a parameter whose other values show the same."""
    return pytest.param(*values, marks=pytest.mark.long)


def compiled(kernel, source=SOURCE):
    return tessera.compile(source, kernel, target="cpu")


@pytest.fixture(scope="module")
def axpy():
    return compiled("axpy")


ELEMENTS = [np.float32, in_nightly(np.float64), in_nightly(np.int32), np.uint8]


@pytest.mark.parametrize("dtype", ELEMENTS)
def test_elements(axpy, dtype):
    x, y = np.arange(4).astype(dtype), np.ones(8, dtype)[::2]
    axpy[1](x, 2, y, 4)
    np.testing.assert_array_equal(x, np.arange(2, 6))
    kernel = axpy.kernel(x, 2, y, 4)
    assert kernel is axpy.kernel(x, 5, y, 4) and kernel.parameters[0][2] == np.dtype(dtype).name
    assert kernel is tessera.compile(SOURCE, kernel.name, target="cpu")


def test_one_object(axpy):
    assert isinstance(axpy, tessera.Template) and compiled("axpy") is axpy
    assert "axpy: T of its arguments" in repr(axpy)
    assert isinstance(compiled("axpy<float>"), tessera.Kernel)


def test_other_arrays(axpy):
    memory = np.ones((1, 4), np.float32)
    interface = test_arrays.Interface(memory, strides=None, shape=(4,))
    x = np.zeros(4, np.float32)
    axpy[1](x, 0.5, interface, 4)
    assert x.tolist() == [0.5] * 4
    torch = pytest.importorskip("torch")
    axpy[1](torch.from_numpy(x), 0.5, torch.ones(4), 4)
    assert x.tolist() == [1.0] * 4


RANKS = [((2, 3, 4), np.int8), in_nightly((5, 7), np.float64), in_nightly(9, np.float16)]


@pytest.mark.parametrize("shape, dtype", RANKS, ids=str)
def test_ranks(shape, dtype):
    x, out = np.zeros(shape, dtype), np.zeros(3, np.int32)
    compiled("library::count<64>")[1](x, out)
    assert out.tolist() == [x.size, 64, x.itemsize]


def test_arguments_that_are_written():
    out = np.zeros(3, np.int32)
    kernel = compiled("library::count<64, double>")
    kernel[1](np.zeros((5, 7)), out)
    assert out[2] == 8
    with pytest.raises(TypeError, match="argument 'x': an array of float32, but float64"):
        kernel[1](np.zeros((5, 7), np.float32), out)


def test_defaults():
    x, y = np.zeros(1, np.float64), np.zeros(1, np.int16)
    kernel = compiled("mixed")
    kernel[1](x, y)
    assert (x[0], y[0]) == (3, 8)
    assert kernel.kernel(x, y).name == "mixed<double, 3, std::int16_t>"


class color(enum.IntEnum):
    red = 1


VALUES = [
    (1, 4), in_nightly(1.0, 4), (1j, 8), in_nightly(True, 1), in_nightly(np.float64(1), 8),
    (np.int8(1), 1), (types.float16(1), 2), in_nightly(types.bool_(True), 1),
    in_nightly(types.complex128(1j), 16),
]  # fmt: skip


@pytest.mark.parametrize("value, size", VALUES, ids=str)
def test_numbers(value, size):
    kernel, out = compiled("of_value"), np.zeros(1, np.int32)
    kernel[1](value, out)
    assert out[0] == size


def test_what_is_not_said(axpy):
    x = np.zeros(4, np.float32)
    with pytest.raises(TypeError, match="'x' makes T float, but argument 'y' makes it double"):
        axpy[1](x, 2, x.astype(np.float64), 4)
    for wrong in (5, "x", [1.0], object()):
        with pytest.raises(TypeError, match="axpy: argument 'y': .* but an array is required"):
            axpy[1](x, 2, wrong, 4)
    with pytest.raises(TypeError, match="axpy takes 4 arguments, but 2 are given"):
        axpy[1](x, 2)
    with pytest.raises(TypeError, match="do not determine the template argument T"):
        compiled("of_value")[1](None, np.zeros(1, np.int32))
    with pytest.raises(TypeError, match="do not determine the template argument T"):
        compiled("of_value")[1](color.red, np.zeros(1, np.int32))
    with pytest.raises(TypeError, match="argument 'x'"):
        axpy[1](np.zeros(4, "datetime64[s]"), 2, x, 4)
    with pytest.raises((TypeError, tessera.CompileError), match="axpy"):
        axpy[1](np.zeros(4, "longdouble"), 2, np.zeros(4, "longdouble"), 4)


def test_templates_that_nothing_tells():
    with pytest.raises(tessera.CompileError, match="template argument U; write unknown<...>"):
        compiled("unknown")
    with pytest.raises(tessera.CompileError):
        compiled("twice")
    with pytest.raises(tessera.CompileError, match="undeclared"):
        compiled("axpy", SOURCE.replace("*x = 1;", "*x = missing;"))
    with pytest.raises(tessera.CompileError, match="nowhere"):
        compiled("nowhere")
    x = np.zeros(1, np.int32)
    compiled("many<float, int>")[1](x, 1.0, 2)
    assert x[0] == 2


def test_a_source_that_changes(tmp_path):
    header, source = tmp_path / "value.h", tmp_path / "set.cu"
    source.write_text('#include "value.h"\n#include <cuda_tile.h>\n' + KERNEL)
    x = np.zeros(1, np.float32)
    for text in ("class T", "class T, int W = 7"):
        header.write_text(f"#define TEMPLATE template <{text}>\n")
        tessera.compile(source, "set", target="cpu")[1](x)
        assert x[0] == 7
    assert tessera.compile(source, "set", target="cpu").kernel(x).name == "set<float, 7>"


KERNEL = "TEMPLATE __tile_global__ void set(T *x) { *x = 7; }\n"


def test_names():
    words = templates.words
    assert words("axpy") == ("axpy", [])
    arguments = ["64", "pair<int, float>", "f(1, 2)"]
    assert words(f"a::b<{', '.join(arguments)}>") == ("a::b", arguments)
