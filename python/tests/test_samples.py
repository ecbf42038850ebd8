"""The samples check themselves against a library's own functions."""

import pathlib
import subprocess
import sys

import pytest

SAMPLES = pathlib.Path(__file__).resolve().parents[2] / "samples/python"


COMMANDS = ["softmax.py 70 100", "matmul.py 70 90 50", "layer_norm.py 20 100"]


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.split(".")[0])
def test_sample(command):
    name, *words = command.split()
    if name == "layer_norm.py":
        pytest.importorskip("torch")
    run = [sys.executable, str(SAMPLES / name), *words]
    result = subprocess.run(run, capture_output=True, text=True, check=False)
    assert result.returncode == 0 and result.stdout, result.stderr
