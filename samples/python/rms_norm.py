#!/usr/bin/env python3
"""RMSNorm of the rows of a matrix: the kernel that with_cupy.py, with_numba.py and
with_cuda_core.py launch between work of these libraries. Run by itself, it is checked on the CPU
with NumPy.

    rms_norm.py [ROWS COLUMNS]      up to 8192 columns
"""

import functools
import sys

import numpy as np

import tessera

SOURCE = """
#include <cuda_tile.h>
#include <tessera/interop/tensor_span.h>
namespace ct = cuda::tiles;
using namespace ct::literals;
template <class T, int N> using array = cuda::interoperable_array_descriptor<T, N>;

// y = x / sqrt(mean(x * x) + epsilon) * weight, a row a block.
template <int Width> __tile_global__ void rms_norm(array<const float, 2> x,
                                                   array<const float, 1> weight,
                                                   array<float, 2> y, float epsilon) {
  auto from = ct::partition_view{tessera::interop::contiguous_last(x), ct::shape<1, Width>{}};
  auto by = ct::partition_view{tessera::interop::contiguous_last(weight), ct::shape<Width>{}};
  auto to = ct::partition_view{tessera::interop::contiguous_last(y), ct::shape<1, Width>{}};
  int row = ct::bid().x, columns = x.shape[1];
  auto values = from.load_masked(row, 0);
  auto mean = ct::sum(values * values, 1_ic) / float(columns);
  auto weights = ct::reshape(by.load_masked(0), ct::shape<1, Width>{});
  to.store_masked(values * ct::rsqrt(mean + epsilon) * weights, row, 0);
}
"""


@functools.lru_cache
def kernel(columns, target):
    width = 1 << max(columns - 1, 1).bit_length()
    return tessera.compile(SOURCE, f"rms_norm<{width}>", target=target)


def rms_norm(x, weight, y, stream=None, target="gpu", epsilon=1e-6):
    """y = RMSNorm of the rows of x. The arrays are those of any library with DLPack or the CUDA
    Array Interface; a stream is that of the library. Without one it is its current stream."""
    brackets = x.shape[0] if stream is None else ((x.shape[0],), stream)
    kernel(x.shape[1], target)[brackets](x, weight, y, epsilon)


def expected(x, weight, epsilon=1e-6):
    """The same by NumPy, in doubles."""
    x = np.asarray(x, np.float64)
    return x / np.sqrt((x * x).mean(axis=1, keepdims=True) + epsilon) * weight


def inputs(rows, columns):
    numbers = np.random.default_rng(0)
    shapes = (rows, columns), (columns,)
    return [numbers.standard_normal(shape, np.float32) for shape in shapes]


def check(y, x, weight):
    np.testing.assert_allclose(y, expected(x, weight), rtol=2e-5, atol=1e-6)


def main():
    rows, columns = map(int, sys.argv[1:3]) if len(sys.argv) > 2 else (100, 1000)
    x, weight = inputs(rows, columns)
    y = np.empty_like(x)
    rms_norm(x, weight, y, target="cpu")
    check(y, x, weight)
    print(f"rms_norm {rows}x{columns}: right, on the CPU with NumPy")


if __name__ == "__main__":
    main()
