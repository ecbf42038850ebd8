"""The program `tessera`: where it is and how it is run."""

import importlib.util
import os
import pathlib
import shutil
import subprocess
import sys
import threading
import time

from . import _tessera
from .errors import CompileError, ToolError

_PACKAGE = pathlib.Path(__file__).absolute().parent


def program():
    """The path of the program: TESSERA_PROGRAM, the package's own, the build tree's, PATH's."""
    named = os.environ.get("TESSERA_PROGRAM")
    for candidate in (named, _PACKAGE / "bin/tessera", _PACKAGE.parents[1] / "bin/tessera"):
        if candidate and os.access(candidate, os.X_OK):
            return str(candidate)
    found = None if named else shutil.which("tessera")
    if not found:
        raise ToolError(f"no program {named or 'tessera'} found; set TESSERA_PROGRAM")
    return found


def identity(path):
    """What changes when the compiler does: the version, sizes and times of the program and of its
    headers. Files of a package have the time of its release."""
    root = pathlib.Path(path).resolve().parent.parent
    parts = [_tessera.version, path, *_stamp(pathlib.Path(path))]
    for folder in (root / "include", root / "lib"):
        pattern = "**/*" if folder.name == "include" else "*.a"
        for file in sorted(folder.glob(pattern)):
            if file.is_file():
                parts += [str(file), *_stamp(file)]
    return parts


def _stamp(file):
    status = file.stat()
    return [str(status.st_size), str(status.st_mtime_ns)]


def environment():
    """With NVIDIA's wheels as the CUDA toolkit where nothing names one and the machine has none."""
    named = any(os.environ.get(name) for name in ("CUDA_HOME", "CUDA_PATH"))
    if named or os.path.exists("/usr/local/cuda"):
        return None
    nvidia = importlib.util.find_spec("nvidia")
    for folder in nvidia.submodule_search_locations if nvidia else ():
        toolkit = pathlib.Path(folder) / "cu13"
        if (toolkit / "include/cuda_runtime.h").exists():
            return {**os.environ, "CUDA_HOME": str(toolkit)}
    return None


def name_symbolizer():
    """For kernels on the CPU, which name lines by it: that of a package with Clang inside. Without
    one they find Clang's."""
    symbolizer = pathlib.Path(program()).resolve().with_name("llvm-symbolizer")
    if symbolizer.exists():
        os.environ.setdefault("TESSERA_SYMBOLIZER", str(symbolizer))


def run(arguments, what):
    """Standard output and standard error. A refused program is a CompileError."""
    result = execute(arguments, what)
    return result.stdout, result.stderr


def execute(arguments, what, right=(0,)):
    """The process, which ends with one of the statuses. A refused program is a CompileError."""
    command = [program(), *arguments]
    with _Progress(what):
        result = subprocess.run(
            command,
            capture_output=True,
            text=True,
            errors="replace",
            env=environment(),
            check=False,
        )
    if result.returncode == 1:
        raise CompileError(result.stderr.rstrip("\n"))
    if result.returncode not in right:
        raise ToolError(f"{' '.join(command)}: exit status {result.returncode}\n{result.stderr}")
    return result


def _become(name):
    """The command `name` that pip puts on PATH: the package's program, with the same words."""
    path = _PACKAGE / "bin" / name
    if not os.access(path, os.X_OK):
        print(f"{name}: '{path}' is missing: this package comes without it", file=sys.stderr)
        return 2
    return os.execve(path, [str(path), *sys.argv[1:]], environment() or os.environ)


def tessera():
    if sys.argv[1:] == ["doctor"]:
        from . import doctor

        return doctor.main()
    return _become("tessera")


def tessera_clangd():
    return _become("tessera-clangd")


def tessera_nvcc():
    return _become("tessera-nvcc")


class _Progress:
    """A line on standard error while something takes long, where that is a terminal."""

    def __init__(self, what, after=1.0):
        self.what, self.after, self.done = what, after, threading.Event()
        self.thread = None

    def __enter__(self):
        if sys.stderr is not None and sys.stderr.isatty():
            self.thread = threading.Thread(target=self._show, daemon=True)
            self.thread.start()

    def __exit__(self, *_):
        self.done.set()
        if self.thread:
            self.thread.join()

    def _show(self):
        start, shown = time.monotonic(), False
        wait = self.after
        while not self.done.wait(wait):
            shown, wait = True, 0.2
            seconds = time.monotonic() - start
            sys.stderr.write(f"\rtessera: compiling {self.what} ... {seconds:.0f} s")
            sys.stderr.flush()
        if shown:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()
