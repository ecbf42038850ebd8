// Counted loops that read factors of a multiply from views: the reads of later iterations are
// started before they are needed.
//
//   for i { %x = view_load(i); shared_store %x, %s; shared_mma %s }
// becomes, with S stages,
//   for s < S-1 { copy_async ring[s] <- view(s) when it exists; commit_group } for i { wait_group
//   S-2; copy_async ring[(i+S-1) % S] <- view(i+S-1) when it exists; commit_group; shared_mma
//   ring[i % S] } wait_group 0
// The copies of one iteration form one group, whether or not there is anything left to copy, so
// that counting groups is counting iterations. A copy overwrites the stage that the last iteration
// read: the barrier behind wait_group (see InsertBarriers) lies between.
//
// A read qualifies if its address depends on the induction variable and on values from outside the
// loop only, if memory runs along its last dimension in chunks of 16 bytes, if it pads with zeros,
// and if nothing in the loop may change what is read.
#include "plan/Facts.h"
#include "plan/Layouts.h"
#include "plan/Passes.h"
#include "plan/Plan.h"
#include "tile/Speculation.h"
#include "tile/TileDialect.h"

#include "mlir/IR/IRMapping.h"

using namespace mlir;

namespace tessera::plan {

#define GEN_PASS_DEF_PIPELINELOOPS
#include "plan/Passes.h.inc"

namespace {

constexpr int64_t wantedStages = 3;

// A read that goes straight to shared memory.
struct Stream {
  tile::ViewLoadOp load;
  tile::SharedStoreOp store;
  tile::SharedAllocOp buffer;
};

// Collects, in order, the pure ops of the loop body that `value` needs; false if it needs anything
// else of the loop than the induction variable.
bool collectSlice(Value value, scf::ForOp loop, SetVector<Operation *> &slice) {
  if (value == loop.getInductionVar() || loop.isDefinedOutsideOfLoop(value))
    return true;
  Operation *op = value.getDefiningOp();
  if (!op || op->getBlock() != loop.getBody() || op->getNumRegions() || !tile::isSpeculatable(op))
    return false;
  for (Value operand : op->getOperands())
    if (!collectSlice(operand, loop, slice))
      return false;
  slice.insert(op);
  return true;
}

// The factor of a multiply that a read is for.
std::optional<Stream> streamOf(tile::ViewLoadOp load) {
  for (Operation *user : load->getUsers())
    if (auto store = dyn_cast<tile::SharedStoreOp>(user))
      if (auto buffer = store.getShared().getDefiningOp<tile::SharedAllocOp>())
        return Stream{load, store, buffer};
  return std::nullopt;
}

// What keeps a read from being copied ahead, as an attribute (see Plan.h) and for what is said of
// it; empty: nothing.
StringRef obstacleOf(const Stream &stream, scf::ForOp loop) {
  tile::ViewLoadOp load = stream.load;
  auto tensor = cast<RankedTensorType>(load.getType());
  if (load.getStaticStrides().back() != 1)
    return "stride";
  if (load.getPadding() != tile::Padding::zero)
    return "padding";
  if (tensor.getShape().back() * tile::storageBits(tensor.getElementType()) / 8 < 16)
    return "narrow";
  if (!load->hasOneUse())
    return "uses";
  if (stream.store->getBlock() != loop.getBody())
    return "inner";
  SetVector<Operation *> slice;
  if (!llvm::all_of(load->getOperands(), [&](Value v) { return collectSlice(v, loop, slice); }))
    return "place";
  return "";
}

void markWaiting(tile::ViewLoadOp load, StringRef obstacle) {
  load->setAttr(waitsAttr, StringAttr::get(load->getContext(), obstacle));
}

SmallVector<Stream> findStreams(scf::ForOp loop) {
  SmallVector<Stream> streams;
  bool mayChange = mayChangeReads(loop);
  for (auto load : loop.getBody()->getOps<tile::ViewLoadOp>()) {
    std::optional<Stream> stream = streamOf(load);
    if (!stream)
      continue;
    StringRef obstacle = mayChange ? "writes" : obstacleOf(*stream, loop);
    if (obstacle.empty())
      streams.push_back(*stream);
    else
      markWaiting(load, obstacle);
  }
  return streams;
}

// As many as fit half of an SM's shared memory, so that two blocks can share an SM and hide each
// other's barriers; if these are too few, what one block may have.
int64_t stagesFor(ArrayRef<Stream> streams, int64_t sharedOfBlock, int64_t most) {
  int64_t sharedOfHalf = sharedOfBlock / 2;
  int64_t bytes = 0;
  for (Stream s : streams)
    bytes += bytesOf(cast<tile::SharedType>(s.buffer.getType()));
  if (wantedStages * bytes <= sharedOfHalf)
    return std::min(most, std::max(wantedStages, sharedOfHalf / bytes));
  return std::min(std::min(most, wantedStages), sharedOfBlock / bytes);
}

// Starts the copies of iteration `iteration` into slot `slot` of the rings, where `when` holds.
void startCopies(OpBuilder &b, scf::ForOp loop, ArrayRef<Stream> streams, ArrayRef<Value> rings,
                 Value iteration, Value slot, Value when) {
  Location loc = loop.getLoc();
  IRMapping map;
  map.map(loop.getInductionVar(), iteration);
  for (auto [stream, ring] : llvm::zip(streams, rings)) {
    SetVector<Operation *> slice;
    for (Value operand : stream.load->getOperands())
      collectSlice(operand, loop, slice);
    for (Operation *op : slice)
      if (!map.contains(op->getResult(0)))
        b.clone(*op, map);
    tile::ViewLoadOp load = stream.load;
    auto mapped = [&](ValueRange values) {
      return llvm::map_to_vector(values, [&](Value v) { return map.lookupOrDefault(v); });
    };
    auto type = cast<tile::SharedType>(ring.getType());
    int64_t perChunk = 16 * 8 / tile::storageBits(type.getElementType());
    SmallVector<tile::Bounds> bounds(type.getShape().size(), tile::Bounds::checked);
    auto access = tile::AccessAttr::get(b.getContext(), perChunk, bounds.size() - 1,
                                        /*aligned=*/false, bounds);
    Value target = tile::SharedSlotOp::create(b, load.getLoc(), type, ring, slot);
    tile::CopyAsyncOp::create(b, load.getLoc(), target, map.lookupOrDefault(load.getBase()),
                              mapped(load.getExtents()), mapped(load.getStrides()),
                              mapped(load.getStarts()), when, access);
  }
  tile::CommitGroupOp::create(b, loc);
}

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

// The induction variable `iterations` later.
Value advance(OpBuilder &b, scf::ForOp loop, Value from, int64_t iterations) {
  Location loc = loop.getLoc();
  auto flags =
      loop.getUnsignedCmp() ? arith::IntegerOverflowFlags::none : arith::IntegerOverflowFlags::nsw;
  Value count = arith::ConstantOp::create(b, loc, b.getIntegerAttr(from.getType(), iterations));
  Value distance = b.createOrFold<arith::MulIOp>(loc, loop.getStep(), count, flags);
  return b.createOrFold<arith::AddIOp>(loc, from, distance, flags);
}

void pipeline(scf::ForOp loop, ArrayRef<Stream> streams, int64_t stages) {
  Location loc = loop.getLoc();
  OpBuilder b(loop);
  auto constant = [&](Type t, int64_t v) -> Value {
    return arith::ConstantOp::create(b, loc, b.getIntegerAttr(t, v));
  };
  auto less = loop.getUnsignedCmp() ? arith::CmpIPredicate::ult : arith::CmpIPredicate::slt;
  Value lower = loop.getLowerBound(), upper = loop.getUpperBound();

  SmallVector<Value> rings;
  for (Stream s : streams)
    rings.push_back(tile::SharedAllocOp::create(b, loc, s.buffer.getType(), stages, IntegerAttr()));
  for (int64_t s = 0; s + 1 < stages; ++s) {
    Value iteration = advance(b, loop, lower, s);
    Value exists = arith::CmpIOp::create(b, loc, less, iteration, upper);
    startCopies(b, loop, streams, rings, iteration, constant(b.getI32Type(), s), exists);
  }

  // Two more loop-carried values: the slot that is read and the slot that is filled.
  SmallVector<Value> slots = {constant(b.getI32Type(), 0), constant(b.getI32Type(), stages - 1)};
  SmallVector<BlockArgument> carried;
  auto newLoop = cast<scf::ForOp>(*loop.replaceWithAdditionalYields(
      *std::make_unique<IRRewriter>(b.getContext()), slots, /*replaceInitOperandUsesInLoop=*/false,
      [&](OpBuilder &inner, Location at, ArrayRef<BlockArgument> arguments) {
        carried.assign(arguments.begin(), arguments.end());
        carried[0].setLoc(NameLoc::get(b.getStringAttr("read"), at));
        carried[1].setLoc(NameLoc::get(b.getStringAttr("fill"), at));
        return SmallVector<Value>{nextSlot(inner, at, arguments[0], stages),
                                  nextSlot(inner, at, arguments[1], stages)};
      }));
  b.setInsertionPointToStart(newLoop.getBody());
  tile::WaitGroupOp::create(b, loc, stages - 2);
  Value ahead = advance(b, newLoop, newLoop.getInductionVar(), stages - 1);
  Value exists = arith::CmpIOp::create(b, loc, less, ahead, upper);
  startCopies(b, newLoop, streams, rings, ahead, carried[1], exists);
  for (auto [stream, ring] : llvm::zip(streams, rings)) {
    tile::SharedAllocOp buffer = stream.buffer;
    Value slot = tile::SharedSlotOp::create(b, loc, buffer.getType(), ring, carried[0]);
    buffer.getResult().replaceAllUsesWith(slot);
  }
  // Only now: the builder may stand before the first of them.
  for (Stream stream : streams) {
    stream.store.erase();
    stream.buffer.erase();
    stream.load.erase();
  }
  b.setInsertionPointAfter(newLoop);
  tile::WaitGroupOp::create(b, loc, 0);
}

struct PipelineLoops : impl::PipelineLoopsBase<PipelineLoops> {
  void runOnOperation() override {
    eraseDead(getOperation());
    SmallVector<scf::ForOp> loops;
    getOperation().walk([&](scf::ForOp loop) { loops.push_back(loop); });
    for (scf::ForOp loop : loops) {
      SmallVector<Stream> streams = findStreams(loop);
      if (streams.empty())
        continue;
      if (int64_t stages = stagesFor(streams, targetOf(getOperation()).sharedOfBlock,
                                     allowanceOf(getOperation()).stages);
          stages >= 2)
        pipeline(loop, streams, stages);
      else
        for (Stream &stream : streams)
          markWaiting(stream.load, "room");
    }
    eraseDead(getOperation()); // the addresses of the reads
  }
};

} // namespace
} // namespace tessera::plan
