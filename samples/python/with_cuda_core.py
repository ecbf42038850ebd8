#!/usr/bin/env python3
"""A tile kernel on memory and in a stream of cuda.core, NVIDIA's own package, which has no arrays.

Needs a GPU and cuda.core (pip install cuda-core).

    with_cuda_core.py [ROWS COLUMNS]
"""

import sys

import numpy as np
from rms_norm import check, inputs, rms_norm


class Array:
    """Memory as an array, for what takes the CUDA Array Interface. With a stream those who read it
    wait for the work there."""

    def __init__(self, address, shape, dtype=np.float32, stream=None):
        self.shape = tuple(shape)
        self.__cuda_array_interface__ = {
            "version": 3,
            "shape": self.shape,
            "typestr": np.dtype(dtype).str,
            "data": (int(address), False),
            "stream": stream,
        }


def main():
    try:
        from cuda.core import Device, LegacyPinnedMemoryResource
    except ImportError:
        sys.exit("with_cuda_core.py needs a GPU and cuda.core: pip install cuda-core")
    rows, columns = map(int, sys.argv[1:3]) if len(sys.argv) > 2 else (100, 1000)
    x, weight = inputs(rows, columns)
    device = Device()
    device.set_current()
    stream = device.create_stream()
    pinned = LegacyPinnedMemoryResource()

    def on_gpu(array):
        staged = pinned.allocate(array.nbytes)
        np.from_dlpack(staged).view(array.dtype)[:] = array.ravel()
        buffer = device.memory_resource.allocate(array.nbytes, stream=stream)
        buffer.copy_from(staged, stream=stream)
        return buffer, staged

    buffers = [on_gpu(array) for array in (x, weight, np.zeros_like(x))]
    shapes = x.shape, weight.shape, x.shape
    arrays = [Array(buffer.handle, shape) for (buffer, _), shape in zip(buffers, shapes)]
    rms_norm(*arrays, stream)  # cuda.core's streams say what they are: __cuda_stream__
    buffer, staged = buffers[2]
    buffer.copy_to(staged, stream=stream)
    stream.sync()
    check(np.from_dlpack(staged).view(np.float32).reshape(x.shape), x, weight)
    print(f"rms_norm {rows}x{columns}: right, with cuda.core")


if __name__ == "__main__":
    main()
