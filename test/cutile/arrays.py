# targets: emulate cpu
"""Arrays of NumPy, of other libraries, and of the driver: a kernel reads and writes their own
memory."""

import ctypes

import cuda.tile as ct
import ml_dtypes
import numpy as np

ConstInt = ct.Constant[int]


@ct.kernel
def double(x, y, T: ConstInt):
    i = ct.bid(0)
    t = ct.load(x, (i,), (T,))
    ct.store(y, (i,), t + t)


@ct.kernel
def transpose(x, y, R: ConstInt, C: ConstInt):
    i, j = ct.bid(0), ct.bid(1)
    ct.store(y, (j, i), ct.transpose(ct.load(x, (i, j), (R, C))))


@ct.kernel
def sum_of_all(xs, y, T: ConstInt):
    total = ct.zeros((T,), ct.float32)
    for k in range(len(xs)):
        total += ct.load(xs[k], (0,), (T,))
    ct.store(y, (0,), total)


class Interface:
    """An array that has the CUDA Array Interface alone."""

    def __init__(self, array):
        self.kept = array
        self.__cuda_array_interface__ = dict(array.__array_interface__, version=3, stream=None)


class Library:
    """An array of a library that NumPy knows nothing of: DLPack alone."""

    def __init__(self, array):
        self.kept = array

    def __dlpack__(self, **_):
        return self.kept.__dlpack__()

    def __dlpack_device__(self):
        return self.kept.__dlpack_device__()


for dtype in (np.float32, np.float16, np.float64, np.int8, np.int32, np.uint16, np.int64,
              ml_dtypes.bfloat16):  # fmt: skip
    x = np.arange(60).astype(dtype)
    y = np.zeros_like(x)
    ct.launch(0, (4,), double, (x, y, 16))
    assert (y == x + x).all(), dtype

x = np.arange(40, dtype=np.float32)
for kind in (Interface, Library):
    y = np.zeros_like(x)
    ct.launch(0, (3,), double, (kind(x), kind(y), 16))
    assert (y == 2 * x).all(), kind

# Views, with steps of their own, and two of one array.
base = np.arange(24 * 40, dtype=np.float32).reshape(24, 40)
out = np.zeros((17, 24), np.float32)
ct.launch(0, (3, 3), transpose, (base[:, 3:20], out, 8, 8))
assert (out == base[:, 3:20].T).all()
out = np.zeros((20, 12), np.float32)
ct.launch(0, (2, 3), transpose, (base[::2, ::2], out, 8, 8))
assert (out == base[::2, ::2].T).all()
row = np.arange(64, dtype=np.float32)
ct.launch(0, (2,), double, (row[:32], row[32:], 16))
assert (row[32:] == 2 * row[:32]).all()
row.flags.writeable = False
y = np.zeros(64, np.float32)
ct.launch(0, (4,), double, (row, y, 16))
assert (y == 2 * row).all()

many = [np.full(16, k, np.float32) for k in range(1, 5)]
y = np.zeros(16, np.float32)
ct.launch(0, (1,), sum_of_all, (many, y, 16))
assert (y == 10).all()

for wrong in (np.zeros(8, ">f4"), np.zeros(8, np.complex64), np.zeros((8, 8), "S3"), y[::-1]):
    try:
        ct.launch(0, (1,), double, (wrong, y, 16))
    except TypeError as error:
        print(error)
# CHECK: cuTile takes no array of dtype('>f4')
# CHECK: cuTile has no elements of type complex64, as in ndarray
# CHECK: cuTile has no elements of type {{.*}}, as in ndarray
# CHECK: cuTile takes no array of negative strides, as (-1,)

# Memory that the driver allocates, at the address that it says.
libcuda = ctypes.CDLL("libcuda.so.1")
address = ctypes.c_uint64()
assert libcuda.cuMemAlloc_v2(ctypes.byref(address), ctypes.c_size_t(64)) == 0
owned = np.ctypeslib.as_array((ctypes.c_float * 16).from_address(address.value))
owned[:] = 3
ct.launch(0, (1,), double, (owned, y, 16))
assert (y == 6).all()
print("all arrays are right")
# CHECK: all arrays are right
