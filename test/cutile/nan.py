# targets: emulate cpu
# options: --check=nan
# status: 86
"""The first NaN that a kernel computes, with --check=nan."""

import cuda.tile as ct
import numpy as np

ConstInt = ct.Constant[int]


@ct.kernel
def logarithms(x, y, T: ConstInt):
    t = ct.load(x, (0,), (T,))
    ct.store(y, (0,), ct.log(t))
    # CHECK: nan.py:[[# @LINE - 1]]: tessera check: the log makes a value a NaN


x = np.array([4, 9, -1, 16], np.float32)
ct.launch(0, (1,), logarithms, (x, np.zeros(4, np.float32), 4))
# CHECK: RuntimeError: {{.*}}nan.py:{{.*}}element [2] [kernel logarithms, block (0, 0, 0)]
