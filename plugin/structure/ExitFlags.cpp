// Structuring turns an early exit into integers that select where control continues, and into
// values that are undefined on the other paths; loops that LLVM rotated keep a test before them.
// The patterns undo this, for example `%f = scf.if %c -> (i32) { yield extui(%x) } else { yield 0
// }` to `%b = scf.if %c -> (i1) { yield %x } else { yield false }`, and `scf.if %c { yield %x }
// else { yield poison }` to %x, if it is speculatable.
//
// They terminate in any order: each decreases a number that none of the others increases.
//
//   NarrowFlags        results of ifs that are wider than a truth value
//   DropUndefinedArm   uses of results with an undefined arm: each moves to an earlier definition
//   SpeculateScalars,
//   DropLoopGuard      ifs
//   CompareTruth       comparisons of a widened truth value
//   InvertEmptyThen    else regions
//
// MLIR's own patterns, which run with them, widen no result, make no if and no else region, and
// move no operand to a later definition. Independently, the number of rewrites is bounded
// (CleanUp.cpp), and the result is correct after any of them.
#include "structure/CleanUp.h"
#include "tile/Speculation.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace tessera::structuring {

namespace {

bool isPoison(Value value) { return value.getDefiningOp<ub::PoisonOp>() != nullptr; }

// Does a number represent a truth value? The operand of an extension, 0, 1, or undefined.
bool isTruth(Value value) {
  if (auto extension = value.getDefiningOp<arith::ExtUIOp>())
    return extension.getIn().getType().isInteger(1);
  return matchPattern(value, m_Zero()) || matchPattern(value, m_One()) || isPoison(value);
}

Value truthOf(PatternRewriter &rewriter, Value value) {
  if (auto extension = value.getDefiningOp<arith::ExtUIOp>())
    return extension.getIn();
  if (isPoison(value))
    return ub::PoisonOp::create(rewriter, value.getLoc(), rewriter.getI1Type());
  return arith::ConstantOp::create(rewriter, value.getLoc(),
                                   rewriter.getBoolAttr(matchPattern(value, m_One())));
}

struct NarrowFlags : OpRewritePattern<scf::IfOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(scf::IfOp op, PatternRewriter &rewriter) const override {
    if (op.getNumResults() == 0)
      return failure();
    scf::YieldOp yields[] = {op.thenYield(), op.elseYield()};
    for (OpResult result : op.getResults()) {
      unsigned i = result.getResultNumber();
      Type wide = result.getType();
      if (!wide.isInteger() || wide.isInteger(1) ||
          !llvm::all_of(yields, [&](scf::YieldOp yield) { return isTruth(yield.getOperand(i)); }))
        continue;
      for (scf::YieldOp yield : yields) {
        rewriter.setInsertionPoint(yield);
        Value truth = truthOf(rewriter, yield.getOperand(i));
        rewriter.modifyOpInPlace(yield, [&] { yield->setOperand(i, truth); });
      }
      rewriter.modifyOpInPlace(op, [&] { result.setType(rewriter.getI1Type()); });
      rewriter.setInsertionPointAfter(op);
      auto extension = arith::ExtUIOp::create(rewriter, op.getLoc(), wide, result);
      rewriter.replaceAllUsesExcept(result, extension, extension);
      return success();
    }
    return failure();
  }
};

// A result that one arm leaves undefined is that of the other arm, if it is defined outside.
struct DropUndefinedArm : OpRewritePattern<scf::IfOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(scf::IfOp op, PatternRewriter &rewriter) const override {
    if (op.getNumResults() == 0)
      return failure();
    for (OpResult result : op.getResults()) {
      Value arms[] = {op.thenYield().getOperand(result.getResultNumber()),
                      op.elseYield().getOperand(result.getResultNumber())};
      for (int i : {0, 1}) {
        if (!isPoison(arms[i]) || result.use_empty() ||
            op->isAncestor(arms[1 - i].getParentBlock()->getParentOp()))
          continue;
        rewriter.replaceAllUsesWith(result, arms[1 - i]);
        return success();
      }
    }
    return failure();
  }
};

// Scalar arithmetic that fails for no operand is speculated if the other arm yields nothing new and
// has no effects.
struct SpeculateScalars : OpRewritePattern<scf::IfOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(scf::IfOp op, PatternRewriter &rewriter) const override {
    if (op.getNumResults() == 0)
      return failure();
    Block *arms[] = {op.thenBlock(), op.elseBlock()};
    for (int i : {0, 1}) {
      if (!llvm::all_of(arms[i]->getTerminator()->getOperands(), isPoison) ||
          !llvm::all_of(arms[i]->without_terminator(),
                        [](Operation &inner) { return isMemoryEffectFree(&inner); }) ||
          !llvm::all_of(arms[1 - i]->without_terminator(), isCheap))
        continue;
      Operation *yield = arms[1 - i]->getTerminator();
      SmallVector<Value> values(yield->getOperands());
      rewriter.eraseOp(yield);
      rewriter.inlineBlockBefore(arms[1 - i], op);
      rewriter.replaceOp(op, values);
      return success();
    }
    return failure();
  }
  static bool isCheap(Operation &op) {
    return tile::isSpeculatable(&op) && op.getNumRegions() == 0 &&
           llvm::none_of(op.getResultTypes(),
                         [](Type type) { return isa<RankedTensorType>(type); });
  }
};

// `extui(%b) == 0` is a negated truth value.
struct CompareTruth : OpRewritePattern<arith::CmpIOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(arith::CmpIOp op, PatternRewriter &rewriter) const override {
    auto extension = op.getLhs().getDefiningOp<arith::ExtUIOp>();
    bool isEqual = op.getPredicate() == arith::CmpIPredicate::eq;
    if (!extension || !extension.getIn().getType().isInteger(1) ||
        (!isEqual && op.getPredicate() != arith::CmpIPredicate::ne))
      return failure();
    bool isOne = matchPattern(op.getRhs(), m_One());
    if (!isOne && !matchPattern(op.getRhs(), m_Zero()))
      return failure();
    if (isEqual == isOne) {
      rewriter.replaceOp(op, extension.getIn());
      return success();
    }
    Value one = arith::ConstantOp::create(rewriter, op.getLoc(), rewriter.getBoolAttr(true));
    rewriter.replaceOpWithNewOp<arith::XOrIOp>(op, extension.getIn(), one);
    return success();
  }
};

// An arm that runs only if a condition is false runs if its negation is true.
struct InvertEmptyThen : OpRewritePattern<scf::IfOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(scf::IfOp op, PatternRewriter &rewriter) const override {
    if (op.getNumResults() || !op.elseBlock() || !op.thenBlock()->without_terminator().empty())
      return failure();
    Value one = arith::ConstantOp::create(rewriter, op.getLoc(), rewriter.getBoolAttr(true));
    Value opposite = arith::XOrIOp::create(rewriter, op.getLoc(), op.getCondition(), one);
    rewriter.modifyOpInPlace(op, [&] { op.getConditionMutable().assign(opposite); });
    rewriter.eraseBlock(op.thenBlock());
    rewriter.inlineRegionBefore(op.getElseRegion(), op.getThenRegion(), op.getThenRegion().begin());
    return success();
  }
};

// A counted loop needs no guard: `if (lo < hi) for (i = lo; i < hi; ...)`.
struct DropLoopGuard : OpRewritePattern<scf::IfOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(scf::IfOp op, PatternRewriter &rewriter) const override {
    scf::ForOp loop;
    for (Operation &inner : op.thenBlock()->without_terminator()) {
      if (auto found = dyn_cast<scf::ForOp>(inner); found && !loop)
        loop = found;
      else if (!tile::isSpeculatable(&inner))
        return failure();
    }
    if (!loop || !guards(op.getCondition(), loop) ||
        (op.elseBlock() && !op.elseBlock()->without_terminator().empty()))
      return failure();
    SmallVector<Value> results(op.thenYield().getOperands());
    for (auto [i, result] : llvm::enumerate(results))
      if (!isUnchangedBy(loop, result, op.elseYield().getOperand(i)))
        return failure();
    Block *body = op.thenBlock();
    rewriter.eraseOp(body->getTerminator());
    rewriter.inlineBlockBefore(body, op);
    rewriter.replaceOp(op, results);
    return success();
  }
  static bool guards(Value condition, scf::ForOp loop) {
    auto compare = condition.getDefiningOp<arith::CmpIOp>();
    if (!compare)
      return false;
    using P = arith::CmpIPredicate;
    Value left = compare.getLhs(), right = compare.getRhs();
    P less = loop.getUnsignedCmp() ? P::ult : P::slt,
      greater = loop.getUnsignedCmp() ? P::ugt : P::sgt;
    if (compare.getPredicate() == greater)
      std::swap(left, right);
    else if (compare.getPredicate() != less)
      return false;
    return left == loop.getLowerBound() && right == loop.getUpperBound();
  }
  // Is `result` equal to `otherwise` if the loop does not run?
  static bool isUnchangedBy(scf::ForOp loop, Value result, Value otherwise) {
    if (auto own = dyn_cast<OpResult>(result); own && own.getOwner() == loop)
      return loop.getInitArgs()[own.getResultNumber()] == otherwise;
    return result == otherwise;
  }
};

} // namespace

void populateExitFlagPatterns(RewritePatternSet &patterns) {
  patterns.add<NarrowFlags, DropUndefinedArm, SpeculateScalars, CompareTruth, InvertEmptyThen,
               DropLoopGuard>(patterns.getContext());
}

} // namespace tessera::structuring
