// Threadblock swizzle. Blocks of a plain grid start row by row, so concurrent blocks read one row's
// part of operand A and every column's of operand B, which may exceed the L2 cache. In groups of
// eight rows they read eight rows' parts and a few columns'.
//
//   tile.block_index 1  ->  tile.block_index 1 {swizzled}
//
// A loop must read something that is the same for all blocks of a row, and something that is the
// same for all blocks of a column; and the order of blocks may be visible only in time: a block
// that waits for an earlier one must find it started.
#include "plan/analysis/Facts.h"
#include "plan/Passes.h"
#include "plan/Plan.h"
#include "tile/TileDialect.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace tessera::plan {

#define GEN_PASS_DEF_SWIZZLEBLOCKS
#include "plan/Passes.h.inc"

namespace {

// The values that depend directly on a use; for an op with regions, what it carries from there.
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

// All values that depend on the block's index along an axis, except through a branch.
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

struct SwizzleBlocks : impl::SwizzleBlocksBase<SwizzleBlocks> {
  void runOnOperation() override {
    func::FuncOp kernel = getOperation();
    if (!policyOf(kernel).swizzle)
      return;
    llvm::DenseSet<Value> columnValues = dependents(kernel, 0), rowValues = dependents(kernel, 1);
    bool sharesRows = false, sharesColumns = false;
    kernel.walk([&](Operation *op) {
      if (!isa<tile::ViewLoadOp, tile::LoadOp>(op) || !op->getParentOfType<LoopLikeOpInterface>())
        return;
      auto isAny = [&](const llvm::DenseSet<Value> &of) {
        return llvm::any_of(op->getOperands(), [&](Value v) { return of.contains(v); });
      };
      bool isOfColumn = isAny(columnValues), isOfRow = isAny(rowValues);
      sharesRows |= isOfRow && !isOfColumn;
      sharesColumns |= isOfColumn && !isOfRow;
    });
    if (!sharesRows || !sharesColumns || isOrderSeen(kernel))
      return;
    kernel.walk([](tile::BlockIndexOp op) { op.setSwizzled(op.getAxis() < 2); });
  }
};

} // namespace
} // namespace tessera::plan
