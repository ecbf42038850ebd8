"""The samples check themselves against a library's own functions."""

import contextlib
import ctypes
import io
import json
import os
import pathlib
import runpy
import subprocess
import sys
import types

import numpy as np
import pytest
from conftest import library

from tessera import magic

SAMPLES = pathlib.Path(__file__).resolve().parents[2] / "samples/python"


COMMANDS = [
    "softmax.py 70 100",
    pytest.param("matmul.py 70 90 50", marks=pytest.mark.long),
    "layer_norm.py 20 100",
    "rms_norm.py 7 100",
    pytest.param("attention.py", marks=pytest.mark.long),
]


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.split(".")[0])
def test_sample(command):
    name, *words = command.split()
    if name in ("layer_norm.py", "attention.py"):
        library("torch")
    run = [sys.executable, str(SAMPLES / name), *words]
    result = subprocess.run(run, capture_output=True, text=True, check=False)
    assert result.returncode == 0 and result.stdout, result.stderr


def test_attention():
    """What the sample is made of, without optimization and with fewer tokens."""
    torch = library("torch")
    sample = runpy.run_path(str(SAMPLES / "attention.py"), run_name="attention")
    numbers = torch.Generator().manual_seed(0)
    shapes = (1, 2, 40, 64), (1, 2, 70, 64), (1, 2, 70, 64)
    q, k, v = (torch.randn(shape, generator=numbers).bfloat16() for shape in shapes)
    attention = sample["attention"]
    given = [each.clone().requires_grad_() for each in (q, k, v)]
    exact = [each.double().requires_grad_() for each in (q, k, v)]
    mask = torch.ones(40, 70, dtype=torch.bool).tril(30)
    o = attention(*given, True)[0]
    wanted = torch.nn.functional.scaled_dot_product_attention(*exact, mask)
    sample["distance"](o, wanted)
    do = torch.randn(o.shape, generator=numbers).bfloat16()
    for pair in zip(torch.autograd.grad(o, given, do), torch.autograd.grad(wanted, exact, do)):
        sample["distance"](*pair)
    torch.library.opcheck(attention, (q[:, :, ::2], k, v, True))
    flexible, sinks = sample["flexible_attention"], torch.tensor([0.5, -1.0])
    given = (k, k[:, :1], v[:, :1], sinks, 30, 20.0)
    sample["distance"](flexible(*given), sample["in_doubles"](*given))
    torch.library.opcheck(flexible, given)
    with pytest.raises(ValueError, match="a depth of 64 or 128, not of 32"):
        attention(*[each[..., ::2] for each in (q, k, v)], True)
    with pytest.raises(TypeError, match="for bfloat16, not for torch.float32"):
        attention(q.float(), k, v, True)


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


@pytest.mark.parametrize("name", ["cupy", "numba", "cuda_core"])
def test_samples_of_libraries_say_what_they_need(name, tmp_path):
    """Without the library; with it they want a GPU, so what they compute is not tested here."""
    hidden = {"cupy": "cupy", "numba": "numba", "cuda_core": "cuda"}[name]
    (tmp_path / f"{hidden}.py").write_text("raise ImportError('hidden')\n")
    path = os.pathsep.join([str(tmp_path), *sys.path])
    run = [sys.executable, str(SAMPLES / f"with_{name}.py")]
    environment = {**os.environ, "PYTHONPATH": path}
    result = subprocess.run(run, capture_output=True, text=True, check=False, env=environment)
    assert result.returncode == 1 and "needs a GPU and" in result.stderr, result.stderr
    assert "pip install" in result.stderr


def test_array_of_cuda_core(monkeypatch):
    """The class that makes an array of memory, on memory of the host."""
    monkeypatch.syspath_prepend(str(SAMPLES))
    sample = runpy.run_path(str(SAMPLES / "with_cuda_core.py"), run_name="sample")
    x, weight = sample["inputs"](5, 48)
    y = np.zeros_like(x)
    given = [sample["Array"](each.ctypes.data, each.shape) for each in (x, weight, y)]
    sample["rms_norm"](*given, target="cpu")
    sample["check"](y, x, weight)


def test_stream_of_numba(monkeypatch):
    """Numba's streams of either kind are numbers for a launch."""
    monkeypatch.syspath_prepend(str(SAMPLES))
    monkeypatch.setitem(sys.modules, "numba", types.SimpleNamespace(cuda=None))
    sample = runpy.run_path(str(SAMPLES / "with_numba.py"), run_name="sample")
    stream = types.SimpleNamespace
    assert sample["number_of"](stream(handle=ctypes.c_void_p(7))) == 7
    assert sample["number_of"](stream(handle=7)) == 7
    assert sample["number_of"](stream(handle=ctypes.c_void_p(None))) == 0
