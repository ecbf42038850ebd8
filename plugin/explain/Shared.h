// Shared memory over the time of a kernel, measured in lines of the generated code.
#pragma once

#include "emit/Emit.h"

#include "llvm/Support/JSON.h"

namespace tessera::explain {

// Each shared tile, or ring of tiles: its offset, its first and last line, the banks of its
// elements, and its readers and writers.
llvm::json::Array sharedData(mlir::func::FuncOp kernel, const emit::Listing &listing);

// The first and the last line of each loop, outer loops first.
llvm::json::Array loopsData(mlir::func::FuncOp kernel, const emit::Listing &listing);

} // namespace tessera::explain
