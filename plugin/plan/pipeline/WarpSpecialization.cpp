// A block that is alone on its SM has nothing to multiply while it stores its last tile and the
// first operands of its next one arrive, and its warps meet in each iteration before a stage is
// filled again. So a kernel that stands next to another one, for grids that fill the GPU, is
// warp-specialized:
//
//   copies of the first iterations; for %i { wait; copies of %i + 2; multiply; mma_wait 1 }; store
// becomes
//   producer_warp {
//     for %work_tile { for %i { producer_acquire %r[%fill]; copies of %i into %fill } } }
//   for %work_tile {
//     for %i { wait_group of %r[%read]; multiply; mma_wait 1; consumer_release %r[%before] }
//     mma_finish; consumer_release %r[%last]; store }
//
// A launch starts a block for each SM; of n blocks each takes every n-th work tile. The producer
// warp waits until all consumer warpgroups have released a stage; they wait until it is full.
// Nothing else synchronizes them, and no barrier of the block is left in the loop. The slots to
// fill and to read go on from one work tile to the next.
//
// The producer is the first warp of a warpgroup whose threads give their registers to the others: a
// block of nine warps would have no more registers for each than one of twelve.
//
// If operand A comes from registers, pass prefetch-operands reads it from its stage one iteration
// ahead and leaves the multiply in flight; the consumer release follows it there.
//
// The kernel must be a loop that multiplies one accumulator, with stores after it, and the
// coordinates of the copies must be computed from the kernel's arguments and the block's index: the
// producer warp recomputes them. Blocks of a grid have no order among one another, so neither have
// work tiles, and accesses of a block at two of them need no ordering.
#include "plan/pipeline/WarpSpecialization.h"

#include "plan/pipeline/BulkStores.h"
#include "plan/analysis/DisjointBoxes.h"
#include "plan/analysis/Facts.h"
#include "plan/pipeline/InFlight.h"
#include "plan/analysis/Layouts.h"
#include "plan/analysis/Occupancy.h"
#include "plan/Plan.h"
#include "plan/Config.h"
#include "tile/Attributes.h"
#include "tile/Sources.h"

using namespace mlir;

namespace tessera::plan {

namespace {

Value number(OpBuilder &b, Location loc, int64_t n) {
  return arith::ConstantOp::create(b, loc, b.getI32IntegerAttr(int32_t(n)));
}

// The values that determine the coordinates of an iteration's copies.
SmallVector<Value> coordinatesOfCopies(ArrayRef<SmallVector<PipelinedLoad>> parts) {
  SmallVector<Value> coordinates;
  for (ArrayRef<PipelinedLoad> part : parts)
    for (const PipelinedLoad &pipelined : part)
      llvm::append_range(coordinates, pipelined.coordinates());
  return coordinates;
}

// The values from before the loop that the producer warp needs.
SmallVector<Value> neededBefore(scf::ForOp loop, ArrayRef<SmallVector<PipelinedLoad>> parts) {
  SmallVector<Value> values = {loop.getLowerBound(), loop.getUpperBound(), loop.getStep()},
                     coordinates = coordinatesOfCopies(parts);
  auto addOperands = [&](Operation *op) { llvm::append_range(values, op->getOperands()); };
  Slice slice = sliceOf(coordinates, loop);
  llvm::append_range(values, coordinates);
  llvm::for_each(slice.ops, addOperands);
  for (BlockArgument carried : slice.carried) {
    values.push_back(loop.getTiedLoopInit(carried)->get());
    addOperands(loop.getTiedLoopYieldedValue(carried)->get().getDefiningOp());
  }
  llvm::erase_if(values, [&](Value v) { return !loop.isDefinedOutsideOfLoop(v); });
  return values;
}

// Can the producer warp do it alone? Tiles belong to all warps.
bool isOfScalars(Operation *op) {
  auto isTile = [](Type type) { return isa<RankedTensorType>(type); };
  return llvm::none_of(op->getOperandTypes(), isTile) &&
         llvm::none_of(op->getResultTypes(), isTile);
}

// Are they computed without memory by ops of the kernel's top level, not in its branches?
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

// Is this the only loop, and does nothing else multiply?
bool isOnlyLoop(scf::ForOp loop, ArrayRef<tile::SharedMmaOp> accumulator, func::FuncOp kernel) {
  return loop->getParentOp() == kernel &&
         !kernel
              .walk([&](Operation *op) {
                auto multiply = dyn_cast<tile::SharedMmaOp>(op);
                bool isOther = (isa<LoopLikeOpInterface>(op) && op != loop) ||
                               (multiply && !llvm::is_contained(accumulator, multiply));
                return isOther ? WalkResult::interrupt() : WalkResult::advance();
              })
              .wasInterrupted();
}

// The stores of what is computed from the accumulator.
SmallVector<tile::ViewStoreOp> storesOfAccumulator(func::FuncOp kernel) {
  SmallVector<tile::ViewStoreOp> stores;
  kernel.walk([&](tile::ViewStoreOp store) {
    if (isOfAccumulator(store))
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

// The accumulator leaves part by part: threads that stored it as they hold it would fill sectors
// badly, and next to the ring there is no room to exchange it. Where it goes by pointers, or to
// atomics, they do so anyway; and other stores, in the loop or after it, are small. Parts of two
// stores leave in no order: they must be of two tensors.
bool canStoreBeside(scf::ForOp loop, func::FuncOp kernel) {
  return llvm::all_of(storesOfAccumulator(kernel), [&](tile::ViewStoreOp store) {
    return store->getParentOp() == kernel && loop->isBeforeInBlock(store) && storedPartOf(store) &&
           !isWrittenBeside(store, kernel);
  });
}

// Makes the kernel's body the body of a loop over work tiles. The loop carries the slot of a ring.
scf::ForOp loopOverWorkTiles(func::FuncOp kernel) {
  Block &body = kernel.getBody().front();
  OpBuilder b(&body, body.begin());
  Location loc = kernel.getLoc();
  Value first = tile::FirstWorkTileOp::create(b, loc),
        count = tile::WorkTileCountOp::create(b, loc), step = tile::WorkTileStepOp::create(b, loc);
  auto workTiles = scf::ForOp::create(b, loc, first, count, step, number(b, loc, 0));
  workTiles->setAttr(tile::workTilesAttr, b.getUnitAttr());
  workTiles.getInductionVar().setLoc(NameLoc::get(b.getStringAttr("work_tile"), loc));
  workTiles.getRegionIterArg(0).setLoc(NameLoc::get(b.getStringAttr("stage"), loc));
  Block &inner = *workTiles.getBody();
  inner.getOperations().splice(inner.begin(), body.getOperations(),
                               std::next(Block::iterator(workTiles)), std::prev(body.end()));
  b.setInsertionPointToEnd(&inner);
  scf::YieldOp::create(b, loc, workTiles.getRegionIterArg(0));
  inner.walk([&](tile::BlockIndexOp index) {
    index.getWorkTileMutable().assign(workTiles.getInductionVar());
  });
  return workTiles;
}

class Filling {
public:
  Filling(scf::ForOp loop, ArrayRef<SmallVector<PipelinedLoad>> parts,
          ArrayRef<tile::SharedMmaOp> accumulator, int64_t stages, bool isInFlight)
      : loop(loop), loc(loop.getLoc()), parts(parts), accumulator(accumulator), stages(stages),
        isInFlight(isInFlight), b(loop) {}

  void run() {
    auto kernel = loop->getParentOfType<func::FuncOp>();
    Operation *finish = isInFlight ? leaveInFlight(loop, accumulator) : nullptr;
    SmallVector<Value> before = neededBefore(loop, parts);
    scf::ForOp workTiles = loopOverWorkTiles(kernel);
    kernel->setAttr(tile::warpSpecializedAttr, b.getUnitAttr());
    b.setInsertionPoint(workTiles);
    for (const PipelinedLoad &pipelined : parts.front()) {
      tile::SharedAllocOp buffer = pipelined.buffer;
      Value tiles = tile::SharedAllocOp::create(b, loc, buffer.getType(), stages, IntegerAttr());
      rings.push_back({tiles, Value()});
    }
    const int64_t warps = configOf(kernel).getWarps();
    bulk = beginBulkRing(loop, parts, stages, /*readers=*/isInFlight ? warps / 4 : warps);
    barriers = bulk ? bulk->barriers : Value();
    b.setInsertionPoint(workTiles);
    fill(workTiles, before);
    multiply(workTiles, finish);
    for (ArrayRef<PipelinedLoad> part : parts)
      for (PipelinedLoad pipelined : part) {
        pipelined.store.erase();
        pipelined.buffer.erase();
      }
  }

private:
  Value slotAfter(OpBuilder &at, Value slot, int64_t steps) const {
    for (; steps; --steps)
      slot = nextSlot(at, loc, slot, stages);
    return slot;
  }

  void fill(scf::ForOp workTiles, ArrayRef<Value> before) {
    OpBuilder::InsertionGuard guard(b);
    auto warp = tile::ProducerWarpOp::create(b, loc);
    b.setInsertionPointToStart(&warp.getBody().emplaceBlock());
    auto ours = scf::ForOp::create(b, loc, workTiles.getLowerBound(), workTiles.getUpperBound(),
                                   workTiles.getStep(), number(b, loc, 0));
    ours.getInductionVar().setLoc(workTiles.getInductionVar().getLoc());
    ours.getRegionIterArg(0).setLoc(workTiles.getRegionIterArg(0).getLoc());
    b.setInsertionPointToStart(ours.getBody());
    IRMapping map;
    map.map(workTiles.getInductionVar(), ours.getInductionVar());
    for (Value value : before)
      placed(b, value, workTiles, map);
    scf::ForOp iterations = fillWorkTile(map, ours.getRegionIterArg(0));
    b.setInsertionPointToEnd(ours.getBody());
    scf::YieldOp::create(b, loc, iterations.getResult(0));
  }

  // The iterations of the loop once more, with only the copies.
  scf::ForOp fillWorkTile(IRMapping map, Value slot) {
    SmallVector<Value> inits = {slot};
    Slice slice = sliceOf(coordinatesOfCopies(parts), loop);
    for (BlockArgument carried : slice.carried)
      inits.push_back(map.lookupOrDefault(loop.getTiedLoopInit(carried)->get()));
    auto there = [&](Value v) { return map.lookupOrDefault(v); };
    auto iterations = scf::ForOp::create(b, loc, there(loop.getLowerBound()),
                                         there(loop.getUpperBound()), there(loop.getStep()), inits);
    iterations.setUnsignedCmp(loop.getUnsignedCmp());
    iterations.getInductionVar().setLoc(loop.getInductionVar().getLoc());
    iterations.getRegionIterArg(0).setLoc(NameLoc::get(b.getStringAttr("fill"), loc));
    b.setInsertionPointToStart(iterations.getBody());
    for (auto [carried, own] :
         llvm::zip_equal(slice.carried, iterations.getRegionIterArgs().drop_front())) {
      own.setLoc(carried.getLoc());
      map.map(carried, own);
    }
    Value always = arith::ConstantOp::create(b, loc, b.getBoolAttr(true));
    OtherIteration here{iterations.getInductionVar(), always, /*distance=*/0,
                        /*isBeforeLoop=*/false};
    Value fill = iterations.getRegionIterArg(0);
    for (ArrayRef<PipelinedLoad> part : parts) {
      tile::ProducerAcquireOp::create(b, loc, barriers, fill);
      startCopies(b, loop, part, rings, bulk, here, fill, map);
      fill = nextSlot(b, loc, fill, stages);
    }
    SmallVector<Value> next = {fill};
    for (BlockArgument carried : slice.carried) {
      // The loop's strides are known before it.
      Operation *op = loop.getTiedLoopYieldedValue(carried)->get().getDefiningOp();
      next.push_back(b.clone(*op, map)->getResult(0));
    }
    b.setInsertionPointToEnd(iterations.getBody());
    scf::YieldOp::create(b, loc, next);
    b.setInsertionPointAfter(iterations);
    return iterations;
  }

  void multiply(scf::ForOp workTiles, Operation *finish) {
    OpBuilder::InsertionGuard guard(b);
    auto count = int64_t(parts.size());
    b.setInsertionPoint(loop);
    SmallVector<Value> slots = {workTiles.getRegionIterArg(0), number(b, loc, -1)};
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
        b.setInsertionPoint(accumulator[part]);
      else
        b.setInsertionPointToStart(newLoop.getBody());
      Value read = slotAfter(b, carried[0], part);
      waitForCopies(b, newLoop, parts[part], rings, bulk, /*pending=*/0, read);
      for (auto [pipelined, ring] : llvm::zip(parts[part], rings)) {
        tile::SharedAllocOp buffer = pipelined.buffer;
        Value slot = tile::SharedSlotOp::create(b, loc, buffer.getType(), ring.tiles, read);
        buffer.getResult().replaceAllUsesWith(slot);
      }
      Operation *multiply = accumulator[part];
      b.setInsertionPointAfter(isInFlight ? cast<tile::MmaWaitOp>(multiply->getNextNode())
                                          : multiply);
      tile::ConsumerReleaseOp::create(b, loc, barriers, before);
      before = read;
    }
    b.setInsertionPointAfter(finish ? finish : newLoop);
    tile::ConsumerReleaseOp::create(b, loc, barriers, newLoop.getResults().back());
    workTiles.getBody()->getTerminator()->setOperand(0, newLoop.getResults().drop_back().back());
  }

  scf::ForOp loop;
  Location loc;
  ArrayRef<SmallVector<PipelinedLoad>> parts;
  ArrayRef<tile::SharedMmaOp> accumulator;
  int64_t stages;
  bool isInFlight;
  OpBuilder b;
  SmallVector<RingOfTiles> rings;
  std::optional<BulkRing> bulk; // exists, since the launch makes the tensor maps
  Value barriers;
};

} // namespace

bool canFillByWarp(scf::ForOp loop, ArrayRef<SmallVector<PipelinedLoad>> parts,
                   ArrayRef<tile::SharedMmaOp> accumulator) {
  auto kernel = loop->getParentOfType<func::FuncOp>();
  return configOf(kernel).getProducerWarp() && needsTensorMaps(kernel) &&
         accumulator.size() == parts.size() && isOnlyLoop(loop, accumulator, kernel) &&
         canStoreBeside(loop, kernel) &&
         llvm::all_of(sliceOf(coordinatesOfCopies(parts), loop).ops, isOfScalars) &&
         areComputable(neededBefore(loop, parts), kernel);
}

int64_t bytesOfStoredParts(func::FuncOp kernel) {
  llvm::SmallSetVector<tile::SharedType, 2> types;
  for (tile::ViewStoreOp store : storesOfAccumulator(kernel))
    if (std::optional<StoredPart> part = storedPartOf(store))
      types.insert(part->panel);
  int64_t bytes = 0;
  for (tile::SharedType type : types)
    bytes += panelsOfParts * bytesOf(type);
  return bytes;
}

void fillByWarp(scf::ForOp loop, ArrayRef<SmallVector<PipelinedLoad>> parts,
                ArrayRef<tile::SharedMmaOp> accumulator, int64_t stages, bool isInFlight) {
  Filling(loop, parts, accumulator, stages, isInFlight).run();
}

} // namespace tessera::plan
