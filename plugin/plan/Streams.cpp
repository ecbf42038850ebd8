#include "plan/Streams.h"

#include "plan/Facts.h"
#include "plan/Layouts.h"
#include "plan/OtherIterations.h"
#include "plan/Plan.h"

using namespace mlir;

namespace tessera::plan {

namespace {

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

// The same of a factor as it was read, as an attribute (see Plan.h) and for what is said of it.
StringRef obstacleOf(const Stream &stream, scf::ForOp loop) {
  if (!isReadOnce(stream))
    return "uses";
  if (stream.store->getBlock() != loop.getBody())
    return "inner";
  return obstacleOfRead(stream.load, loop);
}

} // namespace

StringRef obstacleOfRead(tile::ViewLoadOp load, scf::ForOp loop) {
  auto tensor = cast<RankedTensorType>(load.getType());
  if (load.getStaticStrides().back() != 1)
    return "stride";
  if (load.getPadding() != tile::Padding::zero)
    return "padding";
  if (tensor.getShape().back() * tile::storageBits(tensor.getElementType()) / 8 < 16)
    return "narrow";
  Slice slice;
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
