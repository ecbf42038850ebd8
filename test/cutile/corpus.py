# targets: emulate cpu
# arguments: vector_add vector_add_bf16_unaligned softmax layer_norm matmul_f16 matmul_tf32
# arguments: attention attention_causal list_of_arrays tuple_of_things gather_scatter scaled_sum
# arguments: permuted_view grouped_matmul last_block_sums
# CHECK: 15 kernels agree with NumPy
"""Kernels of the corpus of Tile IR (test/tileir/kernels.py) as cuTile launches them, on arrays of
NumPy. Prints the seconds of each: of the first launch, which compiles, and of another."""

import pathlib
import sys
import time

import cuda.tile as ct
import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "tileir"))
import kernels  # noqa: E402
import recipes  # noqa: E402

# Reductions by functions, which are not compiled; what asks for other hardware; prints; and numbers
# that cuTile takes for others than the corpus has.
LEFT_OUT = {
    "custom_reduce", "linear_recurrence", "merged_moments", "ordered_reduce", "places",
    "reduce_with_capture", "running_maximum", "matmul_block_scaled", "dependent_launch",
    "print_tiles", "all_scalars",
}  # fmt: skip


class Arguments:
    """Those of a case, as a launch takes them, and its arrays by their names."""

    def __init__(self, case):
        self.buffers, self.arrays = {}, {}
        self.values = tuple(self.value(one) for one in case.args)

    def value(self, argument):
        if isinstance(argument, kernels.Arr):
            return self.array(argument)
        if isinstance(argument, kernels.Num):
            return argument.value
        if isinstance(argument, (list, tuple)):
            return type(argument)(self.value(one) for one in argument)
        return argument

    def array(self, of):
        dtype = recipes.NUMPY[kernels.NAME[of.dtype]]
        count = of.elements or int(np.prod(of.shape))
        raw = np.zeros((count * dtype.itemsize + 512,), np.uint8)
        at = -raw.ctypes.data % 256 + (0 if of.aligned >= 16 else of.aligned)
        buffer = raw[at : at + count * dtype.itemsize].view(dtype)
        buffer[:] = recipes.make(of.recipe, count, kernels.NAME[of.dtype])
        strides = of.strides and [one * dtype.itemsize for one in of.strides]
        array = np.lib.stride_tricks.as_strided(buffer, of.shape, strides) if strides else None
        self.buffers[of.name] = buffer
        self.arrays[of.name] = buffer.reshape(of.shape) if array is None else array
        return self.arrays[of.name]


def run(case):
    arguments = Arguments(case)
    before = {name: array.copy() for name, array in arguments.arrays.items()}
    expected = case.expect(**{name: array.copy() for name, array in before.items()})
    times = []
    for _ in range(2):
        for name, array in arguments.arrays.items():
            array[...] = before[name]
        begin = time.perf_counter()
        ct.launch(0, case.grid, case.kernel, arguments.values)
        times.append(time.perf_counter() - begin)
    for name, array in arguments.arrays.items():
        want = np.asarray(expected.get(name, before[name])).astype(np.float64)
        got = array.astype(np.float64)
        np.testing.assert_allclose(got, want, case.rtol, case.atol, err_msg=f"{case.name}: {name}")
    return times


names = [case.name for case in kernels.CASES] if sys.argv[1:] == ["all"] else sys.argv[1:]
chosen = [case for case in kernels.CASES if case.name in names and case.name not in LEFT_OUT]
for case in chosen:
    with np.errstate(all="ignore"):
        first, second = run(case)
    print(f"{case.name}: {first:.2f} s, then {second:.3f} s", flush=True)
print(f"{len(chosen)} kernels agree with NumPy")
