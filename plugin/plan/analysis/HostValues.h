// Values that the code that launches a kernel can compute before the launch: from the kernel's
// arguments, by operators that C++ has on any processor.
#pragma once

#include "mlir/IR/Value.h"

#include "llvm/ADT/STLExtras.h"

namespace tessera::plan {

// A constant, an argument or a field of one, or integer and pointer arithmetic without effects on
// such values.
bool isKnownToHost(mlir::Value value);
// The view that an op accesses: base, extents and strides.
template <class Op> bool isViewKnownToHost(Op access) {
  return isKnownToHost(access.getBase()) && llvm::all_of(access.getExtents(), isKnownToHost) &&
         llvm::all_of(access.getStrides(), isKnownToHost);
}
// One of the integer operations that functions which list tiles compute (TileGrid.h). They run
// where the program would, and may divide by zero: the generated code handles that.
bool isListable(mlir::Operation *op);

} // namespace tessera::plan
