#!/usr/bin/env python3
"""Writes corpus/NAME.VERSION.tilebc and corpus/NAME.json: bytecode of cuTile Python for the cases
of kernels.py and its neighbours, and what a test needs to run them. No GPU, no tileiras.

    python3 -m venv venv; venv/bin/pip install cuda-tile==1.7.0 numpy ml_dtypes
    cd <here>; PYTHONPATH=. venv/bin/python make_corpus.py [NAME ...]
"""

import base64
import hashlib
import importlib.util
import inspect
import io
import json
import os
import struct
import sys
import warnings
from pathlib import Path

import cuda.tile as ct
import cuda.tile._passes.ast2hir as ast2hir
import numpy as np
from cuda.tile.compilation import (
    ArrayConstraint,
    CallingConvention,
    KernelSignature,
    ListConstraint,
    ScalarConstraint,
    TupleConstraint,
    export_kernel,
)

import recipes

VERSIONS = ["13.1", "13.2", "13.3", "13.4"]
SCALAR = {"i1": "<?", "i16": "<h", "i32": "<i", "i64": "<q", "f32": "<f", "f64": "<d"}


class NamesOfFiles:
    """inspect, but files without their folders: they end in the debug section of the bytecode."""

    def __getattr__(self, name):
        return getattr(inspect, name)

    @staticmethod
    def getfile(thing):
        return os.path.basename(inspect.getfile(thing))


ast2hir.inspect = NamesOfFiles()


def load(name):
    spec = importlib.util.spec_from_file_location(name, f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    exec(compile(Path(f"{name}.py").read_text(), f"{name}.py", "exec"), module.__dict__)
    return module


def load_kernels():
    """The list of cases is that of kernels.py, to which the other files add theirs."""
    kernels = load("kernels")
    for name in ("folds", "fold_elements", "details", "pipelines"):
        load(name)
    return kernels


def strides_of(array):
    if array.strides is not None:
        return tuple(array.strides)
    strides, step = [], 1
    for extent in reversed(array.shape):
        strides.insert(0, step)
        step *= extent
    return tuple(strides)


def constraint(argument, kernels):
    """What a launch with these arguments would promise: see cuTile's signature inference."""
    if isinstance(argument, kernels.Arr):
        size = recipes.NUMPY[kernels.NAME[argument.dtype]].itemsize
        strides = strides_of(argument)
        unit = [1 if s == 1 else None for s in strides]
        good = argument.aligned % 16 == 0
        return ArrayConstraint(
            argument.dtype,
            len(argument.shape),
            index_dtype=argument.index,
            stride_lower_bound_incl=0,
            alias_groups=(),
            may_alias_internally=False,
            stride_constant=unit,
            stride_divisible_by=[
                16 // size if s != 1 and size < 16 and s * size % 16 == 0 else 1 for s in strides
            ],
            shape_divisible_by=[16 if n % 16 == 0 else 1 for n in argument.shape],
            base_addr_divisible_by=16 if good else 1,
        )
    if isinstance(argument, kernels.Num):
        return ScalarConstraint(argument.dtype)
    if isinstance(argument, list):
        return ListConstraint(
            constraint(argument[0], kernels) if len(argument) == 1 else common(argument, kernels),
            alias_groups=(),
            elements_may_alias=False,
        )
    if isinstance(argument, tuple):
        return TupleConstraint([constraint(a, kernels) for a in argument])
    return argument


def common(arrays, kernels):
    first = arrays[0]
    return ArrayConstraint(
        first.dtype,
        len(first.shape),
        index_dtype=first.index,
        stride_lower_bound_incl=0,
        alias_groups=(),
        may_alias_internally=False,
        stride_constant=[None] * (len(first.shape) - 1) + [1],
    )


def flatten(argument, kernels, arrays, parameters):
    """The parameters of the launch in order, and the arrays they point to."""
    if isinstance(argument, kernels.Arr):
        arrays.append(argument)
        index = kernels.NAME[argument.index]
        parameters.append({"kind": "pointer", "array": argument.name})
        parameters.extend({"kind": index, "value": int(n)} for n in argument.shape)
        parameters.extend({"kind": index, "value": int(n)} for n in strides_of(argument))
    elif isinstance(argument, kernels.Num):
        name = kernels.NAME[argument.dtype]
        value = argument.value
        bits = struct.pack(SCALAR[name], value).hex()
        parameters.append({"kind": name, "value": value, "bytes": bits})
    elif isinstance(argument, list):
        arrays.extend(argument)
        words = 1 + 2 * len(argument[0].shape)
        parameters.append(
            {
                "kind": "list",
                "words_each": words,
                "arrays": [
                    {"array": a.name, "shape": list(a.shape), "strides": list(strides_of(a))}
                    for a in argument
                ],
            }
        )
        parameters.append({"kind": "i32", "value": len(argument)})
    elif isinstance(argument, tuple):
        for each in argument:
            flatten(each, kernels, arrays, parameters)


def view(buffer, array):
    strides = [s * buffer.itemsize for s in strides_of(array)]
    return np.ndarray(array.shape, buffer.dtype, buffer.view(np.uint8), 0, strides)


def compact(o):
    return json.dumps(o, separators=(", ", ": "))


def write_json(path, record):
    """One line for each thing that is worth a line in a difference."""
    lines = []
    for key, value in record.items():
        if isinstance(value, list) and value and isinstance(value[0], dict):
            inner = ",\n    ".join(compact(v) for v in value)
            lines.append(f"  {json.dumps(key)}: [\n    {inner}\n  ]")
        else:
            lines.append(f"  {json.dumps(key)}: {compact(value)}")
    path.write_text("{\n" + ",\n".join(lines) + "\n}\n")


def manifest(case, kernels):
    arrays, parameters = [], []
    for argument in case.args:
        flatten(argument, kernels, arrays, parameters)
    buffers, views = {}, {}
    for a in arrays:
        name = kernels.NAME[a.dtype]
        count = a.elements or int(np.prod(a.shape))
        buffers[a.name] = recipes.make(a.recipe, count, name)
        views[a.name] = view(buffers[a.name], a)
    with np.errstate(all="ignore"):
        expected = case.expect(**{name: v.copy() for name, v in views.items()})
    listed = []
    for a in arrays:
        buffer = buffers[a.name]
        entry = {
            "name": a.name,
            "type": kernels.NAME[a.dtype],
            "shape": list(a.shape),
            "strides": list(strides_of(a)),
            "elements": len(buffer),
            "aligned": a.aligned,
            "recipe": list(a.recipe),
            "sha256": hashlib.sha256(buffer.tobytes()).hexdigest()[:16],
        }
        if a.name in expected:
            after = buffer.copy()
            want = np.asarray(expected[a.name])
            assert want.shape == tuple(a.shape), (case.name, a.name, want.shape, a.shape)
            view(after, a)[...] = want.astype(buffer.dtype)
            entry["expected"] = base64.b64encode(after.tobytes()).decode()
        listed.append(entry)
    for name in expected:
        assert name in buffers, (case.name, name)
    grid = list(case.grid) + [1] * (3 - len(case.grid))
    return {
        "name": case.name,
        "kernel": case.kernel._pyfunc.__name__,
        "symbol": case.name,
        "grid": grid,
        "gpu": case.gpu,
        "since": case.since,
        "rtol": case.rtol,
        "atol": case.atol,
        "note": case.note,
        "parameters": parameters,
        "arrays": listed,
    }


def main(wanted):
    kernels = load_kernels()
    out = Path("corpus")
    out.mkdir(exist_ok=True)
    failures = 0
    for case in kernels.CASES:
        if wanted and case.name not in wanted:
            continue
        record = manifest(case, kernels)
        convention = (
            CallingConvention.cutile_python_v2()
            if case.v2
            else CallingConvention.cutile_python_v1()
        )
        signature = KernelSignature(
            [constraint(a, kernels) for a in case.args], convention, symbol=case.name
        )
        record["versions"] = []
        for version in VERSIONS:
            buffer = io.BytesIO()
            path = out / f"{case.name}.{version}.tilebc"
            path.unlink(missing_ok=True)
            try:
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    export_kernel(
                        case.kernel,
                        [signature],
                        buffer,
                        gpu_code=case.gpu,
                        output_format="tileir_bytecode",
                        bytecode_version=version,
                    )
            except Exception as error:
                if float(version) >= float(case.since):
                    failures += 1
                    print(
                        f"{case.name} {version}: {type(error).__name__}: {error}", file=sys.stderr
                    )
                continue
            if float(version) < float(case.since):
                print(f"{case.name}: already in {version}", file=sys.stderr)
            path.write_bytes(buffer.getvalue())
            record["versions"].append(version)
        write_json(out / f"{case.name}.json", record)
    print(f"{len(kernels.CASES)} cases, {failures} failures")


if __name__ == "__main__":
    main(set(sys.argv[1:]))
