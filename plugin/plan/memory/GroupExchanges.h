// Exchanges through shared memory that do not wait for one another, between the same two barriers.
#pragma once

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tessera::plan {

// For a kernel whose exchanges are stores and loads of tiles in shared memory; places these tiles.
// Returns the bytes that they take.
int64_t groupExchanges(mlir::func::FuncOp kernel);

} // namespace tessera::plan
