"""Tile kernels of CUDA Tile C++ from Python.

    import tessera
    add = tessera.compile("add.cu", "add<256>")
    add[(n + 255) // 256](x, y, n)          # NumPy on the CPU, torch and others on a GPU

Arrays are taken by DLPack, else by the CUDA Array Interface; other values have the machine
representation that tessera.types says. tessera.torch and tessera.jax make kernels operators of
these libraries. docs/user/python.md has the rest.
"""

import importlib

from . import _tessera, types
from .errors import CompileError
from .kernel import Explanation, Kernel, compile
from .templates import Template
from .tuning import Tuned, autotune

__version__ = _tessera.version
__all__ = [
    "CompileError", "Explanation", "Kernel", "Template", "Tuned", "autotune", "compile", "types",
]  # fmt: skip


def __getattr__(name):
    """tessera.torch and tessera.jax, which import these libraries when they are used."""
    if name in ("torch", "jax"):
        return importlib.import_module(f".{name}", __name__)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def load_ipython_extension(shell):
    """%load_ext tessera: the magic %%tessera (tessera.magic)."""
    from . import magic

    magic.load_ipython_extension(shell)
