"""What the tests share: a cache of their own, the kernels that several of them launch, and where
they run: tests of the GPU (marked gpu) are for machines that have one, with torch."""

import importlib
import os

import numpy as np
import pytest

import tessera

# With one of them a test that takes `target` runs on each.
TARGETS = ["cpu", pytest.param("gpu", marks=pytest.mark.gpu)]

KERNELS = """
#include <cuda_tile.h>
#include <tessera/interop/tensor_span.h>
namespace ct = cuda::tiles;
using namespace ct::literals;
template <class T, int N> using array = cuda::interoperable_array_descriptor<T, N>;

// y = x, by elements, whatever the strides.
template <class T> __tile_global__ void copy(array<const T, 2> x, array<T, 2> y) {
  auto from = ct::partition_view{ct::tensor_span{x}, ct::shape{4_ic, 4_ic}};
  auto to = ct::partition_view{ct::tensor_span{y}, ct::shape{4_ic, 4_ic}};
  auto [row, column, _] = ct::bid();
  to.store_masked(from.load_masked(row, column), row, column);
}
// y = factor * x, for n elements.
__tile_global__ void scale(const float *x, float *y, int n, float factor) {
  auto i = ct::iota<ct::tile<int, ct::shape<64>>>() + int(ct::bid().x) * 64;
  ct::store_masked(y + i, ct::load_masked(x + i, i < n, 0.0f) * factor, i < n);
}
"""


def library(name):
    """The module of a library that the tests of its arrays need. Where test/libraries.sh has
    installed them, as test/run.sh does, a missing one is an error; elsewhere its tests are
    skipped."""
    if os.environ.get("TESSERA_TEST_LIBRARIES"):
        return importlib.import_module(name)
    return pytest.importorskip(name)


def pytest_configure(config):
    config.addinivalue_line("markers", "gpu: needs a GPU, and torch")
    config.addinivalue_line("markers", "long: for test/nightly.sh (-m long)")


def why_no_gpu():
    # Tests whose kernels are only to be compiled (test/gpu/python/build.sh) end where they launch.
    if os.environ.get("TESSERA_TEST_COMPILES_FOR_GPU"):
        return None
    if not tessera.kernel._has_gpu():
        return "no GPU here"
    try:
        import torch
    except ImportError:
        return "no torch here"
    return None if torch.cuda.is_available() else "torch sees no GPU"


def pytest_collection_modifyitems(items):
    marked = [item for item in items if item.get_closest_marker("gpu")]
    if marked and (reason := why_no_gpu()):
        for item in marked:
            item.add_marker(pytest.mark.skip(reason=reason))


class Bytes:
    """Zeros that a kernel of the target writes, aligned to 64, and what they are then."""

    def __init__(self, target, size):
        if target == "gpu":
            import torch

            self.array = torch.zeros(size, dtype=torch.uint8, device="cuda")
        else:
            memory = np.zeros(size + 64, np.uint8)
            start = -memory.ctypes.data % 64
            self.array = memory[start : start + size]

    def __bytes__(self):
        return bytes(self.array.cpu().numpy() if hasattr(self.array, "cpu") else self.array)


def pytest_unconfigure(config):
    """The last line is what test/run.sh reads."""
    if reporter := config.pluginmanager.get_plugin("terminalreporter"):
        count = {key: len(reporter.stats.get(key, [])) for key in ("passed", "failed", "error")}
        print(f"{count['passed']} passed, {count['failed'] + count['error']} failed")


@pytest.fixture(scope="session", autouse=True)
def cache_folder(tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        folder = tmp_path_factory.mktemp("cache")
        # The precompiled headers stay where they are.
        patch.setenv("TESSERA_PYTHON_CACHE_DIR", str(folder))
        yield folder


@pytest.fixture(scope="session", autouse=True)
def quick_builds():
    """The compiler of the texts does not optimize, which takes longer than all else. What tests
    start as programs of their own builds as users do."""
    run = tessera.tool.run

    def run_quickly(arguments, what):
        if arguments[0] == "build" and "--target=cpu" in arguments:
            arguments = ["build", "-O0", *arguments[1:]]
        return run(arguments, what)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tessera.tool, "run", run_quickly)
        yield


@pytest.fixture(scope="session")
def copy():
    return tessera.compile(KERNELS, "copy<float>", target="cpu")


@pytest.fixture(scope="session")
def scale():
    return tessera.compile(KERNELS, "scale", target="cpu")
