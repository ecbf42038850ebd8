"""The samples check themselves against a library's own functions."""

import contextlib
import io
import json
import pathlib
import subprocess
import sys

import pytest
from conftest import library

from tessera import magic

SAMPLES = pathlib.Path(__file__).resolve().parents[2] / "samples/python"


COMMANDS = [
    "softmax.py 70 100",
    pytest.param("matmul.py 70 90 50", marks=pytest.mark.long),
    "layer_norm.py 20 100",
]


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.split(".")[0])
def test_sample(command):
    name, *words = command.split()
    if name == "layer_norm.py":
        library("torch")
    run = [sys.executable, str(SAMPLES / name), *words]
    result = subprocess.run(run, capture_output=True, text=True, check=False)
    assert result.returncode == 0 and result.stdout, result.stderr


def test_notebook():
    """Its cells in their order, the magic as Jupyter calls it."""
    notebook = json.loads((SAMPLES / "notebook.ipynb").read_text())
    names, printed = {}, io.StringIO()
    for cell in notebook["cells"]:
        text = "".join(cell["source"])
        if cell["cell_type"] != "code" or text == "%load_ext tessera":
            continue
        if text.startswith("%%tessera "):
            line, body = text.removeprefix("%%tessera ").split("\n", 1)
            magic.cell(line, body, names)
        else:
            with contextlib.redirect_stdout(printed):
                exec(compile(text, "notebook", "exec"), names)
    assert "argument 'x': an array of float64" in printed.getvalue()
    assert len(names["row_sums"].parameters) == 2
