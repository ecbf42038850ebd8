"""`python -m tessera doctor`: what it finds, what it advises, and its exit status."""

import ctypes
import io
import os
import re
import subprocess
import sys

import pytest

from tessera import doctor


def run(**variables):
    """The exit status, and kind and text of each part."""
    done = subprocess.run(
        [sys.executable, "-m", "tessera", "doctor"],
        env={**os.environ, **variables},
        capture_output=True,
        text=True,
        check=False,
    )
    assert not done.stderr, done.stderr
    parts = re.findall(r"(?ms)^(\S.{13}) (ok|none|wrong) +(.*?)(?=^\S|\Z)", done.stdout)
    return done.returncode, {name.strip(): (kind, text) for name, kind, text in parts}


def test_healthy(tmp_path):
    status, parts = run(TESSERA_PYTHON_CACHE_DIR=str(tmp_path))
    assert status == 0
    assert list(parts) == [name for name, _ in doctor._PARTS]
    assert parts["CPU kernels"][0] == "ok"
    assert "and runs" in parts["CPU kernels"][1]
    assert str(tmp_path) in parts["cache"][1]
    assert not (tmp_path / "locks").exists()  # its own kernels are not kept


def test_toolkit_in_part(tmp_path):
    (tmp_path / "include").mkdir()
    (tmp_path / "include/cuda_runtime.h").touch()
    (tmp_path / "include/cuda.h").write_text("#define CUDA_VERSION 12080\n")
    status, parts = run(CUDA_HOME=str(tmp_path))
    assert status == 1
    kind, text = parts["CUDA toolkit"]
    assert kind == "wrong"
    assert "CUDA 12.8 without" in text and "bin/ptxas" in text and "unset CUDA_HOME" in text


def test_no_toolkit(monkeypatch):
    monkeypatch.setattr(doctor, "toolkit", lambda: None)
    monkeypatch.setattr(doctor, "_PARTS", [("CUDA toolkit", doctor._toolkit)])
    required = ["nvidia-cuda-nvcc==13.0.*", "nvidia-nvvm==13.0.*"]
    monkeypatch.setattr(doctor.importlib.metadata, "requires", lambda _: required)
    out = io.StringIO()
    assert doctor.main(out) == 1
    assert "pip install 'nvidia-cuda-nvcc==13.0.*' 'nvidia-nvvm==13.0.*'\n" in out.getvalue()


def test_another_package_of_the_name(tmp_path, monkeypatch):
    packages = {"tessera": "tessera/__init__.py,,", "other": "x/tessera/__init__.py,,"}
    for name, files in packages.items():
        folder = tmp_path / f"{name}-1.dist-info"
        folder.mkdir()
        (folder / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1\n")
        (folder / "RECORD").write_text(f"{name}.py,,\n{files}\n")
    monkeypatch.setattr(sys, "path", [str(tmp_path)])
    monkeypatch.setattr(doctor, "_PARTS", [("tessera", doctor._package)])
    out = io.StringIO()
    assert doctor.main(out) == 1
    said = out.getvalue()
    assert re.match(r"tessera +wrong +tessera installs a package tessera .*\n.*venv", said)


def test_compiler_that_does_not_start():
    status, parts = run(TESSERA_PROGRAM="/bin/false")
    assert status == 1
    assert parts["compiler"][0] == parts["CPU kernels"][0] == "wrong"
    assert "/bin/false does not start" in parts["compiler"][1]


def test_cache_that_cannot_be_written(tmp_path):
    (tmp_path / "file").touch()
    status, parts = run(TESSERA_PYTHON_CACHE_DIR=str(tmp_path / "file"))
    assert status == 1
    assert parts["cache"][0] == "wrong" and "TESSERA_CACHE_DIR" in parts["cache"][1]


class Driver:
    """A driver with one GPU."""

    def __init__(self, version=13000, major=9, minor=0, status=0):
        self.version, self.numbers, self.status = version, {75: major, 76: minor}, status

    def cuInit(self, _):
        return self.status

    def cuDriverGetVersion(self, version):
        version._obj.value = self.version

    def cuDeviceGetCount(self, count):
        count._obj.value = 1

    def cuDeviceGetName(self, name, *_):
        name.value = b"NVIDIA H200"

    def cuDeviceGetAttribute(self, number, attribute, _):
        number._obj.value = self.numbers[attribute]


@pytest.mark.parametrize(
    "driver, part, kind, words",
    [
        (Driver(), "driver", "ok", "for CUDA 13.0"),
        (Driver(), "GPUs", "ok", r"NVIDIA H200 \(sm_90\)"),
        (None, "driver", "wrong", r"no libcuda.so.1\n.*--gpus all"),
        (None, "GPUs", "none", "not without the driver"),
        (Driver(status=803), "driver", "wrong", r"error 803\n.*nvidia-smi"),
        (Driver(version=12080), "driver", "wrong", r"CUDA 12.8; the toolkit is CUDA 13.0\n.*newer"),
        (Driver(major=7, minor=5), "GPUs", "wrong", r"\(sm_75\); tile kernels need sm_80"),
    ],
)
def test_gpu(monkeypatch, driver, part, kind, words):
    def load(name):
        if not driver:
            raise OSError(name)
        return driver

    monkeypatch.setattr(doctor.kernels, "_has_gpu", lambda: True)
    monkeypatch.setattr(ctypes, "CDLL", load)
    monkeypatch.setattr(doctor, "toolkit", lambda: "/toolkit")
    monkeypatch.setattr(doctor, "toolkit_version", lambda _: 13000)
    monkeypatch.setattr(doctor, "_PARTS", [row for row in doctor._PARTS if row[0] == part])
    out = io.StringIO()
    assert doctor.main(out) == (kind == "wrong")
    assert re.match(rf"{part} +{kind} +.*{words}", out.getvalue(), re.S), out.getvalue()


def test_usage():
    for words, status in ((["--help"], 0), ([], 2), (["nurse"], 2)):
        done = subprocess.run(
            [sys.executable, "-m", "tessera", *words], capture_output=True, text=True, check=False
        )
        assert (done.returncode, done.stderr) == (status, "usage: python -m tessera doctor\n")


def test_commands(tmp_path):
    """What pip puts on PATH becomes the package's program, or says that there is none."""
    call = "import sys, tessera.tool as tool; sys.argv[1:] = ['one', 'two']; "
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin/tessera").write_text('#!/bin/sh\necho "$CUDA_HOME: $*"\nexit 3\n')
    (tmp_path / "bin/tessera").chmod(0o755)
    call += f"tool._PACKAGE = tool.pathlib.Path({str(tmp_path)!r}); sys.exit(tool.{{}}())"
    for command, status, said in (
        ("tessera", 3, "/some/toolkit: one two\n"),
        ("tessera_nvcc", 2, f"tessera-nvcc: '{tmp_path}/bin/tessera-nvcc' is missing"),
        ("tessera_clangd", 2, f"tessera-clangd: '{tmp_path}/bin/tessera-clangd' is missing"),
    ):
        done = subprocess.run(
            [sys.executable, "-c", call.format(command)],
            env={**os.environ, "CUDA_HOME": "/some/toolkit"},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == status, done
        assert (done.stdout + done.stderr).startswith(said)
