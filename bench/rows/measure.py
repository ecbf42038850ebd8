#!/usr/bin/env python3
"""Kernels of rows (kernels.h) beside Triton's, in one run on a GPU: tiles of 1 to 8 rows, loops
over rows, gradients.

usage: measure.py --emit FOLDER [--tessera PROGRAM]   texts for sm_90a; needs no GPU
       measure.py FOLDER [PART...] [--rows N...] [--alone] [--nvcc PROGRAM]
                                                      compiles and measures those of a folder

PART: softmax, layer_norm and so on (all). --rows: tiles of so many rows (all). --alone: without
Triton. A line has GB/s of what must be read and written, of ours and of Triton with its best number
of warps, their ratio, and the largest differences from torch in float. Medians of three turns of
ten launches. Exit status 1 where a result is wrong.
"""

import argparse
import concurrent.futures
import ctypes
import itertools
import math
import os
import pathlib
import statistics
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
TYPES = {"bf16": "__nv_bfloat16", "f32": "float"}
ELEMENTS = 1 << 26  # of a matrix
BLOCKS = 528  # of loops over rows
LOOPS = ("persistent_layer_norm", "rms_norm_backward")
MOST = 1 << 16  # elements of a tile


def tile_of(columns):
    return 1 << (columns - 1).bit_length()


def forms(kernels, types, columns, rows):
    for form in itertools.product(kernels, types, columns, rows):
        if form[3] * tile_of(form[2]) <= MOST:
            yield form


FORMS = [
    *forms(
        ("softmax", "layer_norm", "persistent_layer_norm"),
        ("bf16",),
        (1000, 1024, 4096, 4097, 16384, 32768),
        (1, 2, 4, 8),
    ),
    *forms(("softmax", "layer_norm"), ("f32",), (4096, 4097, 5001, 10000), (1,)),
    *forms(("softmax_backward",), ("bf16", "f32"), (1000, 1024, 4096, 4097, 16384), (1, 4)),
    *forms(("rms_norm_backward",), ("bf16", "f32"), (1000, 1024, 4096, 4097, 16384), (1, 2)),
]

SOURCE = """{kernels}
extern "C" int launch(const void *x, const void *w, const void *b, void *y, const float *rstd,
                      float *partial, unsigned rows, unsigned columns, unsigned blocks) {{
  using T = {type};
  {kernel}<{rows}, {tile}, T><<<blocks, 1>>>((const T *)x, (const T *)w, (const T *)b, (T *)y,
      {more}rows, columns);
  return cudaGetLastError();
}}
"""


def name_of(kernel, type_, columns, rows):
    return f"{kernel}-{type_}-{tile_of(columns)}-{rows}"


def in_parallel(act, items):
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        list(pool.map(act, items))


def run(command):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))}\n{done.stderr[-3000:]}")


def emit(folder, tessera):
    folder.mkdir(parents=True, exist_ok=True)
    kernels = (ROOT / "bench/rows/kernels.h").read_text().replace("#pragma once\n", "")
    sources = {}
    for kernel, type_, columns, rows in FORMS:
        words = {"kernel": kernel, "type": TYPES[type_], "rows": rows, "tile": tile_of(columns)}
        words["more"] = "rstd, partial, " if kernel == "rms_norm_backward" else ""
        sources[name_of(kernel, type_, columns, rows)] = SOURCE.format(kernels=kernels, **words)

    def emit_one(name):
        source = folder / f"{name}.tile.cu"
        source.write_text(sources[name])
        run([tessera, "--arch=sm_90a", source, "-o", folder / f"{name}.cu"])
        source.unlink()

    in_parallel(emit_one, sources)


def compile_texts(folder, nvcc, names):
    def compile_one(name):
        command = [nvcc, "-O3", "-std=c++20", "-shared", "-Xcompiler", "-fPIC"]
        command += ["-gencode", "arch=compute_90a,code=sm_90a", f"-I{ROOT / 'runtime/include'}"]
        run([*command, folder / f"{name}.cu", "-o", folder / f"{name}.so"])

    in_parallel(compile_one, sorted(names))


def triton_kernels():
    import triton
    import triton.language as tl

    @triton.jit
    def softmax(x, w, b, y, rstd, partial, rows, columns, C: tl.constexpr):
        row, at = tl.program_id(0).to(tl.int64), tl.arange(0, C)
        v = tl.load(x + row * columns + at, at < columns, -float("inf")).to(tl.float32)
        e = tl.exp(v - tl.max(v, 0))
        tl.store(y + row * columns + at, (e / tl.sum(e, 0)).to(y.dtype.element_ty), at < columns)

    @triton.jit
    def layer_norm(x, w, b, y, rstd, partial, rows, columns, C: tl.constexpr):
        row, at = tl.program_id(0).to(tl.int64), tl.arange(0, C)
        v = tl.load(x + row * columns + at, at < columns, 0).to(tl.float32)
        d = tl.where(at < columns, v - tl.sum(v, 0) / columns, 0)
        d = d * tl.rsqrt(tl.sum(d * d, 0) / columns + 1e-5)
        weight = tl.load(w + at, at < columns, 0).to(tl.float32)
        bias = tl.load(b + at, at < columns, 0).to(tl.float32)
        result = d * weight + bias
        tl.store(y + row * columns + at, result.to(y.dtype.element_ty), at < columns)

    @triton.jit
    def softmax_backward(x, w, b, y, rstd, partial, rows, columns, C: tl.constexpr):
        row, at = tl.program_id(0).to(tl.int64), tl.arange(0, C)
        v = tl.load(x + row * columns + at, at < columns, 0).to(tl.float32)
        g = tl.load(w + row * columns + at, at < columns, 0).to(tl.float32)
        change = v * (g - tl.sum(v * g, 0))
        tl.store(y + row * columns + at, change.to(y.dtype.element_ty), at < columns)

    @triton.jit
    def rms_norm_backward(x, w, b, y, rstd, partial, rows, columns, C: tl.constexpr):
        at = tl.arange(0, C)
        weight = tl.load(w + at, at < columns, 0).to(tl.float32)
        dweight = tl.zeros([C], tl.float32)
        for row in range(tl.program_id(0), rows, tl.num_programs(0)):
            start = row.to(tl.int64) * columns
            scale = tl.load(rstd + row)
            normed = tl.load(x + start + at, at < columns, 0).to(tl.float32) * scale
            gradient = tl.load(b + start + at, at < columns, 0).to(tl.float32)
            dweight += gradient * normed
            scaled = gradient * weight
            change = (scaled - normed * (tl.sum(scaled * normed, 0) / columns)) * scale
            tl.store(y + start + at, change.to(y.dtype.element_ty), at < columns)
        tl.store(partial + tl.program_id(0) * columns + at, dweight, at < columns)

    return {
        "softmax": softmax,
        "layer_norm": layer_norm,
        "persistent_layer_norm": layer_norm,
        "softmax_backward": softmax_backward,
        "rms_norm_backward": rms_norm_backward,
    }


def seconds(torch, act):
    """Of one act()."""
    times = []
    act()
    for _ in range(3):
        start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        start.record()
        for _ in range(10):
            act()
        end.record()
        torch.cuda.synchronize()
        times.append(start.elapsed_time(end) * 1e-4)
    return statistics.median(times)


def copy_speed(torch):
    """Bytes read and written in a second by a copy of a matrix."""
    x = torch.empty(ELEMENTS, dtype=torch.bfloat16, device="cuda")
    y = torch.empty_like(x)
    return 2 * x.numel() * x.element_size() / seconds(torch, lambda: y.copy_(x))


class Work:
    """The arrays of one kernel, type and number of columns, and what torch makes of them."""

    def __init__(self, torch, kernel, type_, columns):
        self.torch, self.kernel, self.columns = torch, kernel, columns
        self.rows = ELEMENTS // columns
        dtype = {"bf16": torch.bfloat16, "f32": torch.float32}[type_]
        words = {"device": "cuda", "dtype": dtype}
        self.x = torch.randn(self.rows, columns, **words)
        if kernel == "softmax_backward":
            self.x = torch.softmax(self.x, 1)
        is_matrix = kernel == "softmax_backward"
        self.w = torch.randn(*((self.rows, columns) if is_matrix else (columns,)), **words)
        is_backward = kernel == "rms_norm_backward"
        self.b = torch.randn(*((self.rows, columns) if is_backward else (columns,)), **words)
        self.y = torch.empty_like(self.x)
        floats = self.x.float()
        self.rstd = torch.rsqrt(floats.square().mean(1) + 1e-5)
        self.partial = torch.empty(BLOCKS, columns, device="cuda")
        matrices = 3 if "backward" in kernel else 2
        self.bytes = matrices * self.x.numel() * self.x.element_size()

    def arrays(self):
        return self.x, self.w, self.b, self.y, self.rstd, self.partial

    def wanted(self, part):
        """Of the rows, in float."""
        torch = self.torch
        x, w, b = self.x[part].float(), self.w, self.b
        if self.kernel == "softmax":
            return torch.softmax(x, 1)
        if self.kernel == "softmax_backward":
            w = w[part].float()
            return x * (w - (x * w).sum(1, keepdim=True))
        if self.kernel == "rms_norm_backward":
            scale = self.rstd[part, None]
            normed, scaled = x * scale, b[part].float() * w.float()
            return (scaled - normed * (scaled * normed).mean(1, keepdim=True)) * scale
        return torch.nn.functional.layer_norm(x, (self.columns,), w.float(), b.float())

    def error(self):
        """The largest difference, of the first and the last rows, as part of the largest number."""
        pairs = []
        for part in (slice(0, 64), slice(self.rows - 64, None)):
            pairs.append((self.y[part].float(), self.wanted(part)))
        if self.kernel == "rms_norm_backward":
            normed = self.x.float() * self.rstd[:, None]
            pairs.append((self.partial.sum(0), (self.b.float() * normed).sum(0)))
        errors = [float((a - b).abs().max() / b.abs().max()) for a, b in pairs]
        most = max(errors, key=lambda error: math.inf if math.isnan(error) else error)
        self.y.fill_(float("nan"))
        self.partial.fill_(float("nan"))
        return most


def measure(options):
    import torch

    folder, parts = options.folder, options.parts
    chosen = [form for form in FORMS if not parts or form[0] in parts]
    chosen = [form for form in chosen if not options.rows or form[3] in options.rows]
    compile_texts(folder, options.nvcc, {name_of(*form) for form in chosen})
    kernels = None if options.alone else triton_kernels()
    is_wrong = False
    print(f"{torch.cuda.get_device_name()}, torch {torch.__version__}")
    print(f"copy {copy_speed(torch) * 1e-9:.0f} GB/s", flush=True)
    for (kernel, type_, columns), same in itertools.groupby(chosen, lambda form: form[:3]):
        work = Work(torch, kernel, type_, columns)
        programs = BLOCKS if kernel == "rms_norm_backward" else work.rows

        def of_triton(warps):
            def act():
                kernels[kernel][(programs,)](
                    *work.arrays(), work.rows, columns, C=tile_of(columns), num_warps=warps
                )

            return seconds(torch, act), warps

        theirs = their_error = warps = None
        if kernels:
            theirs, warps = min(of_triton(warps) for warps in (4, 8, 16, 32))
            their_error = work.error()
        for *_, rows in same:
            library = ctypes.CDLL(str(folder / f"{name_of(kernel, type_, columns, rows)}.so"))
            pointers = [ctypes.c_void_p(array.data_ptr()) for array in work.arrays()]
            blocks = BLOCKS if kernel in LOOPS else -(-work.rows // rows)
            numbers = [ctypes.c_uint(number) for number in (work.rows, columns, blocks)]
            ours = seconds(torch, lambda: library.launch(*pointers, *numbers))
            error = work.error()
            is_bad = not error < 2e-2
            is_wrong |= is_bad
            line = f"{kernel:22s} {type_:4s} {work.rows:6d}x{columns:<6d} {rows} rows"
            line += f" {work.bytes / ours * 1e-9:6.0f}"
            if kernels:
                line += f"  Triton {work.bytes / theirs * 1e-9:6.0f} ({warps:2d} warps)"
                line += f"  {theirs / ours:4.2f}  error {their_error:.1e},"
            print(f"{line}  {error:.1e}{'  WRONG' if is_bad else ''}", flush=True)
        del work
    return is_wrong


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("parts", nargs="*")
    parser.add_argument("--emit", action="store_true")
    parser.add_argument("--tessera", default=ROOT / "build/bin/tessera")
    parser.add_argument("--nvcc", default="nvcc")
    parser.add_argument("--rows", nargs="+", type=int)
    parser.add_argument("--alone", action="store_true")
    options = parser.parse_args()
    if options.emit:
        return emit(options.folder, options.tessera)
    return measure(options)


if __name__ == "__main__":
    sys.exit(main())
