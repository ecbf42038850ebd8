#include "tile/Counters.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace tessera::tile {

Relation Relation::mirrored() const {
  using enum arith::CmpIPredicate;
  constexpr arith::CmpIPredicate others[] = {eq, ne, sgt, sge, slt, sle, ugt, uge, ult, ule};
  return {others[static_cast<unsigned>(predicate)], right, left};
}

std::optional<Relation> relationOf(Value condition, bool isTrue) {
  while (auto flip = condition.getDefiningOp<arith::XOrIOp>()) {
    if (!matchPattern(flip.getRhs(), m_One()))
      return std::nullopt;
    condition = flip.getLhs();
    isTrue = !isTrue;
  }
  auto compare = condition.getDefiningOp<arith::CmpIOp>();
  if (!compare)
    return std::nullopt;
  return Relation{isTrue ? compare.getPredicate() : arith::invertPredicate(compare.getPredicate()),
                  compare.getLhs(), compare.getRhs()};
}

std::optional<Advance> advanceOf(Value next, function_ref<bool(Value)> isCounter) {
  Operation *op = next.getDefiningOp();
  if (!isa_and_present<arith::AddIOp, arith::SubIOp>(op))
    return std::nullopt;
  const bool isDown = isa<arith::SubIOp>(op), isFirst = isCounter(op->getOperand(0));
  if (!isFirst && (isDown || !isCounter(op->getOperand(1))))
    return std::nullopt;
  const auto flags =
      cast<arith::ArithIntegerOverflowFlagsInterface>(op).getOverflowAttr().getValue();
  return Advance{op->getOperand(isFirst ? 1 : 0), isDown,
                 bitEnumContainsAll(flags, arith::IntegerOverflowFlags::nsw),
                 bitEnumContainsAll(flags, arith::IntegerOverflowFlags::nuw)};
}

} // namespace tessera::tile
