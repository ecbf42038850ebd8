// Bounds of integers and of the elements of tiles, by walking up the definitions of a value.
// Conditions that are known to hold at the use of the value bound the values they compare, wherever
// the walk meets them.
#include "plan/analysis/Facts.h"
#include "plan/analysis/Reach.h"

#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/InferIntRangeInterface.h"
#include "tile/Counters.h"
#include "tile/TileDialect.h"
#include <algorithm>

using namespace mlir;

namespace tessera::plan {

namespace {

Range everyValue(Value v) {
  unsigned bits = std::min(tile::elementType(v.getType()).getIntOrFloatBitWidth(), 64u);
  return {APInt::getSignedMinValue(bits).getSExtValue(),
          APInt::getSignedMaxValue(bits).getSExtValue()};
}

// What MLIR infers of the result of an operation on integers from the bounds of its operands, and
// from the promise that it does not wrap (nsw), if it has one.
std::optional<Range> inferred(Operation *op, function_ref<Range(Value)> rangeOfOperand) {
  auto interface = dyn_cast<InferIntRangeInterface>(op);
  if (!interface || op->getNumResults() != 1)
    return std::nullopt;
  SmallVector<ConstantIntRanges> operands;
  for (Value operand : op->getOperands()) {
    auto type = dyn_cast<IntegerType>(operand.getType());
    if (!type || type.getWidth() > 64)
      return std::nullopt;
    const Range known = rangeOfOperand(operand);
    if (known.low > known.high) // where no code runs
      return std::nullopt;
    auto number = [&](int64_t n) { return APInt(type.getWidth(), uint64_t(n), /*isSigned=*/true); };
    operands.push_back(ConstantIntRanges::fromSigned(number(known.low), number(known.high)));
  }
  std::optional<Range> result;
  interface.inferResultRanges(operands, [&](Value, const ConstantIntRanges &found) {
    result = {found.smin().getSExtValue(), found.smax().getSExtValue()};
  });
  return result;
}

using Conditions = ArrayRef<Condition>;

Range range(Value v, Reach reach, Conditions given);

// x's range where `x predicate y` holds; unchanged for a contradiction.
Range narrowed(Range x, arith::CmpIPredicate predicate, Range y) {
  using enum arith::CmpIPredicate;
  constexpr int64_t minimum = std::numeric_limits<int64_t>::min(),
                    greatest = std::numeric_limits<int64_t>::max();
  Range allowed{minimum, greatest};
  switch (predicate) {
  case slt: allowed.high = std::max(y.high, minimum + 1) - 1; break;
  case sle: allowed.high = y.high; break;
  case sgt: allowed.low = std::min(y.low, greatest - 1) + 1; break;
  case sge: allowed.low = y.low; break;
  case eq: allowed = y; break;
  case ult:
    if (y.low > 0) // so that it holds for unsigned numbers, too
      allowed = {0, y.high - 1};
    break;
  case ule:
    if (y.low >= 0)
      allowed = {0, y.high};
    break;
  default: break;
  }
  Range both{std::max(x.low, allowed.low), std::min(x.high, allowed.high)};
  return both.low <= both.high ? both : x;
}

Range narrowedBy(Condition condition, Value x, Range known, Reach reach) {
  if (!reach.goesOn())
    return known;
  auto byBoth = [&](auto op) {
    return narrowedBy({op.getRhs(), condition.holds}, x,
                      narrowedBy({op.getLhs(), condition.holds}, x, known, reach), reach);
  };
  if (auto both = condition.value.getDefiningOp<arith::AndIOp>(); both && condition.holds)
    return byBoth(both);
  if (auto either = condition.value.getDefiningOp<arith::OrIOp>(); either && !condition.holds)
    return byBoth(either);
  std::optional<tile::Relation> relation = tile::relationOf(condition.value, condition.holds);
  if (relation && relation->left != x)
    relation = relation->mirrored();
  if (!relation || relation->left != x)
    return known;
  return narrowed(known, relation->predicate, range(relation->right, reach, {}));
}

Range rangeOfInductionVar(BlockArgument argument, Range otherwise, Reach reach, Conditions given) {
  auto loop = dyn_cast_or_null<scf::ForOp>(argument.getOwner()->getParentOp());
  if (!loop || argument != loop.getInductionVar() || loop.getUnsignedCmp() ||
      range(loop.getStep(), reach, given).low < 1)
    return otherwise;
  // The body runs only below the upper bound, and for whole steps from a constant.
  Range lower = range(loop.getLowerBound(), reach, given),
        step = range(loop.getStep(), reach, given);
  int64_t last = std::max(range(loop.getUpperBound(), reach, given).high, otherwise.low + 1) - 1;
  int64_t distance;
  if (lower.low == lower.high && step.low == step.high && last > lower.low &&
      !llvm::SubOverflow(last, lower.low, distance))
    last -= distance % step.low;
  return {lower.low, last};
}

// Bounds of a multiple of the divisor: of indices that start at multiples of a tile's extent, as
// blocks' do, the largest start is a multiple, too.
Range multipleIn(Range x, int64_t divisor) {
  const int64_t high = x.high / divisor * divisor;
  return x.low >= 0 && x.low <= high ? Range{x.low, high} : x;
}

// Every value where the sum may wrap.
Range sum(Range x, Range y, Range all) {
  Range both;
  const bool mayWrap = llvm::AddOverflow(x.low, y.low, both.low) ||
                       llvm::AddOverflow(x.high, y.high, both.high) || both.low < all.low ||
                       both.high > all.high;
  return mayWrap ? all : both;
}

Range rangeOfDefinition(Value v, Reach reach, Conditions given);

Range range(Value v, Reach reach, Conditions given) {
  Range known = rangeOfDefinition(v, reach, given);
  for (Condition condition : given)
    known = narrowedBy(condition, v, known, reach);
  return known;
}

Range rangeOfDefinition(Value v, Reach reach, Conditions given) {
  const auto integer = dyn_cast<IntegerType>(tile::elementType(v.getType()));
  if (!integer || integer.getWidth() > 64)
    return {std::numeric_limits<int64_t>::min(), std::numeric_limits<int64_t>::max()};
  Range all = everyValue(v);
  APInt constant;
  if (matchPattern(v, m_ConstantInt(&constant)))
    return {constant.getSExtValue(), constant.getSExtValue()};
  if (!reach.goesOn())
    return all;
  if (auto argument = dyn_cast<BlockArgument>(v))
    return rangeOfInductionVar(argument, all, reach, given);
  return TypeSwitch<Operation *, Range>(v.getDefiningOp())
      .Case([&](tile::AssumeOp op) {
        Range x = range(op.getX(), reach, given);
        // Bounds of an unsigned number beyond those of a signed one say nothing here.
        if (!op.getLow() || !op.getHigh() || int64_t(*op.getHigh()) > all.high)
          return x;
        Range y{std::max(x.low, int64_t(*op.getLow())), std::min(x.high, int64_t(*op.getHigh()))};
        return y.low <= y.high ? y : x;
      })
      .Case([&](tile::BlockIndexOp) { return Range{0, all.high}; })
      .Case([&](tile::GridSizeOp) { return Range{1, all.high}; })
      .Case([&](tile::WarpgroupIndexOp) { return Range{0, 3}; })
      .Case([&](tile::SplatOp op) {
        return multipleIn(range(op.getX(), reach, given), divisorOf(op.getX()));
      })
      .Case([&](tile::IotaOp op) {
        const int64_t last = ShapedType::getNumElements(tile::shapeOf(op.getType())) - 1;
        return last <= all.high ? Range{0, last} : all;
      })
      .Case<tile::BroadcastOp, tile::ReshapeOp, tile::PermuteOp>(
          [&](auto op) { return range(op.getX(), reach, given); })
      .Case([&](tile::BinaryOp op) {
        if (op.getKind() == tile::BinaryKind::add)
          return sum(range(op.getX(), reach, given), range(op.getY(), reach, given), all);
        if (op.getKind() != tile::BinaryKind::ceildiv || op.getIsUnsigned())
          return all;
        Range x = range(op.getX(), reach, given), y = range(op.getY(), reach, given);
        if (y.low <= 0)
          return all;
        return Range{x.low / (x.low < 0 ? y.low : y.high),
                     x.high > 0 ? (x.high - 1) / y.low + 1 : x.high / y.high};
      })
      .Case([&](arith::SelectOp op) {
        // Each value counts only where the condition chooses it.
        SmallVector<Condition> chosen(given), otherwise(given);
        chosen.push_back({op.getCondition(), true});
        otherwise.push_back({op.getCondition(), false});
        Range x = range(op.getTrueValue(), reach, chosen),
              y = range(op.getFalseValue(), reach, otherwise);
        return Range{std::min(x.low, y.low), std::max(x.high, y.high)};
      })
      .Default([&](Operation *op) {
        return inferred(op, [&](Value operand) { return range(operand, reach, given); })
            .value_or(all);
      });
}

} // namespace

Range rangeOf(Value integer, ArrayRef<Condition> given) {
  int steps = stepsOfWalk;
  return range(integer, Reach(steps), given);
}

SmallVector<Condition> conditionsOf(Operation *op) {
  SmallVector<Condition> conditions;
  if (auto copy = dyn_cast<tile::CopyAsyncOp>(op); copy && copy.getWhen())
    conditions.push_back({copy.getWhen(), true});
  for (Operation *inner = op; auto around = inner->getParentOp(); inner = around)
    if (auto branch = dyn_cast<scf::IfOp>(around))
      conditions.push_back({branch.getCondition(), inner->getBlock() == branch.thenBlock()});
  return conditions;
}

} // namespace tessera::plan
