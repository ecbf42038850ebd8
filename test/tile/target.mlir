// The GPU of a module is a row of Machines.def, by its name.
// RUN: split-file %s %t
// RUN: %tessera-opt %t/known.mlir | FileCheck %s
// RUN: not %tessera-opt %t/unknown.mlir 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// CHECK: tile.target = #tile.target<"sm_90a">
// UNKNOWN: no target is called 'sm_12'

//--- known.mlir
module attributes {tile.target = #tile.target<"sm_90a">} {}

//--- unknown.mlir
module attributes {tile.target = #tile.target<"sm_12">} {}
