// The passes of the phase tiling: how much a block computes, and which tiles. They decide the K
// tile, blocks, batches, accumulators, epilogues, and at last the configuration of the kernel.
#include "plan/Phases.h"

#include "plan/Passes.h"

using namespace mlir;

namespace tessera::plan {

void addTilingPhase(OpPassManager &manager, const Checks &checks) {
  manager.addNestedPass<func::FuncOp>(createShrinkKTile());
  // Before all passes that look at the size of tiles, and on operations of the program; checks
  // report a block's index in the grid.
  if (!checks.any()) {
    // Before split-rows, whose parts a block computes one after another.
    manager.addPass(createSplitBlocks());
    // Before coarsen-blocks, which asks how many registers a block takes.
    manager.addNestedPass<func::FuncOp>(createSplitRows());
    // After split-rows: a row alone may have room.
    manager.addNestedPass<func::FuncOp>(createSplitColumns());
    manager.addPass(createCoarsenBlocks());
    // Of the second kernels, which need tensor maps.
    manager.addPass(createBatchViews());
  }
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
  addVerification(kernel, "contiguous");
}

} // namespace tessera::plan
