// Local variables of a block in shared memory.
#pragma once

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tessera::plan {

// Puts the block memory of a kernel into shared memory where it is small and each of its accesses
// is known.
void shareBlockMemory(mlir::func::FuncOp kernel);

} // namespace tessera::plan
