"""Python runs this first in programs that launch.py starts, and in their child processes. When a
program imports cuda.tile, tessera_cutile prepares it; other imports are left alone.

Another sitecustomize.py that this one hides runs, too.
"""

import importlib.machinery
import importlib.util
import os
import sys

_HERE = os.path.dirname(os.path.abspath(__file__))


class _Prepared:
    """A module's own loader, and a function to call with the module."""

    def __init__(self, loader, prepare):
        self._loader, self._prepare = loader, prepare

    def __getattr__(self, name):
        return getattr(self._loader, name)

    def create_module(self, spec):
        return self._loader.create_module(spec)

    def exec_module(self, module):
        self._loader.exec_module(module)
        import tessera_cutile

        getattr(tessera_cutile, self._prepare)(module)


class _Finder:
    """Finds what the others find, with a function to call for some modules."""

    prepared = {"cuda.tile": "prepare_cutile"}

    def find_spec(self, name, path=None, target=None):
        prepare = self.prepared.pop(name, None)
        if not prepare:
            return None
        spec = importlib.util.find_spec(name)
        if spec and spec.loader:
            spec.loader = _Prepared(spec.loader, prepare)
        return spec


def _run_hidden():
    folders = [one for one in sys.path if os.path.abspath(one) != _HERE]
    spec = importlib.machinery.PathFinder.find_spec("sitecustomize", folders)
    if spec and spec.loader:
        spec.loader.exec_module(importlib.util.module_from_spec(spec))


if os.environ.get("TESSERA_CUTILE_TARGET"):
    sys.meta_path.insert(0, _Finder())
_run_hidden()
