"""Arrays of a GPU's libraries, their streams and their elements. Each line is skipped where there
is no GPU, or where the library is not installed."""

import numpy as np
import pytest
from conftest import KERNELS

import tessera

pytestmark = pytest.mark.gpu

COPY = """
#include <cuda_tile.h>
#include <tessera/interop/array_descriptor.h>
#include <tessera/interop/types.h>
using namespace tessera::interop;
template <class T> __tile_global__ void copy(
    cuda::interoperable_array_descriptor<const T, 2> x,
    cuda::interoperable_array_descriptor<T, 2> y) {
  for (long i = 0; i < x.shape[0]; ++i)
    for (long j = 0; j < x.shape[1]; ++j)
      y.data[i * y.strides[0] + j * y.strides[1]] = x.data[i * x.strides[0] + j * x.strides[1]];
}
"""
# torch's name, and that of types.def
ELEMENTS = {
    "bool": "bool_", "int8": "int8", "int16": "int16", "int32": "int32", "int64": "int64",
    "uint8": "uint8", "uint16": "uint16", "uint32": "uint32", "uint64": "uint64",
    "float16": "float16", "float32": "float32", "float64": "float64", "bfloat16": "bfloat16",
    "complex64": "complex64", "complex128": "complex128",
    "float8_e4m3fn": "float8e4m3", "float8_e5m2": "float8e5m2",
}  # fmt: skip


@pytest.fixture(scope="module")
def copy():
    return tessera.compile(KERNELS, "copy<float>", target="gpu")


@pytest.fixture(scope="module")
def scale():
    return tessera.compile(KERNELS, "scale", target="gpu")


@pytest.mark.parametrize("name", ELEMENTS)
def test_elements_of_arrays(name):
    kernel = tessera.compile(COPY, f"copy<{ELEMENTS[name]}>", target="gpu")
    import torch

    dtype = getattr(torch, name)
    size = torch.empty(0, dtype=dtype).element_size()
    numbers = torch.arange(24 * size, dtype=torch.uint8, device="cuda")
    numbers = numbers % 2 if name == "bool" else numbers
    x = numbers.view(dtype).reshape(4, 6)
    y = torch.zeros(6, 4, dtype=dtype, device="cuda").T
    kernel[1](x, y)
    assert torch.equal(y.contiguous().view(torch.uint8), numbers.view(4, -1))


def test_streams_and_graphs_of_torch(scale):
    import torch

    x, y = torch.arange(64.0, device="cuda"), torch.zeros(64, device="cuda")
    stream = torch.cuda.Stream()
    with torch.cuda.stream(stream):
        scale[1](x, y, 64, 2.0)
        doubled = y.clone()
    stream.synchronize()
    assert torch.equal(doubled, 2 * x)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        scale[1](x, y, 64, 3.0)
    x += 1
    graph.replay()
    assert torch.equal(y, 3 * x)


def test_what_is_not_there_is_refused(copy):
    import torch

    x = torch.zeros(4, 6, device="cuda")
    for error, pattern, wrong in [
        (ValueError, "argument 'x': an array on the CPU", torch.zeros(4, 6)),
        (ValueError, "argument 'x': an array on the CPU", np.zeros((4, 6), np.float32)),
        (TypeError, "argument 'x': an array of float64", x.double()),
        (ValueError, "argument 'x': an array of 1 dim", x[0]),
    ]:
        with pytest.raises(error, match=pattern):
            copy[1, 2](wrong, x)


class OnlyInterface:
    def __init__(self, array):
        self.array, self.__cuda_array_interface__ = array, array.__cuda_array_interface__


def test_cupy(copy):
    cupy = pytest.importorskip("cupy")
    x, y = cupy.arange(24, dtype=np.float32).reshape(4, 6), cupy.zeros((4, 6), np.float32)
    copy[1, 2](x, y)
    assert (x == y).all()
    stream = cupy.cuda.Stream(non_blocking=True)
    with stream:  # whose work comes first
        z = x[:, ::2] * 3
        result = cupy.zeros((4, 3), np.float32)
        for given in (z, OnlyInterface(z)):
            result[:] = 0
            copy[(1, 1), stream](given, result)
            assert (result == z).all()
    result = cupy.zeros((6, 4), np.float32)
    copy[2, 1](OnlyInterface(x.T), OnlyInterface(result))
    cupy.cuda.get_current_stream().synchronize()
    assert (result == x.T).all()


def test_numba(copy):
    cuda = pytest.importorskip("numba.cuda")
    numbers = np.arange(24, dtype=np.float32).reshape(4, 6)
    x, y = cuda.to_device(numbers), cuda.to_device(np.zeros((4, 6), np.float32))
    copy[1, 2](x, y)
    np.testing.assert_array_equal(y.copy_to_host(), numbers)
    stream = cuda.stream()
    x = cuda.to_device(2 * numbers, stream=stream)
    copy[1, 2](x[:, 2:], y[:, 2:])
    cuda.synchronize()
    np.testing.assert_array_equal(y.copy_to_host()[:, 2:], 2 * numbers[:, 2:])
    managed = cuda.managed_array((4, 6), np.float32)
    copy[1, 2](x, managed)
    cuda.synchronize()
    np.testing.assert_array_equal(np.asarray(managed), 2 * numbers)


def test_jax(copy):
    numbers = pytest.importorskip("jax.numpy")
    import torch

    x, y = numbers.arange(24.0).reshape(4, 6), torch.zeros(4, 6, device="cuda")
    if x.device.platform == "cpu":
        pytest.skip("this JAX has no GPU")
    copy[1, 2](x, y)
    np.testing.assert_array_equal(y.cpu().numpy(), np.asarray(x))
