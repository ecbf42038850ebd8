#!/usr/bin/env python3
"""Every operation of MLIR's arith (and some of its neighbours) in tile IR: printed, or refused.

What the table plugin/tile/OtherOps.def has is planned and printed; what it has not is a fault that
names the operation, in the plan's verifier as in the printer. Nothing prints as a gap.

usage: every_op.py TESSERA_OPT
"""

import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
ARITH = pathlib.Path("/usr/lib/llvm-22/include/mlir/Dialect/Arith/IR/ArithOps.td")

# An operation of i32 or f32 alone needs no words; the others are spelled. The first result is %r.
INTEGERS = """addi subi muli divsi divui ceildivsi ceildivui floordivsi remsi remui andi ori xori
shli shrsi shrui minsi maxsi minui maxui""".split()
FLOATS = "addf subf mulf divf remf maximumf minimumf maxnumf minnumf".split()
SPELLED = {
    "arith.addui_extended": "%r, %q = arith.addui_extended %i, %j : i32, i1",
    "arith.subui_extended": "%r, %q = arith.subui_extended %i, %j : i32, i1",
    "arith.mulsi_extended": "%r, %q = arith.mulsi_extended %i, %j : i32",
    "arith.mului_extended": "%r, %q = arith.mului_extended %i, %j : i32",
    "arith.constant": "%r = arith.constant 7 : i32",
    "arith.negf": "%r = arith.negf %f : f32",
    "arith.flush_denormals": "%r = arith.flush_denormals %f : f32",
    "arith.extsi": "%r = arith.extsi %i : i32 to i64",
    "arith.extui": "%r = arith.extui %i : i32 to i64",
    "arith.trunci": "%r = arith.trunci %l : i64 to i32",
    "arith.extf": "%r = arith.extf %f : f32 to f64",
    "arith.truncf": "%r = arith.truncf %d : f64 to f32",
    "arith.convertf": "%r = arith.convertf %h : f16 to bf16",
    "arith.scaling_extf": "%r = arith.scaling_extf %h, %h : f16, f16 to f32",
    "arith.scaling_truncf": "%r = arith.scaling_truncf %f, %f : f32, f32 to f16",
    "arith.sitofp": "%r = arith.sitofp %i : i32 to f32",
    "arith.uitofp": "%r = arith.uitofp %i : i32 to f32",
    "arith.fptosi": "%r = arith.fptosi %f : f32 to i32",
    "arith.fptoui": "%r = arith.fptoui %f : f32 to i32",
    "arith.bitcast": "%r = arith.bitcast %f : f32 to i32",
    "arith.index_cast": "%r = arith.index_cast %x : index to i64",
    "arith.index_castui": "%r = arith.index_castui %x : index to i64",
    "arith.cmpi": "%r = arith.cmpi ult, %i, %j : i32",
    "arith.cmpf": "%r = arith.cmpf ueq, %f, %g : f32",
    "arith.select": "%r = arith.select %c, %i, %j : i32",
    "math.sin": "%r = math.sin %f : f32",
    "math.absi": "%r = math.absi %i : i32",
    "math.ctpop": "%r = math.ctpop %i : i32",
    "math.ctlz": "%r = math.ctlz %i : i32",
    "math.cttz": "%r = math.cttz %i : i32",
    "math.fma": "%r = math.fma %f, %g, %f : f32",
    "llvm.icmp": '%r = llvm.icmp "eq" %p, %p : !llvm.ptr',
    "llvm.intr.umax": "%r = llvm.intr.umax(%i, %j) : (i32, i32) -> i32",
    "llvm.fadd": "%r = llvm.fadd %f, %g : f32",
    "ub.poison": "%r = ub.poison : i32",
}
SPELLED |= {f"arith.{name}": f"%r = arith.{name} %i, %j : i32" for name in INTEGERS}
SPELLED |= {f"arith.{name}": f"%r = arith.{name} %f, %g : f32" for name in FLOATS}
# The same operations where text has no words for these operands.
OF_TILES = [
    "%r = arith.addi %t, %t : tensor<4xi32>",
    "%r = arith.constant dense<[1, 2, 3, 4]> : tensor<4xi32>",
    "%r = llvm.getelementptr %p[%i, 1] : (!llvm.ptr, i32) -> !llvm.ptr, !llvm.array<4 x i32>",
]
PREDICATES = "false oeq ogt oge olt ole one ord ueq ugt uge ult ule une uno true".split()
ARGUMENTS = """%i: i32, %j: i32, %l: i64, %f: f32, %g: f32, %d: f64, %h: f16, %c: i1, %x: index,
    %p: !llvm.ptr"""
TILE = ", %t: tensor<4xi32>"


def class_names():
    """The classes of the table, without their namespaces."""
    text = (ROOT / "plugin/tile/OtherOps.def").read_text()
    return set(re.findall(r"^TESSERA_\w+_OP\((?:arith|math|LLVM|ub)::(\w+)\)", text, re.M))


def arith_operations():
    """{operation: class} of MLIR's own table; empty where its headers are not installed."""
    text = ARITH.read_text() if ARITH.exists() else ""
    found = re.findall(r"^def Arith_(\w+Op)\b[^\"]*\"(\w+)\"", text, re.M)
    return {f"arith.{name}": cls for cls, name in found}


def kernel(line):
    # The result goes where the printer must name it.
    type = re.split(r" to | -> |: ", line)[-1].split(",")[0]
    if re.search(r"arith\.cmp|llvm\.icmp", line):
        type = "i1"
    if "tensor" in line or "getelementptr" in line:
        return f"func.func @f({ARGUMENTS}{TILE}) {{\n  {line}\n  return\n}}\n"
    return f"""func.func @f({ARGUMENTS}) attributes {{tile.config = #tile.config<warps = 1>}} {{
  {line}
  tile.print "%d"(%r) : {type}
  return
}}
"""


def run(tool, text, *options):
    done = subprocess.run([tool, *options, "-"], input=text, capture_output=True, text=True)
    return done.returncode, done.stdout + done.stderr


def expect(holds, what, output):
    if not holds:
        sys.exit(f"{what}\n{output}")


def main():
    tool, classes, operations = sys.argv[1], class_names(), arith_operations()
    missing = sorted(set(operations) - set(SPELLED))
    expect(not missing, f"operations of arith that this test does not spell: {missing}", "")
    unknown = {"math.absi": "AbsIOp", "math.ctpop": "CtPopOp", "math.ctlz": "CountLeadingZerosOp",
               "math.cttz": "CountTrailingZerosOp", "llvm.icmp": "ICmpOp",
               "ub.poison": "PoisonOp"}  # fmt: skip
    printed = 0
    for name, line in SPELLED.items():
        if name.startswith("arith.") and operations and name not in operations:
            continue  # of another version of MLIR
        is_known = (operations | unknown).get(name) in classes
        for option in ("--tile-verify-plan=stage=raised", "--tile-text"):
            status, output = run(tool, kernel(line), option)
            expect("undefined" not in output, f"{name} prints a gap", output)
            if is_known:
                expect(status == 0, f"{name} is in the table, and {option} refuses it", output)
            else:
                expect(status and f"'{name}'" in output, f"{option} takes {name}", output)
        printed += is_known
    for predicate in PREDICATES:
        status, output = run(
            tool, kernel(f"%r = arith.cmpf {predicate}, %f, %g : f32"), "--tile-text"
        )
        expect(status == 0 and "printf(" in output, f"no text for {predicate}", output)
    for kind, symbol in {"bit_and": "&", "bit_or": "|", "bit_xor": "^"}.items():
        line = f"%r = tile.binary {kind} %i, %j : i32"
        status, output = run(tool, kernel(line), "--tile-text")
        is_printed = f" {symbol} " in output.partition("{")[2]
        expect(status == 0 and is_printed, f"no text for {kind} of scalars", output)
    for line in OF_TILES:
        status, output = run(tool, kernel(line), "--tile-verify-plan=stage=raised")
        expect(status and "the printer has code for the op" in output, f"taken: {line}", output)
    mixed = f"""func.func @f({ARGUMENTS}{TILE}) {{
  tile.print "%d%% %d\\n"(%i, %t) : i32, tensor<4xi32>
  return
}}
"""
    status, output = run(tool, mixed, "--tile-verify-plan=stage=raised")
    expect(status == 0, "a tile among scalars", output)
    print(f"{printed} operations printed, {len(SPELLED) - printed} refused")


if __name__ == "__main__":
    main()
