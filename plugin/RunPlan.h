// Runs the plan's passes on the program for one GPU.
#pragma once

#include "CompileRaised.h"

#include "mlir/IR/BuiltinOps.h"

namespace tessera {

// The module, planned, as the options say: which techniques, which checks, what is printed after
// which pass. A crash and a failure are reported with their pass and kernel.
Result<mlir::ModuleOp> runPlan(mlir::ModuleOp module, const PipelineOptions &options,
                               Reports &reports);

} // namespace tessera
