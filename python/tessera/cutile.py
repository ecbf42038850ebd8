"""`python -m tessera.cutile program.py`: runs a program of cuTile Python by Tessera, without a GPU
on the CPU. docs/user/cutile.md has the rest."""

import os
import pathlib
import runpy

from .tool import environment, program


def main():
    compiler = program()
    os.environ.update(environment() or {})
    folder = pathlib.Path(compiler).resolve().parent.parent / "share/tessera/cutile"
    runpy.run_path(str(folder / "launch.py"))["run"](compiler)


if __name__ == "__main__":
    main()
