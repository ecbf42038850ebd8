"""kernel.verify: one launch on the CPU, under the emulator and on a GPU, compared.

The kernel, with the arguments in a file, becomes a program for `tessera run --verify`.
"""

import ctypes
import json
import pathlib
import struct

from . import _tessera, program, tool

_ENTRY = """#define main tessera_main_of_program
#include "{source}"
#undef main
#include <tessera/interop/verify.h>
TESSERA_VERIFY_KERNEL({kernel});
"""

_FOUND = 86  # the exit status of `tessera run --verify` that has found something


class Verification:
    """What was found. It is true where all targets agree.

    findings   a dict for each: "kind" is "difference", "report" (of the emulator) or "launch" (what
               was compared); docs/user/debugging.md lists their entries.
    text       what `tessera run --verify` prints.
    """

    def __init__(self, agrees, findings, text):
        self.agrees, self.findings, self.text = agrees, findings, text

    def __bool__(self):
        return self.agrees

    def __str__(self):
        return self.text

    def __repr__(self):
        return f"<tessera.Verification: {'the targets agree' if self.agrees else self.text}>"

    @property
    def differences(self):
        return [one for one in self.findings if one["kind"] == "difference"]

    @property
    def reports(self):
        return [one["text"] for one in self.findings if one["kind"] == "report"]


def verify(written, parameters, packed, flags, arguments, grid, blocks, ulps):
    """written: a program.Written; parameters: those of kernel.describe(); packed: the bytes of the
    values that are no arrays."""
    grid = tuple(grid) if hasattr(grid, "__len__") else (grid,)
    if not 1 <= len(grid) <= 3 or any(int(extent) < 1 for extent in grid):
        raise ValueError("a grid has one to three extents, each at least 1")
    grid = [int(extent) for extent in grid] + [1] * (3 - len(grid))
    data = [struct.pack("<4Q", *grid, len(parameters))]
    offset = 0
    for argument, (name, kind, element, size, alignment, rank) in zip(arguments, parameters):
        offset = -(-offset // alignment) * alignment
        value, array = packed[offset : offset + size], b""
        if kind in ("pointer", "array") and argument is not None:
            found = _tessera.array_type(argument)
            if found is None or element not in (None, found[0]):
                what = type(argument).__name__ if found is None else f"an array of {found[0]}"
                raise TypeError(f"argument '{name}': {what}, but an array of {element} is required")
            array, words = _array(argument, rank if kind == "array" else 0)
            value = struct.pack(f"<{1 + len(words)}Q", 0, *words)
        offset += size
        data += [struct.pack("<Q", len(value)), value, struct.pack("<Q", len(array)), array]

    def ask(file, _):
        folder = pathlib.Path(file).parent
        (folder / "arguments").write_bytes(b"".join(data))
        report = folder / "report.json"
        what = ["run", "--verify", f"--verify-report={report}", f"--verify-blocks={blocks}"]
        what += [f"--verify-ulps={ulps}", *flags, file, "--", str(folder / "arguments")]
        result = tool.execute(what, written.kernel, (0, _FOUND))
        findings = json.loads(report.read_text())
        for finding in findings:
            if finding.get("argument"):
                finding["name"] = parameters[finding["argument"] - 1][0]
        said = program.as_the_user_does(result.stderr.rstrip("\n"), str(folder))
        return Verification(result.returncode == 0, findings, said)

    return written.with_files(ask, _ENTRY)


def _array(argument, rank):
    """The bytes of an array's memory, from its first element to its last; and for a parameter of so
    many dimensions its extents and its strides in elements."""
    if hasattr(argument, "detach"):  # torch
        tensor = argument.detach().cpu()
        size, address, owner = tensor.element_size(), tensor.data_ptr(), tensor
        shape, strides = tuple(tensor.shape), tensor.stride()
    else:
        import numpy as np  # only where arrays are

        owner = argument.get() if hasattr(argument, "__cuda_array_interface__") else argument
        owner = np.asarray(owner)
        size, address, shape = owner.itemsize, owner.ctypes.data, owner.shape
        if any(stride < 0 or stride % size for stride in owner.strides):
            raise ValueError("verify takes arrays whose strides are numbers of elements, from 0")
        strides = tuple(stride // size for stride in owner.strides)
    if rank and len(shape) != rank:
        raise ValueError(f"an array of {len(shape)} dimensions, but {rank} are required")
    last = sum((extent - 1) * stride for extent, stride in zip(shape, strides))
    array = ctypes.string_at(address, (last + 1) * size) if 0 not in shape else b""
    del owner
    return array, [*shape, *strides] if rank else []
