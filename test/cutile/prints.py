# targets: emulate cpu
# door: module
# CHECK: before
# CHECK: tile: {{.*}}3
# CHECK: after
"""What kernels print stands between what the program prints, through python -m tessera.cutile."""

import cuda.tile as ct
import numpy as np


@ct.kernel
def show(x):
    ct.print("tile:", ct.load(x, (0,), (4,)))


print("before")
ct.launch(0, (1,), show, (np.arange(4, dtype=np.int32),))
print("after")
