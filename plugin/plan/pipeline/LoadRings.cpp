// A loop over rows that loads what it computes with waits for memory in each iteration. Memory is
// busy if an SM has enough bytes in flight (Machines.def): so many blocks that are resident, or so
// many iterations of one block whose loads are copied ahead.
//
// How many blocks share an SM is not known: registers bound it from above, and a grid-stride loop
// is written for grids of one block per SM. So a ring is as long as the fewest blocks need, and as
// small as the most blocks leave each other.
#include "plan/pipeline/LoadRings.h"

#include "plan/analysis/Facts.h"
#include "plan/analysis/GridStride.h"
#include "plan/analysis/Layouts.h"
#include "plan/analysis/Occupancy.h"
#include "plan/analysis/OtherIterations.h"
#include "plan/Config.h"
#include "plan/mma/ComputedOperands.h"
#include "plan/pipeline/ShiftedRows.h"
#include "plan/Plan.h"
#include "target/RegisterBudgets.h"
#include "tile/Views.h"

using namespace mlir;

namespace tessera::plan {
namespace {

// Fewer bytes are a few instructions of a warp: their ring costs as much as it hides.
constexpr int64_t minBytesOfTile = 256;

// Besides its largest tile, a kernel has at least this many registers of a thread.
constexpr int64_t minRegistersBesidesTile = 24;

// So many blocks compute and load alternately without a ring.
constexpr int64_t blocksThatAlternate = 4;

// What reductions exchange through shared memory.
constexpr int64_t bytesOfReductions = 1024;

RankedTensorType typeOfRead(Operation *read) {
  return dyn_cast<RankedTensorType>(read->getResult(0).getType());
}

Wait waitOfRow(Operation *read, scf::ForOp loop) {
  if (auto load = dyn_cast<tile::ViewLoadOp>(read))
    return waitOfRead(load, loop, /*padsLater=*/true);
  return waitOfRead(cast<tile::LoadOp>(read), loop, /*padsLater=*/true);
}

// Integers have no other padding than zero.
bool hasPadding(Operation *read) {
  auto load = dyn_cast<tile::ViewLoadOp>(read);
  return !load || load.getPadding() == tile::Padding::zero ||
         isa<FloatType>(tile::elementType(load.getType()));
}

// The reads of large tiles that differ from iteration to iteration.
SmallVector<Operation *> largeReads(scf::ForOp loop) {
  SmallVector<Operation *> reads;
  for (Operation &op : *loop.getBody()) {
    auto type = isa<tile::ViewLoadOp, tile::LoadOp>(op) ? typeOfRead(&op) : RankedTensorType();
    if (!type || !type.getElementType().isIntOrFloat() ||
        tile::storageBits(type.getElementType()) < 8 || bytesOfTile(type) < minBytesOfTile)
      continue;
    const bool isInvariant =
        llvm::all_of(op.getOperands(), [&](Value v) { return loop.isDefinedOutsideOfLoop(v); });
    if (!isInvariant && hasPadding(&op))
      reads.push_back(&op);
  }
  return reads;
}

int64_t bytesOfReads(ArrayRef<Operation *> reads) {
  int64_t bytes = 0;
  for (Operation *read : reads)
    bytes += bytesOfTile(typeOfRead(read));
  return bytes;
}

// Of these reads those that may be made ahead. Marks the others with the reason.
SmallVector<Operation *> readsToCopy(ArrayRef<Operation *> reads, scf::ForOp loop) {
  SmallVector<Operation *> copied;
  for (Operation *read : reads)
    if (Wait wait = waitOfRow(read, loop))
      markWaiting(read, *wait);
    else
      copied.push_back(read);
  return copied;
}

// ---- Padding ----------------------------------------------------------------------------------

Value paddingOf(OpBuilder &b, tile::ViewLoadOp load) {
  auto type = cast<RankedTensorType>(load.getType());
  auto element = cast<FloatType>(type.getElementType());
  Value constant =
      arith::ConstantOp::create(b, load.getLoc(), tile::numberOf(load.getPadding(), element));
  return tile::SplatOp::create(b, load.getLoc(), type, constant);
}

// How many of `size` elements from `start` on are in front of `extent`, as i32.
Value elementsInside(OpBuilder &b, Location loc, Value start, Value extent, int64_t size) {
  Type type = std::max(start.getType(), extent.getType(), [](Type x, Type y) {
    return x.getIntOrFloatBitWidth() < y.getIntOrFloatBitWidth();
  });
  auto widened = [&](Value v) {
    return v.getType() == type ? v : b.createOrFold<arith::ExtUIOp>(loc, type, v);
  };
  auto constant = [&](int64_t n) {
    return arith::ConstantOp::create(b, loc, b.getIntegerAttr(type, n));
  };
  Value first = widened(start), end = widened(extent);
  Value isInside = b.createOrFold<arith::CmpIOp>(loc, arith::CmpIPredicate::ult, first, end);
  Value rest = b.createOrFold<arith::MinUIOp>(loc, b.createOrFold<arith::SubIOp>(loc, end, first),
                                              constant(size));
  Value count = b.createOrFold<arith::SelectOp>(loc, isInside, rest, constant(0));
  return type.isInteger(32) ? count : b.createOrFold<arith::TruncIOp>(loc, b.getI32Type(), count);
}

// Which elements of the box are inside the extents; null: all of them.
Value insideOf(OpBuilder &b, tile::ViewLoadOp load) {
  Location loc = load.getLoc();
  auto type = cast<RankedTensorType>(load.getType());
  Value inside;
  for (auto [dim, size] : llvm::enumerate(type.getShape())) {
    Value count = elementsInside(b, loc, load.getStarts()[dim], load.getExtents()[dim], size);
    if (getConstantIntValue(count) == size)
      continue;
    auto line = RankedTensorType::get({size}, b.getI32Type());
    auto bits = RankedTensorType::get({size}, b.getI1Type());
    Value isLess = tile::CompareOp::create(
        b, loc, bits, tile::CompareKind::lt, tile::IotaOp::create(b, loc, line),
        tile::SplatOp::create(b, loc, line, count), /*isUnsigned=*/false);
    Value along = tile::alongAllOthers(b, loc, isLess, dim, type.getShape());
    if (inside)
      along = tile::BinaryOp::create(b, loc, along.getType(), tile::BinaryKind::bit_and, inside,
                                     along, tile::Rounding::nearest, /*flush=*/false,
                                     /*isUnsigned=*/false);
    inside = along;
  }
  return inside;
}

// Copies pad with zeros: gives the elements outside what the read is padded with.
void pad(const PipelinedLoad &copied) {
  tile::LoadOp byPointers = copied.byPointers;
  tile::ViewLoadOp load = copied.load;
  if (load ? load.getPadding() == tile::Padding::zero
           : !byPointers.getMask() || isZero(byPointers.getPadding()))
    return;
  tile::SharedStoreOp store = copied.store;
  auto again = cast<tile::SharedLoadOp>(store->getNextNode());
  OpBuilder b(again->getContext());
  b.setInsertionPointAfter(again);
  Value inside = load ? insideOf(b, load) : byPointers.getMask();
  if (!inside)
    return;
  auto padded = tile::SelectOp::create(b, again.getLoc(), again.getType(), inside, again,
                                       load ? paddingOf(b, load) : byPointers.getPadding());
  again.getResult().replaceAllUsesExcept(padded, padded);
}

// ---- Stages -----------------------------------------------------------------------------------

// How few registers a thread may take: for the largest tile, and what no kernel does without.
// Layouts are not known yet.
int64_t minRegisters(func::FuncOp kernel) {
  int64_t bytes = 0;
  kernel.walk([&](Operation *op) {
    for (Value v : op->getResults())
      if (auto type = dyn_cast<RankedTensorType>(v.getType());
          type && type.getElementType().isIntOrFloat() && !isa<tile::SplatOp>(op))
        bytes = std::max(bytes, bytesOfTile(type));
  });
  const int64_t registers = bytes / (4 * threadsOf(kernel)) + minRegistersBesidesTile;
  return std::min(registers, registersOfThread - 1);
}

// The fewest and the most blocks that are expected to share an SM.
struct ResidentBlocks {
  int64_t fewest, most;
};
ResidentBlocks residentBlocks(scf::ForOp loop, func::FuncOp kernel) {
  if (const int64_t hinted = hintedBlocks(kernel))
    return {hinted, hinted};
  const int64_t most =
      std::max<int64_t>(1, blocksOfMultiprocessor(targetOf(kernel), threadsOf(kernel),
                                                  /*sharedBytes=*/0, minRegisters(kernel)));
  return {mayBeInGridStride(loop) ? 1 : most, most};
}

// The shared memory that each of this many blocks on an SM has for its ring.
int64_t roomOfOneOf(int64_t blocks, const GpuTarget &target) {
  return std::min(sharedOfOneOf(blocks, target), target.sharedOfBlock) - bytesOfReductions;
}

// How many stages each of this many blocks on an SM has room for.
int64_t stagesOfRoom(int64_t blocks, int64_t bytes, const GpuTarget &target) {
  return roomOfOneOf(blocks, target) / bytes;
}

// Is there room for the ends of rows that may begin anywhere, without a block less on an SM?
bool hasRoomForEnds(const PipelinedLoop &planned, int64_t bytesOfStage, int64_t most,
                    const GpuTarget &target) {
  int64_t bytesOfEnds = 0;
  for (tile::SharedType ends : endsOf(planned.parts))
    bytesOfEnds += ends ? bytesOf(ends) : 0;
  const int64_t stages = planned.ring.stages;
  while (most > 1 && roomOfOneOf(most, target) < stages * bytesOfStage)
    --most;
  return stages * (bytesOfStage + bytesOfEnds) <= roomOfOneOf(most, target);
}

// Takes the room of up to a quarter of the blocks for a long pipeline, of all others where the
// program fixes its grid; of more of them only for a short one.
int64_t stagesThatFit(int64_t wanted, int64_t blocks, int64_t bytes, bool hasFixedGrid,
                      const GpuTarget &target) {
  constexpr int64_t isLong = 6, isShort = 3;
  const int64_t fewest = hasFixedGrid ? 1 : int64_t(llvm::divideCeil(3 * blocks, 4));
  for (int64_t others = blocks; others >= fewest; --others)
    if (int64_t stages = stagesOfRoom(others, bytes, target); stages >= std::min(wanted, isLong))
      return stages;
  while (blocks > 1 && stagesOfRoom(blocks, bytes, target) < std::min(wanted, isShort))
    --blocks;
  return stagesOfRoom(blocks, bytes, target);
}

// A constant step is that of one grid.
bool hasFixedGrid(scf::ForOp loop) {
  return getConstantIntValue(loop.getStep()) && !stepsByGrid(loop);
}

// A block that loads as much in one iteration keeps memory busy without a ring, and so do several
// blocks with half as much, some of which compute while others load; or with less than 1 KiB each,
// for which the ring's instructions take longer than it hides.
bool isBusy(const ResidentBlocks &blocks, int64_t bytes, const GpuTarget &target) {
  constexpr int64_t bytesOfFew = 1024;
  const int64_t inFlight = blocks.fewest * bytes, wanted = target.rates.bytesInFlight;
  if (blocks.fewest < blocksThatAlternate)
    return inFlight >= wanted;
  return bytes < bytesOfFew || inFlight >= wanted / 2;
}

// Fewer than two: none.
//
// Rows of bf16 on an H200, TileGym's persistent layer_norm with a block per SM, GB/s with a ring
// and without: 16384x4096 in 1, 2, 4 rows 3454, 3622, 3513 and 1524, 2124, 2236; 8 rows, 64 KiB,
// 2367 and 2487. cuTile's layer_norm, whose loops read a row in pieces of 2 KiB with 16 blocks per
// SM: 12.5 us and 11.9.
int64_t stagesFor(int64_t bytes, scf::ForOp loop, const ResidentBlocks &blocks,
                  func::FuncOp kernel) {
  const GpuTarget &target = targetOf(kernel);
  const int64_t limit = configOf(kernel).getStages(), inFlight = blocks.fewest * bytes;
  if (limit < 2)
    return 0;
  const int64_t wanted = 1 + int64_t(llvm::divideCeil(target.rates.bytesInFlight, inFlight));
  return std::min({wanted, stagesThatFit(wanted, blocks.most, bytes, hasFixedGrid(loop), target),
                   limit > wantedStages ? maxStagesAlone : limit});
}

// ---- Loop versioning --------------------------------------------------------------------------

// The only iteration of the loop, if it has one: what the loop computes.
SmallVector<Value> onlyIteration(OpBuilder &b, scf::ForOp loop) {
  Location loc = loop.getLoc();
  const auto isLess = loop.getUnsignedCmp() ? arith::CmpIPredicate::ult : arith::CmpIPredicate::slt;
  Value exists = arith::CmpIOp::create(b, loc, isLess, loop.getLowerBound(), loop.getUpperBound());
  auto branch = scf::IfOp::create(b, loc, loop.getResultTypes(), exists, /*withElseRegion=*/
                                  loop.getNumResults() != 0);
  IRMapping map;
  map.map(loop.getInductionVar(), loop.getLowerBound());
  map.map(loop.getRegionIterArgs(), loop.getInitArgs());
  auto fill = [&](OpBuilder inner, ValueRange results) {
    if (!results.empty())
      scf::YieldOp::create(inner, loc, results);
  };
  OpBuilder then = branch.getThenBodyBuilder();
  for (Operation &op : loop.getBody()->without_terminator())
    then.clone(op, map);
  fill(then, llvm::map_to_vector(loop.getYieldedValues(),
                                 [&](Value v) { return map.lookupOrDefault(v); }));
  if (loop.getNumResults())
    fill(branch.getElseBodyBuilder(), loop.getInitArgs());
  return SmallVector<Value>(branch.getResults());
}

// A grid may have a block for each tile. Such a block would start copies in vain, and pay for the
// tests:
//   for {..}  ->  if there is a second iteration { for {..} } else if there is one {..}
void versionByIterations(scf::ForOp loop) {
  OpBuilder b(loop);
  Location loc = loop.getLoc();
  Value lower = loop.getLowerBound(), second = advance(b, loop, lower, b.getIndexAttr(1));
  Value isLong = iterationExists(b, loop, lower, second, b.getIndexAttr(1));
  const bool hasResults = loop.getNumResults() != 0;
  auto versions = scf::IfOp::create(b, loc, loop.getResultTypes(), isLong, /*withElseRegion=*/true);
  OpBuilder otherwise = versions.getElseBodyBuilder();
  SmallVector<Value> results = onlyIteration(otherwise, loop);
  if (hasResults)
    scf::YieldOp::create(otherwise, loc, results);
  loop.getResults().replaceAllUsesWith(versions.getResults());
  Block *then = versions.thenBlock();
  loop->moveBefore(then, then->begin());
  if (hasResults) { // else the branch has its yields
    OpBuilder inner = OpBuilder::atBlockEnd(then);
    scf::YieldOp::create(inner, loc, loop.getResults());
  }
}

} // namespace

PipelinedLoop chooseLoadRing(scf::ForOp loop) {
  auto kernel = loop->getParentOfType<func::FuncOp>();
  PipelinedLoop planned;
  auto leave = [&](ArrayRef<Operation *> reads, tile::WaitReason reason) {
    for (Operation *read : reads)
      markWaiting(read, reason);
    return planned;
  };
  SmallVector<Operation *> large = largeReads(loop);
  if (!policyOf(kernel).rings)
    return leave(large, tile::WaitReason::forbidden);
  const ResidentBlocks blocks = residentBlocks(loop, kernel);
  if (isBusy(blocks, bytesOfReads(large), targetOf(kernel)))
    return leave(large, tile::WaitReason::busy);
  SmallVector<Operation *> reads = readsToCopy(large, loop);
  const int64_t stages = reads.empty() ? 0 : stagesFor(bytesOfReads(reads), loop, blocks, kernel);
  if (stages < 2)
    return leave(reads, tile::WaitReason::room);
  if (!hasFixedGrid(loop)) // else blocks have many iterations
    versionByIterations(loop);
  for (Operation *read : reads) {
    planned.pipelinedLoads.push_back(
        throughShared(read, read->getResult(0), swizzledByChunks(typeOfRead(read))));
    pad(planned.pipelinedLoads.back());
  }
  planned.parts = {planned.pipelinedLoads};
  planned.ring.stages = stages;
  planned.ring.hasEnds =
      hasRoomForEnds(planned, bytesOfStage(planned.pipelinedLoads), blocks.most, targetOf(kernel));
  return planned;
}

} // namespace tessera::plan
