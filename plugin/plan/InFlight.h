// Multiplies of a loop that are at work while it goes on.
#pragma once

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "tile/TileDialect.h"

namespace tessera::plan {

// Leaves the multiplies of a loop in flight; gives the op that ends them. Sums that begin alike get
// an attribute to tell them apart, which keeps them from becoming one: each has registers of its
// own from the beginning.
mlir::Operation *leaveInFlight(mlir::scf::ForOp loop, llvm::ArrayRef<tile::SharedMmaOp> multiplies);

// Does the kernel call what is no part of it, as printf? ptxas serialises multiplies beside such
// calls (C7510), and version 13.0 loses sums that are in flight there.
bool callsFunctions(mlir::func::FuncOp kernel);

} // namespace tessera::plan
