// The plan looks at what it is given, also where stages are not verified: what the printer has no
// code for does not pass it.
// RUN: env TESSERA_VERIFY=0 not %tessera-opt --tile-plan %s 2>&1 | FileCheck %s
// CHECK: error: 'arith.ceildivui' breaks a rule of the stage raised: the printer has code for the op

func.func @kernel(%p: !llvm.ptr, %n: i32) attributes {tile.kernel = "kernel"} {
  %step = arith.constant 64 : i32
  %count = arith.ceildivui %n, %step : i32
  llvm.store %count, %p : i32, !llvm.ptr
  return
}
