# CHECK: 2 configurations, the best gives what NumPy gives
"""cuTile's search for the best configuration: its times are those of the emulator."""

import cuda.tile as ct
import numpy as np
from cuda.tile.tune import exhaustive_search


@ct.kernel
def add(x, y, T: ct.Constant[int]):
    i = ct.bid(0)
    ct.store(y, (i,), ct.load(x, (i,), (T,)) + 1)


x, y = np.arange(100, dtype=np.float32), np.zeros(100, np.float32)
found = exhaustive_search(
    [32, 64], 0, grid_fn=lambda size: (-(-100 // size),), kernel=add,
    args_fn=lambda size: (x, y, size),
)  # fmt: skip
assert (y == x + 1).all()
y[:] = 0
best = found.best
assert best.mean_us > 0
ct.launch(0, (-(-100 // best.config),), add, (x, y, best.config))
assert (y == x + 1).all()
print(len(found.successes), "configurations, the best gives what NumPy gives")
