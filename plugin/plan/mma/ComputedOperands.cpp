#include "plan/mma/ComputedOperands.h"

#include "plan/analysis/Layouts.h"
#include "target/Limits.h"
#include "target/RegisterBudgets.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace tessera::plan {

namespace {

bool isOperand(tile::SharedStoreOp store) {
  auto buffer = store.getShared().getDefiningOp<tile::SharedAllocOp>();
  return buffer && store.getStarts().empty() &&
         llvm::any_of(buffer->getUsers(), llvm::IsaPred<tile::SharedMmaOp>);
}

// Is an operand of the loop's multiplies computed from it, by pure operations of the loop's body?
bool leadsToOperand(tile::ViewLoadOp load, scf::ForOp loop) {
  llvm::SmallPtrSet<Operation *, 16> seen;
  SmallVector<Operation *> work(load->user_begin(), load->user_end());
  while (!work.empty()) {
    Operation *op = work.pop_back_val();
    if (op->getBlock() != loop.getBody() || op->getNumRegions() || !seen.insert(op).second)
      continue;
    if (auto store = dyn_cast<tile::SharedStoreOp>(op); store && isOperand(store))
      return true;
    if (isPure(op))
      work.append(op->user_begin(), op->user_end());
  }
  return false;
}

// A read that is stored to an operand as it is, perhaps in another shape, is a pipelined load
// itself, or has a reason to wait.
bool isStored(Value tile) {
  return llvm::any_of(tile.getUsers(), [](Operation *user) {
    return isa<tile::SharedStoreOp>(user) ||
           (isa<tile::ReshapeOp>(user) && isStored(user->getResult(0)));
  });
}

bool isOfPipelinedLoad(tile::ViewLoadOp load, ArrayRef<PipelinedLoad> pipelinedLoads) {
  return llvm::any_of(pipelinedLoads,
                      [&](const PipelinedLoad &pipelined) { return pipelined.read() == load; });
}

// In panels, which bulk copies fill, next to multiplies of warpgroups: blocks of fewer warps may
// have fewer of them than there are tensor maps.
tile::SharedType typeOfStage(RankedTensorType type, bool isOfWarpgroups) {
  bool hasPanels = isOfWarpgroups && type.getRank() == 2 &&
                   type.getShape().front() % rowsOfSwizzle == 0 &&
                   type.getElementType().isIntOrFloat() &&
                   type.getShape().back() * bytesOf(type.getElementType()) >= minBytesOfPanel;
  return hasPanels ? inPanels(type.getShape(), type.getElementType()) : swizzledByChunks(type);
}

// The cast that rounds the floats of a read and is its only use.
tile::CastOp roundingOf(tile::ViewLoadOp load) {
  auto cast = load->hasOneUse() ? dyn_cast<tile::CastOp>(*load->user_begin()) : tile::CastOp();
  return cast && isRounding(cast) ? cast : tile::CastOp();
}

bool hasMultiplyOfWarpgroups(scf::ForOp loop) {
  return llvm::any_of(loop.getBody()->getOps<tile::SharedMmaOp>(),
                      [](tile::SharedMmaOp op) { return op.getInstruction().isOfWarpgroups(); });
}

} // namespace

bool isOfShared(Value operand) {
  llvm::SmallPtrSet<Operation *, 16> seen;
  SmallVector<Value> work = {operand};
  while (!work.empty()) {
    Operation *op = work.pop_back_val().getDefiningOp();
    if (!op || !seen.insert(op).second)
      continue;
    if (isa<tile::SharedLoadOp>(op))
      return true;
    if (isPure(op))
      llvm::copy_if(op->getOperands(), std::back_inserter(work),
                    [](Value v) { return isa<RankedTensorType>(v.getType()); });
  }
  return false;
}

std::optional<RegisterOperand> registerOperandOf(tile::SharedMmaOp mma, int64_t warps) {
  auto buffer = mma.getA().getDefiningOp<tile::SharedAllocOp>();
  if (!buffer || !mma.getInstruction().readsPanels() || mma.getATransposed())
    return {};
  ArrayRef<int64_t> accumulatorShape = tile::shapeOf(mma.getType());
  for (Operation *user : buffer->getUsers()) {
    auto store = dyn_cast<tile::SharedStoreOp>(user);
    if (!store || store->getBlock() != mma->getBlock() || !isOfShared(store.getValue()))
      continue;
    Value operand = store.getValue();
    ArrayRef<int64_t> shape = tile::shapeOf(operand.getType());
    Type element = tile::elementType(operand.getType());
    int64_t bytes = bytesOf(element);
    bool isTransposedByBytes = bytes == 1 && operand.getDefiningOp<tile::PermuteOp>();
    std::optional<LinearLayout> layout = warpgroupOperandOf(shape, element, warps);
    if (!layout || isTransposedByBytes)
      continue;
    LinearLayout accumulator = LinearLayout::warpgroupAccumulator(accumulatorShape, warps);
    if (feedsWarpgroups(*layout, element, accumulator) &&
        layout->registerCount() * bytes / 4 + accumulator.registerCount() <=
            registersOfOperandAndAccumulator)
      return RegisterOperand{operand, *layout};
  }
  return {};
}

tile::SharedLoadOp readBack(tile::SharedStoreOp store, Location loc) {
  OpBuilder b(store->getContext());
  b.setInsertionPointAfter(store);
  Value stored = store.getValue();
  auto again = tile::SharedLoadOp::create(b, loc, cast<RankedTensorType>(stored.getType()),
                                          store.getShared(), ValueRange());
  stored.replaceAllUsesExcept(again, store);
  return again;
}

void readFromRegisters(PipelinedLoad pipelined) {
  for (Operation *user : llvm::make_early_inc_range(pipelined.buffer->getUsers()))
    if (auto again = dyn_cast<tile::SharedLoadOp>(user)) {
      again.getResult().replaceAllUsesWith(pipelined.store.getValue());
      again.erase();
    }
}

PipelinedLoad throughShared(Operation *read, Value copied, tile::SharedType stage) {
  OpBuilder b(read->getContext());
  b.setInsertionPointAfter(copied.getDefiningOp());
  Location loc = read->getLoc();
  auto buffer = tile::SharedAllocOp::create(b, loc, stage, 1, IntegerAttr());
  auto store = tile::SharedStoreOp::create(b, loc, copied, buffer, ValueRange());
  readBack(store, loc);
  return {dyn_cast<tile::ViewLoadOp>(read), store, buffer, dyn_cast<tile::LoadOp>(read),
          dyn_cast<tile::CastOp>(copied.getDefiningOp())};
}

SmallVector<PipelinedLoad> throughShared(scf::ForOp loop, ArrayRef<PipelinedLoad> known,
                                         bool rounds) {
  SmallVector<PipelinedLoad> pipelinedLoads;
  const bool isOfWarpgroups = hasMultiplyOfWarpgroups(loop);
  SmallVector<tile::ViewLoadOp> loads;
  for (auto load : loop.getBody()->getOps<tile::ViewLoadOp>())
    if (!isStored(load) && !isOfPipelinedLoad(load, known) && !waitOfRead(load, loop) &&
        leadsToOperand(load, loop))
      loads.push_back(load);
  for (tile::ViewLoadOp load : loads) {
    tile::CastOp rounding = rounds ? roundingOf(load) : tile::CastOp();
    Value copied = rounding ? rounding.getResult() : load.getResult();
    auto type = cast<RankedTensorType>(copied.getType());
    pipelinedLoads.push_back(throughShared(load, copied, typeOfStage(type, isOfWarpgroups)));
  }
  return pipelinedLoads;
}

void withoutShared(PipelinedLoad pipelined) {
  readFromRegisters(pipelined);
  pipelined.store.erase();
  pipelined.buffer.erase();
}

} // namespace tessera::plan
