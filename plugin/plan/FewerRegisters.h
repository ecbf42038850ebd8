// What a kernel is planned without where the compiler of its text has too few registers.
#pragma once

#include "PlanPolicy.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tessera::plan {

// The policy of a second plan, where ptxas spills registers of this one, or makes its asynchronous
// multiplies wait for one another. Nothing of a kernel without a loop of multiplies, or whose plan
// has nothing to leave out.
std::optional<PlanPolicy> policyAgainstSpills(mlir::func::FuncOp kernel);
std::optional<PlanPolicy> policyAgainstWaits(mlir::func::FuncOp kernel);

} // namespace tessera::plan
