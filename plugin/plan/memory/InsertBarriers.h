// Whether a kernel has all the barriers it needs.
#pragma once

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tessera::plan {

// Would InsertBarriers add one?
bool needsBarrier(mlir::func::FuncOp kernel);

} // namespace tessera::plan
