"""Kernels as functions of JAX's arrays: call. docs/user/python.md has the rest.

A call is a target of XLA's foreign function interface: XLA launches the kernel itself, on its own
threads and streams, without Python. There is one handler for all kernels (python/src/xla.cpp). What
it needs besides the buffers is known when a program is traced, and stands in the program: the
kernel's name, the grid, and the values of parameters that are no arrays.
"""

import inspect
import operator

import jax
import jax.numpy as jnp
import numpy as np

from . import _tessera
from . import kernel as kernels
from .operators import Named, Roles
from .templates import ArrayType, Template

_TARGET = "tessera_launch"
for _platform in ("cpu", "CUDA"):
    jax.ffi.register_ffi_target(
        _TARGET, _tessera.xla_handler(_platform == "cpu"), platform=_platform, api_version=1
    )
_registered = {}  # kernels that programs of XLA may call, by their names there


def call(
    source,
    kernel,
    *,
    outputs,
    grid,
    derived=None,
    backward=None,
    vmap=False,
    target=None,
    options=(),
):
    """A function of arrays and numbers that launches a kernel, also within jax.jit.

    source    a path or a program, and `kernel` its name in it, as compile() takes them.
    outputs   {name: function} of the arrays that the kernel fills, which are all whose elements are
              not const: the function gives something with a shape and a dtype.
    grid      one to three numbers of blocks, or a function that gives them. With a 0 nothing runs.
    derived   {name: function} of arguments that follow from others, as sizes do.
    backward  a function that gives {name: gradient} of inputs that are arrays. Its parameters may
              be inputs, outputs, and grad_NAME: the gradient of the output NAME.
    vmap      True: jax.vmap launches the kernel for each element of the batch.
    target    "gpu" or "cpu"; without one that of JAX's default backend.
    options   as compile() takes them.

    The functions take what they need by its name. The result is a function of the kernel's other
    parameters, in their order or by their names, which gives the one output, or a tuple of all.
    Numbers must be known when a program is traced.

    Raises TypeError or ValueError where the parts do not fit each other, CompileError for a program
    that is refused. The function raises, when it is traced, TypeError for an array of another
    element type or a number that is not known, and ValueError for another rank.
    """
    target = target or ("cpu" if jax.default_backend() == "cpu" else "gpu")
    compiled = kernels.compile(source, kernel, target=target, options=options)
    return _Function(compiled, outputs, grid, derived or {}, backward, vmap)


class _Function:
    def __init__(self, kernel, outputs, grid, derived, backward, vmap):
        self._kernel, self._vmap = kernel, vmap
        self._roles = Roles(kernel.name, kernel, outputs, derived, grid)
        for one in self._roles.inputs:
            if one.is_written:
                raise TypeError(
                    f"{kernel.name}: the kernel may write '{one.name}', so it must be an output: "
                    "arrays of JAX do not change"
                )
        kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
        self.__signature__ = inspect.Signature(
            [inspect.Parameter(one.name, kind) for one in self._roles.inputs]
        )
        self._inputs = list(self.__signature__.parameters)
        self._arrays = [one.name for one in self._roles.inputs if one.is_array]
        self._outputs = {
            name: Named(shape, f"{kernel.name}: outputs['{name}']", self._inputs)
            for name, shape in outputs.items()
        }
        self._of_outputs = [f"grad_{name}" for name in outputs]
        known = [*self._inputs, *outputs, *self._of_outputs]
        self._backward = backward and Named(backward, f"{kernel.name}: backward", known)

    def __repr__(self):
        return f"<tessera.jax.call of {self._kernel!r}>"

    def __call__(self, *given, **more):
        values = self.__signature__.bind(*given, **more).arguments
        arrays = [jnp.asarray(values.pop(name)) for name in self._arrays]
        for name, value in values.items():
            if isinstance(value, jax.core.Tracer):
                raise TypeError(
                    f"{self._kernel.name}: the number '{name}' must be known when the program is "
                    "traced: jax.jit calls it static"
                )
            if isinstance(value, (np.ndarray, jax.Array)):
                values[name] = value.item()

        def launch(*arrays):
            return self._launch({**values, **dict(zip(self._arrays, arrays))})

        return (self._with_gradient(launch, values) if self._backward else launch)(*arrays)

    def _with_gradient(self, launch, numbers):
        launch = jax.custom_vjp(launch)

        def forward(*arrays):
            result = launch(*arrays)
            known = dict(zip([*self._arrays, *self._outputs], [*arrays, *self._as_tuple(result)]))
            return result, {name: known[name] for name in self._backward.names if name in known}

        def backward(kept, gradients):
            gradients = dict(zip(self._of_outputs, self._as_tuple(gradients)))
            found = self._backward({**numbers, **kept, **gradients})
            if unknown := set(found) - set(self._arrays):
                raise TypeError(
                    f"{self._backward.what} gives '{min(unknown)}', which is no input's array"
                )
            return tuple(found.get(name) for name in self._arrays)

        launch.defvjp(forward, backward)
        return launch

    def _as_tuple(self, result):
        return (result,) if len(self._outputs) == 1 else tuple(result)

    def _launch(self, values):
        results = {}
        for name, shape in self._outputs.items():
            like = shape(values)
            results[name] = jax.ShapeDtypeStruct(like.shape, like.dtype)
        values = {**values, **results}
        grid = tuple(map(operator.index, self._roles.complete(values)))
        if 0 in grid:
            made = [jnp.zeros(one.shape, one.dtype) for one in results.values()]
            return made[0] if len(made) == 1 else tuple(made)
        parameters = self._roles.parameters.values()
        kernel = self._kernel
        if isinstance(kernel, Template):
            kernel = kernel.kernel(*[_stand_in(values[one.name], one) for one in parameters])
        kernel[grid]  # holds it against what a grid may be
        _check(kernel, values)
        buffers = [*self._arrays, *results]
        indices = [buffers.index(one.name) if one.is_array else -1 for one in parameters]
        packed = kernel.pack([None if one.is_array else values[one.name] for one in parameters])
        shapes = list(results.values())
        foreign = jax.ffi.ffi_call(
            _TARGET,
            shapes[0] if len(shapes) == 1 else shapes,
            vmap_method="sequential" if self._vmap else None,
        )
        result = foreign(
            *[values[name] for name in self._arrays],
            kernel=_name(kernel),
            grid=np.array([*grid, 1, 1][:3], np.int32),
            buffers=np.array(indices, np.int32),
            values=np.frombuffer(packed, np.int8),
        )
        return result if len(shapes) == 1 else tuple(result)


def _name(kernel):
    """By which programs of XLA call it: of this build alone, so that one that was kept by another
    process has no other kernel."""
    name = f"{kernel.name} of {kernel.library}"
    if name not in _registered:
        kernel.register_for_xla(name)
        _registered[name] = kernel
    return name


# Tessera's names of element types that JAX calls otherwise.
_ELEMENTS = {"float8_e4m3fn": "float8e4m3", "float8_e5m2": "float8e5m2"}


def _element(array):
    name = jnp.dtype(array.dtype).name
    return _ELEMENTS.get(name, name)


def _stand_in(value, parameter):
    return ArrayType(_element(value), len(value.shape)) if parameter.is_array else value


def _check(kernel, values):
    """Arrays against the kernel's parameters."""
    for name, kind, element, _, _, rank in kernel.parameters:
        if kind not in ("array", "pointer"):
            continue
        given, dimensions = _element(values[name]), len(values[name].shape)
        what = f"{kernel.name}: argument '{name}': an array of"
        if element is not None and given != element:
            raise TypeError(f"{what} {given}, but {element} is required")
        if kind == "array" and dimensions != rank:
            raise ValueError(f"{what} {dimensions} dimensions, but {rank} are required")
