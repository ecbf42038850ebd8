// An operand that a loop reads one iteration before it multiplies it is read in the iteration of
// the multiply: the pass pipeline-loops then copies it ahead at its own prefetch distance, and it
// needs no registers.
//
//   %x0 = view_load S; for %i iter_args(%x = %x0) { %next = view_load P(%i); mma %x; yield %next }
//   ->  for %i { %x = view_load (%i is the first ? S : P(%i - step)); mma %x }
//
// No op in between may change that memory. The select disappears where S is P(first - step).
#include "plan/analysis/Layouts.h"
#include "plan/analysis/Matmuls.h"
#include "plan/analysis/OtherIterations.h"
#include "plan/Passes.h"
#include "plan/analysis/ReadOrder.h"
#include "tile/TileDialect.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace tessera::plan {

#define GEN_PASS_DEF_LATEREADS
#include "plan/Passes.h.inc"

namespace {

bool isOperandAlone(Value tile) {
  return becomesOperandsAlone(tile, [](tile::MmaOp) { return true; });
}

bool isSame(Value x, Value y) {
  Attribute a, b;
  return x == y || (matchPattern(x, m_Constant(&a)) && matchPattern(y, m_Constant(&b)) && a == b);
}

// The two reads, of the first iteration and of later ones, that a loop carries as one value.
struct EarlyReads {
  tile::ViewLoadOp first, next;
};

bool staysIn(scf::ForOp loop, Operation *read) {
  return obstacleOfMove(read, loop) == ReadObstacle::None;
}

std::optional<EarlyReads> earlyReadsOf(scf::ForOp loop, BlockArgument carried) {
  auto first = loop.getTiedLoopInit(carried)->get().getDefiningOp<tile::ViewLoadOp>();
  auto next = loop.getTiedLoopYieldedValue(carried)->get().getDefiningOp<tile::ViewLoadOp>();
  bool isPair = first && next && first.getType() == next.getType() &&
                first->getAttrDictionary() == next->getAttrDictionary() &&
                next->getBlock() == loop.getBody() && next->hasOneUse() && first->hasOneUse() &&
                loop.getTiedLoopResult(carried).use_empty();
  if (!isPair || next.getPadding() != tile::Padding::zero || !isOperandAlone(carried) ||
      !memoryStaysFrom(first, loop) || !staysIn(loop, first) || !staysIn(loop, next))
    return {};
  Slice slice;
  for (Value operand : next->getOperands())
    if (!collectSlice(operand, loop, slice))
      return {};
  return EarlyReads{first, next};
}

void readLate(scf::ForOp loop, BlockArgument carried, const EarlyReads &reads) {
  Location loc = tile::ViewLoadOp(reads.next).getLoc();
  Slice slice = sliceOf(reads.next->getOperands(), loop);
  // What the later read would have read before the first iteration.
  OpBuilder outer(loop);
  IRMapping beforeFirst, before;
  Value zeroth = outer.createOrFold<arith::SubIOp>(loc, loop.getLowerBound(), loop.getStep());
  Value isNever = arith::ConstantOp::create(outer, loc, outer.getBoolAttr(false));
  computeThere(outer, loop, slice, {zeroth, isNever, -1, true}, beforeFirst);

  OpBuilder b = OpBuilder::atBlockBegin(loop.getBody());
  Value i = loop.getInductionVar();
  auto compare = [&](arith::CmpIPredicate predicate) -> Value {
    return arith::CmpIOp::create(b, loc, predicate, i, loop.getLowerBound());
  };
  Value isFirst = compare(arith::CmpIPredicate::eq);
  computeThere(b, loop, slice,
               {b.createOrFold<arith::SubIOp>(loc, i, loop.getStep()),
                compare(arith::CmpIPredicate::ne), -1, false},
               before);
  SmallVector<Value> operands;
  for (auto [first, next] : llvm::zip(reads.first->getOperands(), reads.next->getOperands())) {
    Value there = before.lookupOrDefault(next);
    if (!isSame(first, beforeFirst.lookupOrDefault(next)))
      there = arith::SelectOp::create(b, loc, isFirst, first, there);
    operands.push_back(there);
  }
  Operation *read = b.clone(*reads.next);
  read->setOperands(operands);
  carried.replaceAllUsesWith(read->getResult(0));
  // The carried value is unused now.
  loop.getTiedLoopYieldedValue(carried)->set(carried);
}

struct LateReads : impl::LateReadsBase<LateReads> {
  void runOnOperation() override {
    func::FuncOp kernel = getOperation();
    bool isChanged = false;
    kernel.walk([&](scf::ForOp loop) {
      SmallVector<std::pair<BlockArgument, EarlyReads>> found;
      for (BlockArgument carried : loop.getRegionIterArgs())
        if (std::optional<EarlyReads> reads = earlyReadsOf(loop, carried))
          found.emplace_back(carried, *reads);
      for (auto &[carried, reads] : found)
        readLate(loop, carried, reads);
      isChanged |= !found.empty();
    });
    if (isChanged)
      eraseUnusedCarried(kernel);
  }
};

} // namespace
} // namespace tessera::plan
