// emit: prints a planned kernel as SIMT CUDA C++. It decides nothing: every choice is an attribute
// or an op by now.
#pragma once

#include "Pipeline.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tessera::emit {

// The kernel's definition with its header comment. Text is the same for the same input.
EmittedKernel emit(mlir::func::FuncOp kernel, const PipelineOptions &options);

} // namespace tessera::emit
