// Facts about scalars and pointers: what is known to divide them, and which memory they can point
// to.
//
// Facts come from constants, from assume_* and from arithmetic that keeps them; an analysis of a
// value looks only at what defines it.
#pragma once

#include "tile/TileDialect.h"

#include "mlir/IR/Value.h"

namespace tessera::plan {

// The largest power of two (at most 2^20) known to divide an integer; 2^20 for zero.
int64_t divisorOf(mlir::Value integer);
// The largest power of two (at most 2^20) that a pointer is known to be a multiple of, in bytes.
int64_t alignmentOf(mlir::Value pointer);
// Inclusive bounds of an integer, read as signed.
struct Range {
  int64_t low, high;
};
// A truth value that is known.
struct Condition {
  mlir::Value value;
  bool holds;
};
// What is known of an integer's value where the conditions in `given` are as they say; its type's
// bounds where nothing is.
Range rangeOf(mlir::Value integer, mlir::ArrayRef<Condition> given = {});
// What is known whenever the op does anything: the conditions of the branches around it, its own.
mlir::SmallVector<Condition> conditionsOf(mlir::Operation *op);
// The constant an integer is, if it is one.
std::optional<int64_t> constantOf(mlir::Value integer);
// The kernel argument, field of one, or local array that a pointer, or a tile of pointers, is based
// on; null if there may be several, or if it came out of memory.
mlir::Value baseOf(mlir::Value pointer);
// False only if the two can never point to the same memory: different bases of which one is
// __restrict__, or a local array. A pointer without a known base may be based on any argument.
bool mayAlias(mlir::Value base, mlir::Value otherBase);

// The pointer, or tile of pointers, that an op goes through; null if it goes through none, or
// nobody knows where.
mlir::Value addressOf(mlir::Operation *op);

// Does memory run along the dimension before the last of what is read? Before the pass
// contiguous-last a view may be so.
bool runsBeforeLast(tile::ViewLoadOp load);

// Is each element of a tile computed of those at its place in other tiles, and of nothing else?
bool isElementwise(mlir::Operation *op);

// The nearest loop of the program around an op, or null: that over places of the grid (Plan.h),
// which know nothing of one another, is none.
mlir::Operation *loopAround(mlir::Operation *op);

// What an op, without those nested in it, may do to global memory.
struct GlobalEffects {
  bool reads = false, writes = false;
  // Other blocks may have written anything before, or may see everything after: an atomic with an
  // order stronger than relaxed, a barrier, inline assembly.
  bool orders = false;
};
GlobalEffects globalEffectsOf(mlir::Operation *op);
// Does an op of the kernel read what `base` may point into? Those of which `isLeftOut` holds are
// not asked.
bool isReadIn(mlir::func::FuncOp kernel, mlir::Value base,
              llvm::function_ref<bool(mlir::Operation *)> isLeftOut = {});

} // namespace tessera::plan
