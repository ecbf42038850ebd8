"""Operators of torch that are kernels: custom_op. docs/user/python.md has the rest.

An operator makes new tensors, its outputs, from tensors and numbers, its inputs. All of them have
the names of the kernel's parameters, and functions that say something about the operator (how an
output is allocated, how large the grid is, what the gradients are) take by these names what they
need. One function allocates an output for a launch and for torch.compile, which never launches, so
the two cannot differ.
"""

import contextlib
import inspect
import re
import sys
import threading
import types

import torch

from . import kernel as kernels
from .operators import Named, Roles

_modules = {}  # of operators: name -> the module that made it
_lock = threading.Lock()


def custom_op(
    name,
    source=None,
    kernel=None,
    *,
    outputs,
    grid=None,
    derived=None,
    strided=(),
    mutates=(),
    backward=None,
    vmap=False,
    options=(),
):
    """An operator of torch, "library::name", that launches a kernel, or several.

    source    a path or a program, as compile() takes it, whose `kernel` is launched over `grid`; or
              a Python function of the inputs and the outputs that launches kernels, its inputs with
              annotations as torch.library.custom_op wants them. Without one custom_op is a
              decorator of such a function.
    outputs   {name: function} of the tensors that the operator makes and the kernel fills: the
              function allocates one. Other parameters with elements that are not const are inputs
              that the operator changes; a Python function changes those that `mutates` names.
    grid      one to three numbers of blocks, or a function that gives them. With a 0 nothing runs.
    derived   {name: function} of arguments that follow from others, as sizes do: no inputs.
    strided   the kernel's arrays (no pointers) that it takes with any strides. Other tensors are
              passed contiguous and aligned to 16 bytes; a view that is not is copied.
    backward  a function that gives {name: gradient} of inputs. Its parameters may be inputs,
              outputs, and grad_NAME: the gradient of the output NAME, zeros where there is none.
    vmap      True: torch.vmap calls the operator for each element of the batch. Or a function as
              torch.library.register_vmap takes it.
    options   as compile() takes them.

    The functions take what they need by its name. The result is a torch.library.CustomOpDef, which
    gives the one output, or a tuple of all. The kernel is compiled for the CPU or the GPU, by where
    the tensors are, and launched in torch's current stream.

    Raises TypeError or ValueError where the parts do not fit each other, CompileError for a program
    that is refused, and ValueError for the name of another operator: only the module that has made
    it may make it anew. A call raises what a launch does: TypeError for another element type,
    ValueError for another rank or device; and NotImplementedError for a device without kernels.
    """
    module = sys._getframe(1).f_globals.get("__name__")

    def make(source):
        if callable(source):
            given = {"kernel": kernel, "grid": grid, "derived": derived, "strided": strided}
            for word, value in given.items():
                if value:
                    raise TypeError(f"{name}: '{word}' is for a kernel, not for a Python function")
            body = _Function(name, source, outputs, mutates)
        else:
            if mutates:
                raise TypeError(f"{name}: 'mutates' is for a Python function; a kernel says itself")
            body = _Launch(name, source, kernel, outputs, grid, derived or {}, strided, options)
        return _Operator(name, body, outputs).register(module, backward, vmap)

    return make if source is None else make(source)


class _Operator:
    """Outputs are allocated, then the body runs."""

    def __init__(self, name, body, outputs):
        self.name, self.body = name, body
        self.inputs = inspect.Signature(body.inputs)
        self.names = list(self.inputs.parameters)
        self.outputs = {
            output: Named(allocate, f"{name}: outputs['{output}']", self.names)
            for output, allocate in outputs.items()
        }

    def register(self, module, backward, vmap):
        if not re.fullmatch(r"[A-Za-z_]\w*::[A-Za-z_]\w*", self.name):
            raise ValueError(f"an operator's name is like 'library::name', not {self.name!r}")
        if self.body.mutated:
            changes = f"{self.name}: it changes '{self.body.mutated[0]}'"
            if vmap is True:
                raise ValueError(f"{changes}, so vmap must be a function")
            if backward:
                raise ValueError(f"{changes}, so it has no gradient")
        gradients = backward and _Gradients(self, backward)
        with _lock:
            self._check_name(module)
            made = torch.library.custom_op(
                self.name, self.compute, mutates_args=self.body.mutated, schema=self.body.schema
            )
            _modules[self.name], self.made = module, made
            made.register_fake(self.fake)
            if gradients:
                made.register_autograd(gradients.compute, setup_context=gradients.keep)
            if vmap:
                made.register_vmap(self._map if vmap is True else vmap)
        return made

    def _check_name(self, module):
        library, _, name = self.name.partition("::")
        if self.name not in _modules and hasattr(getattr(torch.ops, library), name):
            raise ValueError(f"torch has an operator {self.name} that custom_op has not made")
        if _modules.get(self.name, module) != module:
            raise ValueError(f"{self.name} is an operator of the module {_modules[self.name]}")

    def allocate(self, given, more):
        """The inputs by their names, and the outputs."""
        if len(given) == len(self.names):
            values = dict(zip(self.names, given))
        else:
            bound = self.inputs.bind(*given, **more)
            bound.apply_defaults()
            values = bound.arguments
        made = {}
        for name, allocate in self.outputs.items():
            tensor = allocate(values)
            if not isinstance(tensor, torch.Tensor):
                raise TypeError(f"{allocate.what} must make a tensor, not {type(tensor).__name__}")
            made[name] = self.body.output(name, tensor)
        return values, made

    def fake(self, *given, **more):
        return self.result(self.allocate(given, more)[1].values())

    def compute(self, *given, **more):
        values, made = self.allocate(given, more)
        device = _device([*values.values(), *made.values()])
        if device is None:
            raise TypeError(f"{self.name}: an operator needs a tensor among inputs and outputs")
        if device.type not in ("cpu", "cuda"):
            raise NotImplementedError(
                f"{self.name}: tensors on {device}, but kernels run on the CPU and on CUDA's GPUs"
            )
        with _on(device) as stream:
            self.body.run({**values, **made}, device, stream)
        return self.result(made.values())

    def result(self, made):
        """As the operator gives it: one, a tuple, or None where nothing is made."""
        made = tuple(made)
        return made[0] if len(made) == 1 else made or None

    def as_tuple(self, result):
        return (result,) if len(self.outputs) == 1 else result

    def _map(self, info, in_dims, *given):
        """One call for each element of the batch."""

        def element(pick):
            return [
                value if dim is None else pick(value.movedim(dim, 0))
                for value, dim in zip(given, in_dims)
            ]

        if info.batch_size == 0:
            _, made = self.allocate(element(lambda batch: batch.new_empty(batch.shape[1:])), {})
            stacked = tuple(one.new_empty((0, *one.shape)) for one in made.values())
        else:
            calls = (element(lambda batch: batch[index]) for index in range(info.batch_size))
            results = [self.made(*call) for call in calls]
            stacked = [torch.stack(each) for each in zip(*map(self.as_tuple, results))]
        return self.result(stacked), self.result([0] * len(stacked))


class _Gradients:
    """What torch.library.register_autograd wants, of a function by names."""

    def __init__(self, operator, backward):
        self.inputs, self.outputs = operator.names, list(operator.outputs)
        self.as_tuple = operator.as_tuple
        self.of_outputs = [f"grad_{name}" for name in self.outputs]
        known = [*self.inputs, *self.outputs, *self.of_outputs]
        self.backward = Named(backward, f"{operator.name}: backward", known)
        self.kept = [name for name in self.backward.names if name not in self.of_outputs]

    def keep(self, ctx, inputs, output):
        values = dict(zip([*self.inputs, *self.outputs], [*inputs, *self.as_tuple(output)]))
        kept = {name: values[name] for name in self.kept}
        ctx.names = [name for name, value in kept.items() if isinstance(value, torch.Tensor)]
        ctx.others = {name: value for name, value in kept.items() if name not in ctx.names}
        ctx.save_for_backward(*[kept[name] for name in ctx.names])

    def compute(self, ctx, *gradients):
        values = {**ctx.others, **dict(zip(ctx.names, ctx.saved_tensors))}
        values.update(zip(self.of_outputs, gradients))
        found = self.backward(values)
        if unknown := set(found) - set(self.inputs):
            raise TypeError(f"{self.backward.what} gives '{min(unknown)}', which is no input")
        return tuple(found.get(name) for name in self.inputs)


class _Function:
    """A Python function that launches kernels. It gets tensors as they are."""

    def __init__(self, name, function, outputs, mutates):
        self.function, self.mutated = function, tuple(mutates)
        signature = inspect.signature(function)
        parameters = signature.parameters
        for output in outputs:
            if output not in parameters:
                raise TypeError(f"{name}: the function has no parameter '{output}' for the output")
        self.inputs = [one for one in parameters.values() if one.name not in outputs]
        if wrong := [one.name for one in self.inputs if one.kind is not one.POSITIONAL_OR_KEYWORD]:
            raise TypeError(f"{name}: the function's '{wrong[0]}' must be a parameter by position")
        results = tuple[(torch.Tensor,) * len(outputs)] if len(outputs) > 1 else torch.Tensor
        # A function of the same globals, so that annotations that are strings are understood.
        prototype = types.FunctionType((lambda: None).__code__, function.__globals__)
        prototype.__signature__ = signature.replace(
            parameters=self.inputs, return_annotation=results if outputs else None
        )
        self.schema = torch.library.infer_schema(prototype, mutates_args=self.mutated)

    def output(self, _name, tensor):
        return tensor

    def run(self, values, _device, _stream):
        for name in self.mutated:
            if isinstance(values[name], torch.Tensor):
                values[name] = values[name].detach()
        self.function(**values)


class _Launch:
    """One kernel over a grid, compiled for the devices that it meets."""

    def __init__(self, name, source, kernel, outputs, grid, derived, strided, options):
        self.strided = strided
        self._given = {"source": source, "kernel": kernel, "options": options}
        self._compiled = {}
        self.roles = Roles(name, kernels.compile(**self._given), outputs, derived, grid)
        self.roles.check_names("strided", strided)
        for one in strided:
            if self.roles.parameters[one].kind != "array":
                raise TypeError(f"{name}: '{one}' has no strides: it is no array descriptor")
        self.mutated = tuple(one.name for one in self.roles.inputs if one.is_written)
        kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
        self.inputs = [inspect.Parameter(one.name, kind) for one in self.roles.inputs]
        written = [self._declaration(*each) for each in enumerate(self.roles.inputs)]
        results = ", ".join(["Tensor"] * len(outputs))
        results = results if len(outputs) == 1 else f"({results})"
        self.schema = f"({', '.join(written)}) -> {results}"

    def _declaration(self, index, parameter):
        """As an input, in a schema."""
        kind = "Tensor" if parameter.is_array else _NUMBERS.get(parameter.number)
        if not kind:
            name = f"{self.roles.name}: torch has no type for the argument '{parameter.name}'"
            raise TypeError(f"{name}; derive it")
        return f"{kind}{f'(a{index}!)' if parameter.is_written else ''} {parameter.name}"

    def output(self, name, tensor):
        """The tensor, or one of its shape as the kernel wants it."""
        if name in self.strided or tensor.is_contiguous():
            return tensor
        return torch.empty_like(tensor, memory_format=torch.contiguous_format)

    def run(self, values, device, stream):
        grid = self.roles.complete(values)
        if 0 in grid:
            return
        arguments, copies = [], []
        for one in self.roles.parameters.values():
            value = values[one.name]
            if isinstance(value, torch.Tensor):
                value = value.detach() if one.is_written else value
                plain = value if one.name in self.strided else _plain(value)
                if plain is not value and one.is_written:
                    copies.append((value, plain))
                value = plain
            arguments.append(value)
        self._kernel(device)[grid, stream](*arguments)
        for tensor, written in copies:
            tensor.copy_(written)

    def _kernel(self, device):
        target = "gpu" if device.type == "cuda" else "cpu"
        if target not in self._compiled:
            self._compiled[target] = kernels.compile(**self._given, target=target)
        return self._compiled[target]


# What schemas call numbers.
_NUMBERS = {
    "bool": "bool", "int": "SymInt", "float": "float", "complex": "complex", "any": "Scalar",
}  # fmt: skip


def _device(values):
    """Of the first tensor; lists of tensors are looked through."""
    for value in values:
        if isinstance(value, torch.Tensor):
            return value.device
        if isinstance(value, (list, tuple)) and (found := _device(value)):
            return found
    return None


@contextlib.contextmanager
def _on(device):
    """The device is the current one; its current stream, None on the CPU."""
    if device.type == "cpu":
        yield None
    else:
        with torch.cuda.device(device):
            yield torch.cuda.current_stream()


def _plain(tensor):
    """As torch allocates one: contiguous, and aligned to 16 bytes. Kernels may rely on either."""
    tensor = tensor.contiguous()
    return tensor if tensor.data_ptr() % 16 == 0 else tensor.clone()
