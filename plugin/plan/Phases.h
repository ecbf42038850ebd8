// The phases of the plan. A phase is a folder of plugin/plan, whose *Phase.cpp has the order of its
// passes with the reason for each position. A few passes run in a later phase than that of their
// folder, which makes what they look at; memory/ has two phases.
#pragma once

#include "support/Checks.h"

#include "mlir/Pass/PassManager.h"

namespace tessera::plan {

// Passes of the kernels of a module, and of the module.
void addChecksPhase(mlir::OpPassManager &manager, const Checks &checks);
void addNormalizePhase(mlir::OpPassManager &manager);
void addTilingPhase(mlir::OpPassManager &manager, const Checks &checks);

// Passes of one kernel: FitSharedMemory runs them, and runs them again.
void addMmaPhase(mlir::OpPassManager &kernel);
void addPipelinePhase(mlir::OpPassManager &kernel);
void addLayoutPhase(mlir::OpPassManager &kernel);
void addLoweringPhase(mlir::OpPassManager &kernel);

// Passes of the kernels of a module. forgottenBarrier: see buildPipeline.
void addAccessesPhase(mlir::OpPassManager &manager, int64_t forgottenBarrier);
void addNamingPhase(mlir::OpPassManager &manager);
// Those of one kernel, planned or not.
void addNamingPasses(mlir::OpPassManager &kernel);

// Verifies the rules of a stage (VerifyPlan.cpp) at this point: in debug builds, and where
// TESSERA_VERIFY is set, as the tests do.
void addVerification(mlir::OpPassManager &kernel, const char *stage);

} // namespace tessera::plan
