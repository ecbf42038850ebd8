#include "plan/analysis/BlockIndices.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace tessera::plan {

BlockIndices blockIndicesOf(ValueRange values) {
  BlockIndices indices;
  llvm::SmallSetVector<Value, 16> all(values.begin(), values.end());
  auto addInputs = [&](Operation *op) {
    op->walk([&](Operation *inner) { all.insert(inner->operand_begin(), inner->operand_end()); });
  };
  for (size_t i = 0; i < all.size(); ++i) {
    Value value = all[i];
    if (auto index = value.getDefiningOp<tile::BlockIndexOp>()) {
      indices.insert(index);
      continue;
    }
    if (Operation *op = value.getDefiningOp()) {
      addInputs(op);
      continue;
    }
    auto argument = cast<BlockArgument>(value);
    auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
    if (!loop) {
      if (!isa<func::FuncOp>(argument.getOwner()->getParentOp()))
        addInputs(argument.getOwner()->getParentOp());
    } else if (OpOperand *init = loop.getTiedLoopInit(argument)) {
      all.insert(init->get());
      all.insert(loop.getTiedLoopYieldedValue(argument)->get());
    } // else it numbers the iterations
  }
  return indices;
}

bool dependOnAxis(ValueRange values, int64_t axis) {
  return llvm::any_of(blockIndicesOf(values),
                      [&](tile::BlockIndexOp index) { return int64_t(index.getAxis()) == axis; });
}

} // namespace tessera::plan
