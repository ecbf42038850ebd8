// Facts about scalars and pointers: their known divisors, their bounds, and the memory that
// pointers may point to.
//
// Facts come from constants, from assume_* and from arithmetic that keeps them; an analysis of a
// value looks only at its definitions. It is asked while passes rewrite what it looks at, and under
// conditions that hold at one op, so it walks up anew where a data flow analysis of the kernel
// would have to run again. What MLIR knows of an op's bounds (InferIntRangeInterface) is not said
// again. AxisInfo and InductionStrides ask for these facts of scalars, and have walks of their own
// for tiles and for what a loop moves.
#pragma once

#include "tile/TileDialect.h"

#include "mlir/IR/Value.h"

namespace tessera::plan {

// No caller needs larger divisors.
constexpr int64_t maxDivisor = 1 << 20;
// The largest power of two, up to that, which divides a number; the largest of all for zero.
int64_t powerOfTwoIn(int64_t n);
// The same of what is known of an integer, or of an address: an alignment in bytes.
int64_t divisorOf(mlir::Value number);
// Is the innermost coordinate of a box of these elements known to be a multiple of 16 bytes? Bulk
// copies and stores take no other: they are illegal instructions.
bool startsAtChunk(mlir::ValueRange coordinates, mlir::Type element);
// Inclusive bounds of an integer, read as signed.
struct Range {
  int64_t low, high;
};
// A truth value that is known.
struct Condition {
  mlir::Value value;
  bool holds;
};
// The bounds of an integer's value, or of all elements of a tile of integers, where the conditions
// in `given` hold as they say; its type's bounds where nothing is known.
Range rangeOf(mlir::Value integer, mlir::ArrayRef<Condition> given = {});
// The conditions that hold whenever the op has an effect: those of the branches around it, and its
// own.
mlir::SmallVector<Condition> conditionsOf(mlir::Operation *op);
// The constant value of an integer, if it has one.
std::optional<int64_t> constantOf(mlir::Value integer);

// A zero constant, also as a splat or of another type; no negative one.
bool isZero(mlir::Value v);
// The kernel argument, field of one, or local array that a pointer, or a tile of pointers, is based
// on; null if there may be several, or if the pointer was loaded from memory.
mlir::Value baseOf(mlir::Value pointer);
// False only if the two can never point to the same memory: different bases, one of them
// __restrict__ or a local array. A pointer without a known base may be based on any argument.
bool mayAlias(mlir::Value base, mlir::Value otherBase);

// The pointer, or tile of pointers, that an op accesses; null if there is none or it is unknown.
mlir::Value addressOf(mlir::Operation *op);

// Is the dimension before the last contiguous in what is read? Possible only before the pass
// contiguous-last.
bool runsBeforeLast(tile::ViewLoadOp load);

// Does each element of the result depend only on the elements at the same index of other tiles?
bool isElementwise(mlir::Operation *op);

// The nearest loop of the program around an op, or null: the loop over work tiles of the grid
// (Plan.h), which are independent, does not count.
mlir::Operation *loopAround(mlir::Operation *op);

// What an op, without those nested in it, may do to global memory.
struct GlobalEffects {
  bool reads = false, writes = false;
  bool orders = false;
};
GlobalEffects globalEffectsOf(mlir::Operation *op);
// The ops of a kernel that write global memory, and those that only read it.
struct GlobalAccesses {
  llvm::SmallVector<mlir::Operation *> reads, writes;
};
// Nothing where one of them orders others or is at no known address, or where an op does anything
// else that can be seen, as a print does.
std::optional<GlobalAccesses> globalAccessesOf(mlir::func::FuncOp kernel);
// Could a block wait for another one, or observe which ones came before?
bool isOrderSeen(mlir::func::FuncOp kernel);
// Does an op of the kernel read what `base` may point into? Ops for which `isLeftOut` holds are
// skipped.
bool isReadIn(mlir::func::FuncOp kernel, mlir::Value base,
              llvm::function_ref<bool(mlir::Operation *)> isLeftOut = {});

} // namespace tessera::plan
