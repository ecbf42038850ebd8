"""Launches on a GPU, as far as they need none: the kernel is a fake that keeps what it is given,
and the tensors are of a small library with DLPack's exchange functions. Its device is number 1."""

import ctypes
import gc
import pathlib
import sys

import numpy as np
import pytest

from tessera import _tessera

LIBRARY = pathlib.Path(_tessera.__file__).parents[2] / "python/fake_gpu.so"


class Seen(ctypes.Structure):
    _fields_ = [
        *[(name, ctypes.c_void_p) for name in ("stream", "waited")],
        *[("launches", ctypes.c_uint64), ("x", ctypes.c_uint64 * 5), ("y", ctypes.c_uint64)],
        ("n", ctypes.c_int32),
    ]


class DLTensor(ctypes.Structure):
    _fields_ = [
        ("data", ctypes.c_uint64),
        *[(name, ctypes.c_int32) for name in ("device_type", "device", "ndim")],
        *[("code", ctypes.c_uint8), ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16)],
        *[(name, ctypes.POINTER(ctypes.c_int64)) for name in ("shape", "strides")],
        ("byte_offset", ctypes.c_uint64),
    ]


class Tensor:
    """Borrowed by the exchange functions; by __dlpack__ it is always refused."""

    current = 0x77  # the library's current stream

    def __init__(self, data=0x1000, shape=(4, 6), strides=(8, 1), device=1, bits=32, **more):
        kind = more.get("kind", 2)
        pair = [(ctypes.c_int64 * len(numbers))(*numbers) for numbers in (shape, strides)]
        pointers = [ctypes.cast(numbers, ctypes.POINTER(ctypes.c_int64)) for numbers in pair]
        what = (more.get("code", 2), bits, more.get("lanes", 1))
        self.kept = pair
        self.tensor = DLTensor(data, kind, device, len(shape), *what, *pointers, 0)
        self.requires_grad = more.get("requires_grad", False)
        self.asked = []

    def __dlpack__(self, **words):
        self.asked.append(words.get("stream"))
        raise BufferError("asked")

    def __dlpack_device__(self):
        return (self.tensor.device_type, self.tensor.device)


def _borrow(tensor, out):
    if getattr(tensor, "fails", False):
        return -1
    out[0] = tensor.tensor
    return 0


def _current(_kind, device, out):
    out[0] = Tensor.current
    return 0


_BORROW = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.py_object, ctypes.POINTER(DLTensor))(_borrow)
_CURRENT = ctypes.PYFUNCTYPE(
    ctypes.c_int, ctypes.c_int, ctypes.c_int32, ctypes.POINTER(ctypes.c_uint64)
)(_current)


class Exchange(ctypes.Structure):
    _fields_ = [
        *[("major", ctypes.c_uint32), ("minor", ctypes.c_uint32)],
        *[(name, ctypes.c_void_p) for name in ("previous", "allocate", "take", "make")],
        *[("borrow", ctypes.c_void_p), ("current", ctypes.c_void_p)],
    ]


def capsule(exchange):
    new = ctypes.pythonapi.PyCapsule_New
    new.restype = ctypes.py_object
    new.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
    return new(ctypes.addressof(exchange), b"dlpack_exchange_api", None)


_FUNCTIONS = [ctypes.cast(function, ctypes.c_void_p).value for function in (_BORROW, _CURRENT)]
_FIRST = Exchange(1, 3, None, None, None, None, *_FUNCTIONS)
_SECOND = Exchange(2, 0, ctypes.addressof(_FIRST), None, None, None, 1, 1)
Tensor.__dlpack_c_exchange_api__ = capsule(_FIRST)


@pytest.fixture(scope="module")
def fake():
    return _tessera.Kernel(str(LIBRARY), "fake", ["x", "y", "n"], False)


@pytest.fixture(scope="module")
def seen(fake):
    return Seen.in_dll(ctypes.CDLL(str(LIBRARY)), "fake_launch")


def test_tensors_are_borrowed(fake, seen):
    fake[3](Tensor(), Tensor(0x1800), 5)
    assert list(seen.x) == [0x1000, 4, 6, 8, 1]
    assert (seen.y, seen.n) == (0x1800, 5)


def test_streams(fake, seen):
    fake[3](Tensor(), Tensor(), 5)
    assert seen.stream == 0x77  # of the library whose tensors they are
    fake[3, None](Tensor(), Tensor(), 5)
    assert seen.stream == 0x77
    fake[(3,), 0x77](Tensor(), Tensor(), 5)
    assert seen.stream == 0x77
    fake[3](Interface(), None, 5)  # of none
    assert seen.stream is None
    fake[3](Interface(stream=0x88), Tensor(), 5)
    assert (seen.stream, seen.waited) == (0x77, 0x88)

    # Another one: the library makes it wait for what is queued, which is __dlpack__'s work.
    x = Tensor()
    with pytest.raises(ValueError, match="argument 'x': no DLPack: asked"):
        fake[(3,), 0x99](x, Tensor(), 5)
    assert x.asked == [0x99]


def test_default_streams_are_one(fake, seen):
    class Default(Tensor):
        pass

    for current in (0, 1):
        Tensor.current = current
        try:
            fake[(3,), 1 - current](Tensor(), Default(), 5)
        finally:
            Tensor.current = 0x77


@pytest.mark.parametrize(
    "x",
    [
        dict(bits=64),
        dict(code=0),
        dict(lanes=2),
        dict(shape=(6,), strides=(1,)),
        dict(data=0x1002),
        dict(data=0),
        dict(strides=(-8, 1)),
        dict(strides=(2**61, 1)),
        dict(shape=(2**33, 2**33), strides=(0, 0)),
        dict(shape=(0, 6)),
        dict(device=0),
    ],
)
def test_what_is_unusual_is_asked_for(fake, x):
    tensor = Tensor(**x)
    with pytest.raises(ValueError, match="argument 'x': no DLPack: asked"):
        fake[3](tensor, Tensor(), 5)
    assert len(tensor.asked) == 1


def test_tensors_that_want_a_gradient(fake, seen):
    fake[3](Tensor(requires_grad=True), Tensor(), 5)
    with pytest.raises(ValueError, match="argument 'y': no DLPack: asked"):
        fake[3](Tensor(), Tensor(requires_grad=True), 5)


def test_libraries_that_refuse(fake):
    tensor = Tensor()
    tensor.fails = True
    with pytest.raises(ValueError, match="argument 'x': no DLPack: asked"):
        fake[3](tensor, Tensor(), 5)


def test_versions_of_the_functions(fake, seen):
    class Newer(Tensor):
        __dlpack_c_exchange_api__ = capsule(_SECOND)

    class Other(Tensor):
        __dlpack_c_exchange_api__ = "nothing"

    fake[3](Newer(), Tensor(), 6)
    assert seen.n == 6
    with pytest.raises(ValueError, match="argument 'x': no DLPack: asked"):
        fake[3](Other(), Tensor(), 5)


class Interface:
    def __init__(self, data=0x1000, **more):
        self.__cuda_array_interface__ = {
            **{"shape": (4, 6), "typestr": "<f4", "data": (data, False), "version": 3},
            **more,
        }


def test_memory_of_the_array_interface(fake, seen):
    fake[3](Interface(), Interface(0x3000), 5)
    assert list(seen.x) == [0x1000, 4, 6, 6, 1] and seen.y == 0x3000
    with pytest.raises(ValueError, match="'x': an array on cuda:0, but .* on cuda:1"):
        fake[3](Interface(0x2000), Tensor(), 5)
    with pytest.raises(ValueError, match="'y': an array that is not in memory of CUDA"):
        fake[3](Tensor(), Interface(0x4000), 5)


def test_arrays_of_the_cpu_are_refused_by_name(fake):
    """Their libraries refuse a stream with errors of their own."""

    class Host:
        memory = np.zeros((4, 6), np.float32)

        def __dlpack__(self, *, max_version=None, stream=None):
            assert stream is None, "stream should be None on cpu."
            return self.memory.__dlpack__(max_version=max_version)

        def __dlpack_device__(self):
            return (1, 0)

    pattern = "argument '{}': an array on the CPU, but the kernel runs on cuda:1"
    for x in (Host(), Host.memory):
        with pytest.raises(ValueError, match=pattern.format("x")):
            fake[3](x, Tensor(), 5)
        with pytest.raises(ValueError, match=pattern.format("y")):
            fake[3](Tensor(), x, 5)


def test_managed_memory_of_a_library_of_the_cpu(fake, seen):
    """Its DLPack says CPU, as NumPy's does; the interface says where the GPU finds it."""

    class Managed(Interface):
        memory = np.zeros((4, 6), np.float32)

        def __dlpack__(self, **words):
            raise AssertionError("asked")

        def __dlpack_device__(self):
            return (1, 0)

    fake[3](Managed(0x3000), Managed(0x3800), 5)
    assert seen.x[0] == 0x3000 and seen.y == 0x3800
    with pytest.raises(ValueError, match="argument 'x': an array that is not in memory of CUDA"):
        fake[3](Managed(0x4000), Tensor(), 5)


def test_devices_that_are_none(fake):
    class Bad(Tensor):
        __dlpack_c_exchange_api__ = None

        def __dlpack_device__(self):
            return self.place

    for place in (None, 2, (2,), ("a", 0)):
        x = Bad()
        x.place = place
        with pytest.raises(ValueError, match="argument 'x': its __dlpack_device__"):
            fake[3](x, Tensor(), 5)


def test_calls(fake):
    x = Tensor()
    for arguments in ((), (x, x), (x, x, 5, 5)):
        with pytest.raises(TypeError, match="takes 3 arguments, "):
            fake[3](*arguments)
    with pytest.raises(TypeError, match="without names"):
        fake[3](x, x, n=5)
    with pytest.raises(TypeError):
        _tessera.Kernel.__new__(_tessera.Kernel)[3]
    kept = fake[3], fake[3]
    assert kept[0] is not kept[1]
    kept[0](x, x, 5)


def test_launches_leave_nothing_behind(fake, seen):
    x, y, before = Tensor(), Tensor(), seen.launches
    fake[3](x, y, 5)
    gc.collect()
    counts = sys.getrefcount(x), sys.getrefcount(fake), sys.getallocatedblocks()
    for _ in range(1000):
        fake[3](x, y, 5)
    now = sys.getrefcount(x), sys.getrefcount(fake), sys.getallocatedblocks()
    assert now[:2] == counts[:2] and now[2] < counts[2] + 50
    assert seen.launches == before + 1001
