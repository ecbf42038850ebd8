# targets: emulate cpu
# status: 1
"""A failed assertion: the launch is an error of the program, with the line in its text."""

import cuda.tile as ct
import numpy as np

ConstInt = ct.Constant[int]


@ct.kernel
def roots(x, y, T: ConstInt):
    t = ct.load(x, (0,), (T,))
    ct.assert_(t >= 0, "negative")
    # CHECK: assertion.py:[[# @LINE - 1]]: Assertion `negative' failed. [kernel roots, block (0, 0, 0)
    ct.store(y, (0,), ct.sqrt(t))


x = np.array([4, 9, -1, 16], np.float32)
ct.launch(0, (1,), roots, (x, np.zeros(4, np.float32), 4))
# CHECK: assertion.py", line [[# @LINE - 1]], in <module>
# CHECK: RuntimeError: {{.*}}: device-side assert triggered: {{.*}}: Assertion `negative' failed.
