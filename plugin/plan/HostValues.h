// What the code that launches a kernel can compute before it does: of the kernel's arguments, by
// operators that C++ has on any processor.
#pragma once

#include "mlir/IR/Value.h"

#include "llvm/ADT/STLExtras.h"

namespace tessera::plan {

// A constant, an argument or a field of one, or what integer arithmetic and pointer arithmetic
// without effects make of such.
bool isKnownToHost(mlir::Value value);
// All that says what the view is which an op accesses.
template <class Op> bool isViewKnownToHost(Op access) {
  return isKnownToHost(access.getBase()) && llvm::all_of(access.getExtents(), isKnownToHost) &&
         llvm::all_of(access.getStrides(), isKnownToHost);
}
// One of the operations on integers that functions which list tiles compute (TileGrid.h). They run
// where the program would, and may divide by zero: the text says what becomes of that.
bool isListable(mlir::Operation *op);

} // namespace tessera::plan
