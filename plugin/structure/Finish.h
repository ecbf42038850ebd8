// Where the front ends meet: from tile IR with branches to the structured tile IR that the plan
// starts from.
//
// A front end leaves each kernel as a func.func whose blocks branch with cf; raise does so for CUDA
// Tile C++, tileir for bytecode. What lies behind this step does not know which it was.
#pragma once

#include "support/Report.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"

namespace tessera::structuring {

// The dialects of tile IR before and after structuring.
void loadDialects(mlir::MLIRContext &context);

// Structures and cleans up every kernel of the module, and verifies it before and after. `stage`
// stands in the report of a fault.
Result<mlir::ModuleOp> finish(mlir::ModuleOp module, llvm::StringRef stage, Reports &reports);

} // namespace tessera::structuring
