// What to leave out of a kernel's plan where the compiler of the generated code has too few
// registers.
#pragma once

#include "support/PlanPolicy.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tessera::plan {

// The policy of a second plan, where ptxas spills registers of the first, or serializes its
// asynchronous multiplies. Nothing for a kernel without a loop of multiplies, or whose plan has
// nothing to leave out.
std::optional<PlanPolicy> policyAgainstSpills(mlir::func::FuncOp kernel);
std::optional<PlanPolicy> policyAgainstWaits(mlir::func::FuncOp kernel);

} // namespace tessera::plan
