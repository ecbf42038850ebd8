// Multiplies of a loop that are in flight while it goes on.
#pragma once

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "tile/TileDialect.h"

namespace tessera::plan {

// Leaves the multiplies of a loop in flight; returns the op that ends them. Equal initial
// accumulators get an attribute to distinguish them, which keeps CSE from merging them: each has
// registers of its own from the beginning.
mlir::Operation *leaveInFlight(mlir::scf::ForOp loop, llvm::ArrayRef<tile::SharedMmaOp> multiplies);

// The loops of a warp-specialized kernel's consumers, but for the one over work tiles.
llvm::SmallVector<mlir::scf::ForOp> loopsOfConsumers(mlir::func::FuncOp kernel);

// Does the kernel call external functions such as printf? ptxas serializes multiplies next to such
// calls (C7510), and version 13.0 loses accumulators that are in flight there.
bool callsFunctions(mlir::func::FuncOp kernel);

// Each warpgroup has 64 rows of the accumulator, as many as one instruction.
bool isOneInstructionHigh(tile::SharedMmaOp multiply);

// Have threads registers for the operands of a K step that waits over the iterations of this loop?
// Not next to an accumulator that takes more than 128 registers of each of 256 threads, nor where
// an accumulator of that size is next to other tiles that are needed in the loop or after it, such
// as split accumulators that wait to be stored.
bool hasRegistersForStep(mlir::scf::ForOp loop, tile::SharedMmaOp multiply);

} // namespace tessera::plan
