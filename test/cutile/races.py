# status: 86
"""Two blocks write different values to one element: a report at the line of the program, and a
status."""

import cuda.tile as ct
import numpy as np

ConstInt = ct.Constant[int]


@ct.kernel
def last_wins(y, T: ConstInt):
    mine = ct.full((T,), ct.bid(0), ct.int32)
    ct.store(y, (0,), mine)
    # CHECK: race in global memory: kernel last_wins, {{.*}} writes {{.*}}races.py:[[# @LINE - 1]];


y = np.zeros(16, np.int32)
ct.launch(0, (2,), last_wins, (y, 16))
print("the program goes on")
# CHECK: the program goes on
# CHECK: tessera emulator: {{[0-9]+}} reports
