#!/usr/bin/env python3
"""Launches a kernel of an image by cuda.bindings and, where it is there, by cuda.core.

usage: launch.py IMAGE: the kernel `numbers` of kernels.cu, launched as the image's constant says.
Needs runtime/python on PYTHONPATH.
"""

import ctypes
import struct
import sys

import tessera_image
from cuda.bindings import driver

BLOCKS = 1000


def checked(result):
    error, *values = result
    if error != driver.CUresult.CUDA_SUCCESS:
        sys.exit(f"error: {driver.cuGetErrorName(error)[1].decode()}")
    return values[0] if values else None


def count_wrong(out):
    data = bytearray(BLOCKS * 64 * 4)
    checked(driver.cuCtxSynchronize())
    checked(driver.cuMemcpyDtoH(data, out, len(data)))
    checked(driver.cuMemsetD32(out, 0xFFFFFFFF, BLOCKS * 64))
    values = struct.unpack(f"<{BLOCKS * 64}i", data)
    return sum(value != i // 64 for i, value in enumerate(values))


def main():
    code = open(sys.argv[1], "rb").read()
    checked(driver.cuInit(0))
    context = checked(driver.cuDevicePrimaryCtxRetain(checked(driver.cuDeviceGet(0))))
    checked(driver.cuCtxSetCurrent(context))
    out = checked(driver.cuMemAlloc(BLOCKS * 64 * 4))
    checked(driver.cuMemsetD32(out, 0xFFFFFFFF, BLOCKS * 64))

    kernel = tessera_image.find(checked(driver.cuModuleLoadData(code)), b"numbers")
    arguments = ((int(out),), (ctypes.c_void_p,))
    sizes = (BLOCKS, 1, 1, kernel.threads, 1, 1, kernel.shared_memory)
    checked(driver.cuLaunchKernel(kernel.function, *sizes, 0, arguments, 0))
    wrong = count_wrong(out)
    print(f"cuda.bindings: block {kernel.threads}, {wrong} wrong")

    try:
        from cuda.core import Device, LaunchConfig, ObjectCode, launch
    except ImportError:
        print("cuda.core is not there")
        return wrong != 0
    device = Device(0)
    device.set_current()
    stream = device.create_stream()
    is_cubin = code.startswith(b"\x7fELF")
    code = ObjectCode.from_cubin(code) if is_cubin else ObjectCode.from_ptx(code)
    options = tessera_image.launch_options(code, "numbers")
    launch(stream, LaunchConfig(grid=BLOCKS, **options), code.get_kernel("numbers"), int(out))
    stream.sync()
    core_wrong = count_wrong(out)
    print(f"cuda.core: {options}, {core_wrong} wrong")
    return wrong + core_wrong != 0


if __name__ == "__main__":
    sys.exit(main())
