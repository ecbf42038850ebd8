#!/usr/bin/env python3
"""TileGym's matrix products at the shapes of its own benchmarks and with its default tiles, as
images of two compilers, one beside the other: matmul, persistent_matmul, bmm and the experts of
moe. Neither TileGym's Python nor a compiler is needed where they run.

usage: tilegym.py build TILEGYM FOLDER NAME COMPILER...
       tilegym.py run FOLDER NAME OTHER

`build` compiles every kernel to FOLDER/NAME; COMPILER is a command that takes nvcc's options, with
those that choose images and the GPU: `tessera-nvcc --tilecubin --tile-only -std=c++20 -arch=sm_90a`
`run` launches NAME's and OTHER's as TileGym does, with blocks of 1, holds the results against
torch's, and prints the time of each, in microseconds, and how much faster NAME's is.
"""

import concurrent.futures
import ctypes
import itertools
import math
import pathlib
import statistics
import subprocess
import sys
import time

PROCESSORS = 132  # of the GPU that persistent grids are for
TYPES = {"f16": "__half", "e5m2": "__nv_fp8_e5m2"}


def said(x):
    return str(x).lower() if isinstance(x, bool) else str(x)


class Case:
    """A kernel with its template arguments, its grid, and what it computes."""

    def __init__(self, title, header, kernel, arguments, signature, grid, **facts):
        self.title, self.header, self.grid, self.facts = title, header, grid, facts
        self.arguments, self.kernel = ", ".join(map(said, arguments)), kernel
        self.signature = signature

    @property
    def source(self):
        return (
            f'#include "{self.header}"\n'
            f"template __tile_global__ void {self.kernel}<{self.arguments}>({self.signature});\n"
        )

    @property
    def file(self):
        return self.title.replace(" ", "-").replace(",", "") + ".cubin"


def ceil_div(a, b):
    return -(-a // b)


def matmul_cases():
    for type_name, size in itertools.product(TYPES, (1024, 2048, 4096, 8192)):
        t = TYPES[type_name]
        tile, tiles = (256, 256, 64), ceil_div(size, 256) ** 2
        signature = f"const {t}*, const {t}*, {t}*"
        facts = dict(kind="matmul", type=type_name, size=size)
        yield Case(
            f"matmul {type_name} {size}", "matmul.cuh", "matmul_kernel",
            (t, size, size, size, *tile, 8, size // 64, False, False, 1, 1), signature,
            (tiles, 1), **facts,
        )  # fmt: skip
        yield Case(
            f"persistent_matmul {type_name} {size}", "persistent_matmul.cuh",
            "static_persistent_matmul_kernel",
            (t, size, size, size, *tile, 8, False, False, 1, 1), signature,
            (min(PROCESSORS, tiles), 1), **facts,
        )  # fmt: skip


def bmm_cases():
    t = TYPES["f16"]
    for batch, size, ta, tb in itertools.product(
        (2, 8), (1024, 2048, 4096), (False, True), (False, True)
    ):
        letters = ("T" if ta else "N") + ("T" if tb else "N")
        facts = dict(kind="bmm", batch=batch, size=size, ta=ta, tb=tb)
        yield Case(
            f"bmm {letters} {batch}x{size}", "bmm.cuh", "bmm_kernel",
            (t, 128, 128, 32, 8, ta, tb), f"const {t}*, const {t}*, {t}*, int, int, int, int",
            (ceil_div(size, 128) ** 2, batch), numbers=(batch, size, size, size), **facts,
        )  # fmt: skip
        tiles = ceil_div(size, 64) ** 2 * batch
        yield Case(
            f"bmm persistent {letters} {batch}x{size}", "bmm.cuh", "bmm_static_persistent_kernel",
            (t, 64, 64, 64, 8, ta, tb, batch, size, size, size, 2, 1),
            f"const {t}*, const {t}*, {t}*", (min(PROCESSORS // 2, tiles), 1), **facts,
        )  # fmt: skip


def moe_cases():
    t = TYPES["f16"]
    signature = (
        f"const {t}*, const {t}*, {t}*, const float*, const float*, const float*, const int*, "
        "const int*, const int*, int"
    )
    for tokens, hidden, inner, experts, top in (
        (64, 512, 256, 8, 2), (128, 1024, 512, 16, 4), (256, 2048, 1408, 32, 6),
        (512, 2048, 1408, 64, 6),
    ):  # fmt: skip
        padded = tokens * top + experts * 127
        up, down = ("up", 2 * inner, hidden, False), ("down", hidden, inner, True)
        for which, n, k, weighted in (up, down):
            arguments = (
                t, t, 128, 128, 64, 32, weighted, False, n, k, 128, 64, 1 if weighted else top,
                k, 1, n * k, 1, k, n, 1, 0, 0, 0, 0, 0, padded,
            )  # fmt: skip
            yield Case(
                f"moe {which} {tokens}x{hidden}x{inner} {experts} experts", "moe.cuh",
                "fused_moe_kernel", arguments, signature,
                (ceil_div(padded, 128) * ceil_div(n, 128), 1), kind="moe", tokens=tokens, n=n, k=k,
                experts=experts, top=top, weighted=weighted, padded=padded,
            )  # fmt: skip


CASES = [*matmul_cases(), *bmm_cases(), *moe_cases()]


def build(gym, folder, name, *compiler):
    out = pathlib.Path(folder) / name
    out.mkdir(parents=True, exist_ok=True)
    headers = pathlib.Path(gym) / "src/tilegym/ops/tilecpp"

    def compile_case(case):
        source, image = (out / case.file).with_suffix(".cu"), out / case.file
        if image.exists():
            return 0.0
        source.write_text(case.source)
        begin = time.monotonic()
        command = [*compiler, "-I", headers, source, "-o", image]
        process = subprocess.run(list(map(str, command)), capture_output=True, text=True)
        source.unlink()
        if process.returncode != 0:
            print(f"FAILED {case.title}: {(process.stderr or process.stdout).strip()[-300:]}")
        return time.monotonic() - begin

    # bmm_kernel is one for all sizes: the first of a source is compiled, the others are copies.
    first = {}
    for case in CASES:
        first.setdefault(case.source, case)
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        seconds = list(pool.map(compile_case, first.values()))
    for case in CASES:
        image = out / first[case.source].file
        if image.exists() and not (out / case.file).exists():
            (out / case.file).hardlink_to(image)
    for took, case in sorted(zip(seconds, first.values()), key=lambda x: -x[0])[:5]:
        print(f"{took:6.2f} s {case.title}")
    print(f"{len(seconds)} kernels, median {statistics.median(seconds):.2f} s")


class Driver:
    """Images and launches through the driver, on torch's stream."""

    def __init__(self, torch):
        self.torch, self.cuda = torch, ctypes.CDLL("libcuda.so.1")
        torch.zeros(1, device="cuda")

    def require(self, error, what):
        if error:
            raise RuntimeError(f"{what}: CUDA error {error}")

    def function(self, image):
        module, count = ctypes.c_void_p(), ctypes.c_uint()
        self.require(self.cuda.cuModuleLoad(ctypes.byref(module), str(image).encode()), "load")
        self.require(self.cuda.cuModuleGetFunctionCount(ctypes.byref(count), module), "count")
        functions = (ctypes.c_void_p * count.value)()
        self.require(self.cuda.cuModuleEnumerateFunctions(functions, count, module), "functions")
        return ctypes.c_void_p(functions[0])

    def launcher(self, function, grid, arguments):
        values = [
            ctypes.c_int(a)
            if isinstance(a, int)
            else ctypes.c_uint64(a.data_ptr() if a is not None else 0)
            for a in arguments
        ]
        pointers = (ctypes.c_void_p * len(values))(
            *[ctypes.cast(ctypes.pointer(v), ctypes.c_void_p) for v in values]
        )

        def launch():
            stream = ctypes.c_void_p(self.torch.cuda.current_stream().cuda_stream)
            x, y = grid
            self.require(
                self.cuda.cuLaunchKernel(function, x, y, 1, 1, 1, 1, 0, stream, pointers, None),
                "launch",
            )

        launch.keep = values, pointers, arguments
        return launch

    def microseconds(self, launch):
        """Median of some replays of a graph of launches."""
        torch = self.torch

        def replay(graph, launches):
            begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
            begin.record()
            graph.replay()
            end.record()
            end.synchronize()
            return 1e3 * begin.elapsed_time(end) / launches

        def recorded(launches):
            graph = torch.cuda.CUDAGraph()
            with torch.cuda.graph(graph):
                for _ in range(launches):
                    launch()
            return graph

        once = replay(recorded(1), 1)
        launches = int(min(max(3000 / once, 1), 200))
        graph = recorded(launches)
        return statistics.median(replay(graph, launches) for _ in range(5))


def operands(torch, facts):
    """(what the kernel is given, its result, what is expected of it, operations), for a case."""

    def numbers(*shape, scale=1.0):
        return (torch.randn(shape, device="cuda") * scale).to(torch.float16)

    if facts["kind"] == "matmul":
        n = facts["size"]
        type_ = {"f16": torch.float16, "e5m2": torch.float8_e5m2}[facts["type"]]
        a, b = numbers(n, n).to(type_), numbers(n, n).to(type_)
        c = torch.empty(n, n, device="cuda", dtype=type_)
        return (a, b, c), c, a.half().float() @ b.half().float(), 2.0 * n**3
    if facts["kind"] == "bmm":
        batch, n = facts["batch"], facts["size"]
        a, b = numbers(batch, n, n), numbers(batch, n, n)
        c = torch.empty(batch, n, n, device="cuda", dtype=torch.float16)
        x, y = (m.transpose(1, 2) if t else m for m, t in ((a, facts["ta"]), (b, facts["tb"])))
        return (a, b, c), c, torch.bmm(x.float(), y.float()), 2.0 * batch * n**3
    tokens, n, k, experts, top = (facts[x] for x in ("tokens", "n", "k", "experts", "top"))
    weighted, rows = facts["weighted"], tokens * top
    a = numbers(rows if weighted else tokens, k, scale=0.5)
    w = numbers(experts, n, k, scale=0.1)
    of = torch.randint(0, experts, (rows,), device="cuda")
    weights = torch.rand(rows, device="cuda")
    c = torch.zeros(rows, n, device="cuda", dtype=torch.float16)
    ids = torch.full((facts["padded"],), rows, device="cuda", dtype=torch.int32)
    expert_of = torch.zeros(ceil_div(facts["padded"], 128), device="cuda", dtype=torch.int32)
    expected, at = torch.empty(rows, n, device="cuda"), 0
    for e in range(experts):
        mine = (of == e).nonzero().flatten()
        x = a[mine if weighted else mine // top].float() @ w[e].float().t()
        expected[mine] = x * weights[mine, None] if weighted else x
        ids[at : at + len(mine)] = mine.int()
        blocks = ceil_div(len(mine), 128)
        expert_of[at // 128 : at // 128 + blocks] = e
        at += 128 * blocks
    used = torch.tensor([at], device="cuda", dtype=torch.int32)
    arguments = (a, w, c, None, None, weights, ids, expert_of, used, rows)
    return arguments, c, expected, 2.0 * rows * n * k


def run(folder, *names):
    import torch

    torch.backends.cuda.matmul.allow_tf32 = False
    driver = Driver(torch)
    print(torch.cuda.get_device_name(), "microseconds (TFLOP/s) of", *names)
    ratios = {}
    for case in CASES:
        torch.manual_seed(0)
        arguments, result, expected, operations = operands(torch, case.facts)
        arguments = (*arguments, *case.facts.get("numbers", ()))
        times = []
        for name in names:
            try:
                function = driver.function(pathlib.Path(folder) / name / case.file)
                launch = driver.launcher(function, case.grid, arguments)
                result.view(torch.uint8).fill_(0)
                launch()
                torch.cuda.synchronize()
                # Results of e5m2 have three digits, and sums of fp8 fewer bits than a float.
                is_fp8 = case.facts.get("type") == "e5m2"
                rough = 0.3 if is_fp8 else 0.01
                least = 0.01 * math.sqrt(case.facts["size"]) if is_fp8 else 0.05
                wrong = (result.float() - expected).abs() > rough * expected.abs() + least
                if bool(wrong.any()):
                    print(f"WRONG {name}: {int(wrong.sum())} of {case.title}", flush=True)
                times.append(driver.microseconds(launch))
            except RuntimeError as error:
                print(f"FAILED {name}, {case.title}: {error}", flush=True)
        if len(times) == len(names):
            ratio = times[-1] / times[0]
            ratios.setdefault(case.title.split()[0], []).append(ratio)
            figures = "  ".join(f"{t:10.1f} ({operations / t * 1e-6:6.1f})" for t in times)
            print(f"{case.title:44s} {figures}  {ratio:6.2f} times as fast", flush=True)
        del arguments, result, expected
    every = [r for group in ratios.values() for r in group]
    for kind, group in [*ratios.items(), ("all", every)]:
        mean = math.exp(statistics.fmean(map(math.log, group)))
        print(f"{kind}: geometric mean {mean:.2f}, least {min(group):.2f}, of {len(group)}")


if __name__ == "__main__":
    sys.exit({"build": build, "run": run}[sys.argv[1]](*sys.argv[2:]))
