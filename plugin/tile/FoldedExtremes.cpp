// A fold of values and indices that keeps the largest value, and of equal ones the lowest index, is
// the argument reduction that tile.reduce knows; so is one that keeps the smallest.
//
// However the region writes its conditions, they compare the two values and the two indices. They
// are evaluated for each way in which these may be ordered, with a NaN on either side or both.
#include "tile/FoldedExtremes.h"

#include "tile/Comparisons.h"

#include "llvm/ADT/STLExtras.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace tessera::tile {

namespace {

enum class Order { less, equal, greater };

// How the element and the accumulator are ordered.
struct Situation {
  Order values, indices;
  bool isElementNan = false, isAccumulatorNan = false;
};

Order reversed(Order order) {
  return order == Order::less ? Order::greater : order == Order::greater ? Order::less : order;
}

// Does a comparison hold for numbers of this order?
bool holds(CompareKind kind, Order order) {
  switch (kind) {
  case CompareKind::eq: return order == Order::equal;
  case CompareKind::ne: return order != Order::equal;
  case CompareKind::lt: return order == Order::less;
  case CompareKind::le: return order != Order::greater;
  case CompareKind::gt: return order == Order::greater;
  case CompareKind::ge: return order != Order::less;
  }
  llvm_unreachable("all kinds are listed");
}

// The region in one situation.
class Evaluation {
public:
  Evaluation(FoldOp op, unsigned values, const Situation &situation)
      : element(op.getElements()[values]), accumulator(op.getAccumulators()[values]),
        index(op.getElements()[1 - values]), best(op.getAccumulators()[1 - values]),
        situation(situation) {}

  // Is what the region yields the element's side? None: it is neither.
  std::optional<bool> takesElement(Value yielded) {
    if (yielded == element || yielded == index)
      return true;
    if (yielded == accumulator || yielded == best)
      return false;
    auto [condition, x, y] = selectionOf(yielded);
    std::optional<bool> first = condition ? isTrue(condition) : std::nullopt;
    return first ? takesElement(*first ? x : y) : std::nullopt;
  }

  bool areValuesUnsigned = false, areValuesSigned = false;

private:
  std::optional<bool> isTrue(Value condition) {
    APInt constant;
    if (matchPattern(condition, m_ConstantInt(&constant)))
      return constant.isOne();
    Operation *op = condition.getDefiningOp();
    if (!op)
      return std::nullopt;
    if (std::optional<Comparison> comparison = comparisonOf(op))
      return isTrue(*comparison);
    if (auto [chooses, x, y] = selectionOf(condition); chooses) {
      std::optional<bool> first = isTrue(chooses);
      return first ? isTrue(*first ? x : y) : std::nullopt;
    }
    return isTrueOfTwo(op);
  }

  std::optional<bool> isTrueOfTwo(Operation *op) {
    if (op->getNumOperands() != 2)
      return std::nullopt;
    std::optional<bool> x = isTrue(op->getOperand(0)), y = isTrue(op->getOperand(1));
    if (!x || !y)
      return std::nullopt;
    auto binary = dyn_cast<BinaryOp>(op);
    auto isOf = [&](BinaryKind kind) { return binary && binary.getKind() == kind; };
    if (isa<arith::AndIOp>(op) || isOf(BinaryKind::bit_and))
      return *x && *y;
    if (isa<arith::OrIOp>(op) || isOf(BinaryKind::bit_or))
      return *x || *y;
    if (isa<arith::XOrIOp>(op) || isOf(BinaryKind::bit_xor))
      return *x != *y;
    return std::nullopt;
  }

  std::optional<bool> isTrue(const Comparison &comparison) {
    auto isOf = [&](Value one, Value other) {
      return llvm::is_contained({one, other}, comparison.x) &&
             llvm::is_contained({one, other}, comparison.y);
    };
    const bool isOfValues = isOf(element, accumulator), isSame = comparison.x == comparison.y;
    if (!isOfValues && !isOf(index, best))
      return std::nullopt;
    auto isNan = [&](Value value) {
      return value == element       ? situation.isElementNan
             : value == accumulator ? situation.isAccumulatorNan
                                    : false;
    };
    if (isNan(comparison.x) || isNan(comparison.y))
      return comparison.isTrueForNan;
    if (!comparison.kind) // of two numbers
      return !comparison.isTrueForNan;
    const bool isOrdered =
        *comparison.kind != CompareKind::eq && *comparison.kind != CompareKind::ne;
    if (isOrdered && !isOfValues && comparison.isUnsigned)
      return std::nullopt; // indices have a sign
    areValuesUnsigned |= isOrdered && isOfValues && comparison.isUnsigned;
    areValuesSigned |= isOrdered && isOfValues && !comparison.isUnsigned;
    Order order = isOfValues ? situation.values : situation.indices;
    if (comparison.x == accumulator || comparison.x == best)
      order = reversed(order);
    return holds(*comparison.kind, isSame ? Order::equal : order);
  }

  Value element, accumulator, index, best;
  Situation situation;
};

// All situations; integers are no NaN.
SmallVector<Situation> situationsOf(bool areFloats) {
  SmallVector<Situation> all;
  for (Order indices : {Order::less, Order::equal, Order::greater}) {
    for (Order values : {Order::less, Order::equal, Order::greater})
      all.push_back({values, indices});
    for (int nan = 1; areFloats && nan < 4; ++nan)
      all.push_back({Order::equal, indices, (nan & 1) != 0, (nan & 2) != 0});
  }
  return all;
}

// What an argument reduction takes; none: both sides are the same to it.
std::optional<bool> wanted(const Situation &situation, bool isMaximum) {
  if (situation.isElementNan != situation.isAccumulatorNan)
    return situation.isAccumulatorNan;
  if (!situation.isElementNan && situation.values != Order::equal)
    return (situation.values == Order::greater) == isMaximum;
  return situation.indices == Order::equal ? std::nullopt
                                           : std::optional(situation.indices == Order::less);
}

} // namespace

std::optional<FoldedExtreme> extremeOf(FoldOp op) {
  if (op.getX().size() != 2 || op.getScan())
    return std::nullopt;
  for (unsigned values : {0u, 1u}) {
    Type type = elementType(op.getX()[values].getType());
    if (type.isInteger(1) || !elementType(op.getX()[1 - values].getType()).isInteger(32))
      continue;
    for (bool isMaximum : {true, false}) {
      bool isUnsigned = false, isSigned = false;
      const bool isIt = llvm::all_of(situationsOf(isa<FloatType>(type)), [&](const Situation &s) {
        Evaluation evaluation(op, values, s);
        std::optional<bool> value = evaluation.takesElement(op.getCombined()[values]),
                            index = evaluation.takesElement(op.getCombined()[1 - values]);
        isUnsigned |= evaluation.areValuesUnsigned;
        isSigned |= evaluation.areValuesSigned;
        std::optional<bool> right = wanted(s, isMaximum);
        return value && index && *value == *index && (!right || *right == *value);
      });
      if (isIt && !(isSigned && isUnsigned))
        return FoldedExtreme{values, isMaximum, isUnsigned};
    }
  }
  return std::nullopt;
}

} // namespace tessera::tile
