"""%%tessera: kernels in a cell of Jupyter.

    %load_ext tessera

    %%tessera softmax<128> exp2<64>
    #include <cuda_tile.h>
    ...

compiles the cell and leaves the kernels in the notebook's names (softmax, exp2). `name=kernel`
gives another name; words that begin with - are options of the program tessera, `--target=cpu` among
them.
"""

import re
import shlex

from .kernel import compile

_HELP = "%%tessera KERNEL... : the kernels of the cell, as in %%tessera softmax<128>"


def cell(line, body, names):
    """Compiles the cell; names gets the kernels."""
    target, options, wanted = None, [], []
    for word in shlex.split(line):
        if word.startswith("--target="):
            target = word.split("=", 1)[1]
        elif word.startswith("-"):
            options.append(word)
        else:
            wanted.append(word)
    if not wanted:
        raise ValueError(_HELP)
    body = body if body.endswith("\n") else body + "\n"  # which tells it from a path
    for word in wanted:
        name, _, kernel = word.rpartition("=")
        name = name or re.split(r"[<(]", kernel)[0].split("::")[-1]
        if not name.isidentifier():
            raise ValueError(f"{name!r} is not a name; write NAME={kernel}")
        names[name] = compile(body, kernel, target=target, options=options)


def load_ipython_extension(shell):
    """%load_ext tessera"""
    shell.register_magic_function(
        lambda line, body: cell(line, body, shell.user_ns), "cell", "tessera"
    )
