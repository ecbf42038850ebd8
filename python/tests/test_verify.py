"""kernel.verify: one launch on the CPU and under the emulator, compared."""

import numpy as np
import pytest
from conftest import KERNELS

import tessera

# Each block adds to what is there: an order that the program leaves open.
RACE = """
#include <cuda_tile.h>
namespace ct = cuda::tiles;
__tile_global__ void last(int *out) {
  auto i = ct::iota<ct::tile<int, ct::shape<8>>>();
  ct::store(out + i, i * 0 + int(ct::bid().x));
}
"""


def test_targets_agree():
    x, y = np.arange(24, dtype=np.float32).reshape(4, 6), np.zeros((4, 6), np.float32)
    found = tessera.compile(KERNELS, "copy<float>", target="cpu").verify(
        x.T, y.T, grid=(2, 1), ulps=0
    )
    assert found and found.agrees, found.text
    (launch,) = found.findings
    assert (launch["blocks"], launch["different"], launch["kernel"]) == (2, 0, "copy<float>")
    assert launch["elements"] >= 16 and not y.any(), "the arguments are copies"


def test_a_race_is_found_at_its_line():
    found = tessera.compile(RACE, "last", target="cpu").verify(np.zeros(8, np.int32), grid=7)
    assert not found
    assert any("race in global memory" in report for report in found.reports), found.text
    assert any("kernel.cu:6" in report for report in found.reports), found.text
    for difference in found.differences:  # which there are where the last block is another
        assert difference["name"] == "out" and "kernel.cu:6" in difference["line"]


def test_what_is_refused():
    kernel = tessera.compile(KERNELS, "scale", target="cpu")
    x = np.zeros(64, np.float32)
    with pytest.raises(TypeError, match="takes 4 arguments, 2 are given"):
        kernel.verify(x, x, grid=1)
    with pytest.raises(ValueError, match="one to three extents"):
        kernel.verify(x, x, 64, 2.0, grid=0)
    with pytest.raises(TypeError, match="argument 'y': an array of float64, but an array of float"):
        kernel.verify(x, x.astype(np.float64), 64, 2.0, grid=1)
    with pytest.raises(TypeError, match="argument 'x': int, but"):
        kernel.verify(7, x, 64, 2.0, grid=1)
