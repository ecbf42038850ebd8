"""Kernel templates whose arguments are found in the arrays that they are called with.

The compiler says what the parameters are made of (`tessera check --signature`); this module holds
the arguments against that, as C++ deduces template arguments: `const T *` and
`interoperable_array_descriptor<T, N>` have T from the array's elements and N from its rank. A
parameter that is T itself has the array's type, too; where no array says what T is, it has that of
the number.
"""

import collections
import json
import pathlib
import threading

from . import _tessera, types
from .errors import CompileError


class ArrayType(collections.namedtuple("ArrayType", "element rank")):
    """Stands for an array where only its type is known: "float32", 2."""


class Template:
    """A kernel template. template[grid](arguments...) and template[grid, stream](...) launch the
    kernel for arguments of these types, which is compiled when they are met first. Made by
    compile()."""

    def __init__(self, name, explicit, said, make, signature):
        self.name = name
        self._is_current = signature.is_current
        self._explicit, self._make = explicit, make
        self._parameters = said["parameters"]
        self._arguments = said["template"]
        self._kernels = {}
        self._lock = threading.Lock()
        self._check()

    def __repr__(self):
        names = ", ".join(parameter["name"] for parameter in self._arguments)
        return f"<tessera.Template {self.name}: {names} of its arguments>"

    def __getitem__(self, brackets):
        return lambda *arguments: self.kernel(*arguments)[brackets](*arguments)

    def kernel(self, *arguments):
        """The Kernel for such arguments. TypeError where they do not say what it is."""
        key = tuple(self._deduced(arguments))
        found = self._kernels.get(key)
        if found is None:
            found = self._make(f"{self.name}<{', '.join(key)}>")
            with self._lock:
                found = self._kernels.setdefault(key, found)
        return found

    def _check(self):
        """Are all arguments written, deducible or given by default?"""
        deducible = {name for parameter in self._parameters for name in _names(parameter["type"])}
        for parameter in self._arguments[len(self._explicit) :]:
            name = parameter["name"] or "without a name"
            if parameter.get("pack"):
                raise CompileError(f"{self.name}: write the template arguments for {name}...")
            if parameter["name"] not in deducible and "default" not in parameter:
                raise CompileError(
                    f"{self.name}: no argument of the kernel determines the template argument "
                    f"{name}; write {self.name}<...> with it"
                )

    def _deduced(self, arguments):
        """The template arguments, as C++ spells them."""
        if len(arguments) != len(self._parameters):
            raise TypeError(
                f"{self.name} takes {len(self._parameters)} arguments, but {len(arguments)} "
                "are given"
            )
        found = {}  # name -> (spelling, the parameter that says so)
        pairs = list(zip(self._parameters, arguments))
        for parameter, argument in pairs:
            if _is_of_array(parameter["type"]) and argument is not None:
                self._deduce_array(parameter, argument, found)
        for parameter, argument in pairs:
            name = parameter["type"].get("parameter")
            if name and name not in found and (spelling := _spelling_of_value(argument)):
                found[name] = spelling, parameter["name"]
        spelled = list(self._explicit)
        for parameter in self._arguments[len(spelled) :]:
            name = parameter["name"]
            if name in found:
                spelled.append(found[name][0])
            elif "default" in parameter:
                spelled.append(parameter["default"])
            else:
                raise TypeError(
                    f"{self.name}: these arguments do not determine the template argument {name}; "
                    f"write {self.name}<...> with it"
                )
        return spelled

    def _deduce_array(self, parameter, argument, found):
        try:
            array = (
                argument if isinstance(argument, ArrayType) else _tessera.array_type(argument)
            )
        except TypeError as error:
            raise TypeError(f"{self.name}: argument '{parameter['name']}': {error}") from None
        if array is None:
            raise TypeError(
                f"{self.name}: argument '{parameter['name']}': {type(argument).__name__}, but an "
                "array is required: an object with __dlpack__ or __cuda_array_interface__"
            )
        element, rank = array
        kind = parameter["type"]
        name = (kind.get("pointer") or kind["array"]).get("parameter")
        if name:
            self._agree(found, name, _tessera.spellings.get(element, element), parameter["name"])
        if isinstance(kind.get("rank"), str):
            self._agree(found, kind["rank"], str(rank), parameter["name"])

    def _agree(self, found, name, spelling, parameter):
        if name in {written["name"] for written in self._arguments[: len(self._explicit)]}:
            return  # the launch holds the array against it
        before, by = found.setdefault(name, (spelling, parameter))
        if before != spelling:
            raise TypeError(
                f"{self.name}: argument '{by}' makes {name} {before}, but argument "
                f"'{parameter}' makes it {spelling}"
            )


def _is_of_array(kind):
    return "pointer" in kind or "array" in kind


def _names(kind):
    """The template arguments that a parameter of the type says."""
    if "parameter" in kind:
        yield kind["parameter"]
    if _is_of_array(kind):
        element = kind.get("pointer") or kind["array"]
        if "parameter" in element:
            yield element["parameter"]
        if isinstance(kind.get("rank"), str):
            yield kind["rank"]


def _spelling_of_value(value):
    """The C++ type of a number: of a fixed format, of NumPy's, of Python's."""
    for kind, name in types._BUILTIN.items():
        if type(value) is kind:
            return _tessera.spellings[name.rstrip("_")]
    name = type(value).__name__ if isinstance(value, types.Number) else None
    if name is None and hasattr(value, "dtype") and not getattr(value, "shape", None):
        name = str(value.dtype)
    return _tessera.spellings.get(name.rstrip("_")) if name else None


def words(kernel):
    """("axpy", ["float", "2"]) of "axpy<float, 2>"."""
    name, _, rest = kernel.strip().partition("<")
    parts, depth = [""], 0
    for letter in rest.rstrip()[:-1]:
        depth += (letter in "<([{") - (letter in ">)]}")
        if letter == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += letter
    return name.strip(), [part.strip() for part in parts if part.strip()]


def read(path):
    """The one template of the compiler's answer, or None where there is none, or more."""
    found = json.loads(pathlib.Path(path).read_text())
    return found[0] if len(found) == 1 else None
