"""Launches of tile kernels from images that the host has loaded, by cuda.bindings or cuda.core.

An image for sm_90 or newer that tessera-nvcc made with nvcc 13 needs none of this: its kernels are
launched with block 1. Other images say threads and shared memory in the constant NAME_tessera,
which is followed here in either case. An image of another compiler has no constant: block 1.

With cuda.bindings, where `module` is what cuModuleLoadData gave:

    kernel = tessera_image.find(module, b"_Z4vaddPfS_i")
    cuLaunchKernel(kernel.function, grid, 1, 1, kernel.threads, 1, 1, kernel.shared_memory, ...)

With cuda.core:

    config = LaunchConfig(grid=grid, **tessera_image.launch_options(code, "_Z4vaddPfS_i"))
    launch(stream, config, code.get_kernel("_Z4vaddPfS_i"), *arguments)
"""

import struct
from typing import NamedTuple

from cuda.bindings import driver

_WITHOUT_ASKING = 48 << 10


class Kernel(NamedTuple):
    """A kernel with what a launch gives it: threads along x, bytes of dynamic shared memory."""

    function: driver.CUfunction
    threads: int
    shared_memory: int


def _checked(result):
    error, *values = result
    if error != driver.CUresult.CUDA_SUCCESS:
        raise RuntimeError(driver.cuGetErrorName(error)[1].decode())
    return values[0] if values else None


def _read(found):
    """The two numbers of a constant, from what looked for its address and size."""
    error, address, size = found
    if error == driver.CUresult.CUDA_ERROR_NOT_FOUND:
        return 1, 0
    if error != driver.CUresult.CUDA_SUCCESS or size != 8:
        raise RuntimeError("the image's constant cannot be read")
    data = bytearray(size)
    _checked(driver.cuMemcpyDtoH(data, address, size))
    return struct.unpack("<II", data)


def find(module, name: bytes) -> Kernel:
    """The tile kernel of this (mangled) name in a CUmodule, whose context is current.

    Raises RuntimeError with CUDA's name of the error.
    """
    function = _checked(driver.cuModuleGetFunction(module, name))
    threads, shared_memory = _read(driver.cuModuleGetGlobal(module, name + b"_tessera"))
    if shared_memory > _WITHOUT_ASKING:
        attribute = driver.CUfunction_attribute.CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES
        _checked(driver.cuFuncSetAttribute(function, attribute, shared_memory))
    return Kernel(function, threads, shared_memory)


def launch_options(code, name: str) -> dict:
    """What cuda.core's LaunchConfig takes besides the grid, for a kernel of an ObjectCode.

    Raises RuntimeError with CUDA's name of the error.
    """
    kernel = driver.CUkernel(int(code.get_kernel(name).handle))
    library = _checked(driver.cuKernelGetLibrary(kernel))
    threads, shared_memory = _read(driver.cuLibraryGetGlobal(library, name.encode() + b"_tessera"))
    if shared_memory > _WITHOUT_ASKING:
        attribute = driver.CUfunction_attribute.CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES
        device = _checked(driver.cuCtxGetDevice())
        _checked(driver.cuKernelSetAttribute(attribute, shared_memory, kernel, device))
    return {"block": threads, "shmem_size": shared_memory}
