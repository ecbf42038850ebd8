// Blocks of a plain grid start row by row, so those at work at the same time read one row's part of
// a first operand and every column's of a second, which the L2 cache may not hold. In bands of
// eight rows they read eight rows' and a few columns'.
//
//   tile.block_index 1  ->  tile.block_index 1 {inBands}
//
// Where a loop reads something that is the same for all blocks of a row, and something that is the
// same for all of a column; and where the order cannot be seen but in time: a block that waits for
// an earlier one must find it started.
#include "plan/Facts.h"
#include "plan/Passes.h"
#include "plan/Plan.h"
#include "tile/TileDialect.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace tessera::plan {

#define GEN_PASS_DEF_BANDBLOCKS
#include "plan/Passes.h.inc"

namespace {

// The values that depend on a use of one as nearest; of a region's op, what it carries from there.
SmallVector<Value> dependentsOf(OpOperand &use) {
  Operation *user = use.getOwner();
  if (auto loop = dyn_cast<scf::ForOp>(user); loop && loop.getTiedLoopRegionIterArg(&use))
    return {loop.getTiedLoopRegionIterArg(&use)};
  Operation *op = user->hasTrait<OpTrait::IsTerminator>() ? user->getParentOp() : user;
  if (isa<func::FuncOp>(op))
    return {};
  SmallVector<Value> result(op->getResults());
  if (isa<scf::YieldOp>(user) && isa<scf::ForOp, scf::IfOp>(op))
    result = {op->getResult(use.getOperandNumber())};
  if (auto loop = dyn_cast<scf::ForOp>(op); loop && op != user)
    result.push_back(loop.getRegionIterArg(use.getOperandNumber()));
  else
    for (Region &region : op->getRegions())
      llvm::append_range(result, region.getArguments());
  return result;
}

// What depends on the block's index along an axis, but for what a branch upon it decides.
llvm::DenseSet<Value> dependents(func::FuncOp kernel, uint64_t axis) {
  llvm::DenseSet<Value> result;
  SmallVector<Value> todo;
  auto add = [&](ArrayRef<Value> values) {
    for (Value v : values)
      if (result.insert(v).second)
        todo.push_back(v);
  };
  kernel.walk([&](tile::BlockIndexOp op) {
    if (op.getAxis() == axis)
      add(op.getResult());
  });
  while (!todo.empty()) {
    Value value = todo.pop_back_val();
    for (OpOperand &use : value.getUses())
      add(dependentsOf(use));
  }
  return result;
}

// Could a block wait for another, or learn which ones came before?
bool isOrderSeen(func::FuncOp kernel) {
  WalkResult walk = kernel.getBody().walk([](Operation *op) {
    bool isSeen = isa<tile::AtomicLoadOp, tile::AtomicStoreOp, tile::AtomicCompareExchangeOp>(op) ||
                  (isa<tile::AtomicRmwOp>(op) && !op->use_empty()) || globalEffectsOf(op).orders;
    if (auto load = dyn_cast<LLVM::LoadOp>(op))
      isSeen |= load.getVolatile_();
    return isSeen ? WalkResult::interrupt() : WalkResult::advance();
  });
  return walk.wasInterrupted();
}

struct BandBlocks : impl::BandBlocksBase<BandBlocks> {
  void runOnOperation() override {
    func::FuncOp kernel = getOperation();
    if (!policyOf(kernel).bands)
      return;
    llvm::DenseSet<Value> ofColumn = dependents(kernel, 0), ofRow = dependents(kernel, 1);
    bool sharesRows = false, sharesColumns = false;
    kernel.walk([&](Operation *op) {
      if (!isa<tile::ViewLoadOp, tile::LoadOp>(op) || !op->getParentOfType<LoopLikeOpInterface>())
        return;
      auto isAny = [&](const llvm::DenseSet<Value> &of) {
        return llvm::any_of(op->getOperands(), [&](Value v) { return of.contains(v); });
      };
      bool isOfColumn = isAny(ofColumn), isOfRow = isAny(ofRow);
      sharesRows |= isOfRow && !isOfColumn;
      sharesColumns |= isOfColumn && !isOfRow;
    });
    if (!sharesRows || !sharesColumns || isOrderSeen(kernel))
      return;
    kernel.walk([](tile::BlockIndexOp op) { op.setInBands(op.getAxis() < 2); });
  }
};

} // namespace
} // namespace tessera::plan
