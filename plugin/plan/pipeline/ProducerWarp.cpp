#include "plan/pipeline/ProducerWarp.h"

#include "plan/analysis/DisjointBoxes.h"
#include "plan/analysis/Facts.h"
#include "plan/analysis/Layouts.h"
#include "plan/pipeline/BulkStores.h"
#include "plan/Plan.h"
#include "tile/Attributes.h"
#include "tile/Sources.h"

using namespace mlir;

namespace tessera::plan {

namespace {

Value number(OpBuilder &b, Location loc, int64_t n) {
  return arith::ConstantOp::create(b, loc, b.getI32IntegerAttr(int32_t(n)));
}

// The values that determine the coordinates of an iteration's copies.
SmallVector<Value> coordinatesOfCopies(const FilledLoop &filled) {
  SmallVector<Value> coordinates;
  for (const StageFill &fill : filled.fills)
    for (const PipelinedLoad &load : fill.loads)
      llvm::append_range(coordinates, load.coordinates());
  return coordinates;
}

// Are they computed by ops of the kernel's top level, not in its branches, from its arguments and
// from memory that it does not write?
bool areComputable(ArrayRef<Value> values, func::FuncOp kernel) {
  return tile::areAllRight(values, [&](Value value) -> std::optional<bool> {
    Operation *op = value.getDefiningOp();
    if (!op)
      return value.getParentBlock() == &kernel.getBody().front();
    bool mayBe = op->getParentOp() == kernel && !op->getNumRegions() && isOfScalars(op) &&
                 (isMemoryEffectFree(op) || readsConstant(op, kernel));
    return mayBe ? std::nullopt : std::optional(false);
  });
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

// Copies what a work tile reads before its loops.
void fillOnce(OpBuilder &b, const StageFill &fill, const ProducerRing &ring, Value slot,
              scf::ForOp workTiles, Value workTile, const IRMapping &map) {
  Location loc = workTiles.getLoc();
  Value always = arith::ConstantOp::create(b, loc, b.getBoolAttr(true));
  tile::ProducerAcquireOp::create(b, loc, ring.barriers(), slot);
  startCopies(b, workTiles, fill.loads, ring.tiles, ring.bulk,
              {workTile, always, /*distance=*/0, /*isBeforeLoop=*/false}, slot, map);
}

// A stage as consumers of one ring and producers of the other.
void transposeStage(OpBuilder &b, Location loc, const ProducerRing &from, const ProducerRing &to,
                    Value slot) {
  auto tileOf = [&](const ProducerRing &ring) {
    Value tiles = ring.tiles.front().tiles;
    return tile::SharedSlotOp::create(b, loc, tiles.getType(), tiles, slot);
  };
  tile::WaitGroupOp::create(b, loc, /*pending=*/0, from.barriers(), slot);
  tile::ProducerAcquireOp::create(b, loc, to.barriers(), slot);
  Value raw = tileOf(from), transposed = tileOf(to);
  tile::TransposeStageOp::create(b, loc, raw, transposed, to.barriers(), slot);
  tile::ConsumerReleaseOp::create(b, loc, from.barriers(), slot);
}

// The iterations of a loop once more, with only the copies; returns the slots after them.
SmallVector<Value> fillIterations(OpBuilder &b, const FilledLoop &filled,
                                  ArrayRef<ProducerRing> rings, ArrayRef<Value> slots,
                                  IRMapping map) {
  scf::ForOp loop = filled.loop;
  Location loc = loop.getLoc();
  SmallVector<Value> inits(slots);
  Slice slice = sliceOf(coordinatesOfCopies(filled), loop);
  for (BlockArgument carried : slice.carried)
    inits.push_back(map.lookupOrDefault(loop.getTiedLoopInit(carried)->get()));
  auto there = [&](Value v) { return map.lookupOrDefault(v); };
  auto iterations = scf::ForOp::create(b, loc, there(filled.lower), there(filled.upper),
                                       there(loop.getStep()), inits);
  iterations.setUnsignedCmp(loop.getUnsignedCmp());
  iterations.getInductionVar().setLoc(loop.getInductionVar().getLoc());
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(iterations.getBody());
  auto arguments = iterations.getRegionIterArgs();
  SmallVector<Value> fill(arguments.take_front(slots.size()));
  for (Value slot : fill)
    slot.setLoc(NameLoc::get(b.getStringAttr("fill"), loc));
  for (auto [carried, own] : llvm::zip_equal(slice.carried, arguments.drop_front(slots.size()))) {
    own.setLoc(carried.getLoc());
    map.map(carried, own);
  }
  Value always = arith::ConstantOp::create(b, loc, b.getBoolAttr(true));
  OtherIteration here{iterations.getInductionVar(), always, /*distance=*/0,
                      /*isBeforeLoop=*/false};
  for (const StageFill &stage : filled.fills) {
    const ProducerRing &ring = rings[stage.ring];
    Value &slot = fill[stage.ring];
    if (stage.transposed)
      transposeStage(b, loc, *stage.transposed, ring, slot);
    else {
      tile::ProducerAcquireOp::create(b, loc, ring.barriers(), slot);
      startCopies(b, loop, stage.loads, ring.tiles, ring.bulk, here, slot, map);
    }
    slot = nextSlot(b, loc, slot, ring.stages);
  }
  SmallVector<Value> next(fill);
  for (BlockArgument carried : slice.carried) {
    // The loop's strides are known before it.
    Operation *op = loop.getTiedLoopYieldedValue(carried)->get().getDefiningOp();
    next.push_back(b.clone(*op, map)->getResult(0));
  }
  scf::YieldOp::create(b, loc, next);
  return iterations.getResults().take_front(slots.size());
}

// The loop over work tiles once more, with the values that a role needs from before its loops;
// carries as many slots. The builder goes into its body.
scf::ForOp loopOfRole(OpBuilder &b, scf::ForOp workTiles, size_t slots, ArrayRef<Value> before,
                      IRMapping &map) {
  Location loc = workTiles.getLoc();
  auto ours = scf::ForOp::create(b, loc, workTiles.getLowerBound(), workTiles.getUpperBound(),
                                 workTiles.getStep(), SmallVector<Value>(slots, number(b, loc, 0)));
  ours.getInductionVar().setLoc(workTiles.getInductionVar().getLoc());
  for (Value slot : ours.getRegionIterArgs())
    slot.setLoc(NameLoc::get(b.getStringAttr("stage"), loc));
  b.setInsertionPointToStart(ours.getBody());
  map.map(workTiles.getInductionVar(), ours.getInductionVar());
  for (Value value : before)
    placed(b, value, workTiles, map);
  return ours;
}

} // namespace

bool isOfScalars(Operation *op) {
  auto isTile = [](Type type) { return isa<RankedTensorType>(type); };
  return llvm::none_of(op->getOperandTypes(), isTile) &&
         llvm::none_of(op->getResultTypes(), isTile);
}

bool readsConstant(Operation *op, func::FuncOp kernel) {
  // An atomic read may give each role another number.
  if (!isa<LLVM::LoadOp, tile::LoadOp>(op) || !globalEffectsOf(op).reads)
    return false;
  Value address = addressOf(op);
  auto mayChange = [&](Operation *other) {
    const GlobalEffects theirs = globalEffectsOf(other);
    Value where = addressOf(other);
    return theirs.orders ||
           (theirs.writes && mayAlias(baseOf(address), where ? baseOf(where) : Value()));
  };
  return !kernel.getBody()
              .walk([&](Operation *other) {
                return mayChange(other) ? WalkResult::interrupt() : WalkResult::advance();
              })
              .wasInterrupted();
}

SmallVector<Value> neededBefore(const FilledLoop &filled) {
  scf::ForOp loop = filled.loop;
  SmallVector<Value> values = {filled.lower, filled.upper, loop.getStep()},
                     coordinates = coordinatesOfCopies(filled);
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

bool canProduce(const FilledLoop &filled) {
  scf::ForOp loop = filled.loop;
  return llvm::all_of(sliceOf(coordinatesOfCopies(filled), loop).ops, isOfScalars) &&
         areComputable(neededBefore(filled), loop->getParentOfType<func::FuncOp>());
}

bool canProduce(const PipelinedLoad &load, func::FuncOp kernel) {
  return areComputable(load.coordinates(), kernel);
}

bool canStoreBeside(scf::ForOp last) {
  auto kernel = last->getParentOfType<func::FuncOp>();
  return llvm::all_of(storesOfAccumulator(kernel), [&](tile::ViewStoreOp store) {
    return store->getParentOp() == kernel && last->isBeforeInBlock(store) && storedPartOf(store) &&
           !isWrittenBeside(store, kernel);
  });
}

bool canStoreAfter(scf::ForOp last) {
  auto kernel = last->getParentOfType<func::FuncOp>();
  return llvm::all_of(storesOfAccumulator(kernel), [&](tile::ViewStoreOp store) {
    return store->getParentOp() == kernel && last->isBeforeInBlock(store) &&
           !(storedPartOf(store) && isWrittenBeside(store, kernel));
  });
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

scf::ForOp loopOverWorkTiles(func::FuncOp kernel, size_t rings, RoleRegisters roles,
                             std::optional<WorkTileOrder> order, int64_t parts, Value part) {
  Block &body = kernel.getBody().front();
  OpBuilder b(&body, body.begin());
  Location loc = kernel.getLoc();
  kernel->setAttr(tile::warpSpecializedAttr, b.getI64IntegerAttr(roles.consumers));
  const bool isPersistent = needsTensorMaps(kernel);
  Value first, count, step;
  if (isPersistent) {
    first = tile::FirstWorkTileOp::create(b, loc);
    count = tile::WorkTileCountOp::create(b, loc);
    step = tile::WorkTileStepOp::create(b, loc);
  } else { // a launch of its own gives each block one work tile
    first = number(b, loc, 0), count = number(b, loc, 1), step = number(b, loc, 1);
  }
  if (parts > 1)
    count = b.createOrFold<arith::MulIOp>(loc, count, number(b, loc, parts));
  SmallVector<Value> slots(rings, number(b, loc, 0));
  auto workTiles = scf::ForOp::create(b, loc, first, count, step, slots);
  workTiles->setAttr(tile::workTilesAttr, b.getUnitAttr());
  auto named = [&](StringRef name) { return NameLoc::get(b.getStringAttr(name), loc); };
  Value workTile = workTiles.getInductionVar();
  workTile.setLoc(named(parts > 1 && !isPersistent ? "part"
                        : order || parts > 1       ? "linear_index"
                                                   : "work_tile"));
  for (BlockArgument slot : workTiles.getRegionIterArgs())
    slot.setLoc(named("stage"));
  Block &inner = *workTiles.getBody();
  inner.getOperations().splice(inner.begin(), body.getOperations(),
                               std::next(Block::iterator(workTiles)), std::prev(body.end()));
  b.setInsertionPointToEnd(&inner);
  scf::YieldOp::create(b, loc, workTiles.getRegionIterArgs());
  b.setInsertionPointToStart(&inner);
  if (parts > 1) {
    Value inGrid = number(b, loc, parts);
    part.replaceAllUsesWith(
        isPersistent ? arith::RemUIOp::create(b, named("part"), workTile, inGrid).getResult()
                     : workTile);
    workTile = arith::DivUIOp::create(b, named("work_tile"), workTile, inGrid);
  }
  if (order) {
    workTile = tile::ScheduledWorkTileOp::create(b, named("work_tile"), workTile, order->axis,
                                                 order->isLongestFirst);
  }
  if (isPersistent)
    inner.walk([&](tile::BlockIndexOp index) { index.getWorkTileMutable().assign(workTile); });
  return workTiles;
}

void fillRings(OpBuilder &b, scf::ForOp workTiles, ArrayRef<StageFill> perWorkTile,
               ArrayRef<FilledLoop> loops, ArrayRef<ProducerRing> rings, ArrayRef<Value> before,
               RoleRegisters roles) {
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPoint(workTiles);
  Location loc = workTiles.getLoc();
  auto warp = tile::ProducerWarpOp::create(b, loc, roles.producer);
  b.setInsertionPointToStart(&warp.getBody().emplaceBlock());
  IRMapping map;
  scf::ForOp ours = loopOfRole(b, workTiles, workTiles.getRegionIterArgs().size(), before, map);
  auto own = ours.getRegionIterArgs();
  size_t ringsOfLoops = rings.size();
  llvm::DenseMap<unsigned, int64_t> filled;
  SmallVector<Value> next; // the slots of what is filled once
  for (const StageFill &fill : perWorkTile) {
    const ProducerRing &ring = rings[fill.ring];
    const bool alternates = fill.ring < own.size();
    Value slot = alternates ? Value(own[fill.ring]) : number(b, loc, filled[fill.ring]++);
    fillOnce(b, fill, ring, slot, workTiles, ours.getInductionVar(), map);
    if (alternates)
      next.push_back(nextSlot(b, loc, slot, ring.stages));
    ringsOfLoops = std::min<size_t>(ringsOfLoops, fill.ring);
  }
  SmallVector<Value> slots(own.take_front(ringsOfLoops));
  for (const FilledLoop &loop : loops)
    slots = fillIterations(b, loop, rings, slots, map);
  llvm::append_range(slots, next);
  scf::YieldOp::create(b, loc, slots);
}

void transposeRings(OpBuilder &b, scf::ForOp workTiles, ArrayRef<FilledLoop> loops,
                    ArrayRef<ProducerRing> rings, ArrayRef<Value> before) {
  OpBuilder::InsertionGuard guard(b);
  Location loc = workTiles.getLoc();
  auto producer = cast<tile::ProducerWarpOp>(workTiles->getPrevNode());
  b.setInsertionPointToStart(&producer.getBody().front());
  auto warps = tile::TransposingWarpsOp::create(b, loc);
  b.setInsertionPointToStart(&warps.getBody().emplaceBlock());
  IRMapping map;
  scf::ForOp ours = loopOfRole(b, workTiles, rings.size(), before, map);
  SmallVector<Value> slots(ours.getRegionIterArgs());
  for (const FilledLoop &loop : loops)
    slots = fillIterations(b, loop, rings, slots, map);
  scf::YieldOp::create(b, loc, slots);
}

Value slotAfter(OpBuilder &b, Location loc, Value slot, int64_t steps, int64_t stages) {
  for (; steps; --steps)
    slot = nextSlot(b, loc, slot, stages);
  return slot;
}

} // namespace tessera::plan
