// What the code that launches a kernel can compute before it does: of the kernel's arguments, by
// operators that C++ has on any processor.
#pragma once

#include "mlir/IR/Value.h"

namespace tessera::plan {

// A constant, an argument or a field of one, or what integer arithmetic and pointer arithmetic
// without effects make of such.
bool isKnownToHost(mlir::Value value);
// One of the operations on integers that functions which list tiles compute (TileGrid.h). They run
// where the program would, and may divide by zero: the text says what becomes of that.
bool isListable(mlir::Operation *op);

} // namespace tessera::plan
