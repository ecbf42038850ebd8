// A fold of values and indices that keeps an extreme value with the lowest index is an argument reduction, however its region says so.
// RUN: %tessera-opt --canonicalize %s | FileCheck %s

// As cuTile Python writes it: a number wins over NaN.
// CHECK-LABEL: func.func @floats
// CHECK-SAME: (%[[X:.*]]: tensor<64xf32>, %[[I:.*]]: tensor<64xi32>)
// CHECK-NEXT: %[[R:.*]] = tile.reduce argmax %[[X]] at %[[I]] along 0 : tensor<64xf32>, tensor<64xi32> -> tensor<1xi32>
// CHECK-NEXT: return %[[R]]
func.func @floats(%x: tensor<64xf32>, %i: tensor<64xi32>) -> tensor<1xi32> {
  %0:2 = tile.fold %x, %i along 0 : (tensor<64xf32>, tensor<64xi32>) -> (tensor<1xf32>, tensor<1xi32>) {
  ^bb0(%e: f32, %j: i32, %a: f32, %k: i32):
    %1 = arith.cmpf ogt, %e, %a : f32
    %2 = arith.cmpf oeq, %e, %a : f32
    %3 = arith.cmpf une, %e, %e : f32
    %4 = arith.cmpf une, %a, %a : f32
    %5 = arith.cmpf oeq, %e, %e : f32
    %6 = arith.andi %5, %4 : i1
    %7 = arith.ori %1, %6 : i1
    %8 = arith.andi %3, %4 : i1
    %9 = arith.ori %2, %8 : i1
    %10 = arith.cmpi slt, %j, %k : i32
    %11 = arith.andi %9, %10 : i1
    %12 = arith.ori %7, %11 : i1
    %13 = arith.select %12, %e, %a : f32
    %14 = arith.select %12, %j, %k : i32
    tile.yield %13, %14 : f32, i32
  }
  return %0#1 : tensor<1xi32>
}

// Of integers the value is known, too. Here the indices come first, and the accumulator's side is selected.
// CHECK-LABEL: func.func @integers
// CHECK-SAME: (%[[X:.*]]: tensor<64xi16>, %[[I:.*]]: tensor<64xi32>)
// CHECK-DAG: %[[R:.*]] = tile.reduce argmin %[[X]] at %[[I]] along 0 {isUnsigned}
// CHECK-DAG: %[[V:.*]] = tile.reduce min %[[X]] along 0 {isUnsigned}
// CHECK: return %[[R]], %[[V]]
func.func @integers(%x: tensor<64xi16>, %i: tensor<64xi32>) -> (tensor<1xi32>, tensor<1xi16>) {
  %0:2 = tile.fold %i, %x along 0 : (tensor<64xi32>, tensor<64xi16>) -> (tensor<1xi32>, tensor<1xi16>) {
  ^bb0(%j: i32, %e: i16, %k: i32, %a: i16):
    %1 = tile.compare lt %a, %e {isUnsigned} : i16 -> i1
    %2 = arith.cmpi eq, %a, %e : i16
    %3 = arith.cmpi sle, %k, %j : i32
    %false = arith.constant false
    %4 = arith.select %2, %3, %false : i1
    %5 = arith.ori %1, %4 : i1
    %6 = arith.select %5, %k, %j : i32
    %7 = tile.select %5, %a, %e : i1, i16
    tile.yield %6, %7 : i32, i16
  }
  return %0#0, %0#1 : tensor<1xi32>, tensor<1xi16>
}

// The largest of floats may be one of two zeros, whose index is asked for: one fold, in any order.
// CHECK-LABEL: func.func @value_of_floats
// CHECK: tile.fold {{.*}} along 0 {commutative}
// CHECK-NOT: tile.reduce
func.func @value_of_floats(%x: tensor<64xf32>, %i: tensor<64xi32>) -> (tensor<1xf32>, tensor<1xi32>) {
  %0:2 = tile.fold %x, %i along 0 : (tensor<64xf32>, tensor<64xi32>) -> (tensor<1xf32>, tensor<1xi32>) {
  ^bb0(%e: f32, %j: i32, %a: f32, %k: i32):
    %1 = arith.cmpf ogt, %e, %a : f32
    %2 = arith.cmpf oeq, %e, %a : f32
    %3 = tile.classify isnan %e : f32 -> i1
    %4 = tile.classify isnan %a : f32 -> i1
    %true = arith.constant true
    %5 = arith.xori %3, %true : i1
    %6 = arith.andi %5, %4 : i1
    %7 = arith.ori %1, %6 : i1
    %8 = arith.andi %3, %4 : i1
    %9 = arith.ori %2, %8 : i1
    %10 = arith.cmpi slt, %j, %k : i32
    %11 = arith.andi %9, %10 : i1
    %12 = arith.ori %7, %11 : i1
    %13 = arith.select %12, %e, %a : f32
    %14 = arith.select %12, %j, %k : i32
    tile.yield %13, %14 : f32, i32
  }
  return %0#0, %0#1 : tensor<1xf32>, tensor<1xi32>
}

// A NaN that stays where it is, an index that does not decide, and indices without a sign are something else.
// CHECK-LABEL: func.func @others
// CHECK-COUNT-3: tile.fold
// CHECK-NOT: tile.reduce
func.func @others(%x: tensor<64xf32>, %n: tensor<64xi16>, %i: tensor<64xi32>) -> (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) {
  %0:2 = tile.fold %x, %i along 0 : (tensor<64xf32>, tensor<64xi32>) -> (tensor<1xf32>, tensor<1xi32>) {
  ^bb0(%e: f32, %j: i32, %a: f32, %k: i32):
    %1 = arith.cmpf ogt, %e, %a : f32
    %2 = arith.cmpf oeq, %e, %a : f32
    %3 = arith.cmpi slt, %j, %k : i32
    %4 = arith.andi %2, %3 : i1
    %5 = arith.ori %1, %4 : i1
    %6 = arith.select %5, %e, %a : f32
    %7 = arith.select %5, %j, %k : i32
    tile.yield %6, %7 : f32, i32
  }
  %10:2 = tile.fold %n, %i along 0 : (tensor<64xi16>, tensor<64xi32>) -> (tensor<1xi16>, tensor<1xi32>) {
  ^bb0(%e: i16, %j: i32, %a: i16, %k: i32):
    %1 = arith.cmpi sgt, %e, %a : i16
    %6 = arith.select %1, %e, %a : i16
    %7 = arith.select %1, %j, %k : i32
    tile.yield %6, %7 : i16, i32
  }
  %20:2 = tile.fold %n, %i along 0 : (tensor<64xi16>, tensor<64xi32>) -> (tensor<1xi16>, tensor<1xi32>) {
  ^bb0(%e: i16, %j: i32, %a: i16, %k: i32):
    %1 = arith.cmpi sgt, %e, %a : i16
    %2 = arith.cmpi eq, %e, %a : i16
    %3 = arith.cmpi ult, %j, %k : i32
    %4 = arith.andi %2, %3 : i1
    %5 = arith.ori %1, %4 : i1
    %6 = arith.select %5, %e, %a : i16
    %7 = arith.select %5, %j, %k : i32
    tile.yield %6, %7 : i16, i32
  }
  return %0#1, %10#1, %20#1 : tensor<1xi32>, tensor<1xi32>, tensor<1xi32>
}
