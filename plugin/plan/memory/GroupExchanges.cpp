// A later exchange moves up to an earlier one:
//
//   store %a, %s; %x = load %s; ...; %b = ...; store %b, %t; %y = load %t
//   ->  store %a, %s; %b = ...; store %b, %t; %x = load %s; %y = load %t
//
// so that pass insert-barriers needs one barrier for both, and one behind them where the bytes are
// used again: the sum and the maximum of one tile, partial sums of a scan and their total, values
// and indices of an extreme. What the later one computes before its store must be pure, and must
// not need what the earlier one loads. An exchange of the same value, computed the same way, for
// the same threads, is left out.
//
// The tiles live at the same time then. They are small, and where fewer blocks would fit an SM
// nothing is moved.
#include "plan/memory/GroupExchanges.h"

#include "plan/analysis/Layouts.h"
#include "plan/analysis/Occupancy.h"
#include "plan/analysis/SharedLifetimes.h"
#include "plan/Plan.h"
#include "tile/TileDialect.h"

#include "llvm/ADT/SetVector.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace tessera::plan {

namespace {

constexpr int64_t bytesOfGroup = 16384; // of the tiles of a group

// A tile that one store writes and one load of the same block reads, both as a whole.
struct Exchange {
  tile::SharedAllocOp tile;
  tile::SharedStoreOp store;
  tile::SharedLoadOp load;

  int64_t bytes() const {
    return bytesOf(cast<tile::SharedType>(tile::SharedAllocOp(tile).getType()));
  }
};

std::optional<Exchange> exchangeOf(tile::SharedAllocOp tile) {
  Exchange found{tile, {}, {}};
  for (Operation *user : tile->getUsers())
    if (auto store = dyn_cast<tile::SharedStoreOp>(user); store && !found.store)
      found.store = store;
    else if (auto load = dyn_cast<tile::SharedLoadOp>(user); load && !found.load)
      found.load = load;
    else
      return std::nullopt;
  const bool isExchange =
      tile.getStages() == 1 && found.store && found.load && found.store.getStarts().empty() &&
      found.load.getStarts().empty() && tile->getBlock() == found.store->getBlock() &&
      tile->getBlock() == found.load->getBlock() && found.store->isBeforeInBlock(found.load);
  return isExchange ? std::optional(found) : std::nullopt;
}

// Are the values computed alike? Within as many ops as a partial result takes.
bool areAlike(Value x, Value y, int depth = 4) {
  if (x == y)
    return true;
  Operation *of = x.getDefiningOp(), *other = y.getDefiningOp();
  if (!depth || !of || !other || of->getNumRegions() || !isPure(of) ||
      cast<OpResult>(x).getResultNumber() != cast<OpResult>(y).getResultNumber())
    return false;
  return OperationEquivalence::isEquivalentTo(
      of, other, [&](Value a, Value b) { return success(areAlike(a, b, depth - 1)); },
      /*markEquivalent=*/nullptr, OperationEquivalence::IgnoreLocations);
}

class Grouping {
public:
  explicit Grouping(Block &block) {
    block.walk([&](tile::SharedAllocOp tile) {
      if (tile->getBlock() == &block)
        if (std::optional<Exchange> exchange = exchangeOf(tile))
          exchanges.push_back(*exchange);
    });
  }

  // Leaves out exchanges that another one does.
  void leaveOutRepeated() {
    SmallVector<Exchange> kept;
    for (Exchange &exchange : exchanges) {
      auto same = llvm::find_if(kept, [&](Exchange &earlier) {
        return earlier.load->isBeforeInBlock(exchange.load) &&
               earlier.load.getType() == exchange.load.getType() &&
               areAlike(earlier.store.getValue(), exchange.store.getValue());
      });
      if (same == kept.end()) {
        kept.push_back(exchange);
        continue;
      }
      exchange.load.replaceAllUsesWith(same->load.getResult());
      exchange.load->erase();
      exchange.store->erase();
      exchange.tile->erase();
    }
    exchanges = std::move(kept);
  }

  void group() {
    Operation *firstLoad = nullptr; // of the group
    int64_t bytes = 0;
    for (Exchange &exchange : exchanges) {
      bytes += exchange.bytes();
      if (firstLoad && bytes <= bytesOfGroup && moveBefore(firstLoad, exchange))
        continue;
      firstLoad = exchange.load;
      bytes = exchange.bytes();
    }
  }

  void undo() {
    for (auto [op, behind] : llvm::reverse(moves))
      op->moveBefore(behind);
  }

private:
  // Moves the store and what it needs in front of the load.
  bool moveBefore(Operation *load, Exchange &exchange) {
    if (!load->isBeforeInBlock(exchange.store))
      return false;
    SetVector<Operation *> needed;
    needed.insert(exchange.store);
    for (size_t i = 0; i < needed.size(); ++i)
      for (Value operand : needed[i]->getOperands()) {
        Operation *op = operand.getDefiningOp();
        if (!op || op->getBlock() != load->getBlock() || op->isBeforeInBlock(load))
          continue;
        if (op != exchange.tile && (!isPure(op) || op->getNumRegions()))
          return false;
        needed.insert(op);
      }
    SmallVector<Operation *> ordered(needed.begin(), needed.end());
    llvm::sort(ordered, [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
    for (Operation *op : ordered) {
      moves.emplace_back(op, op->getNextNode());
      op->moveBefore(load);
    }
    return true;
  }

  SmallVector<Exchange> exchanges;                        // in the order of their tiles
  SmallVector<std::pair<Operation *, Operation *>> moves; // what stood in front of what
};

} // namespace

int64_t groupExchanges(func::FuncOp kernel) {
  SmallVector<Grouping, 0> groupings;
  kernel.walk([&](Block *block) { groupings.emplace_back(*block); });
  for (Grouping &grouping : groupings)
    grouping.leaveOutRepeated();
  const int64_t apart = placeSharedTiles(kernel);
  for (Grouping &grouping : groupings)
    grouping.group();
  const int64_t together = placeSharedTiles(kernel);
  auto blocks = [&](int64_t bytes) {
    return blocksOfMultiprocessor(targetOf(kernel), threadsOf(kernel), bytes, /*registers=*/0);
  };
  if (blocks(together) >= blocks(apart))
    return together;
  for (Grouping &grouping : groupings)
    grouping.undo();
  return placeSharedTiles(kernel);
}

} // namespace tessera::plan
