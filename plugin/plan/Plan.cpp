// The order of the plan's passes, and why.
#include "plan/Plan.h"

#include "mlir/Transforms/Passes.h"
#include "plan/Passes.h"
#include "tile/TileDialect.h"

using namespace mlir;

namespace tessera::plan {

const GpuTarget &targetOf(Operation *kernel) {
  auto module = kernel->getParentOfType<ModuleOp>();
  auto attr = module ? module->getAttrOfType<tile::TargetAttr>(targetAttr) : tile::TargetAttr();
  return attr ? *findGpuTarget(attr.getName()) : defaultGpuTarget();
}

void buildPipeline(OpPassManager &manager) {
  OpPassManager &kernel = manager.nest<func::FuncOp>();
  // Everything behind this pass may take it that memory runs along the last dimension.
  kernel.addPass(createContiguousLast());
  // Factors of a multiply get their place in shared memory before layouts are given out: they need
  // none in registers.
  kernel.addPass(createSelectMatrixUnits());
  kernel.addPass(createPipelineLoops());
  kernel.addPass(createCanonicalizerPass());
  kernel.addPass(createCSEPass());
  kernel.addPass(createAssignLayouts());
  kernel.addPass(createCSEPass());
  kernel.addPass(createLowerToShared());
  kernel.addPass(createCanonicalizerPass());
  kernel.addPass(createPlanAccesses());
  // Last, since only now is every access of memory visible.
  kernel.addPass(createInsertBarriers());
}

void registerPasses() { registerPlanPasses(); }

} // namespace tessera::plan
