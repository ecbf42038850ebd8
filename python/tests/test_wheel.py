"""The wheel that `pip install .` makes works on its own, wherever it is unpacked."""

import os
import pathlib
import shutil
import subprocess
import sys
import zipfile

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = """
import numpy as np, pathlib, tessera
here = pathlib.Path(tessera.__file__).parent
assert pathlib.Path(tessera.tool.program()).is_relative_to(here), tessera.tool.program()
x = np.zeros(1, np.int32)
source = "#include <cuda_tile.h>\\n__tile_global__ void set(int *x) { *x = 7; }\\n"
tessera.compile(source, "set", target="cpu")[1](x)
print(int(x[0]))
"""
CUTILE_PROGRAM = """
import ctypes, shutil
print(shutil.which("tileiras"))
version = ctypes.c_int()
ctypes.CDLL("libcuda.so.1").cuDriverGetVersion(ctypes.byref(version))
print(version.value)
"""


@pytest.mark.long
def test_wheel(tmp_path):
    environment = {**os.environ, "PIP_DISABLE_PIP_VERSION_CHECK": "1"}
    if ccache := shutil.which("ccache"):
        environment["CMAKE_CXX_COMPILER_LAUNCHER"] = ccache
    # The build tree whose compiler this is: that which these tests are run in.
    build = pathlib.Path(sys.prefix).parent
    command = [sys.executable, "-m", "pip", "wheel", str(ROOT), "--no-build-isolation", "--no-deps"]
    command += ["-w", str(tmp_path), f"-Ccmake.define.TESSERA_BUILD={build}"]
    command += [f"-Cbuild-dir={build / 'wheel'}"]
    made = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert made.returncode == 0, made.stdout + made.stderr
    (wheel,) = tmp_path.glob("tessera_tile-*.whl")
    package = tmp_path / "elsewhere"
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(package)
    for program in ("bin/tessera", "libexec/tileiras"):
        (package / "tessera" / program).chmod(0o755)  # as pip does
    environment = {**os.environ, "PYTHONPATH": str(package)}
    ran = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.stdout == "7\n", ran.stderr
    prepares_for_cutile(package, tmp_path)


def prepares_for_cutile(package, folder):
    """The launcher finds compiler and driver in the wheel. (This cuda.tile has no contents.)"""
    (folder / "stand_in/cuda/tile").mkdir(parents=True)
    (folder / "stand_in/cuda/tile/__init__.py").touch()
    program = folder / "program.py"
    program.write_text(CUTILE_PROGRAM)
    ran = subprocess.run(
        [sys.executable, "-m", "tessera.cutile", "--target=emulate", program],
        env={**os.environ, "PYTHONPATH": f"{package}{os.pathsep}{folder / 'stand_in'}"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.stdout == f"{package / 'tessera/libexec/tileiras'}\n13000\n", ran.stderr
