"""`python -m tessera doctor`, also `tessera doctor`: what works on this machine, and what to do
about what does not.

A line for each part: its name, ok, none or wrong, and what was found. `none` is what a machine may
lack, such as a GPU; `wrong` is followed by what to do, and makes the exit status 1.
"""

import ctypes
import importlib.metadata
import os
import pathlib
import platform
import re
import shutil
import subprocess
import sys
import tempfile
import time

from . import __version__, cache, tool
from . import kernel as kernels
from .errors import CompileError, ToolError

_ANSWER = 42
_KERNEL = f"#include <cuda_tile.h>\n__tile_global__ void answer(int *x) {{ *x = {_ANSWER}; }}\n"
_OLDEST_GPU = 80
_REPORT = "report this as a bug of Tessera, with all that is said here"


class Trouble(Exception):
    """What is wrong, and what to do about it."""

    def __init__(self, found, advice):
        super().__init__(found)
        self.advice = advice


class Absent(Exception):
    """What this machine does not have, and need not have."""


def main(out=sys.stdout):
    """Prints the lines; the exit status."""
    status = 0
    for name, look in _PARTS:
        advice = ""
        try:
            kind, found = "ok", look()
        except Absent as absent:
            kind, found = "none", str(absent)
        except Trouble as trouble:
            kind, found, advice, status = "wrong", str(trouble), trouble.advice, 1
        print(f"{name:<15}{kind:<7}{found}", file=out)
        for line in advice.splitlines():
            print(f"{'':<22}{line}", file=out)
        out.flush()
    return status


_NAME = "tessera-tile"  # on PyPI; other packages there are called tessera


def _package():
    if others := sorted(_distributions() - {_NAME}):
        raise Trouble(
            f"{', '.join(others)} installs a package tessera into this environment, too",
            "the files of both are mixed: give each an environment of its own (python -m venv)",
        )
    system = _first(r'^PRETTY_NAME="?([^"\n]*)', "/etc/os-release")
    return (
        f"Tessera {__version__}, Python {platform.python_version()}, {system}, "
        f"{' '.join(platform.libc_ver())}, {platform.machine()}"
    )


def _distributions():
    """The names of what pip has installed with a package tessera in it."""
    return {
        each.metadata["Name"]
        for each in importlib.metadata.distributions()
        if each.read_text("RECORD") and "\ntessera/__init__.py," in "\n" + each.read_text("RECORD")
    }


def _compiler():
    try:
        executable = tool.program()
        said = subprocess.run(
            [executable, "--version"], capture_output=True, text=True, check=False
        )
    except (OSError, ToolError) as error:
        raise Trouble(str(error), f"install the package again: pip install {_NAME}") from None
    if said.returncode:
        raise Trouble(
            f"{executable} does not start: {said.stderr.strip()}",
            "a library of LLVM 22 is missing; take a wheel that has it inside (scripts/wheel.sh),\n"
            "or install Clang 22 (Debian: apt install clang-22 clang-tools-22 lld-22)",
        )
    return executable


def _toolkit():
    folder = toolkit()
    if not folder:
        raise Trouble(
            "no CUDA toolkit: CUDA_HOME and CUDA_PATH name none, none is in /usr/local/cuda, and "
            "none comes from NVIDIA's packages",
            _how_to_get_a_toolkit(),
        )
    version = toolkit_version(folder)
    missing = [name for name in _TOOLKIT if not (folder / name).exists()]
    if missing:
        raise Trouble(
            f"{folder}: CUDA {_dotted(version)} without {', '.join(missing)}",
            "without these nothing is compiled for a GPU; install the whole toolkit, or unset "
            "CUDA_HOME\nand CUDA_PATH, so that NVIDIA's packages are taken",
        )
    return f"{folder}: CUDA {_dotted(version)}"


def _how_to_get_a_toolkit():
    """By the packages that this one depends on; a build tree is no package."""
    try:
        packages = importlib.metadata.requires(_NAME) or []
    except importlib.metadata.PackageNotFoundError:
        packages = []
    words = " ".join(f"'{package}'" for package in packages)
    return f"{sys.executable} -m pip install {words}" if words else "run scripts/setup.sh"


_TOOLKIT = (
    "include/cuda_runtime.h",
    "include/curand_mtgp32_kernel.h",
    "bin/ptxas",
    "bin/fatbinary",
    "nvvm/libdevice/libdevice.10.bc",
)


def toolkit():
    """The folder that kernels are compiled with, or None. A build tree has a link to its own."""
    named = (tool.environment() or os.environ).get
    try:
        own = pathlib.Path(tool.program()).resolve().parent.parent / "cuda"
    except ToolError:
        own = None
    for folder in (named("CUDA_HOME"), named("CUDA_PATH"), own, "/usr/local/cuda"):
        if folder and os.path.exists(os.path.join(folder, "include/cuda_runtime.h")):
            return pathlib.Path(folder)
    return None


def toolkit_version(folder):
    """13000 for CUDA 13.0, as the driver counts, too; 0 if the headers do not say."""
    return int(_first(r"^#define CUDA_VERSION (\d+)", folder / "include/cuda.h") or 0)


def _first(pattern, file):
    """The first group of the first match in a file, or nothing."""
    try:
        found = re.search(pattern, pathlib.Path(file).read_text(), re.M)
    except OSError:
        return ""
    return found[1] if found else ""


def _dotted(version):
    return f"{version // 1000}.{version % 1000 // 10}" if version else "of an unknown version"


def _open_driver():
    if not kernels._has_gpu():
        raise Absent("no GPU of NVIDIA in /dev; kernels run on the CPU")
    try:
        driver = ctypes.CDLL("libcuda.so.1")
    except OSError:
        raise Trouble(
            "a GPU in /dev, but no libcuda.so.1",
            "install NVIDIA's driver; in a container start it with the GPU (docker run --gpus all)",
        ) from None
    if status := driver.cuInit(0):
        raise Trouble(
            f"NVIDIA's driver does not start: error {status}",
            "see what nvidia-smi says; after an update of the driver restart the machine",
        )
    return driver


def _driver():
    driver = _open_driver()
    version = ctypes.c_int()
    driver.cuDriverGetVersion(ctypes.byref(version))
    release = _first(r"Kernel Module.*?(\d+\.[\d.]+)", "/proc/driver/nvidia/version") or "unknown"
    found = f"{release}, for CUDA {_dotted(version.value)}"
    folder = toolkit()
    wanted = toolkit_version(folder) if folder else 0
    if version.value // 1000 < wanted // 1000:
        raise Trouble(
            f"{found}; the toolkit is CUDA {_dotted(wanted)}",
            "install a newer driver, or name a toolkit of the driver's version with CUDA_HOME",
        )
    return found


def _gpus():
    try:
        driver = _open_driver()
    except Trouble:
        raise Absent("not without the driver") from None
    count = ctypes.c_int()
    driver.cuDeviceGetCount(ctypes.byref(count))
    names, numbers = [], []
    for device in range(count.value):
        name, major, minor = ctypes.create_string_buffer(100), ctypes.c_int(), ctypes.c_int()
        driver.cuDeviceGetName(name, len(name), device)
        driver.cuDeviceGetAttribute(ctypes.byref(major), 75, device)
        driver.cuDeviceGetAttribute(ctypes.byref(minor), 76, device)
        numbers.append(10 * major.value + minor.value)
        names.append(f"{name.value.decode()} (sm_{numbers[-1]})")
    if not names:
        raise Absent("the driver has none; does CUDA_VISIBLE_DEVICES hide them?")
    if numbers[0] < _OLDEST_GPU:
        raise Trouble(
            f"{', '.join(names)}; tile kernels need sm_{_OLDEST_GPU} or newer",
            "use target='cpu', or put a newer GPU first with CUDA_VISIBLE_DEVICES",
        )
    return ", ".join(names)


class _Number:
    """An int in memory, as the CUDA Array Interface says it."""

    def __init__(self, address):
        self.__cuda_array_interface__ = {
            "shape": (1,),
            "typestr": "<i4",
            "data": (address, False),
            "version": 3,
        }


def _run_on_cpu(kernel):
    memory = ctypes.c_int()
    kernel[1](_Number(ctypes.addressof(memory)))
    return memory.value


def _run_on_gpu(kernel):
    driver = _open_driver()
    context, address, number = ctypes.c_void_p(), ctypes.c_uint64(), ctypes.c_int()
    driver.cuDevicePrimaryCtxRetain(ctypes.byref(context), 0)
    driver.cuCtxSetCurrent(context)
    driver.cuMemAlloc_v2(ctypes.byref(address), ctypes.c_size_t(4))
    kernel[1](_Number(address.value))
    driver.cuMemcpyDtoH_v2(ctypes.byref(number), address, ctypes.c_size_t(4))
    driver.cuMemFree_v2(address)
    return number.value


def _kernels(target, run):
    """Compiles a kernel in an empty cache, and runs it."""
    place = os.environ.get("TESSERA_PYTHON_CACHE_DIR")
    with tempfile.TemporaryDirectory() as folder:
        os.environ["TESSERA_PYTHON_CACHE_DIR"] = folder
        try:
            start = time.perf_counter()
            kernel = kernels.compile(_KERNEL, "answer", target=target)
            seconds = time.perf_counter() - start
            number = run(kernel)
        except (CompileError, RuntimeError, OSError) as error:
            raise Trouble(f"a kernel that should run does not: {error}", _REPORT) from None
        finally:
            os.environ.pop("TESSERA_PYTHON_CACHE_DIR")
            if place is not None:
                os.environ["TESSERA_PYTHON_CACHE_DIR"] = place
    if number != _ANSWER:
        raise Trouble(f"a kernel wrote {number}, not {_ANSWER}", _REPORT)
    return f"one is compiled in {seconds:.1f} s, and runs"


def _cpu_kernels():
    return _kernels("cpu", _run_on_cpu)


def _gpu_kernels():
    try:
        _gpus()
    except (Absent, Trouble):
        raise Absent("not without a GPU") from None
    return _kernels("gpu", _run_on_gpu)


def _cache():
    folder = cache.root()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        raise Trouble(
            f"{folder} cannot be written: {error.strerror}",
            "name another folder with TESSERA_CACHE_DIR",
        ) from None
    free = shutil.disk_usage(folder).free >> 20
    size = sum(file.stat().st_size for file in folder.glob("*/*") if file.is_file()) >> 20
    if free < 100:
        raise Trouble(
            f"{folder}: {free} MiB are free", "make room, or name another folder: TESSERA_CACHE_DIR"
        )
    limit = os.environ.get("TESSERA_CACHE_MIB") or 1024
    return f"{folder}: {size} of {limit} MiB"


def _libraries():
    found = []
    for name in ("numpy", "torch", "cupy", "numba", "jax", "cuda-tile"):
        try:
            found.append(f"{name} {importlib.metadata.version(name)}")
        except importlib.metadata.PackageNotFoundError:
            continue
    if not found:
        raise Absent("of NumPy, torch, CuPy, Numba and JAX, whose arrays kernels take")
    return ", ".join(found)


def _nvcc():
    found = os.environ.get("TESSERA_NVCC") or shutil.which("nvcc")
    folder = toolkit()
    if not found and folder and (folder / "bin/nvcc").exists():
        found = str(folder / "bin/nvcc")
    if not found:
        raise Absent("no nvcc of NVIDIA, which tessera-nvcc stands in front of")
    if not shutil.which("g++") and not shutil.which("clang++"):
        raise Absent(f"{found}, but no C++ compiler of the machine, which nvcc needs")
    return found


_PARTS = (
    ("tessera", _package),
    ("compiler", _compiler),
    ("CUDA toolkit", _toolkit),
    ("driver", _driver),
    ("GPUs", _gpus),
    ("CPU kernels", _cpu_kernels),
    ("GPU kernels", _gpu_kernels),
    ("cache", _cache),
    ("libraries", _libraries),
    ("tessera-nvcc", _nvcc),
)
