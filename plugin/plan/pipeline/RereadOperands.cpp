#include "plan/pipeline/RereadOperands.h"

#include "plan/mma/ComputedOperands.h"

using namespace mlir;

namespace tessera::plan {

namespace {

// Stores right behind the read, so that all other uses come after.
void reread(const PipelinedLoad &pipelined) {
  tile::SharedStoreOp store = pipelined.store;
  tile::SharedAllocOp buffer = pipelined.buffer;
  Value copied = store.getValue(), read = pipelined.read()->getResult(0);
  buffer->moveAfter(copied.getDefiningOp());
  store->moveAfter(buffer);
  tile::SharedLoadOp again = readBack(store, read.getLoc());
  OpBuilder b(store->getContext());
  b.setInsertionPointAfter(again);
  for (Value shaped = copied; shaped != read;) { // reshaped for the multiply
    Operation *reshape = shaped.getDefiningOp();
    shaped = reshape->getOperand(0);
    if (!shaped.hasOneUse())
      shaped.replaceAllUsesExcept(
          tile::ReshapeOp::create(b, read.getLoc(), shaped.getType(), again.getResult()), reshape);
  }
}

} // namespace

SmallVector<PipelinedLoad> rereadOperands(scf::ForOp loop) {
  SmallVector<PipelinedLoad> loads = loadsWithOtherUses(loop);
  llvm::for_each(loads, reread);
  return loads;
}

} // namespace tessera::plan
