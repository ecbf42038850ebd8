// One form of the comparisons of arith and of the tile dialect; see Comparisons.h.
#include "tile/Comparisons.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace tessera::tile {

namespace {

struct ComparedIntegers {
  Value x, y;
  bool isUnsigned;
};

ComparedIntegers comparedBy(arith::CmpIOp op) {
  Value x = op.getLhs(), y = op.getRhs();
  const bool isUnsigned = op.getPredicate() >= arith::CmpIPredicate::ult;
  auto areOf = [&](auto a, auto b) { return a && b && a.getIn().getType() == b.getIn().getType(); };
  if (auto a = x.getDefiningOp<arith::ExtUIOp>(), b = y.getDefiningOp<arith::ExtUIOp>();
      areOf(a, b))
    return {a.getIn(), b.getIn(), /*isUnsigned=*/true};
  if (auto a = x.getDefiningOp<arith::ExtSIOp>(), b = y.getDefiningOp<arith::ExtSIOp>();
      areOf(a, b) && !isUnsigned)
    return {a.getIn(), b.getIn(), /*isUnsigned=*/false};
  return {x, y, isUnsigned};
}

Comparison comparisonOf(arith::CmpFOp op) {
  using P = arith::CmpFPredicate;
  const P predicate = op.getPredicate();
  Comparison result{op.getLhs(), op.getRhs(), std::nullopt,
                    predicate >= P::UEQ && predicate <= P::UNO};
  switch (predicate) {
  case P::OEQ:
  case P::UEQ: result.kind = CompareKind::eq; break;
  case P::ONE:
  case P::UNE: result.kind = CompareKind::ne; break;
  case P::OLT:
  case P::ULT: result.kind = CompareKind::lt; break;
  case P::OLE:
  case P::ULE: result.kind = CompareKind::le; break;
  case P::OGT:
  case P::UGT: result.kind = CompareKind::gt; break;
  case P::OGE:
  case P::UGE: result.kind = CompareKind::ge; break;
  default: break;
  }
  return result;
}

Comparison comparisonOf(arith::CmpIOp op) {
  using P = arith::CmpIPredicate;
  auto [x, y, isUnsigned] = comparedBy(op);
  Comparison result{x, y, CompareKind::eq, false, isUnsigned};
  switch (op.getPredicate()) {
  case P::eq: result.kind = CompareKind::eq; break;
  case P::ne: result.kind = CompareKind::ne; break;
  case P::slt:
  case P::ult: result.kind = CompareKind::lt; break;
  case P::sle:
  case P::ule: result.kind = CompareKind::le; break;
  case P::sgt:
  case P::ugt: result.kind = CompareKind::gt; break;
  case P::sge:
  case P::uge: result.kind = CompareKind::ge; break;
  }
  return result;
}

} // namespace

std::optional<Comparison> comparisonOf(Operation *op) {
  if (auto compare = dyn_cast<arith::CmpFOp>(op))
    return comparisonOf(compare);
  if (auto compare = dyn_cast<arith::CmpIOp>(op))
    return comparisonOf(compare);
  if (auto compare = dyn_cast<CompareOp>(op))
    return Comparison{compare.getX(), compare.getY(), compare.getKind(),
                      compare.getKind() == CompareKind::ne, compare.getIsUnsigned()};
  auto classify = dyn_cast<ClassifyOp>(op);
  if (classify && classify.getKind() == ClassifyKind::isnan)
    return Comparison{classify.getX(), classify.getX(), std::nullopt, true};
  return std::nullopt;
}

Selection selectionOf(Value value) {
  if (auto select = value.getDefiningOp<arith::SelectOp>())
    return {select.getCondition(), select.getTrueValue(), select.getFalseValue()};
  if (auto select = value.getDefiningOp<SelectOp>())
    return {select.getMask(), select.getX(), select.getY()};
  return {};
}

} // namespace tessera::tile
