# targets: emulate cpu
# arguments: first --second
# status: 3
# CHECK: ['first', '--second'] __main__ exits.py
"""The program is Python's main program: its arguments, its status."""

import os
import sys

print(sys.argv[1:], __name__, os.path.basename(__file__))
assert os.path.samefile(sys.path[0], os.path.dirname(__file__)), sys.path
sys.exit(3)
