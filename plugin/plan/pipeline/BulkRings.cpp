#include "plan/pipeline/BulkRings.h"

#include "plan/analysis/Facts.h"
#include "plan/analysis/HostValues.h"
#include "plan/analysis/Layouts.h"
#include "plan/analysis/Occupancy.h"
#include "plan/Config.h"
#include "plan/Plan.h"
#include "tile/Attributes.h"
#include "tile/Sources.h"
#include "tile/Speculation.h"

#include "mlir/IR/Dominance.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;

namespace tessera::plan {

namespace {

constexpr int64_t warpsThatCopy = 4; // the warps of a warpgroup: each starts the copies of some
                                     // views

// Do boxes of the read become tiles in panels, each row of a box a row of the tile?
bool hasBoxes(const PipelinedLoad &pipelined) {
  tile::ViewLoadOp load = pipelined.load;
  if (!load)
    return false;
  tile::SharedAllocOp buffer = pipelined.buffer;
  auto type = cast<tile::SharedType>(buffer.getType());
  ArrayRef<int64_t> box = cast<RankedTensorType>(load.getType()).getShape();
  return type.getPanels() && box.size() >= 2 && int64_t(box.size()) <= maxDimensions &&
         box.back() == type.getShape().back() && type.getElementType().isIntOrFloat() &&
         tile::storageBits(type.getElementType()) % 8 == 0 &&
         startsAtChunk(load.getStarts(), type.getElementType()) &&
         llvm::all_of(box.drop_back(), [](int64_t extent) { return extent <= maxOfBox; });
}

// What determines a tensor map; two reads with the same key share one.
struct TensorMapKey {
  tile::ViewLoadOp load;
  tile::SharedType type;

  bool operator==(const TensorMapKey &other) const {
    tile::ViewLoadOp mine = load, theirs = other.load;
    return type == other.type && mine.getType() == theirs.getType() &&
           mine.getBase() == theirs.getBase() && mine.getExtents() == theirs.getExtents() &&
           mine.getStrides() == theirs.getStrides();
  }
};

SmallVector<Value> viewOf(tile::ViewLoadOp load) {
  SmallVector<Value> values = {load.getBase()};
  llvm::append_range(values, load.getExtents());
  llvm::append_range(values, load.getStrides());
  return values;
}

// Is a value known before `op`, or computed from such values without effects?
bool isKnownBefore(Value value, Operation *op) {
  return tile::areAllRight(value, [&](Value v) -> std::optional<bool> {
    Operation *from = v.getDefiningOp();
    if (!op->isAncestor(v.getParentBlock()->getParentOp()) && (!from || !op->isAncestor(from)))
      return true;
    bool mayBe = from && !from->getNumRegions() && tile::isSpeculatable(from);
    return mayBe ? std::nullopt : std::optional(false);
  });
}

// The outermost loop before which the views are known; null if they change in this loop.
Operation *insertionLoopFor(scf::ForOp loop, ArrayRef<TensorMapKey> keys) {
  Operation *insertAt = nullptr;
  for (Operation *around = loop; !isa<func::FuncOp>(around); around = around->getParentOp()) {
    bool isKnown = llvm::all_of(keys, [&](const TensorMapKey &key) {
      return llvm::all_of(viewOf(key.load), [&](Value v) { return isKnownBefore(v, around); });
    });
    if (!isKnown)
      break;
    if (isa<LoopLikeOpInterface>(around))
      insertAt = around;
  }
  return insertAt;
}

// Where a producer warp's tensor maps are made, if loops begin at `insertAt`: before the barriers
// of other rings as far as the views are known there, so that all maps are looked for side by side.
Operation *insertionOfMaps(Operation *insertAt, ArrayRef<TensorMapKey> keys) {
  Block *block = insertAt->getBlock();
  auto first = llvm::find_if(*block, llvm::IsaPred<tile::InitBarriersOp>);
  if (first == block->end() || !first->isBeforeInBlock(insertAt))
    return insertAt;
  DominanceInfo dominance;
  auto isKnown = [&](Value value) {
    return tile::areAllRight(value, [&](Value v) -> std::optional<bool> {
      Operation *from = v.getDefiningOp();
      return from && insertAt->isAncestor(from)
                 ? std::nullopt
                 : std::optional(dominance.properlyDominates(v, &*first));
    });
  };
  const bool areKnown = llvm::all_of(
      keys, [&](const TensorMapKey &key) { return llvm::all_of(viewOf(key.load), isKnown); });
  return areKnown ? &*first : insertAt;
}

// The number of tensor maps that the kernel makes for its producer warp.
int64_t mapsOfProducer(func::FuncOp kernel) {
  int64_t count = 0;
  kernel.walk([&](tile::MakeTensorMapOp map) { count += map.getNeeded() && map.getScratch(); });
  return count;
}

// Does an op stand after the loop, which then never runs again?
bool isBehind(Operation *op, scf::ForOp loop) {
  Operation *first = loop;
  for (; !isa<func::FuncOp>(first); first = first->getParentOp()) {
    Operation *other = first->getBlock()->findAncestorOpInBlock(*op);
    if (other && other != first)
      return first->isBeforeInBlock(other) && !loopAround(first);
  }
  return false;
}

// Bulk copies read through the asynchronous proxy. No fence covers what the kernel writes to global
// memory, or what it learns that another kernel wrote.
bool isWritten(func::FuncOp kernel, scf::ForOp loop, ArrayRef<SmallVector<PipelinedLoad>> parts) {
  SmallVector<Value> read;
  for (ArrayRef<PipelinedLoad> part : parts)
    for (PipelinedLoad pipelined : part)
      read.push_back(baseOf(pipelined.load.getBase()));
  return kernel
      .walk([&](Operation *op) {
        GlobalEffects effects = globalEffectsOf(op);
        if (op == kernel || !(effects.writes || effects.orders) || isBehind(op, loop))
          return WalkResult::advance();
        Value address = addressOf(op), base = address ? baseOf(address) : Value();
        bool mayBeRead =
            effects.orders || llvm::any_of(read, [&](Value from) { return mayAlias(base, from); });
        return mayBeRead ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

// The views that are read by tensor maps, each once; nothing if one of them has no boxes.
std::optional<SmallVector<TensorMapKey>> keysOf(ArrayRef<SmallVector<PipelinedLoad>> parts) {
  SmallVector<TensorMapKey> keys;
  for (ArrayRef<PipelinedLoad> part : parts)
    for (PipelinedLoad pipelined : part) {
      if (pipelined.isRow)
        continue;
      if (!hasBoxes(pipelined))
        return std::nullopt;
      TensorMapKey key{pipelined.load, cast<tile::SharedType>(pipelined.buffer.getType())};
      if (!llvm::is_contained(keys, key))
        keys.push_back(key);
    }
  return keys;
}

} // namespace

Value bytesOfShared(OpBuilder &b, Location loc, int64_t bytes) {
  auto type = tile::SharedType::get(b.getContext(), {bytes / 4}, b.getI32Type(), 0, 0, 0);
  return tile::SharedAllocOp::create(b, loc, type, 1, IntegerAttr());
}

Value placed(OpBuilder &b, Value value, Operation *insertAt, IRMapping &map) {
  Operation *op = value.getDefiningOp();
  if (!op || !insertAt->isAncestor(op))
    return value;
  if (Value known = map.lookupOrNull(value))
    return known;
  for (Value operand : op->getOperands())
    placed(b, operand, insertAt, map);
  b.clone(*op, map);
  return map.lookup(value);
}

int64_t bytesOfBarriers(int64_t stages, int64_t maps) {
  return int64_t(llvm::PowerOf2Ceil(8 * stages + 4 * maps));
}

bool needsTensorMaps(func::FuncOp kernel) { return kernel->hasAttr(tile::coarsenedFromAttr); }

int64_t numberOfGiven(tile::MakeTensorMapOp map) {
  int64_t next = 0;
  map->getParentOfType<func::FuncOp>().walk([&](tile::MakeTensorMapOp other) {
    if (other == map || !other.getGiven())
      return WalkResult::advance();
    next = std::max(next, int64_t(*other.getGiven()) + 1);
    if (other.getBase() != map.getBase() || other.getExtents() != map.getExtents() ||
        other.getStrides() != map.getStrides() || other.getTile() != map.getTile() ||
        other.getBoxShape() != map.getBoxShape() || other.getRounds() != map.getRounds())
      return WalkResult::advance();
    next = *other.getGiven();
    return WalkResult::interrupt();
  });
  return next;
}

TensorMapMaker makerOfTensorMaps(scf::ForOp loop, ArrayRef<SmallVector<PipelinedLoad>> parts) {
  auto kernel = loop->getParentOfType<func::FuncOp>();
  if (!hasBulkRings(kernel))
    return TensorMapMaker::none;
  std::optional<SmallVector<TensorMapKey>> keys = keysOf(parts);
  if (!keys || keys->empty() || !insertionLoopFor(loop, *keys) || isWritten(kernel, loop, parts))
    return TensorMapMaker::none;
  bool isKnown =
      llvm::all_of(*keys, [](const TensorMapKey &key) { return isViewKnownToHost(key.load); });
  return isKnown && kernel->getParentOfType<ModuleOp>()->hasAttr(tile::launchedAttr)
             ? TensorMapMaker::launch
             : TensorMapMaker::kernel;
}

std::optional<BulkRing> beginBulkRing(scf::ForOp loop, ArrayRef<SmallVector<PipelinedLoad>> parts,
                                      int64_t stages, int64_t readers) {
  TensorMapMaker maker = makerOfTensorMaps(loop, parts);
  std::optional<SmallVector<TensorMapKey>> known = keysOf(parts);
  if (maker == TensorMapMaker::none || !known)
    return std::nullopt;
  ArrayRef<TensorMapKey> keys = *known;
  auto kernel = loop->getParentOfType<func::FuncOp>();
  Operation *insertAt = insertionLoopFor(loop, keys);
  Location loc = loop.getLoc();
  const bool isProducers = readers && maker == TensorMapMaker::kernel;
  OpBuilder b(isProducers ? insertionOfMaps(insertAt, keys) : insertAt);
  SmallVector<Value> maps;
  IRMapping map;
  for (auto [i, key] : llvm::enumerate(keys)) {
    tile::ViewLoadOp load = key.load;
    bool rounds = tile::elementType(load.getType()) != key.type.getElementType();
    auto before = [&](ValueRange values) {
      return llvm::map_to_vector(values, [&](Value v) { return placed(b, v, insertAt, map); });
    };
    Value base = placed(b, load.getBase(), insertAt, map);
    SmallVector<Value> extents = before(load.getExtents()), strides = before(load.getStrides());
    ArrayRef<int64_t> shape = cast<RankedTensorType>(load.getType()).getShape();
    auto box = shape == key.type.getShape() ? DenseI64ArrayAttr() : b.getDenseI64ArrayAttr(shape);
    auto made = tile::MakeTensorMapOp::create(
        b, load.getLoc(), int64_t(i) % warpsThatCopy,
        maker == TensorMapMaker::kernel ? bytesOfShared(b, loc, bytesOfTensorMap) : Value(),
        IntegerAttr(), base, extents, strides, key.type, box, rounds, /*needed=*/false,
        isProducers
            ? b.getI64IntegerAttr(computingWarps(kernel) + mapsOfProducer(kernel) % warpsForCopies)
            : IntegerAttr());
    if (maker == TensorMapMaker::launch)
      made.setGiven(numberOfGiven(made));
    made.setNeeded(maker == TensorMapMaker::launch ? needsTensorMaps(kernel) : readers != 0);
    if (readers)
      made.setWarp(computingWarps(kernel)); // the producer warp
    maps.push_back(made);
  }
  b.setInsertionPoint(insertAt);
  BulkRing ring;
  int64_t bytes =
      readers ? bytesOfBarriers(2 * stages, 0) : bytesOfBarriers(stages, int64_t(maps.size()));
  ring.barriers = tile::InitBarriersOp::create(
      b, loc, bytesOfShared(b, loc, bytes), maps, stages, int64_t(parts.front().size()),
      readers ? b.getI64IntegerAttr(readers) : IntegerAttr());
  if (!readers) {
    b.setInsertionPoint(insertAt->getBlock()->getTerminator());
    tile::InvalidateBarriersOp::create(b, loc, ring.barriers);
  } // else they last until the kernel ends
  for (ArrayRef<PipelinedLoad> part : parts)
    for (PipelinedLoad pipelined : part) {
      if (pipelined.isRow)
        continue;
      TensorMapKey key{pipelined.load, cast<tile::SharedType>(pipelined.buffer.getType())};
      ring.maps[pipelined.load] =
          maps[llvm::find(keys, key) - keys.begin()].getDefiningOp<tile::MakeTensorMapOp>();
    }
  return ring;
}

} // namespace tessera::plan
