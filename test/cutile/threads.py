# targets: emulate cpu
# CHECK: 4 threads are right
"""Threads that launch kernels on arrays that they have in common."""

import threading

import cuda.tile as ct
import numpy as np


@ct.kernel
def double(x, y):
    t = ct.load(x, (ct.bid(0),), (16,))
    ct.store(y, (ct.bid(0),), t + t)


x = np.arange(64, dtype=np.float32)
results = [np.zeros_like(x) for _ in range(4)]


def launch(y):
    for _ in range(20):
        ct.launch(0, (4,), double, (x, y))


threads = [threading.Thread(target=launch, args=(y,)) for y in results]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
assert all((y == 2 * x).all() for y in results)
print(len(threads), "threads are right")
