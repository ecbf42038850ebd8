// A loop-invariant operand of a multiply is written to shared memory once.
//
//   for { shared_store %x, %s; shared_mma %s }  ->  shared_store %x, %s; for { shared_mma %s }
//
// where %x is defined outside the loop. If an earlier loop did so with the same %x, both read one
// tile:
//
//   shared_store %x, %s; for { ... }; shared_store %x, %t; for { shared_mma %t }
//   ->  shared_store %x, %s; for { ... }; for { shared_mma %s }
//
// This saves the stores, and the registers that would hold %x through the loops. The tile then
// lives as long as the loops and shares its bytes with none of their tiles, so a block takes more
// shared memory. It may take what would lie idle: as many blocks must fit an SM as before, or as
// its registers hold. A loop that does not run has stored for nothing. Barriers are inserted after
// this pass.
#include "plan/analysis/Occupancy.h"
#include "plan/Passes.h"
#include "plan/Plan.h"
#include "plan/analysis/SharedLifetimes.h"
#include "tile/Attributes.h"

#include "mlir/Interfaces/LoopLikeInterface.h"

using namespace mlir;

namespace tessera::plan {

#define GEN_PASS_DEF_HOISTSHAREDSTORES
#include "plan/Passes.h.inc"

namespace {

// A tile that only one store writes, as a whole, before anything reads it.
tile::SharedAllocOp tileOf(tile::SharedStoreOp store) {
  auto alloc = store.getShared().getDefiningOp<tile::SharedAllocOp>();
  if (!alloc || !store.getStarts().empty())
    return {};
  bool isOnly = llvm::all_of(alloc->getUsers(), [&](Operation *user) {
    if (user == store)
      return true;
    Operation *here = store->getBlock()->findAncestorOpInBlock(*user);
    return isa<tile::SharedLoadOp, tile::SharedLoadPartOp, tile::SharedMmaOp>(user) && here &&
           store->isBeforeInBlock(here);
  });
  return isOnly ? alloc : tile::SharedAllocOp();
}

class Hoisting {
public:
  explicit Hoisting(func::FuncOp kernel)
      : kernel(kernel), target(targetOf(kernel)), bytes(sharedBytesOf(kernel)),
        blocks(neededBlocks()) {}

  void run(tile::SharedStoreOp store) {
    tile::SharedAllocOp tile = tileOf(store);
    if (!tile || !hoist(store, tile))
      return;
    for (tile::SharedStoreOp earlier : hoisted)
      if (readFrom(earlier, store, tile))
        return;
    hoisted.push_back(store);
  }

  void finish() {
    kernel->setAttr(tile::sharedBytesAttr,
                    IntegerAttr::get(IntegerType::get(kernel.getContext(), 64), bytes));
  }

private:
  // The blocks that fit an SM, but no more than registers allow, judged by the accumulators, unless
  // more are wanted.
  int64_t neededBlocks() {
    int64_t registers =
        std::min(multiplyRegisters(kernel) + registersOfAddresses, registersOfThread);
    int64_t limit = std::max<int64_t>(targetOf(kernel).registersOfMultiprocessor /
                                          (registers * threadsOf(kernel)),
                                      isTwoBlocksWorth(kernel) ? 2 : 1);
    return std::min(blocksOfSharedMemory(target, bytes), limit);
  }

  // Hoists out of as many loops as possible; false if out of none.
  bool hoist(tile::SharedStoreOp store, tile::SharedAllocOp tile) {
    auto loop = dyn_cast<LoopLikeOpInterface>(store->getParentOp());
    bool moves = false;
    while (loop && loop.isDefinedOutsideOfLoop(store.getValue()) && moveBefore(loop, store, tile)) {
      moves = true;
      loop = dyn_cast<LoopLikeOpInterface>(store->getParentOp());
    }
    return moves;
  }

  // Assigns the tiles' offsets; false if they take too much.
  bool fits() {
    int64_t total = placeSharedTiles(kernel);
    if (!blocks || blocksOfSharedMemory(target, total) < blocks)
      return false;
    bytes = total;
    return true;
  }

  bool moveBefore(Operation *loop, Operation *store, tile::SharedAllocOp tile) {
    Operation *behindStore = store->getNextNode(), *behindTile = tile->getNextNode();
    bool isInside = loop->isProperAncestor(tile);
    if (isInside)
      tile->moveBefore(loop);
    store->moveBefore(loop);
    if (fits())
      return true;
    store->moveBefore(behindStore);
    if (isInside)
      tile->moveBefore(behindTile);
    placeSharedTiles(kernel);
    return false;
  }

  // Lets the readers of `tile` read what `earlier` stored, instead of `store`.
  bool readFrom(tile::SharedStoreOp earlier, tile::SharedStoreOp store, tile::SharedAllocOp tile) {
    Operation *here = earlier->getBlock()->findAncestorOpInBlock(*store);
    if (!here || !earlier->isBeforeInBlock(here) || earlier.getValue() != store.getValue() ||
        earlier.getShared().getType() != tile.getType())
      return false;
    SmallVector<OpOperand *> uses;
    for (OpOperand &use : tile->getUses())
      if (use.getOwner() != store)
        uses.push_back(&use);
    for (OpOperand *use : uses)
      use->set(earlier.getShared());
    Operation *behindStore = store->getNextNode(), *behindTile = tile->getNextNode();
    store->remove();
    tile->remove();
    if (fits()) {
      store->destroy();
      tile->destroy();
      return true;
    }
    behindStore->getBlock()->getOperations().insert(behindStore->getIterator(), store);
    behindTile->getBlock()->getOperations().insert(behindTile->getIterator(), tile);
    for (OpOperand *use : uses)
      use->set(tile);
    placeSharedTiles(kernel);
    return false;
  }

  func::FuncOp kernel;
  const GpuTarget &target;
  int64_t bytes, blocks;
  SmallVector<tile::SharedStoreOp> hoisted;
};

struct HoistSharedStores : impl::HoistSharedStoresBase<HoistSharedStores> {
  void runOnOperation() override {
    SmallVector<tile::SharedStoreOp> stores;
    getOperation().walk([&](tile::SharedStoreOp store) { stores.push_back(store); });
    Hoisting hoisting(getOperation());
    for (tile::SharedStoreOp store : stores)
      hoisting.run(store);
    hoisting.finish();
  }
};

} // namespace
} // namespace tessera::plan
