// The passes of the plan; Passes.td has a sentence for each.
#pragma once

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/Pass.h"

namespace tessera::plan {

#define GEN_PASS_DECL
#include "plan/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "plan/Passes.h.inc"

// Registers every pass above with the pass manager's command line (tessera-opt).
void registerPasses();

} // namespace tessera::plan
