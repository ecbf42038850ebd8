// The order of the plan's passes, and why.
#include "plan/Plan.h"

#include "mlir/Transforms/Passes.h"
#include "plan/Passes.h"

using namespace mlir;

namespace tessera::plan {

int64_t sharedLimit(Operation *kernel) {
  auto attr = kernel->getParentOfType<ModuleOp>()->getAttrOfType<IntegerAttr>(archAttr);
  int64_t arch = attr ? attr.getInt() : 90;
  bool small = arch == 86 || arch == 89 || arch >= 120;
  return (small ? 99 : arch < 90 ? 163 : 227) * 1024;
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
