"""What kernels need to be operators of a library (tessera.torch, tessera.jax): what their
parameters are, and functions that say something about an operator by the names of these."""

import dataclasses
import inspect
import re

from .templates import Template


@dataclasses.dataclass
class Parameter:
    name: str
    kind: str  # "array", "pointer", "number" or "record"
    number: str  # "bool", "int", "float", "complex"; "any" of a template's; None where it is none
    is_written: bool  # its elements may be

    @property
    def is_array(self):
        return self.kind in ("array", "pointer")


class Named:
    """A function of some of the known values, which it takes by the names of its parameters."""

    def __init__(self, function, what, known):
        if not callable(function):
            raise TypeError(f"{what} must be a function, not {type(function).__name__}")
        self.function, self.what = function, what
        self.names = []
        for parameter in inspect.signature(function).parameters.values():
            if parameter.name in known:
                self.names.append(parameter.name)
            elif parameter.default is inspect.Parameter.empty:
                raise TypeError(
                    f"{what} takes '{parameter.name}', which is none of: {', '.join(known)}"
                )

    def __call__(self, values):
        return self.function(**{name: values[name] for name in self.names})


class Roles:
    """The kernel's parameters as an operator has them: outputs, which the kernel fills; derived
    ones, which follow from others; the inputs, which are what is left. And the grid."""

    def __init__(self, name, kernel, outputs, derived, grid):
        self.name = name
        self.parameters = {one.name: one for one in _parameters(kernel)}
        self.check_names("outputs", outputs)
        self.check_names("derived", derived)
        for output in outputs:
            if not self.parameters[output].is_written:
                raise TypeError(f"{name}: the kernel does not write '{output}', an output")
        taken = {*outputs, *derived}
        self.inputs = [one for one in self.parameters.values() if one.name not in taken]
        values = [one.name for one in self.inputs] + list(outputs)
        self._derived = {
            one: Named(function, f"{name}: derived['{one}']", values)
            for one, function in derived.items()
        }
        if grid is None:
            raise TypeError(f"{name}: a kernel needs a 'grid'")
        function = grid if callable(grid) else lambda: grid
        self._grid = Named(function, f"{name}: grid", [*values, *derived])

    def check_names(self, what, names):
        for one in names:
            if one not in self.parameters:
                raise TypeError(
                    f"{self.name}: {what} has '{one}', but the kernel's parameters are: "
                    f"{', '.join(self.parameters)}"
                )

    def complete(self, values):
        """Adds what is derived to the inputs and outputs; the grid as a tuple."""
        values.update({name: derive(values) for name, derive in self._derived.items()})
        grid = self._grid(values)
        return tuple(grid) if isinstance(grid, (tuple, list)) else (grid,)


def _parameters(kernel):
    """Of a Kernel, or of a Template."""
    if isinstance(kernel, Template):
        found = [_of_template(one) for one in kernel._parameters]
    else:
        found = [
            Parameter(name, kind, _number(element), written)
            for (name, kind, element, *_), written in zip(kernel.parameters, kernel.written())
        ]
    for one in found:
        if not one.name.isidentifier():
            raise TypeError(
                f"{kernel.name}: an operator needs the names of the parameters, which the program "
                "does not show"
            )
    return found


def _number(element):
    """By the beginnings of Tessera's names."""
    kinds = {"bool": "bool", "int": "int", "uint": "int", "float": "float", "bfloat": "float"}
    kinds["complex"] = "complex"
    return next((kinds[start] for start in kinds if (element or "").startswith(start)), None)


def _of_template(parameter):
    name, said = parameter["name"], parameter["type"]
    for kind in ("array", "pointer"):
        if kind in said:
            return Parameter(name, kind, None, not said.get("const"))
    spelling = said.get("type", "")
    matching = (_SPELLINGS[pattern] for pattern in _SPELLINGS if re.search(pattern, spelling))
    return Parameter(name, "number", "any" if "parameter" in said else next(matching, None), False)


# As C++ spells numbers.
_SPELLINGS = {
    r"^(const )?bool$": "bool",
    r"^(const )?(float|double|__half|__nv_bfloat16)$": "float",
    r"^(const )?(std::)?(((un)?signed|char|short|int|long|u?int\d+_t|size_t) ?)+$": "int",
}
