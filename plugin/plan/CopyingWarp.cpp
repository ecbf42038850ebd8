// A block that is alone on its SM has nothing to multiply while its last tile is stored and the
// first operands of its next one arrive, and its warps meet in each turn before a stage is filled
// again. So of a kernel that stands beside another one, for grids that fill the GPU:
//
//   copies of the first turns; for %i { wait; copies of %i + 2; multiply; mma_wait 1 }; store
// becomes
//   copying_warp {
//     for %place { for %i { wait_free %r[%fill]; copies of %i into %fill } } }
//   for %place {
//     for %i { wait_group of %r[%read]; multiply; mma_wait 1; release %r[%before] }
//     mma_finish; release %r[%last]; store }
//
// A block is launched for each SM; of n blocks each takes every n-th place. The warp waits until
// all warpgroups have released a stage; they wait until it is filled. Nothing else stands between
// them, and no barrier of the block is left in the loop. The slots that are filled and read go on
// from one place to the next.
//
// The warp is the first of a warpgroup that gives the registers of its threads to the others: a
// block of nine warps would have no more registers for each than one of twelve.
//
// A first operand that comes from registers is read from its stage by the turn before, and the
// multiply left in flight, by pass prefetch-operands; the release follows it there.
//
// It is done where the kernel is a loop that multiplies one sum, and stores behind it, and where
// the places of copies are computed of the kernel's arguments and of the block's index: the warp
// computes them again, for itself. Blocks of a grid know nothing of one another's order, so
// neither do places, and what a block reads and writes at two of them need not be kept apart.
#include "plan/CopyingWarp.h"

#include "plan/BulkStores.h"
#include "plan/DisjointBoxes.h"
#include "plan/Facts.h"
#include "plan/InFlight.h"
#include "plan/Layouts.h"
#include "plan/Occupancy.h"
#include "plan/Plan.h"
#include "tile/Sources.h"

using namespace mlir;

namespace tessera::plan {

namespace {

Value number(OpBuilder &b, Location loc, int64_t n) {
  return arith::ConstantOp::create(b, loc, b.getI32IntegerAttr(int32_t(n)));
}

// What says where the copies of a turn are.
SmallVector<Value> placesOfCopies(ArrayRef<SmallVector<Stream>> parts) {
  SmallVector<Value> places;
  for (ArrayRef<Stream> part : parts)
    for (const Stream &stream : part)
      llvm::append_range(places, stream.place());
  return places;
}

// What the warp has to know of what is computed before the loop.
SmallVector<Value> neededBefore(scf::ForOp loop, ArrayRef<SmallVector<Stream>> parts) {
  SmallVector<Value> values = {loop.getLowerBound(), loop.getUpperBound(), loop.getStep()},
                     places = placesOfCopies(parts);
  auto addOperands = [&](Operation *op) { llvm::append_range(values, op->getOperands()); };
  Slice slice = sliceOf(places, loop);
  llvm::append_range(values, places);
  llvm::for_each(slice.ops, addOperands);
  for (BlockArgument carried : slice.carried) {
    values.push_back(loop.getTiedLoopInit(carried)->get());
    addOperands(loop.getTiedLoopYieldedValue(carried)->get().getDefiningOp());
  }
  llvm::erase_if(values, [&](Value v) { return !loop.isDefinedOutsideOfLoop(v); });
  return values;
}

// May the warp do it by itself? Tiles are all warps'.
bool isOfScalars(Operation *op) {
  auto isTile = [](Type type) { return isa<RankedTensorType>(type); };
  return llvm::none_of(op->getOperandTypes(), isTile) &&
         llvm::none_of(op->getResultTypes(), isTile);
}

// Are they computed without memory by what stands in the kernel itself, not in its branches?
bool areComputable(ArrayRef<Value> values, func::FuncOp kernel) {
  return tile::areAllRight(values, [&](Value value) -> std::optional<bool> {
    Operation *op = value.getDefiningOp();
    if (!op)
      return value.getParentBlock() == &kernel.getBody().front();
    bool mayBe = op->getParentOp() == kernel && !op->getNumRegions() && isMemoryEffectFree(op) &&
                 isOfScalars(op);
    return mayBe ? std::nullopt : std::optional(false);
  });
}

// Nothing but the loop repeats anything, and nothing else multiplies.
bool isOnlyLoop(scf::ForOp loop, ArrayRef<tile::SharedMmaOp> sum, func::FuncOp kernel) {
  return loop->getParentOp() == kernel &&
         !kernel
              .walk([&](Operation *op) {
                auto multiply = dyn_cast<tile::SharedMmaOp>(op);
                bool isOther = (isa<LoopLikeOpInterface>(op) && op != loop) ||
                               (multiply && !llvm::is_contained(sum, multiply));
                return isOther ? WalkResult::interrupt() : WalkResult::advance();
              })
              .wasInterrupted();
}

// The stores of what is computed of the sum.
SmallVector<tile::ViewStoreOp> storesOfSum(func::FuncOp kernel) {
  SmallVector<tile::ViewStoreOp> stores;
  kernel.walk([&](tile::ViewStoreOp store) {
    if (isOfSum(store))
      stores.push_back(store);
  });
  return stores;
}

// Does anything else write where a store does?
bool isWrittenBeside(tile::ViewStoreOp store, func::FuncOp kernel) {
  Value base = baseOf(store.getBase());
  return kernel
      .walk([&](Operation *op) {
        Value address = addressOf(op);
        auto other = dyn_cast<tile::ViewStoreOp>(op);
        bool isAlias = op != kernel && op != store && globalEffectsOf(op).writes &&
                       !(other && areApart(store, other)) &&
                       mayAlias(base, address ? baseOf(address) : Value());
        return isAlias ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

// The sum leaves part by part: threads that stored it as they hold it would fill sectors badly, and
// beside the ring there is no room to exchange it. Where it goes by pointers, or to atomics, they
// do so anyway; and what else is stored, in the loop or behind it, is small. Parts of two stores
// leave in no order: they must be of two tensors.
bool canStoreBeside(scf::ForOp loop, func::FuncOp kernel) {
  return llvm::all_of(storesOfSum(kernel), [&](tile::ViewStoreOp store) {
    return store->getParentOp() == kernel && loop->isBeforeInBlock(store) && storedPartOf(store) &&
           !isWrittenBeside(store, kernel);
  });
}

// All that the kernel does becomes what it does at a place. The loop carries the slot of a ring.
scf::ForOp takePlaces(func::FuncOp kernel) {
  Block &body = kernel.getBody().front();
  OpBuilder b(&body, body.begin());
  Location loc = kernel.getLoc();
  Value first = tile::FirstPlaceOp::create(b, loc), count = tile::PlaceCountOp::create(b, loc),
        step = tile::PlaceStepOp::create(b, loc);
  auto places = scf::ForOp::create(b, loc, first, count, step, number(b, loc, 0));
  places->setAttr(placesAttr, b.getUnitAttr());
  places.getInductionVar().setLoc(NameLoc::get(b.getStringAttr("place"), loc));
  places.getRegionIterArg(0).setLoc(NameLoc::get(b.getStringAttr("next"), loc));
  Block &inner = *places.getBody();
  inner.getOperations().splice(inner.begin(), body.getOperations(),
                               std::next(Block::iterator(places)), std::prev(body.end()));
  b.setInsertionPointToEnd(&inner);
  scf::YieldOp::create(b, loc, places.getRegionIterArg(0));
  inner.walk(
      [&](tile::BlockIndexOp index) { index.getPlaceMutable().assign(places.getInductionVar()); });
  return places;
}

class Filling {
public:
  Filling(scf::ForOp loop, ArrayRef<SmallVector<Stream>> parts, ArrayRef<tile::SharedMmaOp> sum,
          int64_t stages, bool isInFlight)
      : loop(loop), loc(loop.getLoc()), parts(parts), sum(sum), stages(stages),
        isInFlight(isInFlight), b(loop) {}

  void run() {
    auto kernel = loop->getParentOfType<func::FuncOp>();
    Operation *finish = isInFlight ? leaveInFlight(loop, sum) : nullptr;
    SmallVector<Value> before = neededBefore(loop, parts);
    scf::ForOp places = takePlaces(kernel);
    kernel->setAttr(copyingWarpAttr, b.getUnitAttr());
    b.setInsertionPoint(places);
    for (const Stream &stream : parts.front()) {
      tile::SharedAllocOp buffer = stream.buffer;
      Value tiles = tile::SharedAllocOp::create(b, loc, buffer.getType(), stages, IntegerAttr());
      rings.push_back({tiles, Value()});
    }
    tile::SharedMmaOp first = sum.front();
    int64_t elements = cast<RankedTensorType>(first.getType()).getNumElements();
    const int64_t warps = warpsOfAccumulator(elements);
    bulk = beginBulkRing(loop, parts, stages, /*readers=*/isInFlight ? warps / 4 : warps);
    arrivals = bulk ? bulk->arrivals : Value();
    b.setInsertionPoint(places);
    fill(places, before);
    multiply(places, finish);
    for (ArrayRef<Stream> part : parts)
      for (Stream stream : part) {
        stream.store.erase();
        stream.buffer.erase();
      }
  }

private:
  Value slotAfter(OpBuilder &at, Value slot, int64_t steps) const {
    for (; steps; --steps)
      slot = nextSlot(at, loc, slot, stages);
    return slot;
  }

  void fill(scf::ForOp places, ArrayRef<Value> before) {
    OpBuilder::InsertionGuard guard(b);
    auto warp = tile::CopyingWarpOp::create(b, loc);
    b.setInsertionPointToStart(&warp.getBody().emplaceBlock());
    auto ours = scf::ForOp::create(b, loc, places.getLowerBound(), places.getUpperBound(),
                                   places.getStep(), number(b, loc, 0));
    ours.getInductionVar().setLoc(places.getInductionVar().getLoc());
    ours.getRegionIterArg(0).setLoc(places.getRegionIterArg(0).getLoc());
    b.setInsertionPointToStart(ours.getBody());
    IRMapping map;
    map.map(places.getInductionVar(), ours.getInductionVar());
    for (Value value : before)
      placed(b, value, places, map);
    scf::ForOp turns = fillAtPlace(map, ours.getRegionIterArg(0));
    b.setInsertionPointToEnd(ours.getBody());
    scf::YieldOp::create(b, loc, turns.getResult(0));
  }

  // The turns of the loop once more, which do nothing but copy.
  scf::ForOp fillAtPlace(IRMapping map, Value slot) {
    SmallVector<Value> inits = {slot};
    Slice slice = sliceOf(placesOfCopies(parts), loop);
    for (BlockArgument carried : slice.carried)
      inits.push_back(map.lookupOrDefault(loop.getTiedLoopInit(carried)->get()));
    auto there = [&](Value v) { return map.lookupOrDefault(v); };
    auto turns = scf::ForOp::create(b, loc, there(loop.getLowerBound()),
                                    there(loop.getUpperBound()), there(loop.getStep()), inits);
    turns.setUnsignedCmp(loop.getUnsignedCmp());
    turns.getInductionVar().setLoc(loop.getInductionVar().getLoc());
    turns.getRegionIterArg(0).setLoc(NameLoc::get(b.getStringAttr("fill"), loc));
    b.setInsertionPointToStart(turns.getBody());
    for (auto [carried, own] :
         llvm::zip_equal(slice.carried, turns.getRegionIterArgs().drop_front())) {
      own.setLoc(carried.getLoc());
      map.map(carried, own);
    }
    Value always = arith::ConstantOp::create(b, loc, b.getBoolAttr(true));
    OtherIteration here{turns.getInductionVar(), always, /*distance=*/0, /*isBeforeLoop=*/false};
    Value fill = turns.getRegionIterArg(0);
    for (ArrayRef<Stream> part : parts) {
      tile::WaitFreeOp::create(b, loc, arrivals, fill);
      startCopies(b, loop, part, rings, bulk, here, fill, map);
      fill = nextSlot(b, loc, fill, stages);
    }
    SmallVector<Value> next = {fill};
    for (BlockArgument carried : slice.carried) {
      // What the loop adds is known before it.
      Operation *op = loop.getTiedLoopYieldedValue(carried)->get().getDefiningOp();
      next.push_back(b.clone(*op, map)->getResult(0));
    }
    b.setInsertionPointToEnd(turns.getBody());
    scf::YieldOp::create(b, loc, next);
    b.setInsertionPointAfter(turns);
    return turns;
  }

  void multiply(scf::ForOp places, Operation *finish) {
    OpBuilder::InsertionGuard guard(b);
    auto count = int64_t(parts.size());
    b.setInsertionPoint(loop);
    SmallVector<Value> slots = {places.getRegionIterArg(0), number(b, loc, -1)};
    scf::ForOp newLoop = carryMore(
        loop, slots, [&](OpBuilder &inner, Location at, ArrayRef<BlockArgument> arguments) {
          BlockArgument read = arguments[0], before = arguments[1];
          read.setLoc(NameLoc::get(inner.getStringAttr("read"), at));
          before.setLoc(NameLoc::get(inner.getStringAttr("before"), at));
          return SmallVector<Value>{slotAfter(inner, read, count),
                                    slotAfter(inner, read, count - 1)};
        });
    auto carried = newLoop.getRegionIterArgs().take_back(2);
    Value before = carried[1];
    for (int64_t part = 0; part < count; ++part) {
      if (part)
        b.setInsertionPoint(sum[part]);
      else
        b.setInsertionPointToStart(newLoop.getBody());
      Value read = slotAfter(b, carried[0], part);
      waitForCopies(b, newLoop, parts[part], rings, bulk, /*pending=*/0, read);
      for (auto [stream, ring] : llvm::zip(parts[part], rings)) {
        tile::SharedAllocOp buffer = stream.buffer;
        Value slot = tile::SharedSlotOp::create(b, loc, buffer.getType(), ring.tiles, read);
        buffer.getResult().replaceAllUsesWith(slot);
      }
      Operation *multiply = sum[part];
      b.setInsertionPointAfter(isInFlight ? cast<tile::MmaWaitOp>(multiply->getNextNode())
                                          : multiply);
      tile::ReleaseOp::create(b, loc, arrivals, before);
      before = read;
    }
    b.setInsertionPointAfter(finish ? finish : newLoop);
    tile::ReleaseOp::create(b, loc, arrivals, newLoop.getResults().back());
    places.getBody()->getTerminator()->setOperand(0, newLoop.getResults().drop_back().back());
  }

  scf::ForOp loop;
  Location loc;
  ArrayRef<SmallVector<Stream>> parts;
  ArrayRef<tile::SharedMmaOp> sum;
  int64_t stages;
  bool isInFlight;
  OpBuilder b;
  SmallVector<RingOfTiles> rings;
  std::optional<BulkRing> bulk; // there is one, since the launch makes the maps
  Value arrivals;
};

} // namespace

bool canFillByWarp(scf::ForOp loop, ArrayRef<SmallVector<Stream>> parts,
                   ArrayRef<tile::SharedMmaOp> sum) {
  auto kernel = loop->getParentOfType<func::FuncOp>();
  return policyOf(kernel).specialize && needsMaps(kernel) && sum.size() == parts.size() &&
         isOnlyLoop(loop, sum, kernel) && canStoreBeside(loop, kernel) &&
         !kernel->hasAttr(noCopyingWarpAttr) &&
         llvm::all_of(sliceOf(placesOfCopies(parts), loop).ops, isOfScalars) &&
         areComputable(neededBefore(loop, parts), kernel);
}

int64_t bytesOfStoredParts(func::FuncOp kernel) {
  llvm::SmallSetVector<tile::SharedType, 2> types;
  for (tile::ViewStoreOp store : storesOfSum(kernel))
    if (std::optional<StoredPart> part = storedPartOf(store))
      types.insert(part->panel);
  int64_t bytes = 0;
  for (tile::SharedType type : types)
    bytes += panelsOfParts * bytesOf(type);
  return bytes;
}

void fillByWarp(scf::ForOp loop, ArrayRef<SmallVector<Stream>> parts,
                ArrayRef<tile::SharedMmaOp> sum, int64_t stages, bool isInFlight) {
  Filling(loop, parts, sum, stages, isInFlight).run();
}

} // namespace tessera::plan
