// The passes of the plan; Passes.td summarizes each.
#pragma once

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/Pass.h"

namespace tessera::plan {

#define GEN_PASS_DECL
#include "plan/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "plan/Passes.h.inc"

void registerPasses();

} // namespace tessera::plan
