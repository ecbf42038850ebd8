#!/usr/bin/env python3
"""C = A B with tiles of the sizes that are fastest here: half on a GPU with torch, float on the CPU
with NumPy.

    matmul.py [M N K]
"""

import sys

import numpy as np

import tessera

SOURCE = """
#include <cuda_fp16.h>
#include <cuda_tile.h>
#include <tessera/interop/tensor_span.h>
namespace ct = cuda::tiles;
using tessera::interop::contiguous_last;
template <class T, int N> using array = cuda::interoperable_array_descriptor<T, N>;

// A tile of C a block; the loop walks along K.
template <class T, int M, int N, int K>
__tile_global__ void matmul(array<const T, 2> a, array<const T, 2> b, array<T, 2> c) {
  auto as = ct::partition_view{contiguous_last(a), ct::shape<M, K>{}};
  auto bs = ct::partition_view{contiguous_last(b), ct::shape<K, N>{}};
  auto cs = ct::partition_view{contiguous_last(c), ct::shape<M, N>{}};
  auto [row, column, _] = ct::bid();
  auto sum = ct::zeros<ct::tile<float, ct::shape<M, N>>>();
  for (auto k : ct::irange(0, int((a.shape[1] + K - 1) / K)))
    sum = ct::mma(as.load_masked(row, k), bs.load_masked(k, column), sum);
  cs.store_masked(ct::element_cast<T>(sum), row, column);
}
"""
CONFIGS = {
    "gpu": [(64, 128, 64), (128, 128, 64), (128, 256, 64)],
    "cpu": [(8, 64, 32), (16, 64, 64)],
}


def tuned(target):
    """matmul(a, b, c), which finds the best tiles for its arguments."""

    def grid(config, _a, _b, c):
        return tuple((extent + tile - 1) // tile for extent, tile in zip(c.shape, config))

    element = {"gpu": "__half", "cpu": "float"}[target]
    kernel = f"matmul<{element}, {{}}, {{}}, {{}}>"
    return tessera.autotune(SOURCE, kernel, CONFIGS[target], grid, target=target)


def main():
    m, n, k = map(int, sys.argv[1:4]) if len(sys.argv) > 3 else (200, 300, 100)
    numbers = np.random.default_rng(0)
    a, b = (numbers.standard_normal(shape, np.float32) for shape in ((m, k), (k, n)))
    try:
        import torch

        target = "gpu" if torch.cuda.is_available() else "cpu"
    except ImportError:
        target = "cpu"
    if target == "gpu":
        a, b = (torch.from_numpy(each).half().cuda() for each in (a, b))
        c = torch.empty(m, n, dtype=torch.half, device="cuda")
    else:
        c = np.empty((m, n), np.float32)
    matmul = tuned(target)
    matmul(a, b, c)
    got, wanted = (np.asarray(each.cpu() if target == "gpu" else each) for each in (c, a @ b))
    np.testing.assert_allclose(got, wanted, rtol=1e-2, atol=1e-2 if target == "gpu" else 1e-4)
    print(f"{matmul.best(a, b, c).name}: right")


if __name__ == "__main__":
    main()
