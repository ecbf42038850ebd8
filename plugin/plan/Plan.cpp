// The plan, phase after phase, as docs/internals/design.md draws it. Phases.h says where the passes
// of a phase are.
#include "plan/Plan.h"

#include "plan/Passes.h"
#include "plan/Phases.h"

#include "mlir/Pass/PassRegistry.h"

using namespace mlir;

namespace tessera::plan {

void buildSharedMemoryPasses(OpPassManager &kernel) {
  addMmaPhase(kernel);
  addPipelinePhase(kernel);
  addLayoutPhase(kernel);
  addLoweringPhase(kernel);
}

void buildPipeline(OpPassManager &manager, const Checks &checks, int64_t forgottenBarrier) {
  addChecksPhase(manager, checks);
  addNormalizePhase(manager);
  addTilingPhase(manager, checks);
  // Runs the phases from mma to lowering: how much shared memory they take is known after them.
  manager.addPass(createFitSharedMemory());
  addAccessesPhase(manager, forgottenBarrier);
  addNamingPhase(manager);
}

void buildWholePipeline(OpPassManager &manager, const Checks &checks) {
  addChecksPhase(manager, checks);
  addNamingPasses(manager.nest<func::FuncOp>());
}

void registerPasses() {
  registerPlanPasses();
  using Builder = void (*)(OpPassManager &);
  static constexpr struct {
    StringLiteral name, summary;
    Builder build;
  } phases[] = {
      {"tile-normalize", "the phase normalize", addNormalizePhase},
      {"tile-tiling", "the phase tiling",
       [](OpPassManager &manager) { addTilingPhase(manager, Checks()); }},
      {"tile-mma", "the phase mma, of a function", addMmaPhase},
      {"tile-pipeline", "the phase pipeline, of a function", addPipelinePhase},
      {"tile-layout", "the phase layout, of a function", addLayoutPhase},
      {"tile-lowering", "the phase lowering, of a function", addLoweringPhase},
      {"tile-accesses", "the phase accesses",
       [](OpPassManager &manager) { addAccessesPhase(manager, 0); }},
      {"tile-naming", "the phase naming", addNamingPhase},
      {"tile-plan", "all phases of the plan",
       [](OpPassManager &manager) { buildPipeline(manager, Checks(), 0); }},
  };
  for (const auto &phase : phases)
    PassPipelineRegistration<>(phase.name, phase.summary, phase.build);
}

} // namespace tessera::plan
