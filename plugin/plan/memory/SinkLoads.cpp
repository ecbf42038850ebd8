// Moves loads that are needed behind a kernel's reductions to where they are: weights of columns,
// residuals.
//
//   %w = view_load ...; %m = reduce %x; shared_store %m; ...; %y = mul %x, %w
// becomes
//   %m = reduce %x; shared_store %m; ...; %w = view_load ...; %y = mul %x, %w
//
// A reduction over warps waits at a barrier, and what was loaded before it is held meanwhile.
// Compilers move no load down across a barrier. The pass plan-occupancy counts on registers that
// are free there: layer_norm of 8192 bf16 has 3839 GB/s on an H200 with those of 4 blocks, with 3
// it has 3582 (bench/results/2026-11-30-rows-by-warps-h200.txt). The weights are the same for all
// rows, so that they come from the L2 cache, and other blocks of the SM hide that.
//
// Not in a kernel that multiplies; nor what a reduction combines later, which is waited for; nor a
// few elements, which are cheaper held. A kernel of one warp has no barrier to wait at.
#include "plan/analysis/Facts.h"
#include "plan/analysis/Layouts.h"
#include "plan/analysis/Matmuls.h"
#include "plan/analysis/ReadOrder.h"
#include "plan/analysis/Reductions.h"
#include "plan/Passes.h"

#include "llvm/ADT/SetVector.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;

namespace tessera::plan {

#define GEN_PASS_DEF_SINKLOADS
#include "plan/Passes.h.inc"

namespace {

constexpr int64_t fewest = 8; // elements of a thread

// What is computed of the load's elements alone, in the order of the block; the load first.
SetVector<Operation *> conversionsOf(tile::ViewLoadOp load) {
  SetVector<Operation *> all;
  all.insert(load);
  for (Operation &op : llvm::make_range(std::next(load->getIterator()), load->getBlock()->end())) {
    const bool isConversion =
        isa<tile::CastOp, tile::BroadcastOp, tile::ReshapeOp, tile::ConvertLayoutOp>(op);
    if (isConversion && all.contains(op.getOperand(0).getDefiningOp()))
      all.insert(&op);
  }
  return all;
}

// The first op of the block that needs one of them, or has one that does; null if there is none.
Operation *firstUser(const SetVector<Operation *> &ops) {
  Block *block = ops.front()->getBlock();
  Operation *first = nullptr;
  for (Operation *op : ops)
    for (Operation *user : op->getUsers()) {
      Operation *here = block->findAncestorOpInBlock(*user);
      if (!ops.contains(here) && (!first || here->isBeforeInBlock(first)))
        first = here;
    }
  return first;
}

bool isBarrierBetween(Operation *from, Operation *until) {
  for (Operation *op = from->getNextNode(); op != until; op = op->getNextNode())
    if (op->walk([](tile::SharedStoreOp) { return WalkResult::interrupt(); }).wasInterrupted())
      return true;
  return false;
}

void sink(tile::ViewLoadOp load) {
  if (isCombined(load.getResult()) ||
      toLinear(cast<RankedTensorType>(load.getType())).registerCount() < fewest)
    return;
  const SetVector<Operation *> moved = conversionsOf(load);
  Operation *user = firstUser(moved);
  if (user && isBarrierBetween(load, user) && memoryStaysFrom(load, user))
    for (Operation *op : moved)
      op->moveBefore(user);
}

struct SinkLoads : impl::SinkLoadsBase<SinkLoads> {
  void runOnOperation() override {
    if (hasMultiply(getOperation()))
      return;
    SmallVector<tile::ViewLoadOp> loads;
    getOperation().walk([&](tile::ViewLoadOp load) { loads.push_back(load); });
    for (tile::ViewLoadOp load : llvm::reverse(loads))
      sink(load);
  }
};

} // namespace
} // namespace tessera::plan
