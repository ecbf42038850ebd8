// What to leave out of a kernel's plan where the compiler of the generated code has too few
// registers.
#pragma once

#include "support/PlanPolicy.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tessera::plan {

// Nothing for a kernel without a loop of multiplies.
SecondPlans secondPlansOf(mlir::func::FuncOp kernel);

} // namespace tessera::plan
