#!/usr/bin/env python3
"""The peers of the samples on a GPU: Triton kernels, torch's own kernels, cuBLAS. Prints a line
each, or serves compare.py.

Timed as the samples time themselves: two launches to warm up, a hundred launches back to back
with an event between, the median. Nothing clears the cache; the sizes are larger than it.
"""

import statistics
import sys

import torch
import triton
import triton.language as tl

RUNS = 100
WARPS = (4, 8, 16)


def median_microseconds(launch):
    for _ in range(2):
        launch()
    torch.cuda.synchronize()
    events = [torch.cuda.Event(enable_timing=True) for _ in range(RUNS + 1)]
    events[0].record()
    for event in events[1:]:
        launch()
        event.record()
    torch.cuda.synchronize()
    return statistics.median(1e3 * a.elapsed_time(b) for a, b in zip(events, events[1:]))


def best(launch_with):
    """The fastest number of warps, as (microseconds, name)."""
    return min(
        (median_microseconds(lambda: launch_with(warps)), f"Triton, {warps} warps")
        for warps in WARPS
    )


@triton.jit
def add_kernel(a, b, c, n, TILE: tl.constexpr):
    at = tl.program_id(0).to(tl.int64) * TILE + tl.arange(0, TILE)
    inside = at < n
    tl.store(c + at, tl.load(a + at, mask=inside) + tl.load(b + at, mask=inside), mask=inside)


@triton.jit
def transpose_kernel(a, b, rows, columns, TILE: tl.constexpr):
    i = tl.program_id(1) * TILE + tl.arange(0, TILE)
    j = tl.program_id(0) * TILE + tl.arange(0, TILE)
    inside = (i[:, None] < rows) & (j[None, :] < columns)
    tile = tl.load(a + i[:, None] * columns + j[None, :], mask=inside)
    tl.store(
        b + j[:, None] * rows + i[None, :],
        tl.trans(tile),
        mask=(j[:, None] < columns) & (i[None, :] < rows),
    )


@triton.jit
def softmax_kernel(x, y, columns, WIDTH: tl.constexpr):
    start = tl.program_id(0).to(tl.int64) * columns
    at = tl.arange(0, WIDTH)
    logits = tl.load(x + start + at, mask=at < columns, other=-float("inf")).to(tl.float32)
    numerator = tl.exp(logits - tl.max(logits, 0))
    tl.store(
        y + start + at, (numerator / tl.sum(numerator, 0)).to(y.dtype.element_ty), mask=at < columns
    )


@triton.jit
def layer_norm_kernel(x, weight, bias, y, columns, epsilon, WIDTH: tl.constexpr):
    start = tl.program_id(0).to(tl.int64) * columns
    at = tl.arange(0, WIDTH)
    inside = at < columns
    values = tl.load(x + start + at, mask=inside, other=0.0).to(tl.float32)
    centred = tl.where(inside, values - tl.sum(values, 0) / columns, 0.0)
    scale = tl.rsqrt(tl.sum(centred * centred, 0) / columns + epsilon)
    weights = tl.load(weight + at, mask=inside).to(tl.float32)
    biases = tl.load(bias + at, mask=inside).to(tl.float32)
    tl.store(
        y + start + at, (centred * scale * weights + biases).to(y.dtype.element_ty), mask=inside
    )


def vector_add(n):
    a, b = torch.randn(n, device="cuda"), torch.randn(n, device="cuda")
    c = torch.empty_like(a)
    yield best(
        lambda warps: add_kernel[(triton.cdiv(n, 256 * warps),)](
            a, b, c, n, 256 * warps, num_warps=warps
        )
    )
    yield median_microseconds(lambda: torch.add(a, b, out=c)), "torch"


def transpose(rows, columns):
    a = torch.randn(rows, columns, device="cuda")
    b = torch.empty(columns, rows, device="cuda")
    grid = (triton.cdiv(columns, 64), triton.cdiv(rows, 64))
    yield best(lambda warps: transpose_kernel[grid](a, b, rows, columns, 64, num_warps=warps))
    yield median_microseconds(lambda: b.copy_(a.t())), "torch"


def softmax(rows, columns):
    x = torch.randn(rows, columns, device="cuda", dtype=torch.bfloat16)
    y = torch.empty_like(x)
    width = triton.next_power_of_2(columns)
    yield best(lambda warps: softmax_kernel[(rows,)](x, y, columns, width, num_warps=warps))
    yield median_microseconds(lambda: torch.softmax(x, -1)), "torch"


def layer_norm(rows, columns):
    x = torch.randn(rows, columns, device="cuda", dtype=torch.bfloat16)
    weight, bias = (torch.randn(columns, device="cuda", dtype=torch.bfloat16) for _ in range(2))
    y = torch.empty_like(x)
    width = triton.next_power_of_2(columns)
    yield best(
        lambda warps: layer_norm_kernel[(rows,)](
            x, weight, bias, y, columns, 1e-5, width, num_warps=warps
        )
    )
    yield median_microseconds(
        lambda: torch.nn.functional.layer_norm(x, (columns,), weight, bias)
    ), "torch"


def matmul(m, n, k):
    a = torch.rand(m, k, device="cuda").mul_(2).sub_(1).to(torch.bfloat16)
    b = torch.rand(k, n, device="cuda").mul_(2).sub_(1).to(torch.bfloat16)
    c = torch.empty(m, n, device="cuda", dtype=torch.bfloat16)
    yield median_microseconds(lambda: torch.mm(a, b, out=c)), "cuBLAS"


# The work of the table: name, sizes, and how many 10^9 units per second a microsecond means.
WORK = [
    ("vector_add", (1 << 28,), lambda n: (12 * n, "GB/s")),
    ("transpose", (8192, 8192), lambda m, n: (8 * m * n, "GB/s")),
    ("softmax", (16384, 4096), lambda m, n: (4 * m * n, "GB/s")),
    ("softmax", (65536, 1000), lambda m, n: (4 * m * n, "GB/s")),
    ("layer_norm", (16384, 4096), lambda m, n: (4 * m * n, "GB/s")),
    ("layer_norm", (65536, 1024), lambda m, n: (4 * m * n, "GB/s")),
    ("matmul", (4096, 4096, 4096), lambda m, n, k: (2e-3 * m * n * k, "TFLOP/s")),
    ("matmul", (8192, 8192, 8192), lambda m, n, k: (2e-3 * m * n * k, "TFLOP/s")),
]


def measure(name, sizes):
    return list(globals()[name](*sizes))


def main():
    print(torch.cuda.get_device_name(), "torch", torch.__version__, "Triton", triton.__version__)
    for name, sizes, figure in WORK:
        amount, unit = figure(*sizes)
        for microseconds, peer in measure(name, sizes):
            print(
                f"{name} {'x'.join(map(str, sizes))} {peer}: {microseconds:.1f} us, "
                f"{amount / microseconds * 1e-3:.1f} {unit}",
                flush=True,
            )


if __name__ == "__main__":
    sys.exit(main())
