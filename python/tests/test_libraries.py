"""Arrays of other libraries: torch and JAX on the CPU; where it is installed the array of Numba for
GPUs, which takes any memory. CuPy's wants a GPU (test_gpu.py)."""

import ctypes

import numpy as np
import pytest
import test_arrays
from conftest import library


def test_torch(copy, scale):
    torch = library("torch")
    x, y = torch.arange(48.0).reshape(6, 8), torch.zeros(6, 8)
    for view in (x, x.T, x[::2, 1::3], x[1:5, 3:], x[:1].expand(4, 8), x[:, :1]):
        result = torch.zeros(view.shape)
        copy[tuple((extent + 3) // 4 for extent in view.shape)](view, result)
        assert torch.equal(result, view)
    scale[1](x, y, 48, 3.0)
    assert torch.equal(y, 3 * x)

    def refuse(error, pattern, a, b=y):
        with pytest.raises(error, match=pattern):
            copy[2, 2](a, b)

    refuse(TypeError, "argument 'x': an array of float64", x.double())
    refuse(ValueError, "argument 'x': an array of 1 dim", x[0])
    refuse(ValueError, "argument 'x': no DLPack", x.to_sparse())
    refuse(ValueError, "argument 'x'", torch.empty(6, 8, device="meta"))
    copy[2, 2](x.clone().requires_grad_(), y)
    assert torch.equal(y, x)
    refuse(ValueError, "argument 'y': no DLPack: .*detach", x, y.clone().requires_grad_())
    copy[1](torch.zeros(0, 8), torch.zeros(0, 8))
    copy[2, 2](torch.nn.Parameter(x), y)


def test_torch_complex():
    torch = library("torch")
    import tessera

    source = """
#include <cuda_tile.h>
#include <tessera/interop/array_descriptor.h>
#include <tessera/interop/types.h>
using tessera::interop::complex64;
template <class T> using array = cuda::interoperable_array_descriptor<T, 1>;
__tile_global__ void imaginary(array<const complex64> x, float *y) { *y = x.data[1].imag; }
"""
    kernel = tessera.compile(source, "imaginary", target="cpu")
    x, y = torch.tensor([1 + 2j, 3 + 4j]), torch.zeros(1)
    kernel[1](x, y)
    assert y.item() == 4
    with pytest.raises(ValueError, match="argument 'x': no DLPack: .*conj"):
        kernel[1](x.conj(), y)


def test_jax(copy):
    numbers = library("jax.numpy")
    x, y = numbers.arange(24.0).reshape(4, 6), np.zeros((4, 6), np.float32)
    copy[1, 2](x, y)
    np.testing.assert_array_equal(y, x)


def test_numba(copy):
    arrays = pytest.importorskip("numba.cuda.cudadrv.devicearray")
    memory = test_arrays.matrix(4, 6)

    class Pointer:
        device_ctypes_pointer = ctypes.c_void_p(memory.ctypes.data)
        device_pointer, size = memory.ctypes.data, memory.nbytes

    x = arrays.DeviceNDArray((4, 6), (24, 4), np.float32, gpu_data=Pointer())
    y = np.zeros((4, 6), np.float32)
    copy[1, 2](x, y)
    np.testing.assert_array_equal(y, memory)
    turned = arrays.DeviceNDArray((6, 4), (4, 24), np.float32, gpu_data=Pointer())
    y = np.zeros((6, 4), np.float32)
    copy[2, 1](turned, y)
    np.testing.assert_array_equal(y, memory.T)
    wide = arrays.DeviceNDArray((4, 3), (24, 8), np.float64, gpu_data=Pointer())
    with pytest.raises(TypeError, match="argument 'x': an array of float64"):
        copy[1, 1](wide, y)
