"""What goes wrong is said where it goes wrong: kernels that fail on the CPU, and calls of compile()
and autotune() that name nothing."""

import multiprocessing
import os
import sys

import numpy as np
import pytest

import tessera

SOURCE = """
#include <cuda_tile.h>
#include <cassert>
namespace ct = cuda::tiles;
__tile_global__ void below(int *x, int n) {
  assert(n < 5 && "too many");
  *x = n;
}
__tile_global__ void copy(const float *x, float *y, int n) {
  auto from = ct::partition_view{ct::tensor_span{x, ct::extents{n}}, ct::shape<16>{}};
  auto to = ct::partition_view{ct::tensor_span{y, ct::extents{n}}, ct::shape<16>{}};
  to.store(from.load(0), 0);
}
"""


def test_an_assertion_raises_in_its_launch_and_the_next_one_runs():
    below, x = tessera.compile(SOURCE, "below", target="cpu"), np.zeros(1, np.int32)
    with pytest.raises(RuntimeError, match=r"below: .*kernel\.cu:6: .*n < 5"):
        below[1](x, 7)
    assert x[0] == 0
    below[1](x, 3)
    assert x[0] == 3
    with pytest.raises(RuntimeError, match="n < 5"):
        below[4](x, 5)


def test_a_check_raises_with_the_line_and_the_name(monkeypatch):
    copy = tessera.compile(SOURCE, "copy", target="cpu", options=["--check=bounds"])
    x, y = np.ones(16, np.float32), np.zeros(16, np.float32)
    monkeypatch.setenv("PATH", "/usr/bin/none")  # where Debian's Clang puts no llvm-symbolizer
    with pytest.raises(RuntimeError, match=r"kernel\.cu:12: .*'x'.*extents \[7\]"):
        copy[1](x, y, 7)
    copy[1](x, y, 16)
    np.testing.assert_array_equal(x, y)


def test_lines_are_named_by_the_package(tmp_path, monkeypatch):
    (tmp_path / "llvm-symbolizer").touch()
    monkeypatch.setattr(tessera.tool, "program", lambda: str(tmp_path / "tessera"))
    for given, taken in (("mine", "mine"), (None, str(tmp_path / "llvm-symbolizer"))):
        monkeypatch.setenv("TESSERA_SYMBOLIZER", given or "")
        if not given:
            monkeypatch.delenv("TESSERA_SYMBOLIZER")
        tessera.tool.name_symbolizer()
        assert os.environ["TESSERA_SYMBOLIZER"] == taken


def test_the_line_is_that_of_the_file(tmp_path):
    file = tmp_path / "limits.cu"
    file.write_text(SOURCE)
    below = tessera.compile(file, "below", target="cpu")
    with pytest.raises(RuntimeError, match=r"limits\.cu:6: "):
        below[1](np.zeros(1, np.int32), 7)


def test_masked_arrays_are_refused():
    copy, y = tessera.compile(SOURCE, "copy", target="cpu"), np.zeros(16, np.float32)
    x = np.ma.masked_array(np.ones(16, np.float32), mask=[True] * 16)
    with pytest.raises(NotImplementedError, match="copy: argument 'x': an array with a mask"):
        copy[1](x, y, 16)
    copy[1](x.data, y, 16)
    assert y.sum() == 16


@pytest.mark.parametrize("grid", [np.int32(1), np.int64(1), (np.int32(1), 1), np.array([1, 1])])
def test_grids_of_numpy(grid):
    x = np.zeros(1, np.int32)
    tessera.compile(SOURCE, "below", target="cpu")[grid](x, 2)
    assert x[0] == 2


def test_a_kernel_that_is_not_there():
    with pytest.raises(tessera.CompileError) as error:
        tessera.compile(SOURCE, "belov", target="cpu")
    lines = str(error.value).split("\n")
    assert lines[0].startswith("kernel.cu: kernel 'belov': use of undeclared identifier 'belov'")
    assert "entry.cu" not in str(error.value) and str(error.value).count("belov'") <= 2


@pytest.mark.parametrize(
    "arguments, options, error, message",
    [
        ((SOURCE, ""), {}, ValueError, "it is empty"),
        ((SOURCE, None), {}, TypeError, "not NoneType"),
        ((SOURCE, "below"), {"options": "-DX=1"}, TypeError, r"\['-DX=1'\]"),
        ((SOURCE, "below"), {"target": "tpu"}, ValueError, "'tpu'"),
        ((5, "below"), {}, TypeError, "not int"),
    ],
)
def test_calls_that_name_nothing(arguments, options, error, message):
    with pytest.raises(error, match=message):
        tessera.compile(*arguments, **options)


@pytest.mark.parametrize("config", [(1, 2), ()])
def test_configurations_have_a_value_for_each_place(config):
    with pytest.raises(ValueError, match=f"1 placeholders, but .* has {len(config)} values"):
        tessera.autotune(SOURCE, "below<{}>", [config], lambda *_: 1)


def _launch_in_child(answers):
    x = np.zeros(1, np.int32)
    tessera.compile(SOURCE, "below", target="cpu")[64](x, 4)
    answers.put(int(x[0]))


@pytest.mark.skipif(sys.platform != "linux", reason="fork")
def test_launches_in_forked_children():
    _launch_in_child(multiprocessing.SimpleQueue())  # the parent's workers are there
    context = multiprocessing.get_context("fork")
    answers = context.SimpleQueue()
    children = [context.Process(target=_launch_in_child, args=(answers,)) for _ in range(3)]
    for child in children:
        child.start()
    for child in children:
        child.join(120)
        assert child.exitcode == 0
    assert [answers.get() for _ in children] == [4, 4, 4]
