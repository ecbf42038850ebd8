// Ops are numbered in program order; a lifetime is an interval of numbers.
#include "plan/SharedLifetimes.h"

#include "plan/Layouts.h"

using namespace mlir;

namespace tessera::plan {

namespace {

using Positions = DenseMap<Operation *, int64_t>;

SharedLifetime lifetime(tile::SharedAllocOp op, const Positions &position) {
  SharedLifetime result{op, position.at(op), position.at(op),
                        bytesOf(cast<tile::SharedType>(op.getType())) * int64_t(op.getStages())};
  SmallVector<Operation *> users(op->getUsers());
  while (!users.empty()) {
    Operation *user = users.pop_back_val();
    if (isa<tile::SharedSlotOp>(user))
      users.append(user->user_begin(), user->user_end());
    // An access within a loop that the tile was not made in happens again: the tile lives to the
    // loop's end.
    Operation *outermost = user;
    for (Operation *p = user; p->getParentRegion() != op->getParentRegion(); p = p->getParentOp())
      outermost = p->getParentOp();
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
  kernel.walk([&](tile::SharedAllocOp op) { result.push_back(lifetime(op, position)); });
  return result;
}

} // namespace tessera::plan
