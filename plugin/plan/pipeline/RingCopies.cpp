#include "plan/pipeline/RingCopies.h"

using namespace mlir;

namespace tessera::plan {

namespace {

// Copies what the pointers of a read point to in another iteration, whose values `map` has.
void startGather(OpBuilder &b, tile::LoadOp load, Value target, Value when, const IRMapping &map) {
  Location loc = load.getLoc();
  ArrayRef<int64_t> shape = cast<tile::SharedType>(target.getType()).getShape();
  auto mapped = [&](Value v) -> Value {
    if (!v)
      return v;
    Value there = map.lookupOrDefault(v);
    auto type = cast<RankedTensorType>(there.getType());
    if (type.getShape() == shape)
      return there;
    return tile::ReshapeOp::create(b, loc, RankedTensorType::get(shape, type.getElementType()),
                                   there);
  };
  Value pointers = mapped(load.getPointers()), mask = mapped(load.getMask());
  tile::GatherAsyncOp::create(b, loc, target, pointers, mask, when, tile::RunAttr());
}

// The box of a view that a pipelined load reads in an iteration, whose values `map` has.
struct LocatedBox {
  Value base;
  SmallVector<Value> extents, strides, starts;
  DenseI64ArrayAttr shape;   // null: the tile's
  tile::MakeTensorMapOp map; // or null

  LocatedBox(tile::ViewLoadOp load, tile::SharedType tile, const std::optional<BulkRing> &bulk,
             const IRMapping &there) {
    auto mapped = [&](ValueRange values) {
      return llvm::map_to_vector(values, [&](Value v) { return there.lookupOrDefault(v); });
    };
    map = bulk ? bulk->maps.lookup(load) : tile::MakeTensorMapOp();
    // With a tensor map the view is the map's, which is the same in every iteration.
    base = map ? map.getBase() : there.lookupOrDefault(load.getBase());
    extents = map ? SmallVector<Value>(map.getExtents()) : mapped(load.getExtents());
    strides = map ? SmallVector<Value>(map.getStrides()) : mapped(load.getStrides());
    starts = mapped(load.getStarts());
    ArrayRef<int64_t> box = cast<RankedTensorType>(load.getType()).getShape();
    if (box != tile.getShape())
      shape = DenseI64ArrayAttr::get(load.getContext(), box);
  }
};

Value slotOf(OpBuilder &b, Location loc, Value ring, Value slot) {
  return ring ? tile::SharedSlotOp::create(b, loc, ring.getType(), ring, slot) : Value();
}

} // namespace

Value nextSlot(OpBuilder &b, Location loc, Value slot, int64_t stages) {
  Type i32 = b.getI32Type();
  Value one = arith::ConstantOp::create(b, loc, b.getIntegerAttr(i32, 1)),
        last = arith::ConstantOp::create(b, loc, b.getIntegerAttr(i32, stages - 1));
  Value zero = arith::ConstantOp::create(b, loc, b.getIntegerAttr(i32, 0));
  Value isLast = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, slot, last);
  return arith::SelectOp::create(
      b, loc, isLast, zero,
      arith::AddIOp::create(b, loc, slot, one, arith::IntegerOverflowFlags::nsw));
}

bool commitsGroups(const std::optional<BulkRing> &bulk) {
  return !bulk || !bulk->barriers.getDefiningOp<tile::InitBarriersOp>().isBulkOnly();
}

void startCopies(OpBuilder &b, scf::ForOp loop, ArrayRef<PipelinedLoad> pipelinedLoads,
                 ArrayRef<RingOfTiles> rings, const std::optional<BulkRing> &bulk,
                 const OtherIteration &there, Value slot, IRMapping map) {
  Value when = there.exists;
  for (auto [pipelined, ring] : llvm::zip(pipelinedLoads, rings)) {
    computeThere(b, loop, sliceOf(pipelined.coordinates(), loop), there, map);
    Location loc = pipelined.read()->getLoc();
    Value target = slotOf(b, loc, ring.tiles, slot);
    if (pipelined.byPointers) {
      startGather(b, pipelined.byPointers, target, when, map);
      continue;
    }
    auto type = cast<tile::SharedType>(ring.tiles.getType());
    LocatedBox box(pipelined.load, type, bulk, map);
    int64_t perChunk = 16 * 8 / tile::storageBits(type.getElementType());
    SmallVector<tile::Bounds> bounds(box.starts.size(), tile::Bounds::checked);
    auto access = tile::AccessAttr::get(b.getContext(), perChunk, bounds.size() - 1,
                                        /*aligned=*/false, bounds);
    Value ends = slotOf(b, loc, ring.ends, slot);
    Value byMap = box.map ? box.map.getResult() : Value(),
          barriers = bulk && (byMap || pipelined.isRow) ? bulk->barriers : Value();
    tile::CopyAsyncOp::create(b, loc, target, box.base, box.extents, box.strides, box.starts, when,
                              byMap, barriers, ends, box.shape, bool(pipelined.rounding), access);
  }
  if (commitsGroups(bulk))
    tile::CommitGroupOp::create(b, loop.getLoc());
}

void waitForCopies(OpBuilder &b, scf::ForOp loop, ArrayRef<PipelinedLoad> pipelinedLoads,
                   ArrayRef<RingOfTiles> rings, const std::optional<BulkRing> &bulk,
                   int64_t pending, Value slot) {
  Location loc = loop.getLoc();
  Value barriers = bulk ? bulk->barriers : Value();
  // The coordinates of the boxes are computed before the wait: the ops on copied tiles follow it
  // directly.
  IRMapping map;
  Value always;
  SmallVector<std::pair<LocatedBox, RingOfTiles>> shifted;
  for (auto [pipelined, ring] : llvm::zip(pipelinedLoads, rings)) {
    if (!ring.ends)
      continue;
    if (!always)
      always = arith::ConstantOp::create(b, loc, b.getBoolAttr(true));
    OtherIteration here{loop.getInductionVar(), always, /*distance=*/0, /*isBeforeLoop=*/false};
    computeThere(b, loop, sliceOf(pipelined.coordinates(), loop), here, map);
    Location at = pipelined.read()->getLoc();
    RingOfTiles slots{slotOf(b, at, ring.tiles, slot), slotOf(b, at, ring.ends, slot)};
    shifted.push_back(
        {LocatedBox(pipelined.load, cast<tile::SharedType>(ring.tiles.getType()), bulk, map),
         slots});
  }
  SmallVector<Value> rounded;
  for (auto [pipelined, ring] : llvm::zip(pipelinedLoads, rings))
    if (pipelined.rounding && !(bulk && bulk->maps.lookup(pipelined.load).getNeeded()))
      rounded.push_back(slotOf(b, loc, ring.tiles, slot));
  tile::WaitGroupOp::create(b, loc, pending, barriers, bulk ? slot : Value());
  for (auto &[box, slots] : shifted)
    tile::ShiftRowsOp::create(b, loc, slots.tiles, box.base, box.extents, box.strides, box.starts,
                              barriers, slots.ends, box.shape);
  for (Value tile : rounded)
    tile::RoundCopiedOp::create(b, loc, tile, barriers);
}

} // namespace tessera::plan
