#!/usr/bin/env python3
"""Softmax of the rows of a matrix, against the library's own: of torch where it sees a GPU, else
of NumPy on the CPU.

    softmax.py [ROWS COLUMNS]      up to 8192 columns
"""

import functools
import sys
import time

import numpy as np

import tessera

SOURCE = """
#include <cuda_tile.h>
#include <tessera/interop/tensor_span.h>
namespace ct = cuda::tiles;
using namespace ct::literals;
template <class T, int N> using array = cuda::interoperable_array_descriptor<T, N>;

// A row a block; it stays in registers between the two reductions.
template <int Width> __tile_global__ void softmax(array<const float, 2> x, array<float, 2> y) {
  auto from = ct::partition_view{tessera::interop::contiguous_last(x), ct::shape<1, Width>{}};
  auto to = ct::partition_view{tessera::interop::contiguous_last(y), ct::shape<1, Width>{}};
  int row = ct::bid().x;
  auto values = from.load_masked(ct::view_padding_negative_inf_t{}, row, 0);
  auto powers = ct::exp(values - ct::reduce_max(values, 1_ic));
  to.store_masked(powers / ct::sum(powers, 1_ic), row, 0);
}
"""


@functools.lru_cache
def kernel(columns):
    width = 1 << max(columns - 1, 1).bit_length()
    return tessera.compile(SOURCE, f"softmax<{width}>", target=TARGET)


def softmax(x, y):
    """y = softmax of the rows of x; float, elements of a row side by side."""
    kernel(x.shape[1])[x.shape[0]](x, y)


def seconds(act, wait):
    act()
    best = float("inf")
    for _ in range(5):
        wait()
        start = time.perf_counter()
        act()
        wait()
        best = min(best, time.perf_counter() - start)
    return best


def main():
    rows, columns = map(int, sys.argv[1:3]) if len(sys.argv) > 2 else (1000, 1000)
    x = np.random.default_rng(0).standard_normal((rows, columns), np.float32)
    if TARGET == "gpu":
        x = torch.from_numpy(x).cuda()
        y, wait, library = torch.empty_like(x), torch.cuda.synchronize, lambda: torch.softmax(x, 1)
    else:
        y, wait = np.empty_like(x), lambda: None

        def library():
            powers = np.exp(x - x.max(axis=1, keepdims=True))
            return powers / powers.sum(axis=1, keepdims=True)

    softmax(x, y)
    wanted, got = (np.asarray(each.cpu() if TARGET == "gpu" else each) for each in (library(), y))
    np.testing.assert_allclose(got, wanted, rtol=1e-5, atol=1e-8)
    ours, theirs = seconds(lambda: softmax(x, y), wait), seconds(library, wait)
    library = f"{type(y).__module__} {1e6 * theirs:.0f} us"
    print(f"softmax {rows}x{columns}: {1e6 * ours:.0f} us, {library}")


try:
    import torch

    TARGET = "gpu" if torch.cuda.is_available() else "cpu"
except ImportError:
    TARGET = "cpu"

if __name__ == "__main__":
    main()
