"""Variants that are timed, and cells of notebooks."""

import numpy as np
import pytest

import tessera
from tessera import cache, magic, tuning

SOURCE = """
#include <cuda_tile.h>
namespace ct = cuda::tiles;
template <int Width> __tile_global__ void twice(const float *x, float *y, int n) {
  static_assert(Width > 1, "too narrow");
  auto i = ct::iota<ct::tile<int, ct::shape<Width>>>() + int(ct::bid().x) * Width;
  ct::store_masked(y + i, ct::load_masked(x + i, i < n, 0.0f) * 2.0f, i < n);
}
"""


def grid(width, _x, _y, n):
    return (n + width - 1) // width


@pytest.fixture
def times(monkeypatch):
    """Which variants are timed; the widest is the fastest."""
    timed = []

    def take(kernel, _grid, _stream, _arguments):
        timed.append(kernel.name)
        return 1.0 / int(kernel.name[6:-1])

    monkeypatch.setattr(tuning, "_time", take)
    return timed


def tuned(widths=(8, 32)):
    return tessera.autotune(SOURCE, "twice<{}>", widths, grid, target="cpu")


def test_the_fastest_is_kept(times):
    x, y = np.arange(100, dtype=np.float32), np.zeros(100, np.float32)
    first = tuned()
    first(x, y, 100)
    np.testing.assert_array_equal(y, 2 * x)
    assert times == ["twice<8>", "twice<32>"] and first.best(x, y, 100).name == "twice<32>"
    first[None](x, y, 101 - 1)
    first(x[:70], y[:70], 70)  # of the same kind
    assert len(times) == 2
    first(np.zeros(1000, np.float32), np.zeros(1000, np.float32), 1000)
    assert len(times) == 4

    tuned()(x, y, 100)  # known on the disk
    assert len(times) == 4
    (cache.root() / "tuned").rename(cache.root() / "elsewhere")
    tuned()(x, y, 100)
    assert len(times) == 6


def test_variants_that_do_not_compile(times):
    x, y = np.ones(9, np.float32), np.zeros(9, np.float32)
    tuned([1, 8])(x, y, 9)
    assert times == ["twice<8>"] and y.sum() == 18
    with pytest.raises(tessera.CompileError, match="too narrow"):
        tuned([1])(x, y, 9)
    for wrong in ([], [8, 8]):
        with pytest.raises(ValueError):
            tuned(wrong)


def test_arguments_are_checked():
    with pytest.raises(TypeError, match="argument 'x': an array of float64"):
        tuned([8])(np.ones(9), np.zeros(9, np.float32), 9)


def test_times_are_seconds():
    x, y = np.arange(100, dtype=np.float32), np.zeros(100, np.float32)
    kernel = tuned([8]).best(x, y, 100)
    assert 0 < tuning._time(kernel, (13,), None, (x, y, 100)) < 1


def test_kinds():
    kinds = [
        tuning._kind(value)
        for value in (
            *(np.zeros((4, 5)), np.zeros((4, 5), np.float32), np.zeros((4, 5)).T, np.zeros((4, 8))),
            *(3, 4, -3, 1.5, "a", None),
        )
    ]
    assert len(set(kinds)) == len(kinds)
    assert tuning._kind(np.zeros((5, 7))) == kinds[0] and tuning._kind(7) == tuning._kind(5)


def test_cells():
    class Shell:
        user_ns = {}

        def register_magic_function(self, function, kind, name):
            self.registered = function, kind, name

    shell = Shell()
    tessera.load_ipython_extension(shell)
    run, *how = shell.registered
    assert how == ["cell", "tessera"]
    run("twice<8> wide=twice<32> --target=cpu", SOURCE)
    x, y = np.ones(9, np.float32), np.zeros(9, np.float32)
    for name in ("twice", "wide"):
        y[:] = 0
        shell.user_ns[name][2](x, y, 9)
        assert y.sum() == 18
    for wrong in ("", "--target=cpu", "9=twice<8>"):
        with pytest.raises(ValueError):
            magic.cell(wrong, SOURCE, {})
