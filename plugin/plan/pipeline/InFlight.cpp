#include "plan/pipeline/InFlight.h"

#include "plan/Config.h"
#include "target/RegisterBudgets.h"
#include "tile/Attributes.h"

using namespace mlir;

namespace tessera::plan {

Operation *leaveInFlight(scf::ForOp loop, ArrayRef<tile::SharedMmaOp> multiplies) {
  OpBuilder b(loop);
  Operation *last = nullptr;
  int64_t accumulators = 0; // of the kernel
  loop->getParentOfType<func::FuncOp>().walk([&](tile::MmaBeginOp) { ++accumulators; });
  for (tile::SharedMmaOp multiply : multiplies) {
    Location loc = multiply.getLoc();
    if (auto carried = dyn_cast<BlockArgument>(multiply.getC())) {
      OpOperand *init = loop.getTiedLoopInit(carried);
      b.setInsertionPoint(loop);
      auto begin = tile::MmaBeginOp::create(b, loc, init->get());
      begin->setAttr(tile::accumulatorAttr, b.getI64IntegerAttr(accumulators++));
      init->set(begin);
      b.setInsertionPointAfter(last ? last : loop.getOperation());
      Value result = loop.getTiedLoopResult(carried);
      auto finish = tile::MmaFinishOp::create(b, loc, result);
      result.replaceAllUsesExcept(finish.getResult(), finish);
      last = finish;
    }
    multiply.setInFlight(true);
    b.setInsertionPointAfter(multiply);
    if (multiply.getInstruction().isAsync())
      tile::MmaWaitOp::create(b, loc, 1);
  }
  return last;
}

SmallVector<scf::ForOp> loopsOfConsumers(func::FuncOp kernel) {
  SmallVector<scf::ForOp> loops;
  kernel.walk([&](scf::ForOp loop) {
    if (!loop->hasAttr(tile::workTilesAttr) && !loop->getParentOfType<tile::ProducerWarpOp>())
      loops.push_back(loop);
  });
  return loops;
}

bool callsFunctions(func::FuncOp kernel) {
  return kernel
      .walk([](Operation *op) {
        return isa<tile::PrintOp, tile::TrapOp, tile::CheckOp>(op) ? WalkResult::interrupt()
                                                                   : WalkResult::advance();
      })
      .wasInterrupted();
}

bool isOneInstructionHigh(tile::SharedMmaOp multiply) {
  auto accumulator = cast<RankedTensorType>(multiply.getType());
  return accumulator.getDimSize(0) / 64 <= configOf(multiply).getWarps() / 4;
}

bool hasRegistersForStep(scf::ForOp loop, tile::SharedMmaOp multiply) {
  int64_t elements = cast<RankedTensorType>(multiply.getType()).getNumElements(), beside = 0;
  auto count = [&](Value v) {
    auto type = dyn_cast<RankedTensorType>(v.getType());
    if (type && !v.getDefiningOp<tile::SplatOp>())
      beside += type.getNumElements();
  };
  BlockArgument accumulator;
  for (BlockArgument carried : loop.getRegionIterArgs())
    if (carried == multiply.getC())
      accumulator = carried;
    else
      count(carried);
  Value first = accumulator ? loop.getTiedLoopInit(accumulator)->get() : Value();
  loop->getParentOfType<func::FuncOp>().walk([&](Operation *op) {
    if (loop->isAncestor(op) || op->getBlock() != loop->getBlock() || loop->isBeforeInBlock(op))
      return;
    for (Value result : op->getResults())
      if (!(result == first && result.hasOneUse()) &&
          llvm::any_of(result.getUsers(), [&](Operation *user) {
            Operation *here = loop->getBlock()->findAncestorOpInBlock(*user);
            return loop->isAncestor(user) || (here && loop->isBeforeInBlock(here));
          }))
        count(result);
  });
  return elements <= elementsOfBlock && (elements < elementsOfTwoBlocks || beside * 8 <= elements);
}

} // namespace tessera::plan
