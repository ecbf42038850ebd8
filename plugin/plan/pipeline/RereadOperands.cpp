#include "plan/pipeline/RereadOperands.h"

using namespace mlir;

namespace tessera::plan {

namespace {

// Stores right behind the read, so that all other uses come after.
Reread reread(const PipelinedLoad &pipelined) {
  tile::SharedStoreOp store = pipelined.store;
  tile::SharedAllocOp buffer = pipelined.buffer;
  Value copied = store.getValue(), read = pipelined.read()->getResult(0);
  Location loc = read.getLoc();
  buffer->moveAfter(copied.getDefiningOp());
  store->moveAfter(buffer);
  OpBuilder b(store->getContext());
  b.setInsertionPointAfter(store);
  auto again = tile::SharedLoadOp::create(b, loc, cast<RankedTensorType>(copied.getType()), buffer,
                                          ValueRange());
  copied.replaceAllUsesExcept(again, store);
  for (Value shaped = copied; shaped != read;) { // reshaped for the multiply
    Operation *reshape = shaped.getDefiningOp();
    shaped = reshape->getOperand(0);
    if (!shaped.hasOneUse())
      shaped.replaceAllUsesExcept(
          tile::ReshapeOp::create(b, loc, shaped.getType(), again.getResult()), reshape);
  }
  return {store, again};
}

} // namespace

SmallVector<Reread> rereadOperands(scf::ForOp loop) {
  SmallVector<Reread> all;
  for (const PipelinedLoad &pipelined : loadsWithOtherUses(loop))
    all.push_back(reread(pipelined));
  return all;
}

void undo(Reread reread) {
  reread.again.getResult().replaceAllUsesWith(reread.store.getValue());
  reread.again.erase();
}

} // namespace tessera::plan
