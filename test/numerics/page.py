#!/usr/bin/env python3
"""Makes docs/user/numerics.md of what sweep.cu and complex.cu have printed on each target.

The outputs are bench/results/*-numerics-TARGET.txt and *-complex-TARGET.txt, the latest of each.
Without an argument: fails where an error is above its bound and where the page is not what the
outputs say. --write writes the page.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs/user/numerics.md"
TARGETS = {"cpu": "CPU", "emulate": "emulator", "h200": "H200"}
LINE = re.compile(r"(\S+) (\S+) (\S+): (\S+) of (\S+) at (.*)")
HEAD = """# How exact the math functions are

The largest error of each function, element type and modifier, in units of the last place, found by
`test/numerics/sweep.cu`, next to CUDA's documented bound. The bound counts from the correctly
rounded result, an error from the exact one, so an error may be half a unit more. Half and bf16 are
tested with all numbers; float and double with the 2^20 of each column's output in `bench/results`,
half of them spread over all codes, half over -128 to 128. The reference is MPFR, in 60 bits more
than the type has.

`approximate` of exp multiplies its argument, which costs 1.173 |x| units; of tanh it is one
instruction of the GPU with a relative error of 2^-11. The table lists the largest of those bounds.
Division and the square root are correctly rounded unless a modifier says otherwise; addition,
multiplication and fma are right to the last bit on every target (`test/run/numerics_*.cu`).

A multiply and an add may be rounded once instead of twice. On a GPU nvcc and Clang contract every
multiply and add, as NVIDIA's compilers do, so `a * b - b * a` may be the rounding error of the
first product; `-fmad=false` for nvcc turns that off. On the CPU and under the emulator no
expression of a program is contracted, on whatever processor, and both give the same bits
(`test/run/contraction.cu`). `fma` has one rounding on every target. The intermediate rounding of a
GEMM or of a sum of many elements depends on the target.

`long double` in tile code has double's precision (`test/run/long_double.cu`); what the runtime
computes in more, it computes in more there, too.

"""
COMPLEX = """
## Complex numbers

`tessera::math::complex`: the distance to the exact result, in units of the last place of that
result's magnitude, found by `test/numerics/complex.cu` in 2^20 operations each, half of them with
parts of -128 to 128, half with parts of any size at which nothing overflows on the way; some nearly
cancel. CUDA documents no bound: that of a product (sqrt(5) half units of each part) and of a
quotient (8.24) follows from their formulas, `mul-real` and `div-real` have one rounding a part, and
`abs` is hypot. The reference has 113 bits.

"""
# Nothing of it was found by these programs: what the instructions say, and what test/run holds.
PRODUCTS = """
## GEMM

GEMMs of bytes are exact in int, and wrap round where an int overflows, on every target and with
every instruction. The product of two fp8, half or bf16 numbers is exact in float; the accumulation
differs. The CPU and the emulator add the products to the accumulator one after the other in the
order of K, each sum rounded to the nearest float. A tensor core adds those of one instruction at
once, in no documented order and without rounding each:

| operands | instructions | K of one instruction |
|---|---|---|
| half, bf16 | mma.sync m16n8k16, wgmma k16 | 16 |
| tf32 | mma.sync m16n8k8, wgmma k8 | 8 |
| e4m3, e5m2 | mma.sync m16n8k32 (sm_89 and newer), wgmma k32 | 32 |

Operands that a program widens to float (or to tf32) before it multiplies them are multiplied in the
type that they had, by tensor cores: their products are the same numbers. Where one operand alone
was widened, from bf16 or a type that bf16 holds, the other is multiplied as three bf16 terms, whose
sum it is, bit for bit down to 2^-133. A half beside a float is two terms; of the six products five
are added, the last is below 2^-23 of the whole. Such a product differs from one by fused
multiply-adds as others by tensor cores do, and in one more way: infinity times a number below 2^-69
is a NaN. `TESSERA_PLAN_WITHOUT=narrow` multiplies them as floats.

So accumulators whose partial sums are exact are equal everywhere: `test/run` compares these
(`mma_bytes.cu`, `mma_of_warpgroups.cu`).

Tensor cores of sm_90 keep about 14 bits of a sum of fp8: a sum of 2,560 positive products can be
wrong by 5 %. With wgmma the products of at most 128 of K are therefore summed apart, and these sums
are added to the accumulator as floats (`promoted_mma_start`; CUTLASS calls it promotion, and cuBLAS
does it every 128, too, unless it is asked for fast accumulation). `use_fast_acc=True` of cuTile
Python's `ct.mma` leaves the sums to the tensor core.
"""


def outputs(kind):
    """The latest output of each target: its lines by function, type and modifier."""
    found = {}
    for target in TARGETS:
        paths = sorted((ROOT / "bench/results").glob(f"*-{kind}-{target}.txt"))
        if paths:
            lines = map(LINE.fullmatch, paths[-1].read_text().splitlines())
            found[target] = {match.groups()[:3]: match.groups()[3:] for match in lines if match}
    return found


def table(found):
    targets = [target for target in TARGETS if target in found]
    rows = list(dict.fromkeys(key for target in targets for key in found[target]))
    text = "| function | type | modifier | bound |"
    text += "".join(f" {TARGETS[target]} |" for target in targets)
    text += "\n|" + "---|" * (4 + len(targets)) + "\n"
    for key in rows:
        entries = [found[target].get(key) for target in targets]
        bound = next(entry[1] for entry in entries if entry)
        cells = [entry[0] if entry else "" for entry in entries]
        text += f"| {' | '.join([*key, bound, *cells])} |\n"
    return text


def page(real, of_complex):
    return HEAD + table(real) + COMPLEX + table(of_complex) + PRODUCTS


def main():
    both = outputs("numerics"), outputs("complex")
    failed = 0
    for target, lines in [pair for found in both for pair in found.items()]:
        for key, (error, bound, place) in lines.items():
            if not float(error) <= float(bound) + 0.5:
                failed += 1
                print(f"{target}: {' '.join(key)}: {error} of {bound} at {place}")
    if "--write" in sys.argv[1:]:
        PAGE.write_text(page(*both))
    elif not PAGE.is_file() or PAGE.read_text() != page(*both):
        failed += 1
        print(f"{PAGE.name} is not what the outputs say: run page.py --write")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
