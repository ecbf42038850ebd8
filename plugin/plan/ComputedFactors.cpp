#include "plan/ComputedFactors.h"

#include "plan/Facts.h"
#include "plan/Layouts.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace tessera::plan {

namespace {

bool isFactor(tile::SharedStoreOp store) {
  auto buffer = store.getShared().getDefiningOp<tile::SharedAllocOp>();
  return buffer && store.getStarts().empty() &&
         llvm::any_of(buffer->getUsers(), llvm::IsaPred<tile::SharedMmaOp>);
}

// Is a factor of the loop's multiplies computed of it, by pure operations of the loop's body?
bool leadsToFactor(tile::ViewLoadOp load, scf::ForOp loop) {
  llvm::SmallPtrSet<Operation *, 16> seen;
  SmallVector<Operation *> work(load->user_begin(), load->user_end());
  while (!work.empty()) {
    Operation *op = work.pop_back_val();
    if (op->getBlock() != loop.getBody() || op->getNumRegions() || !seen.insert(op).second)
      continue;
    if (auto store = dyn_cast<tile::SharedStoreOp>(op); store && isFactor(store))
      return true;
    if (isPure(op))
      work.append(op->user_begin(), op->user_end());
  }
  return false;
}

// What is stored to a factor as it was read, perhaps in another shape, is a stream itself, or waits
// for a reason.
bool isStored(Value tile) {
  return llvm::any_of(tile.getUsers(), [](Operation *user) {
    return isa<tile::SharedStoreOp>(user) ||
           (isa<tile::ReshapeOp>(user) && isStored(user->getResult(0)));
  });
}

} // namespace

SmallVector<Stream> throughShared(scf::ForOp loop) {
  SmallVector<Stream> streams;
  if (mayChangeReads(loop))
    return streams;
  SmallVector<tile::ViewLoadOp> loads;
  for (auto load : loop.getBody()->getOps<tile::ViewLoadOp>())
    if (!isStored(load) && obstacleOfRead(load, loop).empty() && leadsToFactor(load, loop))
      loads.push_back(load);
  for (tile::ViewLoadOp load : loads) {
    OpBuilder b(load->getContext());
    b.setInsertionPointAfter(load);
    Location loc = load.getLoc();
    auto type = cast<RankedTensorType>(load.getType());
    auto buffer = tile::SharedAllocOp::create(b, loc, swizzledByChunks(type), 1, IntegerAttr());
    auto store = tile::SharedStoreOp::create(b, loc, load, buffer, ValueRange());
    auto again = tile::SharedLoadOp::create(b, loc, type, buffer, ValueRange());
    load.getResult().replaceAllUsesExcept(again, store);
    streams.push_back({load, store, buffer});
  }
  return streams;
}

void withoutShared(Stream stream) {
  for (Operation *user : llvm::make_early_inc_range(stream.buffer->getUsers()))
    if (auto again = dyn_cast<tile::SharedLoadOp>(user)) {
      again.getResult().replaceAllUsesWith(stream.load.getResult());
      again.erase();
    }
  stream.store.erase();
  stream.buffer.erase();
}

} // namespace tessera::plan
