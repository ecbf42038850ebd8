"""Variants of a kernel, timed on the arguments that it is for; the fastest one is kept."""

import concurrent.futures
import ctypes
import functools
import json
import os
import string
import sys
import tempfile
import threading
import time

from . import cache
from .errors import CompileError
from .kernel import compile
from .templates import Template

_SHORTEST = 2e-3  # seconds that a measurement takes at least


def autotune(source, kernel, configs, grid, **options):
    """A kernel whose template arguments are chosen by timing.

    source   as for compile(), and so are the options behind the grid.
    kernel   its name with a place for each argument: "matmul<{}, {}>"; the last ones may be left
             out, as for compile().
    configs  the template arguments to try: [(64, 64), (128, 64)]; of one argument [64, 128].
    grid     grid(config, *arguments) -> the grid of a launch.

    The first call with arguments of a new kind compiles and times all variants, so the kernel runs
    many times: it must do the same each time. Kinds are told apart by element types, layouts and
    extents between powers of two. What was fastest is remembered on the disk, by kernel, kind and
    device. A variant that does not compile or launch is left out; CompileError or RuntimeError
    where that is so of all.
    """
    return Tuned(source, kernel, list(configs), grid, options)


class Tuned:
    """A kernel that times its variants. tuned(arguments...) launches the best one, tuned[stream]
    does so in a stream. Made by autotune()."""

    def __init__(self, source, kernel, configs, grid, options):
        if not configs:
            raise ValueError("no configurations to try")
        names = [_filled(kernel, _tuple(config)) for config in configs]
        if len(set(names)) != len(names):
            raise ValueError(f"configurations of {kernel} are equal: {', '.join(names)}")
        self.names = names
        self._configs = dict(zip(names, configs))
        self._grid = grid
        self._compile = functools.partial(compile, source, **options)
        self._best = {}
        self._lock = threading.Lock()
        self.times = {}  # seconds of each variant, of the last timing in this process

    def __repr__(self):
        return f"<tessera.Tuned {', '.join(self.names)}>"

    def __call__(self, *arguments):
        self._launch(None, arguments)

    def __getitem__(self, stream):
        return lambda *arguments: self._launch(stream, arguments)

    def best(self, *arguments):
        """The variant for such arguments, a Kernel; they are timed where nothing is known."""
        return self._find(None, arguments)[1]

    def _launch(self, stream, arguments):
        name, kernel = self._find(stream, arguments)
        grid = self._grid(self._configs[name], *arguments)
        kernel[_tuple(grid), stream](*arguments)

    def _find(self, stream, arguments):
        kind = tuple(map(_kind, arguments))
        found = self._best.get(kind)
        if found is None:
            with self._lock:
                found = self._best.get(kind) or self._choose(kind, stream, arguments)
                self._best[kind] = found
        return found

    def _choose(self, kind, stream, arguments):
        kernels = self._compiled(arguments)
        # Compiled kernels' keys have all that they are made of.
        keys = [kernel._key for kernel in kernels.values()]
        file = cache.root() / "tuned" / cache.digest([*keys, kind, _device(kernels)])
        try:
            best = json.loads(file.read_text())["best"]
            return best, kernels[best]
        except (OSError, ValueError, KeyError):
            pass
        times, failure = {}, None
        with _Bar(len(kernels)) as bar:
            for name, kernel in kernels.items():
                bar.show(name)
                try:
                    grid = _tuple(self._grid(self._configs[name], *arguments))
                    times[name] = _time(kernel, grid, stream, arguments)
                except RuntimeError as error:
                    failure = error
        if not times:
            raise failure
        self.times = times
        best = min(times, key=times.get)
        _write(file, json.dumps({"best": best, "seconds": times}))
        return best, kernels[best]

    def _compiled(self, arguments):
        """The variants that compile, by name."""
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            made = list(pool.map(lambda name: self._attempt(name, arguments), self.names))
        pairs = zip(self.names, made)
        kernels = {name: each for name, each in pairs if not isinstance(each, CompileError)}
        if not kernels:
            raise made[0]
        return kernels

    def _attempt(self, name, arguments):
        try:
            made = self._compile(name)
            return made.kernel(*arguments) if isinstance(made, Template) else made
        except CompileError as error:
            return error


def _filled(kernel, values):
    """The kernel's name with a value in each of its places."""
    places = sum(field is not None for _, field, _, _ in string.Formatter().parse(kernel))
    if len(values) != places:
        raise ValueError(
            f"{kernel} has {places} placeholders, but {values} has {len(values)} values"
        )
    return kernel.format(*values)


def _tuple(value):
    return tuple(value) if isinstance(value, (tuple, list)) else (value,)


def _size(number):
    """Numbers between two powers of two are of one kind."""
    return (number.bit_length() if number >= 0 else -1) if isinstance(number, int) else 0


def _kind(argument):
    shape = getattr(argument, "shape", None)
    if shape is None or not hasattr(argument, "dtype"):
        return type(argument).__name__, _size(argument)
    strides = getattr(argument, "strides", None) or getattr(argument, "stride", tuple)
    strides = strides() if callable(strides) else strides
    extents = tuple(_size(int(extent)) for extent in shape)
    order = tuple(sorted(range(len(strides)), key=lambda k: -strides[k]))
    return str(argument.dtype), extents, order


def _time(kernel, grid, stream, arguments):
    """Seconds of a launch: the shortest of some measurements."""
    launch, count, best = kernel[grid, stream], 1, float("inf")
    launch(*arguments)
    kernel.wait(stream, arguments)
    for _ in range(12):
        start = time.perf_counter()
        for _ in range(count):
            launch(*arguments)
        kernel.wait(stream, arguments)
        seconds = time.perf_counter() - start
        best = min(best, seconds / count)
        if seconds < _SHORTEST:
            count *= 4
    return best


def _device(kernels):
    if all(kernel.target == "cpu" for kernel in kernels.values()):
        return "cpu"
    name = ctypes.create_string_buffer(256)
    try:
        driver = ctypes.CDLL("libcuda.so.1")
        driver.cuInit(0)
        driver.cuDeviceGetName(name, 256, 0)
    except OSError:
        pass
    return name.value.decode(errors="replace")


def _write(file, text):
    file.parent.mkdir(parents=True, exist_ok=True)
    handle, temporary = tempfile.mkstemp(dir=file.parent)
    with os.fdopen(handle, "w") as written:
        written.write(text)
    os.replace(temporary, file)


class _Bar:
    """A line on standard error, where that is a terminal."""

    def __init__(self, count):
        self.count, self.done = count, 0
        self.is_shown = sys.stderr is not None and sys.stderr.isatty()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.is_shown:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()

    def show(self, name):
        if self.is_shown:
            filled = 20 * self.done // self.count
            bar = "#" * filled + "." * (20 - filled)
            sys.stderr.write(f"\r\x1b[Ktessera: [{bar}] timing {name}")
            sys.stderr.flush()
        self.done += 1
