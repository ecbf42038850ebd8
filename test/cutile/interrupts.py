# targets: emulate cpu
# CHECK: tessera: interrupted when the kernel has ended; interrupt again to end the program
# CHECK-NEXT: ended by signal 2
"""SIGINT while a kernel runs that does not end: Python would only hear of it afterwards, so another
one ends the program."""

import os
import signal
import subprocess
import sys

import cuda.tile as ct
import numpy as np


@ct.kernel
def wait(flag):
    going = True
    while going:
        going = ct.atomic_cas(flag, (0,), 1, 0) == 0


def launch(value):
    ct.launch(0, (1,), wait, (np.full(1, value, np.int32),))


if sys.argv[1:] == ["child"]:
    launch(1)
    os.write(1, b"compiled\n")
    launch(0)
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background jobs ignore it
with subprocess.Popen(
    [sys.executable, __file__, "child"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
) as child:
    assert child.stdout.readline() == "compiled\n"
    try:
        child.wait(1)
    except subprocess.TimeoutExpired:
        child.send_signal(signal.SIGINT)
    print(child.stderr.readline(), end="")
    child.send_signal(signal.SIGINT)
    print("ended by signal", -child.wait(20))
