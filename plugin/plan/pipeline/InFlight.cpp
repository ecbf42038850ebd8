#include "plan/pipeline/InFlight.h"
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

bool callsFunctions(func::FuncOp kernel) {
  return kernel
      .walk([](Operation *op) {
        return isa<tile::PrintOp, tile::TrapOp, tile::CheckOp>(op) ? WalkResult::interrupt()
                                                                   : WalkResult::advance();
      })
      .wasInterrupted();
}

} // namespace tessera::plan
