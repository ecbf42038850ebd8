#include "plan/analysis/GridStride.h"

#include "tile/Sources.h"
#include "tile/TileDialect.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;

namespace tessera::plan {

namespace {

// Is an op of this kind among those that a value is computed from?
template <class Op> bool isFrom(Value value) {
  return !tile::areAllRight(value, [](Value v) -> std::optional<bool> {
    Operation *op = v.getDefiningOp();
    bool isLeaf = !op || op->getNumOperands() == 0;
    return isLeaf ? std::optional(!isa_and_present<Op>(op)) : std::nullopt;
  });
}

// Is the variable, or it in another width, multiplied by the number of blocks?
bool isScaledByGrid(Value variable) {
  return llvm::any_of(variable.getUsers(), [&](Operation *user) {
    if (isa<arith::ExtSIOp, arith::ExtUIOp, arith::TruncIOp>(user))
      return isScaledByGrid(user->getResult(0));
    auto product = dyn_cast<arith::MulIOp>(user);
    return product && isFrom<tile::GridSizeOp>(product.getLhs() == variable ? product.getRhs()
                                                                            : product.getLhs());
  });
}

bool beginsAtBlock(scf::ForOp loop) {
  return isFrom<tile::BlockIndexOp>(loop.getLowerBound()) &&
         !isFrom<tile::BlockIndexOp>(loop.getUpperBound()) &&
         getConstantIntValue(loop.getStep()) != 1;
}

template <class Test> bool isInLoop(Operation *op, Test test) {
  for (; op; op = op->getParentOp())
    if (auto loop = dyn_cast<scf::ForOp>(op); loop && test(loop))
      return true;
  return false;
}

} // namespace

bool stepsByGrid(scf::ForOp loop) {
  return isFrom<tile::GridSizeOp>(loop.getStep()) || isScaledByGrid(loop.getInductionVar());
}

bool isInGridStride(Operation *op) { return isInLoop(op, stepsByGrid); }

bool mayBeInGridStride(Operation *op) {
  return isInLoop(op, [](scf::ForOp loop) { return stepsByGrid(loop) || beginsAtBlock(loop); });
}

} // namespace tessera::plan
