// Multiplies of a loop that are in flight while it goes on.
#pragma once

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "tile/TileDialect.h"

namespace tessera::plan {

// Leaves the multiplies of a loop in flight; returns the op that ends them. Equal initial
// accumulators get an attribute to distinguish them, which keeps CSE from merging them: each has
// registers of its own from the beginning.
mlir::Operation *leaveInFlight(mlir::scf::ForOp loop, llvm::ArrayRef<tile::SharedMmaOp> multiplies);

// Does the kernel call external functions such as printf? ptxas serializes multiplies next to such
// calls (C7510), and version 13.0 loses accumulators that are in flight there.
bool callsFunctions(mlir::func::FuncOp kernel);

} // namespace tessera::plan
