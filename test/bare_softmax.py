"""softmax of docs/user/python.md, which is named: on torch's tensors where there is a GPU, else on
NumPy's arrays. Prints True if it is right, and the times of an import, of a compile with empty
caches and of one more (test/bare_wheel.sh, test/gpu/wheel.sh)."""

import os
import pathlib
import subprocess
import sys
import tempfile
import time

import tessera


def page_program(folder):
    """The page's program, as a file."""
    text = pathlib.Path(sys.argv[1]).read_text().split("```cpp\n")[1].split("```")[0]
    file = pathlib.Path(folder) / "softmax.cu"
    file.write_text(text)
    return file


def seconds(act):
    start = time.perf_counter()
    result = act()
    return time.perf_counter() - start, result


def imported():
    subprocess.run([sys.executable, "-c", "import tessera"], check=True)


def is_right_on_gpu(softmax):
    import torch

    x = torch.randn(50, 100, device="cuda")
    y = torch.empty_like(x)
    softmax[50](x, y)
    return torch.allclose(y, torch.softmax(x, 1), rtol=1e-5)


def is_right_on_cpu(softmax):
    import numpy as np

    x = np.random.default_rng(0).standard_normal((50, 100), np.float32)
    y = np.empty_like(x)
    softmax[50](x, y)
    e = np.exp(x - x.max(axis=1, keepdims=True))
    return np.allclose(y, e / e.sum(axis=1, keepdims=True), rtol=1e-5)


def main():
    with tempfile.TemporaryDirectory() as folder:
        file = page_program(folder)
        os.environ["TESSERA_CACHE_DIR"] = os.path.join(folder, "cache")
        start, _ = min(seconds(imported) for _ in range(5))
        cold, softmax = seconds(lambda: tessera.compile(file, "softmax<128>"))
        is_right = is_right_on_gpu if softmax.target == "gpu" else is_right_on_cpu
        print(is_right(softmax))
        more, _ = seconds(lambda: tessera.compile(file, "softmax<256>"))
    print(f"took {start:.2f} s to import, {cold:.1f} s cold to compile, {more:.1f} s one more")


main()
