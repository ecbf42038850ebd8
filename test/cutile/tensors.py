# targets: emulate cpu
# CHECK: tensors are right
"""Tensors of torch in the CPU's memory, as far as a launch asks them: a stand-in, since torch is
too large to be installed for a test."""

import sys
import types

import cuda.tile as ct
import numpy as np


class Tensor:
    """What torch.Tensor says of itself. DLPack is refused, as where a gradient is required."""

    def __init__(self, array, name=None):
        self.array, self.dtype = array, f"torch.{name or array.dtype.name}"
        self.device = types.SimpleNamespace(type="cpu")
        self.shape = array.shape

    def data_ptr(self):
        return self.array.ctypes.data

    def stride(self):
        return tuple(one // self.array.itemsize for one in self.array.strides)

    def __dlpack__(self, **_):
        raise BufferError("the tensor requires a gradient")


sys.modules["torch"] = torch = types.ModuleType("torch")
torch.Tensor = Tensor


@ct.kernel
def double(x, y, T: ct.Constant[int]):
    i = ct.bid(0)
    t = ct.load(x, (i,), (T,))
    ct.store(y, (i,), t + t)


x, y = np.arange(40, dtype=np.float32), np.zeros((40, 2), np.float32)
ct.launch(0, (3,), double, (Tensor(x), Tensor(y[:, 1]), 16))
assert (y[:, 1] == 2 * x).all() and (y[:, 0] == 0).all()
bits = (np.arange(16, dtype=np.float32).view(np.uint32) >> 16).astype(np.uint16)  # of bfloat16
out = np.zeros_like(bits)
ct.launch(0, (1,), double, (Tensor(bits, "bfloat16"), Tensor(out, "bfloat16"), 16))
assert ((out.astype(np.uint32) << 16).view(np.float32) == 2 * np.arange(16)).all()
print("tensors are right")
