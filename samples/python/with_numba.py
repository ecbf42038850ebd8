#!/usr/bin/env python3
"""A tile kernel behind a SIMT kernel that Numba compiles: in one stream, on Numba's arrays.

Needs a GPU and Numba for it (pip install numba-cuda[cu13], or [cu12]).

    with_numba.py [ROWS COLUMNS]
"""

import sys

import numpy as np
from rms_norm import check, inputs, rms_norm

try:
    from numba import cuda
except ImportError:
    sys.exit("with_numba.py needs a GPU and Numba: pip install numba-cuda[cu13]")


def number_of(stream):
    """The cudaStream_t; older versions of Numba have it as a ctypes object."""
    return int(getattr(stream.handle, "value", stream.handle) or 0)


def main():
    @cuda.jit
    def double(x):
        i = cuda.grid(1)
        if i < x.size:
            x[i] *= 2

    rows, columns = map(int, sys.argv[1:3]) if len(sys.argv) > 2 else (100, 1000)
    x, weight = inputs(rows, columns)
    stream = cuda.stream()
    on_gpu = cuda.to_device(x, stream=stream)
    double[(x.size + 255) // 256, 256, stream](on_gpu.ravel())
    y = cuda.device_array_like(on_gpu)
    # Numba's arrays have the CUDA Array Interface, and the stream that they were made in with it.
    rms_norm(on_gpu, cuda.to_device(weight, stream=stream), y, number_of(stream))
    result = np.empty_like(x)
    y.copy_to_host(result, stream=stream)
    stream.synchronize()
    check(result, 2 * x, weight)
    print(f"rms_norm {rows}x{columns}: right, with Numba")


if __name__ == "__main__":
    main()
