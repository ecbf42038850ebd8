"""The samples check themselves against a library's own functions."""

import pathlib
import subprocess
import sys

import pytest

SAMPLES = pathlib.Path(__file__).resolve().parents[2] / "samples/python"


@pytest.mark.parametrize(
    "command", ["softmax.py 70 100", "matmul.py 70 90 50"], ids=lambda command: command.split()[0]
)
def test_sample(command):
    name, *words = command.split()
    run = [sys.executable, str(SAMPLES / name), *words]
    result = subprocess.run(run, capture_output=True, text=True, check=False)
    assert result.returncode == 0 and result.stdout, result.stderr
