// A comparison with a constant asks what its other side is, any other how two numbers compare. Two
// forms that the plan makes are called by what they mean: whether a later iteration exists, and
// whether the grid has a block that a coarsened block computes with its own.
#include "plan/naming/PredicateNames.h"

#include "plan/naming/RolesByUse.h"
#include "tile/TileDialect.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;

namespace tessera::plan {

namespace {

struct Comparison {
  StringRef relation; // "eq", "ne", "lt", "le", "gt", "ge"
  Value x, y;
};

// Of two numbers.
std::optional<Comparison> comparisonOf(Operation *op) {
  if (auto compare = dyn_cast<arith::CmpIOp>(op)) {
    StringRef relation = arith::stringifyCmpIPredicate(compare.getPredicate());
    if (!relation.consume_front("s"))
      relation.consume_front("u");
    return Comparison{relation, compare.getLhs(), compare.getRhs()};
  }
  if (auto compare = dyn_cast<arith::CmpFOp>(op)) {
    StringRef relation = arith::stringifyCmpFPredicate(compare.getPredicate());
    return Comparison{relation.drop_front(), compare.getLhs(), compare.getRhs()}; // ordered or not
  }
  auto compare = dyn_cast<tile::CompareOp>(op);
  if (!compare || isa<RankedTensorType>(compare.getType()))
    return std::nullopt;
  return Comparison{tile::stringifyCompareKind(compare.getKind()), compare.getX(), compare.getY()};
}

Value withoutCasts(Value v) {
  while (Operation *op = v.getDefiningOp()) {
    if (!isCast(op))
      break;
    v = op->getOperand(0);
  }
  return v;
}

// The blocks of the grid from the first one on that a coarsened block computes: the grid's size
// less a multiple of the block's index.
bool isBlocksLeft(Value v) {
  auto left = withoutCasts(v).getDefiningOp<arith::SubIOp>();
  return left && withoutCasts(left.getLhs()).getDefiningOp<tile::GridSizeOp>();
}

// What a number is that is equal to 0, and what it is else.
std::string nameAgainstZero(Value x, bool isEqual) {
  Operation *made = withoutCasts(x).getDefiningOp();
  APInt mask;
  if (isa_and_present<arith::AndIOp>(made) &&
      matchPattern(made->getOperand(1), m_ConstantInt(&mask))) {
    if (mask.isOne())
      return isEqual ? "is_even" : "is_odd";
    return isEqual ? "is_clear" : "is_set";
  }
  if (isa_and_present<arith::RemSIOp, arith::RemUIOp>(made))
    return isEqual ? "is_multiple" : "has_remainder";
  return isEqual ? "is_zero" : "is_nonzero";
}

} // namespace

std::optional<std::string> predicateName(Operation *op) {
  std::optional<Comparison> comparison = comparisonOf(op);
  if (!comparison)
    return std::nullopt;
  auto [relation, x, y] = *comparison;
  if ((relation == "lt" || relation == "le") && advancedVariable(withoutCasts(x)))
    return "has_next";
  APInt constant;
  if (matchPattern(y, m_ConstantInt(&constant))) {
    if (relation == "gt" && isBlocksLeft(x))
      return "has_block_" + std::to_string(constant.getZExtValue());
    if (constant.isZero() && (relation == "eq" || relation == "ne"))
      return nameAgainstZero(x, relation == "eq");
    if (constant.isZero() && (relation == "lt" || relation == "gt"))
      return relation == "lt" ? "is_negative" : "is_positive";
  }
  return llvm::StringSwitch<std::string>(relation)
      .Case("eq", "is_equal")
      .Case("ne", "differs")
      .Case("lt", "is_less")
      .Case("le", "is_at_most")
      .Case("gt", "is_greater")
      .Case("ge", "is_at_least")
      .Default("condition"); // of NaNs
}

} // namespace tessera::plan
