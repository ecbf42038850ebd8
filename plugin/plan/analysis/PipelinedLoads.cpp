#include "plan/analysis/PipelinedLoads.h"

#include "plan/analysis/Facts.h"
#include "plan/analysis/Layouts.h"
#include "plan/analysis/MatmulForms.h"
#include "plan/analysis/OtherIterations.h"
#include "plan/Plan.h"
#include "plan/analysis/ReadOrder.h"
#include "plan/analysis/AxisInfo.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace tessera::plan {

namespace {

// The operand of a multiply that a read, perhaps reshaped or rounded, feeds.
std::optional<PipelinedLoad> pipelinedLoadOf(Operation *read, Value tile) {
  for (Operation *user : tile.getUsers()) {
    if (auto reshape = dyn_cast<tile::ReshapeOp>(user))
      if (std::optional<PipelinedLoad> pipelined = pipelinedLoadOf(read, reshape))
        return pipelined;
    if (auto cast = dyn_cast<tile::CastOp>(user);
        cast && isRounding(cast) && isa<tile::ViewLoadOp>(read) && hasBulkRings(read))
      if (std::optional<PipelinedLoad> pipelined = pipelinedLoadOf(read, cast)) {
        pipelined->rounding = cast;
        return pipelined;
      }
    if (auto store = dyn_cast<tile::SharedStoreOp>(user))
      if (auto buffer = store.getShared().getDefiningOp<tile::SharedAllocOp>())
        return PipelinedLoad{dyn_cast<tile::ViewLoadOp>(read), store, buffer,
                             dyn_cast<tile::LoadOp>(read)};
  }
  return std::nullopt;
}

// Is the multiply the only use of the read?
bool isReadOnce(PipelinedLoad pipelined) {
  Value tile = pipelined.store.getValue();
  for (; tile.getDefiningOp() != pipelined.read(); tile = tile.getDefiningOp()->getOperand(0))
    if (!tile.hasOneUse())
      return false;
  return tile.hasOneUse();
}

// An unsigned counter may go down, by a step that wraps.
bool mayGoDown(scf::ForOp loop) {
  return loop.getUnsignedCmp() && rangeOf(loop.getStep()).low <= 0;
}

Wait waitOfCoordinates(ValueRange coordinates, scf::ForOp loop) {
  if (mayGoDown(loop))
    return tile::WaitReason::coordinates;
  Slice slice;
  bool isKnown = llvm::all_of(coordinates, [&](Value v) { return collectSlice(v, loop, slice); });
  return isKnown ? Wait() : tile::WaitReason::coordinates;
}

// What the loop does to memory that the read must not pass.
Wait waitOfStores(Operation *read, scf::ForOp loop) {
  switch (obstacleAhead(read, loop)) {
  case ReadObstacle::None: return std::nullopt;
  case ReadObstacle::Alias:
    return isa<BlockArgument>(baseOf(addressOf(read))) ? tile::WaitReason::alias
                                                       : tile::WaitReason::writes;
  case ReadObstacle::Written: return tile::WaitReason::writes;
  case ReadObstacle::Order: return tile::WaitReason::order;
  }
  llvm_unreachable("an obstacle of a read");
}

// Of an operand that is stored in a nested region of the loop.
tile::WaitReason waitOfInner(tile::SharedStoreOp store, scf::ForOp loop) {
  return store->getParentOfType<LoopLikeOpInterface>() == loop ? tile::WaitReason::condition
                                                               : tile::WaitReason::inner;
}

// Whatever uses the tile.
Wait waitOfOperand(const PipelinedLoad &pipelined, scf::ForOp loop) {
  if (pipelined.store->getBlock() != loop.getBody())
    return waitOfInner(pipelined.store, loop);
  return pipelined.byPointers ? waitOfRead(pipelined.byPointers, loop)
                              : waitOfRead(pipelined.load, loop);
}

// The reason of a pipelined load as it was read.
Wait waitOf(const PipelinedLoad &pipelined, scf::ForOp loop) {
  if (Wait wait = waitOfOperand(pipelined, loop))
    return wait;
  return isReadOnce(pipelined) ? Wait() : tile::WaitReason::uses;
}

// The operand that a read of the loop's body feeds.
std::optional<PipelinedLoad> operandOfRead(Operation &op) {
  return isa<tile::ViewLoadOp, tile::LoadOp>(op) ? pipelinedLoadOf(&op, op.getResult(0))
                                                 : std::nullopt;
}

} // namespace

bool isRounding(tile::CastOp cast) {
  return cast.getRounding() == tile::Rounding::nearest &&
         tile::elementType(cast.getX().getType()).isF32() &&
         isa<FloatTF32Type>(tile::elementType(cast.getType()));
}

Wait waitOfBox(tile::ViewLoadOp load, bool padsLater) {
  auto tensor = cast<RankedTensorType>(load.getType());
  if (load.getStaticStrides().back() != 1)
    return tile::WaitReason::stride;
  if (!padsLater && load.getPadding() != tile::Padding::zero)
    return tile::WaitReason::padding;
  if (tensor.getShape().back() * tile::storageBits(tensor.getElementType()) / 8 < 16)
    return tile::WaitReason::narrow;
  return std::nullopt;
}

Wait waitOfRead(tile::ViewLoadOp load, scf::ForOp loop, bool padsLater) {
  if (Wait wait = waitOfBox(load, padsLater))
    return wait;
  if (Wait wait = waitOfCoordinates(load->getOperands(), loop))
    return wait;
  return waitOfStores(load, loop);
}

// A copy by pointers takes contiguous groups together: tested before layouts are known, which give
// a thread contiguous elements where there are some.
Wait waitOfRead(tile::LoadOp load, scf::ForOp loop, bool padsLater) {
  int64_t bytes = bytesOf(tile::elementType(load.getType()));
  if (AxisInfo().neighbours(load.getPointers(), bytes) * bytes < minBytesOfCopy)
    return tile::WaitReason::gather;
  if (!padsLater && load.getMask() && !isZero(load.getPadding()))
    return tile::WaitReason::padding;
  PipelinedLoad pipelined{/*load=*/{}, /*store=*/{}, /*buffer=*/{}, load};
  if (Wait wait = waitOfCoordinates(pipelined.coordinates(), loop))
    return wait;
  return waitOfStores(load, loop);
}

SmallVector<Value> PipelinedLoad::coordinates() const {
  if (!byPointers)
    return SmallVector<Value>(tile::ViewLoadOp(load)->getOperands());
  tile::LoadOp read = byPointers;
  SmallVector<Value> values = {read.getPointers()};
  if (Value mask = read.getMask())
    values.push_back(mask);
  return values;
}

void markWaiting(Operation *read, tile::WaitReason reason) {
  llvm::TypeSwitch<Operation *>(read).Case<tile::ViewLoadOp, tile::LoadOp>(
      [&](auto load) { load.setWaits(reason); });
}

Wait waitOf(Operation *read) {
  return llvm::TypeSwitch<Operation *, Wait>(read)
      .Case<tile::ViewLoadOp, tile::LoadOp>([](auto load) { return load.getWaits(); })
      .Default(Wait());
}

SmallVector<PipelinedLoad> findPipelinedLoads(scf::ForOp loop) {
  SmallVector<PipelinedLoad> pipelinedLoads;
  for (Operation &op : *loop.getBody()) {
    std::optional<PipelinedLoad> pipelined = operandOfRead(op);
    if (!pipelined)
      continue;
    if (Wait wait = waitOf(*pipelined, loop))
      markWaiting(&op, *wait);
    else
      pipelinedLoads.push_back(*pipelined);
  }
  return pipelinedLoads;
}

SmallVector<PipelinedLoad> loadsWithOtherUses(scf::ForOp loop) {
  SmallVector<PipelinedLoad> loads;
  for (Operation &op : *loop.getBody()) {
    std::optional<PipelinedLoad> pipelined = operandOfRead(op);
    if (!pipelined || pipelined->rounding || isReadOnce(*pipelined) ||
        waitOfOperand(*pipelined, loop))
      continue;
    const auto users = pipelined->buffer->getUsers();
    if (pipelined->store.getStarts().empty() &&
        llvm::count_if(users, llvm::IsaPred<tile::SharedStoreOp>) == 1 &&
        llvm::any_of(users, llvm::IsaPred<tile::SharedMmaOp>))
      loads.push_back(*pipelined);
  }
  return loads;
}

int64_t bytesOfStage(ArrayRef<PipelinedLoad> pipelinedLoads) {
  int64_t bytes = 0;
  for (PipelinedLoad s : pipelinedLoads)
    bytes += bytesOf(cast<tile::SharedType>(s.buffer.getType()));
  return bytes;
}

const PipelinedLoad *pipelinedLoadInto(Value shared, ArrayRef<PipelinedLoad> pipelinedLoads) {
  const PipelinedLoad *found = llvm::find_if(
      pipelinedLoads, [&](PipelinedLoad s) { return s.buffer.getResult() == shared; });
  return found == pipelinedLoads.end() ? nullptr : found;
}

SmallVector<tile::SharedMmaOp> accumulatorOfLoop(scf::ForOp loop,
                                                 ArrayRef<PipelinedLoad> pipelinedLoads) {
  SmallVector<tile::SharedMmaOp> all;
  loop.walk([&](tile::SharedMmaOp op) { all.push_back(op); });
  auto carried = all.empty() ? BlockArgument() : dyn_cast<BlockArgument>(all.front().getC());
  if (!carried || carried.getOwner() != loop.getBody() || carried == loop.getInductionVar())
    return {};
  Value accumulator = carried;
  for (tile::SharedMmaOp op : all) {
    bool isFed = pipelinedLoadInto(op.getA(), pipelinedLoads) &&
                 pipelinedLoadInto(op.getB(), pipelinedLoads);
    if (op->getParentOp() != loop || op.getC() != accumulator || !accumulator.hasOneUse() || !isFed)
      return {};
    accumulator = op.getResult();
  }
  bool isNext =
      accumulator.hasOneUse() && loop.getTiedLoopYieldedValue(carried)->get() == accumulator;
  return isNext ? all : SmallVector<tile::SharedMmaOp>();
}

SmallVector<tile::SharedMmaOp> accumulatorsOfLoop(scf::ForOp loop,
                                                  ArrayRef<PipelinedLoad> pipelinedLoads) {
  SmallVector<tile::SharedMmaOp> all;
  loop.walk([&](tile::SharedMmaOp op) { all.push_back(op); });
  bool isApart = llvm::all_of(all, [&](tile::SharedMmaOp op) {
    return op.getInstruction().isAsync() && loopOfAccumulator(op) == loop &&
           pipelinedLoadInto(op.getA(), pipelinedLoads) &&
           pipelinedLoadInto(op.getB(), pipelinedLoads);
  });
  return isApart ? all : SmallVector<tile::SharedMmaOp>();
}

} // namespace tessera::plan
