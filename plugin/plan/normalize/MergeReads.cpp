// A tile that is read twice, while nothing may have changed that memory, is read once:
//
//   %x = load P ... %y = load P  ->  %x = load P
//
// As far as the tiles fit the registers that long, and in kernels that multiply nothing: operands
// of multiplies go to shared memory, each by itself.
#include "plan/analysis/Facts.h"
#include "plan/analysis/Matmuls.h"
#include "plan/analysis/ReadOrder.h"
#include "plan/analysis/ReadRegisters.h"
#include "plan/Passes.h"
#include "plan/Plan.h"

#include "mlir/IR/Dominance.h"
#include "mlir/Transforms/CSE.h"

using namespace mlir;

namespace tessera::plan {

#define GEN_PASS_DEF_MERGEREADS
#include "plan/Passes.h.inc"

namespace {

bool isSame(Operation *one, Operation *other) {
  return OperationEquivalence::isEquivalentTo(one, other, OperationEquivalence::IgnoreLocations);
}

// Those of each block in its order.
llvm::MapVector<Block *, SmallVector<Operation *>> readsByBlock(func::FuncOp kernel) {
  llvm::MapVector<Block *, SmallVector<Operation *>> reads;
  kernel.walk([&](Operation *op) {
    if (isTileRead(op) && !globalEffectsOf(op).orders)
      reads[op->getBlock()].push_back(op);
  });
  return reads;
}

struct MergeReads : impl::MergeReadsBase<MergeReads> {
  void runOnOperation() override {
    func::FuncOp kernel = getOperation();
    if (!policyOf(kernel).unroll_loops || hasMma(kernel))
      return;
    if (llvm::none_of(readsByBlock(kernel), [](const auto &one) { return one.second.size() > 1; }))
      return;
    // Equal addresses are equal values then.
    IRRewriter rewriter(&getContext());
    DominanceInfo dominance(kernel);
    eliminateCommonSubExpressions(rewriter, dominance, kernel);
    for (auto &[block, reads] : readsByBlock(kernel))
      merge(reads);
  }

private:
  // The reads of a block, in its order.
  static void merge(ArrayRef<Operation *> reads) {
    ReadRegisters kept;
    llvm::SmallSetVector<Operation *, 8> first;
    for (Operation *read : reads) {
      Operation *const *before =
          llvm::find_if(first, [&](Operation *other) { return isSame(other, read); });
      if (before == first.end()) {
        first.insert(read);
        continue;
      }
      if (!memoryStaysFrom(*before, read) || !kept.fitWith(*before)) {
        first.remove(*before);
        first.insert(read); // for those behind it
        continue;
      }
      kept.add(*before);
      read->replaceAllUsesWith(*before);
      read->erase();
    }
  }
};

} // namespace
} // namespace tessera::plan
