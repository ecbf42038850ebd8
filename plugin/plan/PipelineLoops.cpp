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
// A multiply of warpgroups that is the only one of its loop, and whose sum nothing else touches
// there, may be left in flight while the next iteration waits for its copies:
//   ...  copies S-2 iterations ahead; shared_mma {inFlight}; mma_wait 1  } mma_finish
// That needs a stage more: the one that is overwritten was read by the iteration before the last,
// whose multiply all have waited for. It pays where an SM has room for one block alone; two blocks
// hide each other's waits better.
//
// A read qualifies if its address depends on the induction variable and on values from outside the
// loop only, if memory runs along its last dimension in chunks of 16 bytes, if it pads with zeros,
// and if nothing in the loop may change what is read. What is multiplied may be what was read in
// another shape, as a tile without the dimensions of one element: its elements have the same order.
#include "plan/Facts.h"
#include "plan/Layouts.h"
#include "plan/Occupancy.h"
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
constexpr int64_t leastStagesInFlight =
    3; // one is read, one is read by the multiply before, one fills

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

// The factor of a multiply that a read, or what it is in another shape, is for.
std::optional<Stream> streamOf(tile::ViewLoadOp load, Value tile) {
  for (Operation *user : tile.getUsers()) {
    if (auto reshape = dyn_cast<tile::ReshapeOp>(user))
      if (std::optional<Stream> stream = streamOf(load, reshape))
        return stream;
    if (auto store = dyn_cast<tile::SharedStoreOp>(user))
      if (auto buffer = store.getShared().getDefiningOp<tile::SharedAllocOp>())
        return Stream{load, store, buffer};
  }
  return std::nullopt;
}

// Nothing but the multiply takes what is read.
bool isReadOnce(Stream stream) {
  Value tile = stream.store.getValue();
  for (; tile != stream.load.getResult(); tile = tile.getDefiningOp()->getOperand(0))
    if (!tile.hasOneUse())
      return false;
  return tile.hasOneUse();
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
  if (!isReadOnce(stream))
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
    std::optional<Stream> stream = streamOf(load, load);
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

int64_t bytesOfStage(ArrayRef<Stream> streams) {
  int64_t bytes = 0;
  for (Stream s : streams)
    bytes += bytesOf(cast<tile::SharedType>(s.buffer.getType()));
  return bytes;
}

bool isReadFrom(Value shared, ArrayRef<Stream> streams) {
  return llvm::any_of(streams, [&](Stream s) { return s.buffer.getResult() == shared; });
}

// Of the other factors that a loop's multiplies read: they are there as long as the rings are.
int64_t bytesBeside(scf::ForOp loop, ArrayRef<Stream> streams) {
  llvm::SmallPtrSet<Operation *, 4> others;
  loop.walk([&](tile::SharedMmaOp op) {
    for (Value factor : {op.getA(), op.getB()})
      if (auto buffer = factor.getDefiningOp<tile::SharedAllocOp>();
          buffer && !isReadFrom(factor, streams))
        others.insert(buffer);
  });
  int64_t bytes = 0;
  for (Operation *buffer : others)
    bytes += bytesOf(cast<tile::SharedType>(buffer->getResult(0).getType()));
  return bytes;
}

// As many as fit half of an SM's shared memory, so that two blocks can share an SM and hide each
// other's barriers; if these are too few, what one block may have.
int64_t stagesFor(scf::ForOp loop, ArrayRef<Stream> streams, int64_t sharedOfBlock, int64_t most) {
  int64_t sharedOfHalf = sharedOfBlock / 2, bytes = bytesOfStage(streams),
          beside = bytesBeside(loop, streams), wanted = wantedStages;
  if (beside + wanted * bytes > sharedOfHalf && beside)
    wanted = 2; // an iteration of several multiplies is long enough for the next one's copies
  if (beside + wanted * bytes <= sharedOfHalf)
    return std::min(most, std::max(wanted, (sharedOfHalf - beside) / bytes));
  return std::min(std::min(most, wantedStages), (sharedOfBlock - beside) / bytes);
}

// The multiply of a loop that may be left in flight, or null.
tile::SharedMmaOp multiplyToFloat(scf::ForOp loop, ArrayRef<Stream> streams) {
  SmallVector<tile::SharedMmaOp> all;
  loop.walk([&](tile::SharedMmaOp op) { all.push_back(op); });
  if (all.size() != 1 || all.front()->getParentOp() != loop)
    return {};
  tile::SharedMmaOp op = all.front();
  auto sum = dyn_cast<BlockArgument>(op.getC());
  bool isCarried = sum && sum.getOwner() == loop.getBody() && sum != loop.getInductionVar() &&
                   sum.hasOneUse() && op->hasOneUse() &&
                   loop.getTiedLoopYieldedValue(sum)->get() == op.getResult();
  bool isFed = isReadFrom(op.getA(), streams) && isReadFrom(op.getB(), streams);
  return op.getKind() == tile::MmaKind::wgmma && isCarried && isFed ? op : tile::SharedMmaOp();
}

// Two blocks of this kernel, with this sum of wgmma and rings of this size, fit an SM.
bool fitTwoBlocks(func::FuncOp kernel, tile::SharedMmaOp multiply, int64_t bytesOfStage) {
  int64_t elements = cast<RankedTensorType>(multiply.getType()).getNumElements(),
          threads = 32 * warpsOfAccumulator(elements);
  bool hasRegisters =
      2 * (elements + registersBesidesMultiply * threads) <= registersOfMultiprocessor;
  return hintedBlocks(kernel) != 1 && hasRegisters &&
         blocksOfSharedMemory(targetOf(kernel), wantedStages * bytesOfStage) >= 2;
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
    ArrayRef<int64_t> shape = cast<RankedTensorType>(load.getType()).getShape();
    auto box = shape == type.getShape() ? DenseI64ArrayAttr() : b.getDenseI64ArrayAttr(shape);
    SmallVector<tile::Bounds> bounds(shape.size(), tile::Bounds::checked);
    auto access = tile::AccessAttr::get(b.getContext(), perChunk, bounds.size() - 1,
                                        /*aligned=*/false, bounds);
    Value target = tile::SharedSlotOp::create(b, load.getLoc(), type, ring, slot);
    tile::CopyAsyncOp::create(b, load.getLoc(), target, map.lookupOrDefault(load.getBase()),
                              mapped(load.getExtents()), mapped(load.getStrides()),
                              mapped(load.getStarts()), when, box, access);
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

// Leaves the multiply of a loop in flight; gives the op that ends it.
Operation *leaveInFlight(scf::ForOp loop, tile::SharedMmaOp multiply) {
  OpBuilder b(loop);
  auto sum = cast<BlockArgument>(multiply.getC());
  OpOperand *init = loop.getTiedLoopInit(sum);
  init->set(tile::MmaBeginOp::create(b, multiply.getLoc(), init->get()));
  multiply.setInFlight(true);
  b.setInsertionPointAfter(multiply);
  tile::MmaWaitOp::create(b, multiply.getLoc(), 1);
  b.setInsertionPointAfter(loop);
  Value result = loop.getTiedLoopResult(sum);
  auto finish = tile::MmaFinishOp::create(b, multiply.getLoc(), result);
  result.replaceAllUsesExcept(finish.getResult(), finish);
  return finish;
}

void pipeline(scf::ForOp loop, ArrayRef<Stream> streams, int64_t stages,
              tile::SharedMmaOp floating) {
  Location loc = loop.getLoc();
  int64_t ahead = floating ? stages - 2 : stages - 1; // iterations
  Operation *finish = floating ? leaveInFlight(loop, floating) : nullptr;
  OpBuilder b(loop);
  auto constant = [&](Type t, int64_t v) -> Value {
    return arith::ConstantOp::create(b, loc, b.getIntegerAttr(t, v));
  };
  auto less = loop.getUnsignedCmp() ? arith::CmpIPredicate::ult : arith::CmpIPredicate::slt;
  Value lower = loop.getLowerBound(), upper = loop.getUpperBound();

  SmallVector<Value> rings;
  for (Stream s : streams)
    rings.push_back(tile::SharedAllocOp::create(b, loc, s.buffer.getType(), stages, IntegerAttr()));
  for (int64_t s = 0; s < ahead; ++s) {
    Value iteration = advance(b, loop, lower, s);
    Value exists = arith::CmpIOp::create(b, loc, less, iteration, upper);
    startCopies(b, loop, streams, rings, iteration, constant(b.getI32Type(), s), exists);
  }

  // Two more loop-carried values: the slot that is read and the slot that is filled.
  SmallVector<Value> slots = {constant(b.getI32Type(), 0), constant(b.getI32Type(), ahead)};
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
  tile::WaitGroupOp::create(b, loc, ahead - 1);
  Value later = advance(b, newLoop, newLoop.getInductionVar(), ahead);
  Value exists = arith::CmpIOp::create(b, loc, less, later, upper);
  startCopies(b, newLoop, streams, rings, later, carried[1], exists);
  for (auto [stream, ring] : llvm::zip(streams, rings)) {
    tile::SharedAllocOp buffer = stream.buffer;
    Value slot = tile::SharedSlotOp::create(b, loc, buffer.getType(), ring, carried[0]);
    buffer.getResult().replaceAllUsesWith(slot);
  }
  // Only now: the builder may stand before the first of them. What was read is dead with them.
  for (Stream stream : streams) {
    stream.store.erase();
    stream.buffer.erase();
  }
  // The barrier behind this wait says that all have read the last stage.
  b.setInsertionPointAfter(finish ? finish : newLoop);
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
      func::FuncOp kernel = getOperation();
      const SharedAllowance allowance = allowanceOf(kernel);
      int64_t shared = targetOf(kernel).sharedOfBlock,
              stages = stagesFor(loop, streams, shared, allowance.stages);
      tile::SharedMmaOp floating = multiplyToFloat(loop, streams);
      int64_t stagesInFlight = std::min(allowance.stages, shared / bytesOfStage(streams));
      if (floating && stagesInFlight >= leastStagesInFlight &&
          !fitTwoBlocks(kernel, floating, bytesOfStage(streams)))
        stages = stagesInFlight;
      else
        floating = {};
      if (stages >= 2)
        pipeline(loop, streams, stages, floating);
      else
        for (Stream &stream : streams)
          markWaiting(stream.load, "room");
    }
    eraseDead(getOperation()); // the addresses of the reads
  }
};

} // namespace
} // namespace tessera::plan
