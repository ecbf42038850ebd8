# targets: emulate cpu
# options: --timeout=20
# status: 124
# CHECK: tessera: the program did not end within 20 seconds
# CHECK: tessera: kernel wait: 0 of 1 blocks have ended
"""A kernel that never ends: --timeout ends the program, and says where it was."""

import cuda.tile as ct
import numpy as np


@ct.kernel
def wait(flag):
    going = True
    while going:
        going = ct.atomic_cas(flag, (0,), 1, 0) == 0


ct.launch(0, (1,), wait, (np.zeros(1, np.int32),))
