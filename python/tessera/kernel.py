"""Kernels: compiled once, launched with arguments."""

import functools
import html
import os
import pathlib
import platform
import re
import threading
import uuid

from . import _tessera, cache, program, templates, tool
from .errors import CompileError

_in_process = {}  # key -> Kernel or Template
_key_locks = {}
_lock = threading.Lock()


def compile(source, kernel, *, target=None, arch=None, options=()):
    """Compiles a tile kernel.

    source   a path (of .cu), or a program as a string.
    kernel   the kernel, as C++ names it: "softmax<4096, 8>", "library::scale<float>". Template
             arguments at the end that the kernel's arrays tell may be left out: "scale" is a
             Template then, whose kernels are compiled when it is called.
    target   "gpu" or "cpu"; without one the GPU where this machine has one.
    arch     the GPU, "sm_90a"; without one the present one.
    options  further options of the program tessera: "-I...", "-D...", "--check=bounds".

    Raises CompileError with the compiler's messages; TypeError or ValueError for what is no name,
    no target and no list. The result is kept on the disk, and in the
    process: asked for again, it is the same object.
    """
    target = target or ("gpu" if _has_gpu() else "cpu")
    if target not in ("gpu", "cpu"):
        raise ValueError(f"target must be 'gpu' or 'cpu', not {target!r}")
    if not isinstance(kernel, str):
        raise TypeError(f"kernel must be the name of a kernel, not {type(kernel).__name__}")
    if not kernel.strip():
        raise ValueError("kernel must be the name of a kernel; it is empty")
    if isinstance(options, str):
        raise TypeError(f"options must be a list of strings, [{options!r}], not a str")
    if not program.is_path(source) and not isinstance(source, str):
        raise TypeError(
            f"source must be a path or the text of a program, not {type(source).__name__}"
        )
    flags = ["--extensions", *options]
    if target == "gpu":
        flags.append(f"--arch={arch or _present_arch()}")
    text = program.source_text(source)
    place = os.path.abspath(source) if program.is_path(source) else ""
    executable = tool.program()
    compiler = _compiler(executable)
    without = os.environ.get("TESSERA_PLAN_WITHOUT", "")  # which the compiler asks, too
    key = cache.digest([place, text, kernel, target, *flags, compiler, without])
    with _lock:
        key_lock = _key_locks.setdefault(key, threading.Lock())
    with key_lock:
        if key not in _in_process or not _in_process[key]._is_current():
            written = program.Written(place, text, kernel)
            make = functools.partial(compile, source, target=target, arch=arch, options=options)
            _in_process[key] = _make(key, written, target, flags, make)
        return _in_process[key]


def _make(key, written, target, flags, make):
    """The Kernel; where template arguments are missing the Template, whose kernels `make` makes."""
    signature = _Signature(key, written, flags)
    if not signature.is_known():
        try:
            return Kernel(key, written, target, flags)
        except CompileError:
            if not signature.is_asked_for():
                raise
    return templates.Template(signature.name, signature.explicit, signature.read(), make, signature)


class _Signature:
    """What the compiler says of a kernel template, in the cache."""

    def __init__(self, key, written, flags):
        self._written, self._flags = written, flags
        self._key = cache.digest([key, "signature"])
        self.name, self.explicit = templates.words(written.kernel)

    def is_known(self):
        return cache._is_valid(cache.root() / self._key)

    is_current = is_known

    def is_asked_for(self):
        """Is it one template, with arguments that are not written?"""
        try:
            return bool(self.read())
        except CompileError:
            return False

    def read(self):
        return templates.read(cache.get(self._key, self._make) / "signature.json")

    def _make(self, folder):
        def ask(file, source):
            listing = folder / "listing.d"
            what = ["check", *self._flags, f"--signature={self.name}", f"--depfile={listing}"]
            said, _ = tool.run([*what, source], self.name)
            (folder / "signature.json").write_text(said)
            found = templates.read(folder / "signature.json")
            if found is None or len(self.explicit) >= len(found["template"]):
                raise CompileError(f"{self.name} is not a template with missing arguments")
            return self._written.others(listing, file)

        return self._written.with_files(ask)


@functools.lru_cache(maxsize=None)
def _compiler(executable):
    # The code for a CPU is for this one.
    flags = re.search(r"^flags.*$", pathlib.Path("/proc/cpuinfo").read_text(), re.M)
    return cache.digest([*tool.identity(executable), platform.machine(), flags and flags[0]])


def _has_gpu():
    return any(re.fullmatch(r"nvidia\d+", name) for name in os.listdir("/dev"))


@functools.lru_cache(maxsize=None)
def _present_arch():
    import ctypes

    try:
        driver = ctypes.CDLL("libcuda.so.1")
    except OSError:
        return "sm_90a"
    major, minor = ctypes.c_int(), ctypes.c_int()
    driver.cuInit(0)
    driver.cuDeviceGetAttribute(ctypes.byref(major), 75, 0)
    driver.cuDeviceGetAttribute(ctypes.byref(minor), 76, 0)
    number = 10 * major.value + minor.value
    return f"sm_{number}a" if number >= 90 else f"sm_{number or '90a'}"


class Explanation(str):
    """What was decided for a kernel, at its lines; in Jupyter the page with both texts."""

    page = ""

    def _repr_html_(self):
        return (
            f'<iframe srcdoc="{html.escape(self.page)}" style="width: 100%; height: 40em; '
            'border: 0"></iframe>'
        )


class Kernel(_tessera.Kernel):
    """A compiled kernel. kernel[grid](arguments...) launches it, kernel[grid, stream](...) in a
    stream; a grid is one to three numbers of blocks. Made by compile()."""

    def __init__(self, key, written, target, flags):
        self.name, self.target = written.kernel, target
        self._written, self._flags = written, flags
        self._key = key
        folder = cache.get(key, self._make)
        (library,) = folder.glob("*.so")
        names = program.parameter_names(written.text, self.name)
        self.library = str(library)
        if target == "cpu":
            tool.name_symbolizer()
        super().__init__(self.library, self.name, names, target == "cpu")
        self._folder = folder

    def __repr__(self):
        return f"<tessera.Kernel {self.name} for the {self.target.upper()}>"

    @property
    def parameters(self):
        """(name, kind, element type, size, alignment, rank) of each; sizes in bytes."""
        return self.describe()

    @functools.cached_property
    def simt(self):
        """The SIMT CUDA C++ that the kernel becomes on a GPU."""
        return self._ask(lambda file: tool.run(self._gpu(["-o", "-", file]), self.name)[0])

    @functools.cached_property
    def ptx(self):
        """The PTX that the kernel becomes on a GPU."""

        def ask(file):
            made = pathlib.Path(file).with_name("kernel.ptx")
            tool.run(["build", "--ptx", *self._gpu(["-o", str(made), file])], self.name)
            return made.read_text()

        return self._ask(ask)

    def explain(self):
        """What was decided for the kernel, and what to write for more."""
        return self._explanation

    @functools.cached_property
    def _explanation(self):
        def ask(file):
            _, said = tool.run(["explain", *self._gpu([file])], self.name)
            page = pathlib.Path(file).with_name("page.html")
            asked = self._gpu(["--registers=false", "-o", str(page), file])
            tool.run(["explain", *asked], self.name)
            explanation = Explanation(program.as_the_user_does(said, os.path.dirname(file)))
            explanation.page = page.read_text()
            return explanation

        return self._ask(ask)

    def verify(self, *arguments, grid, blocks=64, ulps=16):
        """Launches the kernel on copies of the arguments, on the CPU, under the emulator and, if
        this machine has one, on a GPU, and compares what the targets have written.

        grid     one to three numbers of blocks.
        blocks   of a launch of more blocks the emulator runs a sample of so many; 0: all blocks.
        ulps     floating-point numbers may differ by so many units in the last place.

        Returns a Verification, which is true where the targets agree; its text names the first tile
        that differs with its line of the program, and races. Compiles for each target, each time.
        """
        if len(arguments) != len(self.parameters):
            raise TypeError(
                f"{self.name} takes {len(self.parameters)} arguments, {len(arguments)} are given"
            )
        from . import verification

        packed = self.pack(arguments)
        return verification.verify(
            self._written, self.parameters, packed, self._flags, arguments, grid, blocks, ulps
        )

    @functools.cached_property
    def resources(self):
        """threads and shared_memory (bytes) of a block; where ptxas is there, registers of a thread
        and spills (bytes)."""
        ask = ["explain", "--registers", *self._gpu([])]
        said = self._ask(lambda file: tool.run([*ask, file], self.name)[1])
        found = {}
        for key, pattern in _RESOURCES.items():
            if match := re.search(pattern, said):
                found[key] = int(match[1])
        if "registers" in found:
            found.setdefault("spills", 0)
        return found

    def _gpu(self, arguments):
        flags = [flag for flag in self._flags if not flag.startswith("--check")]
        return [*flags, *arguments]

    def _is_current(self):
        return cache._is_valid(self._folder) or not self._folder.exists()

    def _make(self, folder):
        """Fills the folder of the cache; the files that the library depends on."""

        def build(file, _):
            # A process that has loaded a library takes another of its name for the same.
            library, listing = folder / f"{uuid.uuid4().hex}.so", folder / "listing.d"
            what = [f"--target={self.target}", f"--depfile={listing}", "-o", library]
            tool.run(["build", *self._flags, *map(str, what), file], self.name)
            return self._written.others(listing, file)

        return self._written.with_files(build)

    def _ask(self, act):
        return self._written.with_files(lambda file, _: act(file))


_RESOURCES = {
    "threads": r"\((\d+) threads\)",
    "shared_memory": r"and (\d+) bytes of shared memory",
    "registers": r"allocates (\d+) registers",
    "spills": r"spills (\d+)",
}
