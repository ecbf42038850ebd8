#include "plan/pipeline/PlannedLoops.h"

#include "plan/analysis/Layouts.h"
#include "plan/analysis/Matmuls.h"
#include "plan/Plan.h"
#include "tile/Attributes.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;

namespace tessera::plan {

namespace {

// Walks what an iteration of the loop does itself.
void walkIteration(scf::ForOp loop, function_ref<void(Operation *)> visit) {
  loop.getBody()->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (isa<scf::ForOp, scf::WhileOp>(op))
      return WalkResult::skip();
    visit(op);
    return WalkResult::advance();
  });
}

// The constant initial value of a loop-carried number.
std::optional<int64_t> firstOf(Value carried, scf::ForOp loop) {
  auto argument = dyn_cast<BlockArgument>(carried);
  if (!argument || argument.getOwner() != loop.getBody() || argument == loop.getInductionVar())
    return std::nullopt;
  return getConstantIntValue(loop.getTiedLoopInit(argument)->get());
}

// Does a multiply of an iteration read a stage of this ring?
bool isReadInIteration(Value ring, scf::ForOp loop) {
  return llvm::any_of(multipliesOfIteration(loop), [&](tile::SharedMmaOp multiply) {
    return llvm::any_of(ValueRange{multiply.getA(), multiply.getB()}, [&](Value operand) {
      auto slot = operand.getDefiningOp<tile::SharedSlotOp>();
      return slot && slot.getRing() == ring;
    });
  });
}

} // namespace

std::optional<PlannedRing> ringOf(scf::ForOp loop) {
  if (loop->hasAttr(tile::prologueAttr))
    return std::nullopt;
  llvm::SmallSetVector<Operation *, 4> rings;
  PlannedRing result{0, 0, 0, -1, false, false};
  auto addRing = [&](tile::SharedSlotOp slot) {
    if (Operation *ring = slot.getRing().getDefiningOp())
      rings.insert(ring);
  };
  walkIteration(loop, [&](Operation *op) {
    // Each part of an iteration waits for its own copies.
    if (auto wait = dyn_cast<tile::WaitGroupOp>(op)) {
      ++result.parts;
      result.isFilledByWarp |= wait.isFilledByProducerWarp();
    }
    auto copy = dyn_cast<tile::CopyAsyncOp>(op);
    auto gather = dyn_cast<tile::GatherAsyncOp>(op);
    if (!copy && !gather)
      return;
    Value filled = copy ? copy.getShared() : gather.getShared();
    auto slot = filled.getDefiningOp<tile::SharedSlotOp>();
    if (!slot)
      return;
    // Constant slots are those of the prologue of a nested loop, or of a part's only stage.
    if (getConstantIntValue(slot.getIndex())) {
      if (!isReadInIteration(slot.getRing(), loop))
        return;
      result.isBulk |= copy && copy.getMap();
      return addRing(slot);
    }
    if (std::optional<int64_t> first = firstOf(slot.getIndex(), loop))
      result.ahead = *first;
    result.isBulk |= copy && copy.getMap();
    addRing(slot);
  });
  // A ring that a producer warp fills is read by multiplies, or by the threads that fill their
  // registers.
  if (result.isFilledByWarp && !multipliesOfIteration(loop).empty())
    walkIteration(loop, [&](Operation *op) {
      if (auto slot = dyn_cast<tile::SharedSlotOp>(op))
        addRing(slot);
    });
  if (rings.empty() || !result.parts)
    return std::nullopt;
  for (Operation *ring : rings)
    result.bytes += bytesOf(cast<tile::SharedType>(ring->getResult(0).getType()));
  result.stages = cast<tile::SharedAllocOp>(rings.front()).getStages();
  if (result.isSingle())
    result.ahead = result.parts;
  else if (result.ahead < 0)
    result.ahead = result.stages - 1;
  return result;
}

SmallVector<tile::SharedMmaOp> multipliesOfIteration(scf::ForOp loop) {
  SmallVector<tile::SharedMmaOp> all;
  walkIteration(loop, [&](Operation *op) {
    if (auto multiply = dyn_cast<tile::SharedMmaOp>(op))
      all.push_back(multiply);
  });
  return all;
}

MatmulCost costOfIteration(scf::ForOp loop) {
  MatmulCost sum{0, 0, 0};
  for (tile::SharedMmaOp multiply : multipliesOfIteration(loop))
    if (auto one = costOf(matmulOf(multiply), targetOf(multiply)))
      sum = {sum.tensorCore + one->tensorCore, sum.l2 + one->l2, sum.shared + one->shared};
  return sum;
}

} // namespace tessera::plan
