#!/usr/bin/env python3
"""bf16 products at the shapes of language models: the program beside this file, cuBLAS (both timed
by the program) and Triton, each at its fastest tile, in one run. A line for each shape with the
ratio to the best peer, then their geometric mean and the least.

usage: compare.py PROGRAM [SHAPE...]      PROGRAM: main.cu, built as its head says
"""

import concurrent.futures
import math
import multiprocessing
import os
import re
import statistics
import subprocess
import sys

import torch
import triton
import triton.language as tl

SHAPES = [
    "4096x14336x4096",
    "2048x16384x4096",
    "4096x4096x14336",
    "8192x1024x8192",
    "4096x6144x4096",
    "512x4096x4096",
    "256x8192x28672",
    "128x11008x4096",
    "64x4096x4096",
    "32x14336x4096",
    "16x4096x4096",
    "1x8192x8192",
    "1000x777x513",
    "8191x8191x8191",
    "4096x128256x4096",
    "experts:1536:2048",
]
EXPERTS = 128
LINE = re.compile(r"^(\S+) +(Tessera|cuBLAS) +([\d.]+) us +([\d.]+) TFLOP/s +(.*)$")

# rows, columns, depth, stages, warps, parts along K
TILES = [
    (128, 256, 64, 3, 8, 1),
    (256, 128, 64, 3, 8, 1),
    (128, 256, 64, 4, 8, 1),
    (128, 128, 64, 4, 4, 1),
    (128, 128, 64, 3, 8, 1),
    (64, 256, 64, 4, 4, 1),
    (64, 128, 64, 4, 4, 1),
    (64, 64, 64, 5, 4, 1),
    (128, 128, 64, 4, 4, 4),
    (64, 128, 64, 4, 4, 4),
    (64, 64, 128, 4, 4, 4),
    (64, 64, 128, 4, 4, 8),
    (16, 128, 128, 4, 4, 4),
    (16, 64, 128, 5, 4, 8),
    (16, 64, 256, 3, 4, 8),
]


@triton.jit
def product_kernel(
    a, b, c, m, n, k, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr, PARTS: tl.constexpr
):
    rows, columns = tl.cdiv(m, M), tl.cdiv(n, N)
    number = tl.program_id(0)
    first = number // (8 * columns) * 8
    band = min(rows - first, 8)
    row = first + number % (8 * columns) % band
    column = number % (8 * columns) // band
    i = (row * M + tl.arange(0, M)) % m
    j = (column * N + tl.arange(0, N)) % n
    part = tl.program_id(1)
    at_k = part * K + tl.arange(0, K)
    a += i[:, None].to(tl.int64) * k + at_k[None, :]
    b += at_k[:, None].to(tl.int64) * n + j[None, :]
    total = tl.zeros((M, N), dtype=tl.float32)
    for step in range(0, tl.cdiv(k, K * PARTS)):
        left = k - step * K * PARTS - part * K
        x = tl.load(a, mask=tl.arange(0, K)[None, :] < left, other=0.0)
        y = tl.load(b, mask=tl.arange(0, K)[:, None] < left, other=0.0)
        total = tl.dot(x, y, total)
        a += K * PARTS
        b += tl.cast(n, tl.int64) * K * PARTS
    i = row * M + tl.arange(0, M)
    j = column * N + tl.arange(0, N)
    c += i[:, None].to(tl.int64) * n + j[None, :]
    inside = (i[:, None] < m) & (j[None, :] < n)
    if PARTS == 1:
        tl.store(c, total.to(tl.bfloat16), mask=inside)
    else:
        tl.store(c + part.to(tl.int64) * m * n, total, mask=inside)


@triton.jit
def sum_kernel(parts_, c, count, PARTS: tl.constexpr, WIDTH: tl.constexpr):
    at = tl.program_id(0) * WIDTH + tl.arange(0, WIDTH)
    total = tl.zeros((WIDTH,), dtype=tl.float32)
    for part in range(PARTS):
        total += tl.load(parts_ + part * count + at, mask=at < count)
    tl.store(c + at, total.to(tl.bfloat16), mask=at < count)


@triton.jit
def experts_kernel(
    x, w, y, first_row, expert_of, tile_of, n, k, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr
):
    expert = tl.load(expert_of + tl.program_id(1))
    tile = tl.load(tile_of + tl.program_id(1))
    begin = tl.load(first_row + expert)
    end = tl.load(first_row + expert + 1)
    i = begin + tile * M + tl.arange(0, M)
    j = tl.program_id(0) * N + tl.arange(0, N)
    at_k = tl.arange(0, K)
    a = x + i[:, None].to(tl.int64) * k + at_k[None, :]
    b = w + expert.to(tl.int64) * n * k + at_k[:, None].to(tl.int64) * n + j[None, :]
    total = tl.zeros((M, N), dtype=tl.float32)
    for step in range(0, tl.cdiv(k, K)):
        left = at_k + step * K < k
        total = tl.dot(
            tl.load(a, mask=(i[:, None] < end) & left[None, :], other=0.0),
            tl.load(b, mask=left[:, None] & (j[None, :] < n), other=0.0),
            total,
        )
        a += K
        b += K * n
    tl.store(
        y + i[:, None].to(tl.int64) * n + j[None, :],
        total.to(tl.bfloat16),
        mask=(i[:, None] < end) & (j[None, :] < n),
    )


class Recorded:
    """Launches of a piece of work as one graph, as timing.h has them."""

    def __init__(self, launch, launches):
        self.launches = launches
        self.graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(self.graph):
            for number in range(launches):
                launch(number)

    def microseconds(self, replays):
        times = []
        for _ in range(replays):
            begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
            begin.record()
            self.graph.replay()
            end.record()
            end.synchronize()
            times.append(1e3 * begin.elapsed_time(end) / self.launches)
        return statistics.median(times)


def launches_for(microseconds, copies):
    wanted = int(min(max(4000 / microseconds, 1), 400))
    return -(-wanted // copies) * copies


def numbers(*shape):
    """As main.cu's: from -1 up to 1, of 8 bits."""
    return (torch.randint(0, 256, shape, device="cuda").float() / 128 - 1).to(torch.bfloat16)


def fastest(ways, copies, result, expected):
    """(microseconds, name) of the fastest way whose result is right."""
    best = None
    for name, launch in ways:
        try:
            result.fill_(float("nan"))
            launch(0)
            for number in range(1, copies):  # alignments that are compiled for
                launch(number)
            torch.cuda.synchronize()
            wrong = (result.float() - expected).abs() > 0.005 * expected.abs() + 0.01
            if bool(wrong.any()) or bool(result.isnan().any()):
                print(f"WRONG: Triton {name}", flush=True)
                continue
            once = Recorded(launch, copies).microseconds(1)
            time = Recorded(launch, launches_for(once, copies)).microseconds(3)
            if best is None or time < best[0]:
                best = (time, name, launch, once)
        except triton.runtime.errors.OutOfResources:
            pass
    if best is None:
        return math.inf, "none"
    time, name, launch, once = best
    return Recorded(launch, launches_for(once, copies)).microseconds(7), name


def product(m, n, k):
    size = 2 * (m * k + k * n + m * n)
    copies = min(max((200 << 20) // size, 1), 64)
    a, b = ([numbers(*shape) for _ in range(copies)] for shape in ((m, k), (k, n)))
    c = [torch.empty(m, n, device="cuda", dtype=torch.bfloat16) for _ in range(copies)]
    expected = torch.cat([x.float() @ b[0].float() for x in a[0].split(2048)])
    sums = torch.empty(8 * m * n if m * n <= 1 << 22 else 1, device="cuda")

    def way(M, N, K, stages, warps, parts):
        def launch(number):
            at = number % copies
            product_kernel[(triton.cdiv(m, M) * triton.cdiv(n, N), parts)](
                a[at], b[at], c[at] if parts == 1 else sums, m, n, k, M, N, K, parts,
                num_stages=stages, num_warps=warps,
            )  # fmt: skip
            if parts > 1:
                sum_kernel[(triton.cdiv(m * n, 1024),)](sums, c[at], m * n, parts, 1024)

        return f"{M}x{N}x{K} {stages} stages {warps} warps {parts} parts", launch

    ways = [way(*tile) for tile in TILES if is_sensible(m, n, *tile)]
    return fastest(ways, copies, c[0], expected)


def rows_of_experts():
    first, seed = [0], 1
    for _ in range(EXPERTS):
        seed = (seed * 1664525 + 1013904223) % (1 << 32)
        first.append(first[-1] + 7 + (seed >> 8) % 294)
    return first


def experts(n, k):
    first = rows_of_experts()
    rows = first[-1]
    x, w = numbers(rows, k), numbers(EXPERTS, k, n)
    y = torch.empty(rows, n, device="cuda", dtype=torch.bfloat16)
    expected = torch.cat(
        [x[i:j].float() @ w[e].float() for e, (i, j) in enumerate(zip(first, first[1:]))]
    )
    first_row = torch.tensor(first, device="cuda", dtype=torch.int32)

    def way(M, N, K, stages, warps):
        of = [(e, t) for e in range(EXPERTS) for t in range(-(-(first[e + 1] - first[e]) // M))]
        expert_of, tile_of = (
            torch.tensor(column, device="cuda", dtype=torch.int32) for column in zip(*of)
        )

        def launch(_):
            experts_kernel[(triton.cdiv(n, N), len(of))](
                x, w, y, first_row, expert_of, tile_of, n, k, M, N, K,
                num_stages=stages, num_warps=warps,
            )  # fmt: skip

        return f"{M}x{N}x{K} {stages} stages {warps} warps", launch

    tiles = [tile[:5] for tile in TILES if tile[5] == 1]
    return fastest([way(*tile) for tile in tiles], 1, y, expected)


def is_sensible(m, n, M, N, K, stages, warps, parts):
    """As main.cu's: neither thousands of small tiles nor tiles that are mostly empty."""
    tiles = triton.cdiv(m, M) * triton.cdiv(n, N)
    return (
        (M <= 64 or M < 2 * m)
        and (M > 16 or m <= 16)
        and (tiles <= 8192 or M * N >= 128 * 128)
        and (parts == 1 or (m * n <= 1 << 22 and tiles <= 400))
    )


def compile_ahead(work):
    """Fills Triton's cache, in a process of its own."""
    kernel, arguments, stages, warps = work
    try:
        globals()[kernel].warmup(*arguments, grid=(1,), num_stages=stages, num_warps=warps)
    except Exception as error:  # it will be met again when it is measured
        print(f"{kernel} {arguments[-4:]}: {str(error)[:200]}", flush=True)


def kernels_of(shapes):
    """What compile_ahead takes, once for sizes that Triton does not tell apart."""
    half, single, number = torch.bfloat16, torch.float32, torch.int32
    seen = {}
    for shape in shapes:
        if shape.startswith("experts:"):
            n, k = map(int, shape.split(":")[1:])
            for *tile, stages, warps, parts in TILES:
                if parts == 1:
                    arguments = (half, half, half, number, number, number, n, k, *tile)
                    seen[shape, *tile, stages, warps] = ("experts_kernel", arguments, stages, warps)
            continue
        m, n, k = map(int, shape.split("x"))
        for tile in TILES:
            if is_sensible(m, n, *tile):
                *sides, stages, warps, parts = tile
                out = half if parts == 1 else single
                key = tuple((x == 1, x % 16 == 0) for x in (m, n, k)), tile
                arguments = (half, half, out, m, n, k, *sides, parts)
                seen[key] = ("product_kernel", arguments, stages, warps)
    return list(seen.values())


def triton_time(shape):
    torch.cuda.empty_cache()
    if shape.startswith("experts:"):
        return experts(*map(int, shape.split(":")[1:]))
    return product(*map(int, shape.split("x")))


def main():
    program, *shapes = sys.argv[1:]
    torch.backends.cuda.matmul.allow_tf32 = False
    print(f"{torch.cuda.get_device_name()}, torch {torch.__version__}, Triton {triton.__version__}")
    shapes = shapes or SHAPES
    context = multiprocessing.get_context("spawn")
    with concurrent.futures.ProcessPoolExecutor(min(os.cpu_count(), 12), context) as pool:
        list(pool.map(compile_ahead, kernels_of(shapes)))
    ratios = []
    for shape in shapes:
        process = subprocess.run([program, shape], capture_output=True, text=True)
        found = {m[2]: m for m in map(LINE.match, process.stdout.splitlines()) if m}
        for line in process.stdout.splitlines():
            if not LINE.match(line):
                print(line)
        if process.returncode != 0:
            print(f"{shape}: exit status {process.returncode} {process.stderr.strip()[-200:]}")
        if len(found) < 2:
            continue
        ours, cublas = found["Tessera"], found["cuBLAS"]
        operations = float(ours[3]) * float(ours[4])
        time, name = triton_time(shape)
        peer = min(time, float(cublas[3]))
        ratios.append(peer / float(ours[3]))
        print(
            f"{shape:20s} Tessera {float(ours[3]):9.2f} us {float(ours[4]):6.1f} TFLOP/s"
            f"  cuBLAS {float(cublas[3]):9.2f} {float(cublas[4]):6.1f}"
            f"  Triton {time:9.2f} {operations / time:6.1f}"
            f"  {100 * ratios[-1]:5.1f} % of the best  [{ours[5]}; {cublas[5]}; {name}]",
            flush=True,
        )
    if ratios:
        mean = math.exp(statistics.fmean(map(math.log, ratios)))
        print(f"geometric mean {100 * mean:.1f} %, least {100 * min(ratios):.1f} %")


if __name__ == "__main__":
    sys.exit(main())
