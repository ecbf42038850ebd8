#!/usr/bin/env python3
"""A tile kernel between CuPy's own: in one stream, on CuPy's arrays, without a copy.

Needs a GPU and CuPy (pip install cupy-cuda13x, or cupy-cuda12x).

    with_cupy.py [ROWS COLUMNS]
"""

import sys

from rms_norm import check, inputs, rms_norm

try:
    import cupy
except ImportError:
    sys.exit("with_cupy.py needs a GPU and CuPy: pip install cupy-cuda13x")


def main():
    rows, columns = map(int, sys.argv[1:3]) if len(sys.argv) > 2 else (100, 1000)
    x, weight = inputs(rows, columns)
    with cupy.cuda.Stream(non_blocking=True) as stream:
        doubled = 2 * cupy.asarray(x)  # CuPy's kernel comes first
        y = cupy.empty_like(doubled)
        rms_norm(doubled, cupy.asarray(weight), y)  # in CuPy's current stream
        total = y.sum()  # CuPy's comes last; nothing has waited for the GPU yet
        rms_norm(doubled, cupy.asarray(weight), y, stream)  # the same, with the stream named
        stream.synchronize()
        check(y.get(), 2 * x, weight)
    print(f"rms_norm {rows}x{columns}: right, with CuPy; sum {float(total):.3f}")


if __name__ == "__main__":
    main()
