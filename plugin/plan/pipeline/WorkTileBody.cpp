#include "plan/pipeline/WorkTileBody.h"

#include "plan/pipeline/ProducerWarp.h"
#include "tile/Attributes.h"
#include "tile/Sources.h"
#include "tile/Speculation.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;

namespace tessera::plan {

// Is all that the kernel has beside its last op computed from memory that it does not write?
bool WorkTileBody::isRestPure(Operation *last) const {
  func::FuncOp whole = kernel;
  return llvm::all_of(whole.getBody().front().without_terminator(), [&](Operation &op) {
    return &op == last || isMemoryEffectFree(&op) ||
           (!op.getNumRegions() && readsConstant(&op, kernel));
  });
}

// The ops of a region become the kernel's, in front of the op that has had them.
void WorkTileBody::enter(Operation *op, Block &inner) {
  around = op;
  first = &inner.front();
  kernel.getBody().front().getOperations().splice(Block::iterator(around), inner.getOperations(),
                                                  inner.begin(), std::prev(inner.end()));
}

void WorkTileBody::leave() {
  if (!around)
    return;
  Block &inner = around->getRegion(0).front();
  inner.getOperations().splice(inner.begin(), kernel.getBody().front().getOperations(),
                               Block::iterator(first), Block::iterator(around));
  if (!number)
    return;
  number.replaceAllUsesWith(cast<scf::ForOp>(around).getInductionVar());
  number.getDefiningOp()->erase();
}

void WorkTileBody::enterParts() {
  auto loop = dyn_cast_or_null<scf::ForOp>(kernel.getBody().front().getTerminator()->getPrevNode());
  if (!loop || !loop->hasAttr(tile::partsAttr) || !isRestPure(loop))
    return;
  std::optional<int64_t> count = getConstantIntValue(loop.getUpperBound());
  if (!count)
    return;
  parts = *count;
  OpBuilder b(loop);
  Value part = loop.getInductionVar();
  number = UnrealizedConversionCastOp::create(b, part.getLoc(), part.getType(), ValueRange())
               .getResult(0);
  part.replaceAllUsesWith(number);
  enter(loop, *loop.getBody());
}

// After `if (...) return;` the rest of a kernel is the branch of a condition.
void WorkTileBody::enterBranch() {
  auto only = dyn_cast_or_null<scf::IfOp>(kernel.getBody().front().getTerminator()->getPrevNode());
  if (only && !only.getNumResults() && !only.elseBlock() &&
      !only.thenBlock()->without_terminator().empty() && isRestPure(only))
    enter(only, *only.thenBlock());
}

// May the op be computed before the roles part? Of a branch, if it may be computed without the
// condition.
bool WorkTileBody::isBefore(Operation *op, bool isInBranch) const {
  return !op->getNumRegions() && isOfScalars(op) &&
         (isInBranch ? tile::isSpeculatable(op)
                     : isMemoryEffectFree(op) || readsConstant(op, kernel));
}

bool WorkTileBody::areKnownBefore(ArrayRef<Value> values) const {
  SmallVector<Value> needed(values);
  if (branch())
    needed.push_back(branch().getCondition());
  return tile::areAllRight(needed, [&](Value value) -> std::optional<bool> {
    Operation *op = value.getDefiningOp();
    if (!op)
      return true; // the kernel's argument
    const bool isInBranch = branch() && (op == first || first->isBeforeInBlock(op));
    return op->getParentOp() == kernel && isBefore(op, isInBranch) ? std::nullopt
                                                                   : std::optional(false);
  });
}

void WorkTileBody::readBefore(scf::ForOp workTile, Value hasWork) const {
  bool isInBranch = false;
  for (Operation &op : llvm::make_early_inc_range(workTile.getBody()->without_terminator())) {
    isInBranch |= branch() && &op == first;
    if (isBefore(&op, isInBranch) && llvm::all_of(op.getOperands(), [&](Value operand) {
          return workTile.isDefinedOutsideOfLoop(operand);
        }))
      op.moveBefore(workTile);
  }
  if (scf::IfOp guard = branch())
    hasWork = guard.getCondition();
  if (!hasWork)
    return;
  OpBuilder b(workTile);
  Location loc = workTile.getLoc();
  Value always = arith::ConstantOp::create(b, loc, b.getBoolAttr(true));
  tile::ExitIfOp::create(b, loc, arith::XOrIOp::create(b, loc, hasWork, always));
}

void WorkTileBody::eraseAround() {
  if (around)
    around->erase();
}

} // namespace tessera::plan
