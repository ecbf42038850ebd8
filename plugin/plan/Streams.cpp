#include "plan/Streams.h"

#include "plan/BulkRings.h"
#include "plan/Facts.h"
#include "plan/Layouts.h"
#include "plan/OtherIterations.h"
#include "plan/Plan.h"
#include "plan/ReadOrder.h"
#include "plan/Runs.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace tessera::plan {

namespace {

// The operand of a multiply that a read, or what it is in another shape or rounded, is for.
std::optional<Stream> streamOf(Operation *read, Value tile) {
  for (Operation *user : tile.getUsers()) {
    if (auto reshape = dyn_cast<tile::ReshapeOp>(user))
      if (std::optional<Stream> stream = streamOf(read, reshape))
        return stream;
    if (auto cast = dyn_cast<tile::CastOp>(user);
        cast && isRounding(cast) && isa<tile::ViewLoadOp>(read) && hasBulkRings(read))
      if (std::optional<Stream> stream = streamOf(read, cast)) {
        stream->rounding = cast;
        return stream;
      }
    if (auto store = dyn_cast<tile::SharedStoreOp>(user))
      if (auto buffer = store.getShared().getDefiningOp<tile::SharedAllocOp>())
        return Stream{dyn_cast<tile::ViewLoadOp>(read), store, buffer,
                      dyn_cast<tile::LoadOp>(read)};
  }
  return std::nullopt;
}

// Nothing but the multiply takes what is read.
bool isReadOnce(Stream stream) {
  Value tile = stream.store.getValue();
  for (; tile.getDefiningOp() != stream.read(); tile = tile.getDefiningOp()->getOperand(0))
    if (!tile.hasOneUse())
      return false;
  return tile.hasOneUse();
}

// What elements that are read as zeros are of: constants, of another type perhaps.
bool isZero(Value v) {
  while (isa_and_present<tile::SplatOp, tile::BroadcastOp, tile::ReshapeOp, tile::CastOp>(
      v.getDefiningOp()))
    v = v.getDefiningOp()->getOperand(0);
  return matchPattern(v, m_PosZeroFloat()) || matchPattern(v, m_Zero());
}

// A copy by pointers takes groups of them together: asked before layouts are known, which give a
// thread neighbours where there are some.
Wait waitOfPointers(tile::LoadOp load) {
  constexpr int64_t least = 4; // bytes of a copy
  int64_t bytes = bytesOf(tile::elementType(load.getType()));
  if (Runs().neighbours(load.getPointers(), bytes) * bytes < least)
    return tile::WaitReason::gather;
  if (load.getMask() && !isZero(load.getPadding()))
    return tile::WaitReason::padding;
  return std::nullopt;
}

Wait waitOfPlace(ValueRange place, scf::ForOp loop) {
  Slice slice;
  bool isKnown = llvm::all_of(place, [&](Value v) { return collectSlice(v, loop, slice); });
  return isKnown ? Wait() : tile::WaitReason::place;
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

// Of an operand that is stored somewhere within the loop.
tile::WaitReason waitOfInner(tile::SharedStoreOp store, scf::ForOp loop) {
  return store->getParentOfType<LoopLikeOpInterface>() == loop ? tile::WaitReason::condition
                                                               : tile::WaitReason::inner;
}

// The same of an operand as it was read.
Wait waitOf(const Stream &stream, scf::ForOp loop) {
  if (!isReadOnce(stream))
    return tile::WaitReason::uses;
  if (stream.store->getBlock() != loop.getBody())
    return waitOfInner(stream.store, loop);
  if (!stream.byPointers)
    return waitOfRead(stream.load, loop);
  if (Wait wait = waitOfPointers(stream.byPointers))
    return wait;
  if (Wait wait = waitOfPlace(stream.place(), loop))
    return wait;
  return waitOfStores(stream.byPointers, loop);
}

} // namespace

bool isRounding(tile::CastOp cast) {
  return cast.getRounding() == tile::Rounding::nearest &&
         tile::elementType(cast.getX().getType()).isF32() &&
         isa<FloatTF32Type>(tile::elementType(cast.getType()));
}

Wait waitOfRead(tile::ViewLoadOp load, scf::ForOp loop) {
  auto tensor = cast<RankedTensorType>(load.getType());
  if (load.getStaticStrides().back() != 1)
    return tile::WaitReason::stride;
  if (load.getPadding() != tile::Padding::zero)
    return tile::WaitReason::padding;
  if (tensor.getShape().back() * tile::storageBits(tensor.getElementType()) / 8 < 16)
    return tile::WaitReason::narrow;
  if (Wait wait = waitOfPlace(load->getOperands(), loop))
    return wait;
  return waitOfStores(load, loop);
}

SmallVector<Value> Stream::place() const {
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

SmallVector<Stream> findStreams(scf::ForOp loop) {
  SmallVector<Stream> streams;
  for (Operation &op : *loop.getBody()) {
    Operation *load = isa<tile::ViewLoadOp, tile::LoadOp>(op) ? &op : nullptr;
    std::optional<Stream> stream = load ? streamOf(load, load->getResult(0)) : std::nullopt;
    if (!stream)
      continue;
    if (Wait wait = waitOf(*stream, loop))
      markWaiting(load, *wait);
    else
      streams.push_back(*stream);
  }
  return streams;
}

int64_t bytesOfStage(ArrayRef<Stream> streams) {
  int64_t bytes = 0;
  for (Stream s : streams)
    bytes += bytesOf(cast<tile::SharedType>(s.buffer.getType()));
  return bytes;
}

const Stream *streamInto(Value shared, ArrayRef<Stream> streams) {
  const Stream *found =
      llvm::find_if(streams, [&](Stream s) { return s.buffer.getResult() == shared; });
  return found == streams.end() ? nullptr : found;
}

SmallVector<tile::SharedMmaOp> sumOfLoop(scf::ForOp loop, ArrayRef<Stream> streams) {
  SmallVector<tile::SharedMmaOp> all;
  loop.walk([&](tile::SharedMmaOp op) { all.push_back(op); });
  auto carried = all.empty() ? BlockArgument() : dyn_cast<BlockArgument>(all.front().getC());
  if (!carried || carried.getOwner() != loop.getBody() || carried == loop.getInductionVar())
    return {};
  Value sum = carried;
  for (tile::SharedMmaOp op : all) {
    bool isFed = streamInto(op.getA(), streams) && streamInto(op.getB(), streams);
    if (op->getParentOp() != loop || op.getC() != sum || !sum.hasOneUse() || !isFed)
      return {};
    sum = op.getResult();
  }
  bool isNext = sum.hasOneUse() && loop.getTiedLoopYieldedValue(carried)->get() == sum;
  return isNext ? all : SmallVector<tile::SharedMmaOp>();
}

SmallVector<tile::SharedMmaOp> sumsOfLoop(scf::ForOp loop, ArrayRef<Stream> streams) {
  SmallVector<tile::SharedMmaOp> all;
  loop.walk([&](tile::SharedMmaOp op) { all.push_back(op); });
  bool isApart = llvm::all_of(all, [&](tile::SharedMmaOp op) {
    auto carried = dyn_cast<BlockArgument>(op.getC());
    return op.getKind() == tile::MmaKind::wgmma && op->getParentOp() == loop && carried &&
           carried.getOwner() == loop.getBody() && carried.hasOneUse() && op->hasOneUse() &&
           loop.getTiedLoopYieldedValue(carried)->get() == op.getResult() &&
           streamInto(op.getA(), streams) && streamInto(op.getB(), streams);
  });
  return isApart ? all : SmallVector<tile::SharedMmaOp>();
}

} // namespace tessera::plan
