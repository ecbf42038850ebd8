"""The samples for several GPUs, on the CPU: alone in this process, whose kernels are then in the
cache, and by two processes and Gloo. Their C++ programs are checked here, and built by
test/nightly.sh."""

import importlib
import os
import pathlib
import runpy
import subprocess
import sys

import pytest
from conftest import library

import tessera

ROOT = pathlib.Path(__file__).resolve().parents[2]
SAMPLES = ROOT / "samples/distributed"
NAMES = ["tensor_parallel", "ring_attention", "data_parallel"]


@pytest.fixture
def ranks(monkeypatch):
    """The module that the samples share."""
    library("torch")
    monkeypatch.syspath_prepend(str(SAMPLES))
    monkeypatch.setattr(sys, "argv", ["sample"])
    yield importlib.import_module("ranks")


@pytest.mark.parametrize("words", NAMES)
def test_alone(ranks, words, monkeypatch):
    name, *words = words.split()
    monkeypatch.setattr(sys, "argv", [name, *words])
    runpy.run_path(str(SAMPLES / f"{name}.py"), run_name="__main__")


def test_differences(ranks):
    """A result that is wrong in one part is refused."""
    import torch

    x = torch.ones(8, 8)
    assert ranks.distance(x, x) == 0
    for wrong in (2.0, float("nan")):
        other = x.clone()
        other[0] = wrong
        with pytest.raises(AssertionError):
            ranks.distance(other, x)


EACH = """
import runpy, sys
folder, *names = sys.argv[1:]
sys.path.insert(0, folder)
import ranks
ranks.start()  # one group for all samples
for name in names:
    sys.argv[1:] = []
    runpy.run_path(f"{folder}/{name}.py", run_name="__main__")
ranks.dist.destroy_process_group()
"""


def test_two_ranks(ranks, tmp_path):
    script = tmp_path / "each.py"
    script.write_text(EACH)
    command = [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc-per-node=2"]
    command += [str(script), str(SAMPLES), *NAMES]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=900)
    assert done.returncode == 0 and done.stdout.count(" us   one rank ") == 4, done.stderr


@pytest.mark.long
@pytest.mark.parametrize("count", ["1", "2", "3"])
def test_script(ranks, count):
    environment = {**os.environ, "PYTHON": sys.executable}
    command = ["bash", str(SAMPLES / "run.sh"), count]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    said = done.stdout + done.stderr
    if count == "3":  # the usual sizes are not multiples of 3
        assert done.returncode == 1 and "must be a multiple of" in said
        return
    assert done.returncode == 0 and done.stdout.endswith("\n4 passed, 0 failed\n"), said
    assert done.stdout.count(" us   one rank ") == 5


def nccl():
    if not os.environ.get("TESSERA_TEST_LIBRARIES"):
        pytest.skip("takes NCCL from PyPI")
    done = subprocess.run(["bash", str(ROOT / "scripts/nccl.sh")], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@pytest.mark.parametrize("name", NAMES)
def test_program(name):
    tessera.tool.run(["check", f"-I{nccl()}/include", str(SAMPLES / f"{name}.cu")], name)


@pytest.mark.long
@pytest.mark.skipif(tessera.kernel._has_gpu(), reason="samples/distributed/run.sh runs them")
def test_programs(tmp_path):
    environment = {**os.environ, "NCCL_HOME": nccl()}
    build = ["bash", str(SAMPLES / "build.sh"), str(tmp_path)]
    done = subprocess.run(build, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    for name in NAMES:
        ran = subprocess.run([tmp_path / name], capture_output=True, text=True, check=False)
        assert ran.returncode == 1 and "needs a GPU, and there is none here" in ran.stderr
