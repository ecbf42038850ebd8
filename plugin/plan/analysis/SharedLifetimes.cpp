// Ops are numbered in program order; a lifetime is an interval of numbers. Tiles get their offsets
// largest first, behind the block memory that is in shared memory.
//
// A small tile that threads store and load, as the partial results of a reduction, does not take
// the bytes of the one before it, though that is dead: its store would have to wait until all
// threads have loaded the other one. Those before that have been loaded in front of the barrier in
// between. So a softmax has two barriers a row, not four.
#include "plan/analysis/SharedLifetimes.h"

#include "plan/analysis/BlockMemory.h"
#include "plan/analysis/Layouts.h"
#include "plan/analysis/Occupancy.h"
#include "plan/Plan.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace tessera::plan {

namespace {

using Positions = DenseMap<Operation *, int64_t>;

SharedLifetime lifetime(tile::SharedAllocOp op, const Positions &position, int64_t endOfKernel) {
  SharedLifetime result{op, position.at(op), position.at(op),
                        bytesOf(cast<tile::SharedType>(op.getType())) * int64_t(op.getStages())};
  SmallVector<Operation *> users(op->getUsers());
  while (!users.empty()) {
    Operation *user = users.pop_back_val();
    // The buffers that a ring is made from are not reused while it lives: its initialization needs
    // no barriers.
    if (isa<tile::SharedSlotOp, tile::MakeTensorMapOp, tile::InitBarriersOp>(user))
      users.append(user->user_begin(), user->user_end());
    // An access in a loop outside which the tile was allocated happens again: the tile lives to the
    // loop's end.
    Operation *outermost = user;
    for (Operation *p = user; p->getParentRegion() != op->getParentRegion(); p = p->getParentOp())
      outermost = p->getParentOp();
    // What a producer warp's warpgroup does, it does while the consumers go on.
    if (isa<tile::ProducerWarpOp>(outermost))
      result.last = endOfKernel;
    outermost->walk(
        [&](Operation *inner) { result.last = std::max(result.last, position.at(inner)); });
  }
  return result;
}

} // namespace

SmallVector<SharedLifetime> sharedLifetimes(func::FuncOp kernel) {
  Positions position;
  int64_t next = 0;
  kernel.walk<WalkOrder::PreOrder>([&](Operation *op) { position[op] = next++; });
  SmallVector<SharedLifetime> result;
  kernel.walk([&](tile::SharedAllocOp op) { result.push_back(lifetime(op, position, next)); });
  // Tile blocks side by side do not wait for one another: no tile takes another one's place.
  if (tileBlocksOf(kernel) > 1)
    for (SharedLifetime &tile : result)
      tile.first = 0, tile.last = next;
  return result;
}

namespace {

constexpr int64_t bytesOfSmall = 1024;

using Neighbours = DenseMap<Operation *, Operation *>;

bool isSmallExchange(const SharedLifetime &tile) {
  return tile.bytes <= bytesOfSmall &&
         llvm::all_of(tile::SharedAllocOp(tile.op)->getUsers(),
                      llvm::IsaPred<tile::SharedStoreOp, tile::SharedLoadOp>);
}

// The small exchanges of each block, by the one before.
Neighbours exchangesBefore(ArrayRef<SharedLifetime> tiles) {
  SmallVector<SharedLifetime> small;
  llvm::copy_if(tiles, std::back_inserter(small), isSmallExchange);
  llvm::sort(small, [](const SharedLifetime &x, const SharedLifetime &y) {
    return std::make_pair(x.first, x.last) < std::make_pair(y.first, y.last);
  });
  DenseMap<Block *, Operation *> last;
  Neighbours before;
  for (SharedLifetime &tile : small) {
    Operation *&other = last[tile.op->getBlock()];
    if (other)
      before[tile.op] = other;
    other = tile.op;
  }
  return before;
}

// From `begin` on. Returns the end.
int64_t assignOffsets(MutableArrayRef<SharedLifetime> tiles, const Neighbours &before,
                      int64_t begin) {
  auto areApart = [&](SharedLifetime x, SharedLifetime y) {
    return x.overlaps(y) || before.lookup(x.op) == y.op || before.lookup(y.op) == x.op;
  };
  int64_t total = begin;
  for (auto [i, tile] : llvm::enumerate(tiles)) {
    int64_t alignment = alignmentOf(cast<tile::SharedType>(tile.op.getType()));
    int64_t offset = int64_t(llvm::alignTo(begin, alignment));
    for (bool moved = true; moved;) {
      moved = false;
      for (const SharedLifetime &placed : ArrayRef<SharedLifetime>(tiles).take_front(i)) {
        int64_t other = tile::SharedAllocOp(placed.op).getOffset().value_or(0);
        int64_t end = other + placed.bytes;
        if (areApart(tile, placed) && offset < end && other < offset + tile.bytes) {
          offset = llvm::alignTo(end, alignment);
          moved = true;
        }
      }
    }
    total = std::max(total, offset + tile.bytes);
    tile.op.setOffset(offset);
  }
  return total;
}

} // namespace

int64_t placeSharedTiles(func::FuncOp kernel) {
  SmallVector<SharedLifetime> tiles = sharedLifetimes(kernel);
  llvm::sort(tiles, [](const SharedLifetime &x, const SharedLifetime &y) {
    return std::make_pair(-x.bytes, x.first) < std::make_pair(-y.bytes, y.first);
  });
  const int64_t begin = sharedBytesOfBlockMemory(kernel),
                least = assignOffsets(tiles, Neighbours(), begin);
  const Neighbours before = exchangesBefore(tiles);
  if (before.empty())
    return least;
  auto blocks = [&](int64_t bytes) {
    return blocksOfMultiprocessor(targetOf(kernel), threadsOf(kernel), bytes, /*registers=*/0);
  };
  const int64_t withOwn = assignOffsets(tiles, before, begin);
  return blocks(withOwn) < blocks(least) ? assignOffsets(tiles, Neighbours(), begin) : withOwn;
}

} // namespace tessera::plan
