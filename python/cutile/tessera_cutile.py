"""Prepares cuTile Python for Tessera's compiler and, without a GPU, for the arrays of this machine:
NumPy's, tensors of torch in the CPU's memory, and others that DLPack describes.

cuTile takes arrays of a GPU only. Its launches get objects that say so in the place of the arrays,
and the emulator's driver gets their addresses, so that it can tell accesses outside of them.
"""

import ctypes
import functools
import os
import sys

# Element types by the names that NumPy and torch share: DLPack's code, and bits.
ELEMENTS = {
    "bool": (6, 8),
    **{f"int{bits}": (0, bits) for bits in (8, 16, 32, 64)},
    **{f"uint{bits}": (1, bits) for bits in (8, 16, 32, 64)},
    **{f"float{bits}": (2, bits) for bits in (16, 32, 64)},
    "bfloat16": (4, 16),
    "float8_e4m3fn": (10, 8),
    "float8_e5m2": (12, 8),
    "float8_e8m0fnu": (14, 8),
}
CPU, GPU = 1, 2  # DLPack's devices
# The functions of cuTile whose arguments are, or contain, those of a kernel.
LAUNCHES = ("launch", "launch_extended", "_benchmark", "get_parameter_constraints_from_pyargs")

_deleter = ctypes.CFUNCTYPE(None, ctypes.c_void_p)
_keep = _deleter(lambda _: None)  # the memory is the array's
_new_capsule = ctypes.pythonapi.PyCapsule_New
_new_capsule.restype = ctypes.py_object
_new_capsule.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
_pointer_of = ctypes.pythonapi.PyCapsule_GetPointer
_pointer_of.restype = ctypes.c_void_p
_pointer_of.argtypes = [ctypes.py_object, ctypes.c_char_p]
_name = b"dltensor"


class _Tensor(ctypes.Structure):
    """DLPack's DLManagedTensor."""

    _fields_ = [
        ("data", ctypes.c_void_p),
        ("device", ctypes.c_int32),
        ("device_number", ctypes.c_int32),
        ("rank", ctypes.c_int32),
        ("code", ctypes.c_uint8),
        ("bits", ctypes.c_uint8),
        ("lanes", ctypes.c_uint16),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("offset", ctypes.c_uint64),
        ("context", ctypes.c_void_p),
        ("deleter", _deleter),
    ]


class _Range(ctypes.Structure):
    """An array's bytes, for the emulator's driver."""

    _fields_ = [("address", ctypes.c_size_t), ("bytes", ctypes.c_size_t)]


class Shown:
    """An array of this machine, which says that it is a GPU's. Strides count elements."""

    def __init__(self, owner, address, element, shape, strides):
        self.owner, self.address, self.element = owner, address, element
        self.shape, self.strides = tuple(shape), tuple(strides)
        # Kernels are promised that there is none.
        if any(extent > 1 and stride < 0 for extent, stride in zip(self.shape, self.strides)):
            raise TypeError(f"cuTile takes no array of negative strides, as {self.strides}")

    def __dlpack__(self, **_):
        numbers = ctypes.c_int64 * max(len(self.shape), 1)
        self._tensor = _Tensor(
            self.address, GPU, 0, len(self.shape), *self.element, 1,
            numbers(*self.shape), numbers(*self.strides), 0, None, _keep,
        )  # fmt: skip
        return _new_capsule(ctypes.addressof(self._tensor), _name, None)

    def __dlpack_device__(self):
        return (GPU, 0)

    def range(self):
        """From its first byte to its last."""
        size = (self.element[1] + 7) // 8
        if 0 in self.shape:
            return _Range(self.address, 0)
        last = sum((extent - 1) * stride for extent, stride in zip(self.shape, self.strides))
        return _Range(self.address, (last + 1) * size)


def _element(name, of):
    if name not in ELEMENTS:
        raise TypeError(f"cuTile has no elements of type {name}, as in {type(of).__name__}")
    return ELEMENTS[name]


def _of_numpy(array):
    if not array.dtype.isnative or any(one % array.itemsize for one in array.strides):
        raise TypeError(f"cuTile takes no array of {array.dtype!r} with strides {array.strides}")
    strides = [one // array.itemsize for one in array.strides]
    element = _element(array.dtype.name, array)
    return Shown(array, array.ctypes.data, element, array.shape, strides)


def _of_torch(tensor):
    if tensor.device.type != "cpu":
        return tensor
    element = _element(str(tensor.dtype).removeprefix("torch."), tensor)
    return Shown(tensor, tensor.data_ptr(), element, tensor.shape, tensor.stride())


def _of_dlpack(array):
    capsule = array.__dlpack__()
    t = _Tensor.from_address(_pointer_of(capsule, _name))
    shape = t.shape[: t.rank]
    if t.strides:
        strides = t.strides[: t.rank]
    else:
        strides = [functools.reduce(int.__mul__, shape[i + 1 :], 1) for i in range(t.rank)]
    return Shown((array, capsule), (t.data or 0) + t.offset, (t.code, t.bits), shape, strides)


def _of_interface(array):
    """What says itself that it is a GPU's."""
    facts = array.__cuda_array_interface__
    size = int(facts["typestr"][2:])
    shape = facts["shape"]
    strides = facts.get("strides")
    if strides is None:
        strides = [functools.reduce(int.__mul__, shape[i + 1 :], size) for i in range(len(shape))]
    return Shown(array, facts["data"][0], (0, 8 * size), shape, [one // size for one in strides])


def _is(value, module, name):
    loaded = sys.modules.get(module)
    return loaded is not None and isinstance(value, getattr(loaded, name, ()))


def show(value, arrays):
    """A launch's argument as cuTile is to see it. Adds its arrays to `arrays`."""
    if type(value) in (tuple, list):
        return type(value)(show(one, arrays) for one in value)
    if _is(value, "numpy", "ndarray"):
        shown = _of_numpy(value)
    elif _is(value, "torch", "Tensor"):
        shown = _of_torch(value)
    elif hasattr(value, "__cuda_array_interface__"):
        arrays.append(_of_interface(value))
        return value
    elif hasattr(value, "__dlpack_device__") and value.__dlpack_device__()[0] == CPU:
        shown = _of_dlpack(value)
    else:
        return value
    if isinstance(shown, Shown):
        arrays.append(shown)
    return shown


def _showing(function, driver):
    @functools.wraps(function)
    def call(*arguments, **more):
        arrays = []
        shown = [show(one, arrays) for one in arguments]
        ranges = (_Range * len(arrays))(*[one.range() for one in arrays])
        driver.tessera_arrays_of_launch(ranges, ctypes.c_size_t(len(arrays)))
        for stream in (sys.stdout, sys.stderr):  # kernels print, too
            if stream is not None:
                stream.flush()
        try:
            return function(*shown, **more)
        finally:
            driver.tessera_arrays_of_launch(None, ctypes.c_size_t(0))

    return call


def _replace(original, other):
    """In every module of cuTile that has imported it."""
    for name, module in list(sys.modules.items()):
        if name.startswith("cuda.tile"):
            for key, value in list(vars(module).items()):
                if value is original:
                    setattr(module, key, other)


def prepare_cutile(_):
    """Called once, when cuda.tile is imported."""
    import cuda.tile._cext as extension
    import cuda.tile._compile as compiling

    # NVIDIA's package would be taken before the tileiras in PATH.
    if hasattr(compiling, "_find_pip_tileiras"):
        compiling._find_pip_tileiras = lambda: None
    if os.environ["TESSERA_CUTILE_TARGET"] == "gpu":
        return
    driver = ctypes.CDLL("libcuda.so.1")
    for name in LAUNCHES:
        if original := getattr(extension, name, None):
            _replace(original, _showing(original, driver))
