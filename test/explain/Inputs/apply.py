#!/usr/bin/env python3
"""usage: apply.py PROGRAM REMARKS: the program with what its remarks say to write, behind the line
that has "// facts"."""
import pathlib
import re
import sys

program, remarks = (pathlib.Path(name).read_text() for name in sys.argv[1:])
lines = dict.fromkeys(re.findall(r" write (\w+ = ct::.*)", remarks))
print(program.replace("// facts", "\n".join(f"  {line};" for line in lines)))
