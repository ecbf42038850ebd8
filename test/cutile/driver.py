"""What the emulator's driver has not, and images that it does not take."""

import ctypes

libcuda = ctypes.CDLL("libcuda.so.1")
status, address = ctypes.c_int(), ctypes.c_void_p()
assert libcuda.cuInit(0) == 0


def function(name):
    found = ctypes.byref(address)
    assert libcuda.cuGetProcAddress_v2(name, found, 13000, 0, ctypes.byref(status)) == 0
    return ctypes.CFUNCTYPE(ctypes.c_int)(address.value)


def text(error):
    words = ctypes.c_char_p()
    assert libcuda.cuGetErrorString(error, ctypes.byref(words)) == 0
    return words.value.decode()


def load(image):
    library = ctypes.c_void_p()
    return libcuda.cuLibraryLoadData(ctypes.byref(library), image, None, None, 0, None, None, 0)


for _ in range(2):
    print(text(function(b"cuMulticastCreate")()), flush=True)
# CHECK: tessera: the emulator's driver has no cuMulticastCreate
# CHECK-NEXT: operation not supported: the emulator's driver has no cuMulticastCreate
# CHECK-NEXT: operation not supported: the emulator's driver has no cuMulticastCreate

cubin = bytearray(b"\x7fELF\x02\x01\x01" + bytes(200))
cubin[18] = 190  # CUDA
for image in (bytes(cubin), b"no image at all" + bytes(64)):
    print(text(load(image)), flush=True)
# CHECK: device kernel image is invalid: it is for a GPU, but this program runs under the emulator
# CHECK: device kernel image is invalid: it is for a GPU, but this program runs under the emulator

print(libcuda.cuDeviceGetAttribute(ctypes.byref(status), 9999, 0))
# CHECK: 801
