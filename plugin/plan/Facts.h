// Facts about scalars and pointers: what is known to divide them, and which memory they can point
// to.
//
// Facts come from constants, from assume_* and from arithmetic that keeps them; an analysis of a
// value looks only at what defines it.
#pragma once

#include "mlir/IR/Value.h"

namespace tessera::plan {

// The largest power of two (at most 2^20) known to divide an integer; 2^20 for zero.
int64_t divisorOf(mlir::Value integer);
// The largest power of two (at most 2^20) that a pointer is known to be a multiple of, in bytes.
int64_t alignmentOf(mlir::Value pointer);
// The constant an integer is, if it is one.
std::optional<int64_t> constantOf(mlir::Value integer);
// The kernel argument or local array that a pointer, or a tile of pointers, is derived from; null
// if there may be several.
mlir::Value baseOf(mlir::Value pointer);
// False only if the two can never point to the same memory: different bases of which one is
// __restrict__, or a local array.
bool mayAlias(mlir::Value base, mlir::Value otherBase);

} // namespace tessera::plan
