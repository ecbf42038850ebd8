#!/usr/bin/env python3
"""Names that cuda::tiles has not (plugin/diagnose/Names.def): each is said with its advice, and a
line that follows the advice compiles. What an advice computes that it calls near is near.

usage: advice.py [--tessera PROGRAM] [--all]
"""
import argparse
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
ROW = re.compile(r'^TESSERA_NAME\((\w+),\s*((?:"[^"]*"\s*)+)\)$', re.M)
STRING = re.compile(r'"([^"]*)"')
HEAD = """#include <cassert>
#include <cmath>
#include <cstdio>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_tile.h>
namespace ct = cuda::tiles;
using namespace ct::literals;
constexpr unsigned N = 64;
template <class E, decltype(sizeof(0))... D> using tile = ct::tile<E, ct::shape<D...>>;
"""
# Of floats alone: what it computes is looked at.
OF_FLOATS = """__tile_global__ void {name}(float *p) {{
  const auto i = ct::iota<tile<int, N>>();
  auto x = ct::load(p + i);
  ct::store(p + i, {line});
}}
"""
KERNEL = """__tile_global__ void {name}(float *p, int *q, int n) {{
  constexpr float t = 0.5f, low = -1.0f, high = 1.0f;
  const auto i = ct::iota<tile<int, N>>();
  const auto rows = ct::iota<tile<int, N, 1>>();
  const auto columns = ct::iota<tile<int, 1, N>>();
  auto x = ct::load(p + i), y = ct::load(p + i + 64);
  auto u = ct::load(q + i);
  auto m = ct::load(p + rows * 64 + columns);
  {line}
}}
"""
COLUMNS = "ct::cat<1>(ct::reshape(x, ct::shape<N, 1>{}), ct::reshape(y, ct::shape<N, 1>{}))"
PLACES = (
    "ct::sum<1>(ct::element_cast<int>(ct::reshape(x, ct::shape<N, 1>{}) > "
    "ct::reshape(x, ct::shape<1, N>{})))"
)
BITS = (
    "ct::sum<1>((ct::reshape(u, ct::shape<N, 1>{}) >> ct::iota<tile<int, 32>>()) & 1)"
)
LEADING = (
    "ct::sum<1>(ct::element_cast<int>((ct::reshape(ct::element_cast<unsigned>(u), "
    "ct::shape<N, 1>{}) >> ct::iota<tile<unsigned, 32>>()) == 0u))"
)
EVEN = "(x + 12582912.0f) - 12582912.0f"
CUT = "ct::select(x < 0.0f, ct::ceil(x), ct::floor(x))"
RANDOM = "ct::mulhi(i, 0x5bd1e995) ^ i"
SUMS = "ct::partial_sum<0>(x) + ct::partial_sum(x, 0_ic, ct::scan_backward_t{})"
CARRY = (
    "ct::extract(x, ct::shape<1>{}, 0); "
    "for (int k : ct::irange(1, 64)) r = ct::max(r, ct::extract(x, ct::shape<1>{}, k))"
)
ERF = "ct::tanh(x * (1.1283792f + 0.1009123f * x * x))"
COUNT = "0; ct::atomic_add(q + u, ct::ones<tile<int, N>>(), ct::memory_order_relaxed_t{})"
REDUCED = "ct::sum<0>(x) * ct::prod<0>(x) * ct::reduce_max<0>(x) * ct::reduce_min<0>(x)"
SPREAD = "ct::sum<0>((x - ct::sum<0>(x) / 64.0f) * (x - ct::sum<0>(x) / 64.0f)) / 64.0f"
SPAN = "ct::partition_view{ct::tensor_span(p, ct::extents{64_ic}), ct::shape<16>{}}"
SOFT = "x - ct::reduce_max<0>(x)"
PRINTED = '0; printf("%f", x)'
# What follows the advice of each row, as the value of a variable.
LINES = {
    "arange": "ct::iota<tile<int, N>>()", "linspace": "low + t * ct::element_cast<float>(i)",
    "zeros_like": "ct::zeros<tile<float, N>>()", "ones_like": "ct::ones<tile<float, N>>()",
    "full_like": "ct::full<tile<float, N>>(3.0f)", "empty": "ct::zeros<tile<float, N>>()",
    "empty_like": "ct::zeros<tile<float, N>>()", "eye": "ct::element_cast<float>(rows == columns)",
    "rand": RANDOM, "randn": RANDOM, "randint": RANDOM, "philox": RANDOM,
    "where": "ct::select(x < y, x, y)", "masked_fill": "ct::select(x < y, x, y)",
    "cast": "ct::element_cast<__half>(x)", "astype": "ct::element_cast<__half>(x)",
    "to": "ct::element_cast<__half>(x)", "bitcast": "ct::element_bitcast<int>(x)",
    "float16": "tile<__half, N>()", "bfloat16": "tile<__nv_bfloat16, N>()",
    "float32": "tile<float, N>()", "float64": "tile<double, N>()",
    "int8": "tile<signed char, N>()", "int16": "tile<short, N>()", "int32": "tile<int, N>()",
    "int64": "tile<long long, N>()", "uint8": "tile<unsigned char, N>()",
    "uint32": "tile<unsigned, N>()",
    "maximum": "ct::max(x, y)", "minimum": "ct::min(x, y)", "fmax": "ct::max(x, y)",
    "fmin": "ct::min(x, y)", "clamp": "ct::max(low, ct::min(x, high))",
    "clip": "ct::max(low, ct::min(x, high))", "cdiv": "ct::ceildiv(u, 3)",
    "floor_divide": "ct::floordiv(u, 3)",
    "truediv": "x / y + ct::div(x, y, ct::round_toward_zero_t{})",
    "fdiv": "x / y", "div_rn": "x / y", "sqrt_rn": "ct::sqrt(x, ct::round_toward_zero_t{})",
    "fmod": "x - y * ct::select(x / y < 0.0f, ct::ceil(x / y), ct::floor(x / y))",
    "mod": "x - y * ct::floor(x / y) + (u - i * ct::floordiv(u, i))", "umulhi": "ct::mulhi(u, i)",
    "negative": "-x", "reciprocal": "1.0f / x", "square": "x * x", "power": "ct::pow(x, y)",
    "fabs": "ct::abs(x)", "absolute": "ct::abs(x)",
    "sign": "ct::element_cast<float>(x > 0.0f) - ct::element_cast<float>(x < 0.0f)",
    "copysign": "ct::select(y < 0.0f, -ct::abs(x), ct::abs(x))", "lerp": "x + t * (y - x)",
    "isfinite": "ct::abs(x) < __builtin_inff()",
    "nan_to_num": "ct::select(ct::isnan(x), ct::zeros<tile<float, N>>(), x)",
    "logical_and": "x < y && y < 2.0f", "logical_or": "x < y || y < 2.0f",
    "logical_not": "!(x < y)",
    "bitwise_and": "u & i", "bitwise_or": "u | i", "bitwise_xor": "u ^ i", "popcount": BITS,
    "popc": BITS,
    "clz": LEADING,
    "round": "ct::floor(x + 0.5f)", "rint": EVEN, "roundeven": EVEN, "nearbyint": EVEN,
    "trunc": CUT, "fix": CUT, "erf": ERF, "erfc": f"1.0f - {ERF}",
    "cbrt": "ct::select(x < 0.0f, -ct::pow(-x, 0.33333333f), ct::pow(x, 0.33333333f))",
    "exp10": "ct::exp2(3.3219281f * x)", "expm1": "ct::exp(x) - 1.0f", "log1p": "ct::log(1.0f + x)",
    "log10": "0.30103f * ct::log2(x)", "asin": "ct::atan2(x, ct::sqrt(1.0f - x * x))",
    "acos": "ct::atan2(ct::sqrt(1.0f - x * x), x)", "atan": "ct::atan2(x, 1.0f)",
    "asinh": "ct::log(x + ct::sqrt(x * x + 1.0f))", "acosh": "ct::log(x + ct::sqrt(x * x - 1.0f))",
    "atanh": "0.5f * ct::log((1.0f + x) / (1.0f - x))", "hypot": "ct::sqrt(x * x + y * y)",
    "sigmoid": "1.0f / (1.0f + ct::exp(-x))", "silu": "x / (1.0f + ct::exp(-x))",
    "softplus": "ct::log(1.0f + ct::exp(x))", "relu": "ct::max(x, 0.0f)",
    "leaky_relu": "ct::max(x, 0.01f * x)",
    "gelu": "0.5f * x * (1.0f + ct::tanh(0.7978846f * x * (1.0f + 0.044715f * x * x)))",
    "softmax": f"ct::exp({SOFT}) / ct::sum<0>(ct::exp({SOFT}))",
    "log_softmax": f"{SOFT} - ct::log(ct::sum<0>(ct::exp({SOFT})))",
    "logsumexp": f"ct::reduce_max<0>(x) + ct::log(ct::sum<0>(ct::exp({SOFT})))",
    "reduce": REDUCED, "amax": "ct::reduce_max<0>(x)", "amin": "ct::reduce_min<0>(x)",
    "argmax": "ct::max_element<0>(x)", "argmin": "ct::min_element<0>(x)",
    "any": "ct::any_of<0>(x < y)", "all": "ct::all_of<0>(x < y)",
    "xor_sum": "ct::reduce_bitxor<0>(u)",
    "count_nonzero": "ct::sum<0>(ct::element_cast<int>(x != 0.0f))",
    "mean": "ct::sum<0>(x) / 64.0f", "var": SPREAD, "std": f"ct::sqrt({SPREAD})",
    "norm": "ct::sqrt(ct::sum<0>(x * x))", "cumsum": SUMS, "cumprod": SUMS.replace("sum", "prod"),
    "inclusive_scan": CARRY, "associative_scan": CARRY, "scan": CARRY, "cummax": CARRY,
    "cummin": CARRY, "exclusive_scan": "ct::partial_sum<0>(x) - x", "histogram": COUNT,
    "bincount": COUNT, "sort": f"0; ct::store(p + ct::reshape({PLACES}, ct::shape<N>{{}}), x)",
    "argsort": PLACES, "topk": "ct::select(x == ct::reduce_max<0>(x), low + 0.0f * x, x)",
    "searchsorted": "ct::sum<0>(ct::element_cast<int>(x < t))",
    "trans": "ct::transpose(m)", "T": "ct::transpose(m)",
    "swapaxes": "ct::permute(m, ct::dimension_map<1, 0>{})",
    "expand_dims": "ct::reshape(x, ct::shape<1, N>{})",
    "unsqueeze": "ct::reshape(x, ct::shape<1, N>{})",
    "squeeze": "ct::reshape(rows, ct::shape<N>{})",
    "ravel": "ct::reshape(m, ct::shape<N * N>{})", "flatten": "ct::reshape(m, ct::shape<N * N>{})",
    "view": "ct::reshape(x, ct::shape<8, 8>{})",
    "broadcast_to": "ct::broadcast(rows, ct::shape<N, N>{})",
    "expand": "ct::broadcast(rows, ct::shape<N, N>{})",
    "repeat": "ct::broadcast(ct::reshape(x, ct::shape<N, 1>{}), ct::shape<N, 4>{})",
    "concat": "ct::cat<0>(x, y)", "concatenate": "ct::cat<0>(x, y)", "stack": COLUMNS,
    "join": COLUMNS, "interleave": f"ct::reshape({COLUMNS}, ct::shape<2 * N>{{}})",
    "split": "ct::extract(x, ct::shape<16>{}, 1)", "chunk": "ct::extract(x, ct::shape<16>{}, n)",
    "flip": "ct::load(p + (63 - ct::iota<tile<int, 64>>()))", "roll": "ct::load(p + (i + n) % 64)",
    "tril": "ct::select(rows >= columns, m, ct::zeros<tile<float, N, N>>())",
    "triu": "ct::select(rows <= columns, m, ct::zeros<tile<float, N, N>>())",
    "outer": "ct::reshape(x, ct::shape<N, 1>{}) * ct::reshape(y, ct::shape<1, N>{})",
    "dot": "ct::matmul(m, m)", "bmm": "ct::matmul(ct::reshape(m, ct::shape<1, N, N>{}), "
    "ct::reshape(m, ct::shape<1, N, N>{}))", "addmm": "ct::mma(m, m, m)",
    "einsum": "ct::matmul(m, m)",
    "gather": "ct::load(p + u)", "scatter": "0; ct::store(p + u, x)", "take": "ct::load(p + u)",
    "make_tensor": "ct::tensor_span(p, ct::extents{64_ic})",
    "make_tensor_descriptor": "ct::tensor_span(p, ct::extents{64_ic})", "make_block_ptr": SPAN,
    "advance": f"{SPAN}.load(n + 1)",
    "atomic_cas": "ct::atomic_compare_exchange(q + i, u, i, ct::memory_order_relaxed_t{})",
    "atomic_exch": "ct::atomic_xchg(q + i, u, ct::memory_order_relaxed_t{})",
    "thread_scope_cluster_t": "ct::thread_scope_device_t{}",
    "memory_order_seq_cst_t": "ct::memory_order_acq_rel_t{}",
    "program_id": "ct::bid().x", "num_programs": "ct::num_blocks().x",
    "num_tiles": "ct::ceildiv(n, 64)", "static_range": "ct::irange(0, 4)", "debug_barrier": "0",
    "syncthreads": "0", "multiple_of": "ct::assume_divisible<16>(n)",
    "max_contiguous": "ct::assume_aligned<16>(p)",
    "assume": "ct::assume_bounded<0, 64>(ct::assume_divisible<16>(n))", "print": PRINTED,
    "device_print": PRINTED, "printf": PRINTED, "device_assert": "0; assert(n > 0)",
}  # fmt: skip
# How far from the C library's, for floats from -0.9 to 0.9.
NEAR = {
    "round": "std::floor(v + 0.5)", "rint": "std::rint(v)", "trunc": "std::trunc(v)",
    "erf": "std::erf(v)", "erfc": "std::erfc(v)", "cbrt": "std::cbrt(v)",
    "exp10": "std::pow(10, v)",
    "expm1": "std::expm1(v)", "log1p": "std::log1p(v)", "asin": "std::asin(v)",
    "acos": "std::acos(v)", "atan": "std::atan(v)", "asinh": "std::asinh(v)",
    "atanh": "std::atanh(v)", "gelu": "0.5 * v * (1 + std::erf(v / std::sqrt(2.0)))",
}  # fmt: skip
FAR = 0.0005
MOST_ERRORS = 9  # at a time: Clang stops at twenty, and finds another one behind some


def rows():
    text = (ROOT / "plugin/diagnose/Names.def").read_text()
    return {name: "".join(STRING.findall(advice)) for name, advice in ROW.findall(text)}


def run(command, cwd):
    done = subprocess.run(
        command, cwd=cwd, capture_output=True, text=True, timeout=300, check=False
    )
    return done.returncode, done.stdout + done.stderr


def program_of(lines, kernel=KERNEL):
    return HEAD + "\n".join(kernel.format(name=f"k_{name}", line=line) for name, line in lines)


def values_of():
    """A program that prints the names whose advice is far from the C library's."""
    text = program_of([(name, LINES[name]) for name in NEAR], OF_FLOATS)
    text += "int main() {\n  float *p;\n  cudaMallocManaged(&p, 64 * sizeof(float));\n"
    for name, expected in NEAR.items():
        text += f"""  for (int k = 0; k < 64; ++k)
    p[k] = -0.9f + 1.8f * k / 63;
  k_{name}<<<1, 1>>>(p);
  cudaDeviceSynchronize();
  for (int k = 0; k < 64; ++k)
    if (double v = -0.9f + 1.8f * k / 63; !(std::abs(p[k] - ({expected})) < {FAR})) {{
      std::printf("{name} of %g is %g\\n", v, p[k]);
      break;
    }}
"""
    return text + "}\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tessera", type=pathlib.Path, default=ROOT / "build/bin/tessera")
    parser.add_argument("--all", action="store_true", help="what is said of every name")
    options = parser.parse_args()
    tessera = options.tessera.resolve()
    known, wrong = rows(), []
    for name in set(known) ^ set(LINES):
        wrong.append(f"{name} is only {'in the table' if name in known else 'in this test'}")
    with tempfile.TemporaryDirectory() as folder:
        program = pathlib.Path(folder) / "names.cu"
        # Without --all a few, from the whole table: as many as one compile says.
        names = list(known) if options.all else list(known)[:: -(-len(known) // MOST_ERRORS)]
        for first in range(0, len(names), MOST_ERRORS):
            some = names[first : first + MOST_ERRORS]
            program.write_text(program_of([(name, f"auto r = ct::{name}(x);") for name in some]))
            _, said = run([tessera, "check", program.name], folder)
            for name in some:
                if f"cuda::tiles has no '{name}'; {known[name]} [tile:" not in said:
                    wrong.append(f"the advice of {name} is not said")
        program.write_text(program_of([(n, f"auto r = {line};") for n, line in LINES.items()]))
        code, said = run([tessera, program.name, "-o", "names.simt.cu"], folder)
        if code or said:
            wrong.append(f"what the advice says is refused: {said}")
        program.write_text(values_of())
        code, said = run([tessera, "run", "-O0", "--target=cpu", program.name], folder)
        if code or said:
            wrong.append(f"what the advice computes is far: {code} {said}")
    for line in wrong:
        print("FAIL", line)
    print(f"{max(0, len(known) - len(wrong))} passed, {len(wrong)} failed")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
