# targets: emulate cpu
# CHECK: 2 children are right
"""Processes that a program starts, in both ways, launch kernels, too."""

import multiprocessing

import cuda.tile as ct
import numpy as np


@ct.kernel
def double(x, y):
    t = ct.load(x, (0,), (16,))
    ct.store(y, (0,), t + t)


def launch(k):
    x = np.full(16, k, np.float32)
    y = np.zeros_like(x)
    ct.launch(0, (1,), double, (x, y))
    return float(y[0])


if __name__ == "__main__":
    assert launch(1) == 2
    for way in ("fork", "spawn"):
        with multiprocessing.get_context(way).Pool(1) as pool:
            assert pool.map(launch, [2, 3]) == [4, 6]
    print("2 children are right")
