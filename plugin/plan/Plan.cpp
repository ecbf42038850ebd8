// The phases of the plan and their passes, in order, and why they are in this order. A folder has
// the passes of a phase; a few run in a later phase, which makes what they look at.
#include "plan/Plan.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"
#include "plan/Passes.h"

#include <cstdlib>

using namespace mlir;

namespace tessera::plan {

namespace {

// In debug builds, and where the environment asks for it, as the tests do.
bool verifiesStages() {
  if (const char *setting = std::getenv("TESSERA_VERIFY"))
    return StringRef(setting) != "0";
#ifdef NDEBUG
  return false;
#else
  return true;
#endif
}

void verify(OpPassManager &kernel, const char *stage) {
  if (verifiesStages())
    kernel.addPass(createVerifyPlan({stage}));
}

// Operations are still those of the program, and what checks compute is planned like everything
// else.
void addChecks(OpPassManager &manager, const Checks &checks) {
  OpPassManager &kernel = manager.nest<func::FuncOp>();
  // Always: front ends are several, and what the printer has no code for must not pass them.
  kernel.addPass(createVerifyPlan({"raised"}));
  if (checks.bounds)
    kernel.addPass(createCheckBounds());
  if (checks.nan || checks.inf)
    kernel.addPass(createCheckNumbers({checks.nan, checks.inf}));
  if (checks.any()) {
    kernel.addPass(createCanonicalizerPass());
    kernel.addPass(createCSEPass());
  }
}

// One form of what programs write in several.
void addNormalization(OpPassManager &manager) {
  OpPassManager &kernel = manager.nest<func::FuncOp>();
  // Before all passes that need a loop's counter and its reads.
  kernel.addPass(createCountLoops());
  // Before all passes that look at the uses of a read.
  kernel.addPass(createLateTransposes());
  kernel.addPass(createCutOperands());
  kernel.addPass(createLateReads());
  kernel.addPass(createUnrollLoops());
  // After unroll-loops, which makes one block of several loops' bodies.
  kernel.addPass(createMergeReads());
}

// How much a block computes, and which tiles: K tile, blocks, batches, accumulators.
void addTiling(OpPassManager &manager, const Checks &checks) {
  manager.addNestedPass<func::FuncOp>(createShrinkKTile());
  // Before all passes that look at the size of tiles, and on operations of the program; checks
  // report a block's index in the grid.
  if (!checks.any())
    manager.addPass(createCoarsenBlocks());
  OpPassManager &kernel = manager.nest<func::FuncOp>();
  if (!checks.any())
    kernel.addPass(createSwizzleBlocks());
  // All passes after this one may assume that the last dimension is contiguous.
  kernel.addPass(createContiguousLast());
  kernel.addPass(createLateTransposes()); // of reads through a permuted view
  // After contiguous-last, which determines whether operands are transposed.
  kernel.addPass(createSplitBatches());
  kernel.addPass(createMergeBatches());
  kernel.addPass(createSplitAccumulators());
  // After split-accumulators, which looks for accumulators that are stored as they are.
  kernel.addPass(createSwapOperands());
  // After split-accumulators, too, which divides the loops themselves.
  kernel.addPass(createSplitEpilogue());
  // Before layouts are assigned: the selects have preferences like everything else.
  kernel.addPass(createSelectLargeParts());
  // Last: warps follow from the tiles, and all later phases obey the configuration.
  kernel.addPass(createChooseConfig());
  verify(kernel, "contiguous");
}

// The instruction of each multiply, and its operands in shared memory.
void addMma(OpPassManager &kernel) {
  // Before all passes that look at a multiply: they see a larger K tile as if the program had it.
  kernel.addPass(createUnrollAlongK());
  verify(kernel, "contiguous");
  // Operands of a multiply move to shared memory before layouts are assigned: they need none in
  // registers.
  kernel.addPass(createSelectMmaInstructions());
  verify(kernel, "matrix");
}

// What is loaded ahead and stored behind, in how many stages.
void addPipeline(OpPassManager &kernel) {
  // Before the pipeline is planned: it plans smaller loads.
  kernel.addPass(createSubtileK());
  // Before pipeline-loops, which leaves loops alone whose operands come from rings.
  kernel.addPass(createSpecializeChains());
  kernel.addPass(createPipelineLoops());
  // After the rings, in whose bytes results lie; before layouts, which would convert them.
  kernel.addPass(createBulkStores());
  verify(kernel, "matrix");
}

// Which thread holds which element.
void addLayout(OpPassManager &kernel) {
  kernel.addPass(createCanonicalizerPass());
  kernel.addPass(createCSEPass());
  kernel.addPass(createAssignLayouts());
  verify(kernel, "layouts");
  kernel.addPass(createCSEPass());
  kernel.addPass(createRegisterOperands());
  // After register-operands, which decides what is in registers, and before all passes that need
  // lifetimes of tiles.
  kernel.addPass(createPrefetchOperands());
  // After register-operands, too: what is carried is in registers.
  kernel.addPass(createOverlapChains());
}

// What goes through shared memory, and where it lies there.
void addLowering(OpPassManager &kernel) {
  kernel.addPass(createLowerToShared());
  verify(kernel, "lowered");
  kernel.addPass(createCanonicalizerPass());
  // After lower-to-shared, which allocates what is needed: the rest pays for this.
  kernel.addPass(createHoistSharedStores());
  verify(kernel, "lowered");
}

// How each access is made, how many blocks share an SM, and the barriers.
void addAccesses(OpPassManager &manager, int64_t forgottenBarrier) {
  OpPassManager &kernel = manager.nest<func::FuncOp>();
  kernel.addPass(createWarnOfSpills());
  kernel.addPass(createPlanAccesses());
  // After plan-accesses, which says what is proven of copies.
  kernel.addPass(createVersionLoops());
  kernel.addPass(createGroupLoads());
  // After all passes that change lifetimes of tiles and the shared memory that they take.
  kernel.addPass(createPlanOccupancy());
  // Last, since only now every access of memory is visible.
  kernel.addPass(createInsertBarriers({forgottenBarrier}));
}

// Which values have a variable in generated code, when it is assigned, and what it is called.
void addNames(OpPassManager &manager) {
  OpPassManager &kernel = manager.nest<func::FuncOp>();
  // After all passes that change loops.
  kernel.addPass(createSequenceCopies());
  // After sequence-copies, which adds uses of values.
  kernel.addPass(createInlineValues());
  // After all passes that make values.
  kernel.addPass(createNameValues());
  verify(kernel, "final");
}

} // namespace

void buildSharedMemoryPasses(OpPassManager &kernel) {
  addMma(kernel);
  addPipeline(kernel);
  addLayout(kernel);
  addLowering(kernel);
}

void buildPipeline(OpPassManager &manager, const Checks &checks, int64_t forgottenBarrier) {
  addChecks(manager, checks);
  addNormalization(manager);
  addTiling(manager, checks);
  // Runs the phases from mma to lowering: how much shared memory they take is known after them.
  manager.addPass(createFitSharedMemory());
  addAccesses(manager, forgottenBarrier);
  addNames(manager);
}

void registerPasses() {
  registerPlanPasses();
  using Builder = void (*)(OpPassManager &);
  static constexpr struct {
    StringLiteral name, summary;
    Builder build;
  } phases[] = {
      {"tile-normalize", "the phase normalize", addNormalization},
      {"tile-tiling", "the phase tiling",
       [](OpPassManager &manager) { addTiling(manager, Checks()); }},
      {"tile-mma", "the phase mma, of a function", addMma},
      {"tile-pipeline", "the phase pipeline, of a function", addPipeline},
      {"tile-layout", "the phase layout, of a function", addLayout},
      {"tile-lowering", "the phase lowering, of a function", addLowering},
      {"tile-accesses", "the phase accesses",
       [](OpPassManager &manager) { addAccesses(manager, 0); }},
      {"tile-naming", "the phase naming", addNames},
      {"tile-plan", "all phases of the plan",
       [](OpPassManager &manager) { buildPipeline(manager, Checks(), 0); }},
  };
  for (const auto &phase : phases)
    PassPipelineRegistration<>(phase.name, phase.summary, phase.build);
}

} // namespace tessera::plan
