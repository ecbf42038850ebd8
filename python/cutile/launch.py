"""Runs a program of cuTile Python by Tessera: on a GPU with Tessera's compiler in the place of
NVIDIA's, or without one, on the CPU: compiled for it, or by the emulator.

usage: launch.py [--target=gpu|cpu|emulate] [--check=LIST] PROGRAM [ARGUMENT...]

It sets the environment, and becomes Python with PROGRAM: PATH leads to our tileiras,
LD_LIBRARY_PATH to our libcuda.so.1, and PYTHONPATH to the sitecustomize.py beside this
file, which shows the arrays of this machine to cuTile. Options of Python may precede PROGRAM.
TESSERA_PROGRAM names the program tessera of the installation.
"""

import importlib.util
import os
import pathlib
import sys

# What tileiras makes for a target.
PRODUCTS = {"gpu": "", "cpu": "--emit=cpu", "emulate": "--emit=library"}
HERE = pathlib.Path(__file__).absolute().parent
UNUSABLE = 2

NO_PROGRAM = (
    "no program to run; usage: [--target=gpu|cpu|emulate] [--check=LIST] PROGRAM [ARGUMENT...]"
)
NO_CUTILE = "cuTile Python is not installed for '%s'; install it: %s -m pip install cuda-tile"
NO_TARGET = "'--target=%s' is not a target of a Python program; they are gpu, cpu and emulate"
NO_DRIVER = "'%s' is missing: the emulator's driver is not installed"


def fail(message):
    print(f"tessera: {message}", file=sys.stderr)
    sys.exit(UNUSABLE)


def has_gpu():
    return any(name[6:].isdigit() for name in os.listdir("/dev") if name.startswith("nvidia"))


def read(words):
    """The options, and the words for Python."""
    given = {"target": "", "check": ""}
    words = list(words)
    while words:
        name, _, value = words[0].removeprefix("--").partition("=")
        if not words[0].startswith("--") or name not in given:
            break
        given[name] = value
        words.pop(0)
    if not words:
        fail(NO_PROGRAM)
    given["target"] = given["target"] or ("gpu" if has_gpu() else "cpu")
    if given["target"] not in PRODUCTS:
        fail(NO_TARGET % given["target"])
    return given, words


def check_cutile():
    try:
        found = importlib.util.find_spec("cuda.tile")
    except ModuleNotFoundError:
        found = None
    if not found:
        fail(NO_CUTILE % (sys.executable, sys.executable))


def before(variable, folder):
    rest = os.environ.get(variable)
    os.environ[variable] = f"{folder}{os.pathsep}{rest}" if rest else str(folder)


def cache_folder():
    """cuTile Python's cache for what Tessera compiles."""
    chosen = os.environ.get("TESSERA_CACHE_DIR")
    user = os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache"
    return pathlib.Path(chosen) / "cutile" if chosen else pathlib.Path(user) / "tessera/cutile"


def prepare(root, given):
    """`root`: where bin/tessera is."""
    installed = root / "libexec"
    before("PATH", installed if (installed / "tileiras").exists() else root / "bin")
    before("PYTHONPATH", HERE)
    os.environ.setdefault("CUDA_TILE_CACHE_DIR", str(cache_folder()))
    os.environ["TESSERA_CUTILE_TARGET"] = given["target"]
    options = [f"--check={given['check']}"] if given["check"] else []
    if given["target"] != "gpu":
        driver = root / "lib/tessera-emulate/libcuda.so.1"
        if not driver.exists():
            fail(NO_DRIVER % driver)
        before("LD_LIBRARY_PATH", driver.parent)
        symbolizer = root / "bin/llvm-symbolizer"  # of a package with Clang inside
        if symbolizer.exists():
            os.environ.setdefault("TESSERA_SYMBOLIZER", str(symbolizer))
        options.insert(0, PRODUCTS[given["target"]])
    os.environ["TESSERA_TILEIRAS"] = " ".join(options)


def run(program):
    """`program`: the path of tessera."""
    given, words = read(sys.argv[1:])
    check_cutile()
    prepare(pathlib.Path(program).resolve().parent.parent, given)
    sys.stdout.flush()
    os.execv(sys.executable, [sys.executable, *words])


if __name__ == "__main__":
    run(os.environ["TESSERA_PROGRAM"])
