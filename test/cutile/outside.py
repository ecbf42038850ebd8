# status: 86
"""A kernel that promises to stay inside, and does not: reported, and not done. The array is a view:
what lies behind it belongs to the program."""

import cuda.tile as ct
import numpy as np

ConstInt = ct.Constant[int]


@ct.kernel
def fill(y, T: ConstInt):
    places = ct.bid(0) * T + ct.arange(T, dtype=ct.int32)
    value = ct.full((T,), 1.0, ct.float32)
    ct.scatter(y, places, value, check_bounds=False)
    # CHECK: 0 bytes behind the 160 bytes {{.*}}outside.py:[[# @LINE - 1]];


whole = np.full(64, 7, np.float32)
ct.launch(0, (3,), fill, (whole[:40], 16))
assert (whole[:40] == 1).all()
print("the element behind is", int(whole[40]))
# CHECK: the element behind is 7
