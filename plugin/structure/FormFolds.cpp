// The regions of folds: what depends on the arguments of a function moves into the region, and what
// does not is read from outside.
//
//   %e = tile.fold_argument %x number 0               %r = tile.fold %x along 0 ... {
//   %a = tile.fold_argument %x number 0 {accumulator}   ^bb0(%e, %a):
//   %v = arith.addf %e, %a                         ->     %v = arith.addf %e, %a
//   %r = tile.fold_result %x by %v along 0              tile.yield %v
//                                                     }
#include "structure/FormFolds.h"

#include "support/Refusals.h"
#include "tile/Refuse.h"
#include "tile/Speculation.h"
#include "tile/TileDialect.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;

namespace tessera::structuring {

namespace {

LogicalResult refuse(Operation *at, Refusal id) {
  return tile::refuse(at->getLoc()) << textOf(id, {});
}

// The values that an op reads, also in its regions.
llvm::SetVector<Value> readBy(Operation *op) {
  llvm::SetVector<Value> values(op->operand_begin(), op->operand_end());
  getUsedValuesDefinedAbove(op->getRegions(), values);
  return values;
}

bool hasTiles(Operation *op) {
  auto isTile = [](Type type) { return isa<RankedTensorType>(type); };
  return op
      ->walk([&](Operation *inner) {
        return llvm::any_of(inner->getOperandTypes(), isTile) ||
                       llvm::any_of(inner->getResultTypes(), isTile)
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

// A branch whose sides only compute becomes selections: lanes of a warp go the same way, and the
// operation may be a known one.
void selectInsteadOfBranches(tile::FoldOp fold) {
  SmallVector<scf::IfOp> branches; // inner ones first
  fold.getCombine().walk([&](scf::IfOp branch) { branches.push_back(branch); });
  for (scf::IfOp branch : branches) {
    auto isFree = [](Operation &op) { return !op.getNumRegions() && tile::isSpeculatable(&op); };
    if (branch.getElseRegion().empty() ||
        !llvm::all_of(branch.thenBlock()->without_terminator(), isFree) ||
        !llvm::all_of(branch.elseBlock()->without_terminator(), isFree))
      continue;
    OpBuilder builder(branch);
    SmallVector<Value> selected;
    for (Block *side : {branch.thenBlock(), branch.elseBlock()})
      for (Operation &op : llvm::make_early_inc_range(side->without_terminator()))
        op.moveBefore(branch);
    for (auto [x, y] :
         llvm::zip(branch.thenYield().getOperands(), branch.elseYield().getOperands()))
      selected.push_back(
          builder.createOrFold<arith::SelectOp>(branch.getLoc(), branch.getCondition(), x, y));
    branch.replaceAllUsesWith(selected);
    branch.erase();
  }
}

class Former {
public:
  explicit Former(func::FuncOp kernel) : kernel(kernel) {}

  LogicalResult run() {
    SmallVector<tile::FoldResultOp> results;
    kernel.walk([&](tile::FoldResultOp result) { results.push_back(result); });
    for (tile::FoldResultOp result : results)
      if (failed(form(result)))
        return failure();
    for (tile::FoldResultOp result : results)
      result.erase();
    return eraseFunctions();
  }

private:
  // Results of one call of the function share their operands.
  using Key = std::tuple<Block *, SmallVector<Value>, int64_t, bool, bool>;

  LogicalResult form(tile::FoldResultOp result) {
    Key key{result->getBlock(), llvm::to_vector(result->getOperands()), result.getDim(),
            result.getScan(), result.getBackward()};
    auto found = llvm::find_if(folds, [&](auto &entry) { return entry.first == key; });
    if (found == folds.end()) {
      tile::FoldOp fold = create(result);
      if (!fold)
        return failure();
      selectInsteadOfBranches(fold);
      found = folds.insert(folds.end(), {key, fold});
    }
    result.getResult().replaceAllUsesWith(found->second.getResult(result.getIndex()));
    return success();
  }

  tile::FoldOp create(tile::FoldResultOp result) {
    llvm::SetVector<Operation *> slice;
    for (Value value : result.getCombined())
      if (failed(collect(value, result, slice)))
        return {};
    OpBuilder builder(result);
    return tile::FoldOp::create(
        builder, result.getLoc(), result.getX(), result.getDim(), ArrayAttr(), result.getScan(),
        result.getBackward(), [&](OpBuilder &inner, ValueRange elements, ValueRange accumulators) {
          IRMapping map;
          for (Operation *op : slice)
            if (auto argument = dyn_cast<tile::FoldArgumentOp>(op))
              map.map(argument.getResult(), argument.getAccumulator()
                                                ? accumulators[argument.getIndex()]
                                                : elements[argument.getIndex()]);
            else
              inner.clone(*op, map);
          return llvm::map_to_vector(result.getCombined(),
                                     [&](Value value) { return map.lookupOrDefault(value); });
        });
  }

  // The ops of the function that `value` needs, in their order.
  LogicalResult collect(Value value, tile::FoldResultOp result,
                        llvm::SetVector<Operation *> &slice) {
    Operation *op = value.getDefiningOp();
    if (!isOfFunction(value) || slice.contains(op))
      return success();
    if (auto argument = dyn_cast<tile::FoldArgumentOp>(op)) {
      if (argument.getX() != result.getX()[argument.getIndex()])
        return refuse(op, Refusal::FunctionValueLeaves);
    } else if (hasTiles(op)) {
      return refuse(op, Refusal::FunctionOfTiles);
    } else if (!isMemoryEffectFree(op)) {
      return refuse(op, Refusal::FunctionAccessesMemory);
    } else {
      for (Value read : readBy(op))
        if (failed(collect(read, result, slice)))
          return failure();
    }
    slice.insert(op);
    moved.insert(op);
    return success();
  }

  // Does the value depend on an argument of a function?
  bool isOfFunction(Value value) {
    Operation *op = value.getDefiningOp();
    if (!op)
      return false;
    if (isa<tile::FoldArgumentOp>(op))
      return true;
    if (auto known = depends.find(op); known != depends.end())
      return known->second;
    depends[op] = false; // no op reads itself
    bool result = llvm::any_of(readBy(op), [&](Value read) { return isOfFunction(read); });
    return depends[op] = result;
  }

  // What nothing else reads. An argument that is left over is read outside of its function.
  LogicalResult eraseFunctions() {
    SmallVector<Operation *> ops;
    kernel.walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (moved.contains(op) || isa<tile::FoldArgumentOp>(op))
        ops.push_back(op);
    });
    for (Operation *op : llvm::reverse(ops))
      if (op->use_empty())
        op->erase();
    WalkResult left = kernel.walk([&](tile::FoldArgumentOp argument) {
      Operation *reader = *argument->user_begin();
      (void)refuse(reader, isMemoryEffectFree(reader) ? Refusal::FunctionValueLeaves
                                                      : Refusal::FunctionAccessesMemory);
      return WalkResult::interrupt();
    });
    return failure(left.wasInterrupted());
  }

  func::FuncOp kernel;
  std::vector<std::pair<Key, tile::FoldOp>> folds;
  llvm::DenseSet<Operation *> moved;
  DenseMap<Operation *, bool> depends;
};

} // namespace

LogicalResult formFolds(func::FuncOp kernel) { return Former(kernel).run(); }

} // namespace tessera::structuring
