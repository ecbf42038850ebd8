// Shared memory over the time of a kernel, whose clock are the lines of the emitted text.
#pragma once

#include "emit/Emit.h"

#include "llvm/Support/JSON.h"

namespace tessera::explain {

// Each shared tile, or ring of tiles: where it lies, from which line to which, how its elements lie
// in the banks, and who reads and writes it.
llvm::json::Array sharedData(mlir::func::FuncOp kernel, const emit::Listing &listing);

// The first and the last line of each loop, outer loops first.
llvm::json::Array loopsData(mlir::func::FuncOp kernel, const emit::Listing &listing);

} // namespace tessera::explain
