#include "plan/analysis/RowPadding.h"

#include "plan/analysis/Facts.h"

#include "llvm/ADT/TypeSwitch.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace tessera::plan {

namespace {

TypedAttr number(Type element, const APFloat &value) { return FloatAttr::get(element, value); }

// A padding that is a float.
struct PaddedFloat {
  APFloat value;
  bool orAllNaN;

  static std::optional<PaddedFloat> of(const std::optional<PaddedWith> &padding) {
    if (!padding || !isa<FloatAttr>(padding->value))
      return std::nullopt;
    return PaddedFloat{cast<FloatAttr>(padding->value).getValue(), padding->orAllNaN};
  }
  bool isNegativeInfinity() const { return value.isInfinity() && value.isNegative(); }
  bool isOrdinary() const { return value.isFinite() && !value.isZero(); }
};

PaddedWith padded(Type element, const APFloat &value, bool orAllNaN) {
  return {number(element, value), orAllNaN};
}

// The number of a splat of a constant.
TypedAttr constantElement(Value tile) {
  Attribute attribute;
  if (auto splat = tile.getDefiningOp<tile::SplatOp>())
    return matchPattern(splat.getX(), m_Constant(&attribute)) ? dyn_cast<TypedAttr>(attribute)
                                                              : TypedAttr();
  if (!matchPattern(tile, m_Constant(&attribute)))
    return {};
  auto elements = dyn_cast<DenseElementsAttr>(attribute);
  return elements && elements.isSplat() ? dyn_cast<TypedAttr>(elements.getSplatValue<Attribute>())
                                        : TypedAttr();
}

TypedAttr paddingOf(tile::ViewLoadOp load) {
  Type element = tile::elementType(load.getType());
  auto type = dyn_cast<FloatType>(element);
  if (!type)
    return isa<IntegerType>(element) && load.getPadding() == tile::Padding::zero
               ? TypedAttr(IntegerAttr::get(element, 0))
               : TypedAttr();
  const llvm::fltSemantics &semantics = type.getFloatSemantics();
  switch (load.getPadding()) {
  case tile::Padding::zero: return number(element, APFloat::getZero(semantics));
  case tile::Padding::negative_zero:
    return number(element, APFloat::getZero(semantics, /*Negative=*/true));
  case tile::Padding::positive_inf:
  case tile::Padding::negative_inf:
    if (!APFloat::semanticsHasInf(semantics))
      return {};
    return number(element,
                  APFloat::getInf(semantics, load.getPadding() == tile::Padding::negative_inf));
  case tile::Padding::nan: return {};
  }
  llvm_unreachable("no such padding");
}

// The reduction of whole rows whose result this is, through what warps exchange; null if it is not
// the result of one.
tile::ReduceOp wholeReductionOf(Value rows) {
  auto last = rows.getDefiningOp<tile::ReduceOp>();
  auto load = last ? last.getX().getDefiningOp<tile::SharedLoadOp>() : tile::SharedLoadOp();
  if (!load)
    return last;
  tile::ReduceOp first;
  for (Operation *user : load.getShared().getUsers()) {
    auto store = dyn_cast<tile::SharedStoreOp>(user);
    if (!store)
      continue;
    auto partial = store.getValue().getDefiningOp<tile::ReduceOp>();
    if (first || !partial || partial.getKind() != last.getKind())
      return {};
    first = partial;
  }
  return first;
}

// Is it the maximum of x, for all elements of a row?
bool isMaximumOf(Value y, Value x) {
  auto broadcast = y.getDefiningOp<tile::BroadcastOp>();
  tile::ReduceOp reduce = broadcast ? wholeReductionOf(broadcast.getX()) : tile::ReduceOp();
  return reduce && reduce.getX() == x && !reduce.getIndices() &&
         (reduce.getKind() == tile::ReduceKind::max ||
          reduce.getKind() == tile::ReduceKind::max_nan) &&
         int64_t(reduce.getDim()) == cast<RankedTensorType>(x.getType()).getRank() - 1;
}

// The tile whose elements are numbered by their columns: an iota of one row, in rotated rows the
// number of the slot less the shift.
bool isColumnNumber(Value tile) {
  if (auto broadcast = tile.getDefiningOp<tile::BroadcastOp>())
    return isColumnNumber(broadcast.getX());
  if (auto rotated = tile.getDefiningOp<tile::BinaryOp>();
      rotated && rotated.getKind() == tile::BinaryKind::bit_and) {
    auto moved = rotated.getX().getDefiningOp<tile::BinaryOp>();
    TypedAttr mask = constantElement(rotated.getY());
    const int64_t slots = cast<RankedTensorType>(tile.getType()).getNumElements();
    auto by = moved ? moved.getY().getDefiningOp<tile::SplatOp>() : tile::SplatOp();
    Operation *shift = by ? by.getX().getDefiningOp() : nullptr;
    if (isa_and_nonnull<arith::ExtSIOp, arith::TruncIOp>(shift)) // it is small
      shift = shift->getOperand(0).getDefiningOp();
    return isa_and_nonnull<arith::MaxSIOp>(shift) &&
           shift->getOperand(0).getDefiningOp<tile::RowShiftOp>() && mask &&
           cast<IntegerAttr>(mask).getValue().getZExtValue() == uint64_t(slots - 1) &&
           moved.getKind() == tile::BinaryKind::sub && isColumnNumber(moved.getX());
  }
  auto type = cast<RankedTensorType>(tile.getType());
  return tile.getDefiningOp<tile::IotaOp>() && type.getNumElements() == type.getShape().back();
}

} // namespace

Value lengthBehind(Value length) {
  auto isWide = [](Value v) { return v.getType().getIntOrFloatBitWidth() >= 32; };
  while (Operation *op = length.getDefiningOp()) {
    const bool isSame =
        isa<arith::ExtUIOp, tile::AssumeOp>(op) ||
        (isa<arith::ExtSIOp, arith::TruncIOp>(op) && isWide(length) && isWide(op->getOperand(0)));
    if (!isSame)
      break;
    length = op->getOperand(0);
  }
  return length;
}

std::optional<PaddedWith> RowPadding::of(Value tile) {
  auto found = known.find(tile);
  if (found != known.end())
    return found->second;
  known[tile] = std::nullopt;
  return known[tile] = compute(tile);
}

std::optional<PaddedWith> RowPadding::compute(Value tile) {
  if (TypedAttr constant = constantElement(tile))
    return PaddedWith{constant};
  Operation *op = tile.getDefiningOp();
  if (!op)
    return std::nullopt;
  return llvm::TypeSwitch<Operation *, std::optional<PaddedWith>>(op)
      .Case([&](tile::ViewLoadOp load) -> std::optional<PaddedWith> {
        TypedAttr padding = paddingOf(load);
        return padding ? std::optional(PaddedWith{padding}) : std::nullopt;
      })
      .Case([&](tile::BroadcastOp broadcast) -> std::optional<PaddedWith> {
        const bool isRow = tile::shapeOf(broadcast.getX().getType()).back() ==
                           tile::shapeOf(broadcast.getType()).back();
        return isRow ? of(broadcast.getX()) : std::nullopt;
      })
      .Case([&](tile::UnaryOp unary) { return computeUnary(unary); })
      .Case([&](tile::BinaryOp binary) { return computeBinary(binary); })
      .Case([&](tile::CastOp convert) { return computeCast(convert); })
      .Case([&](tile::CompareOp compare) { return computeCompare(compare); })
      .Case([&](tile::SelectOp select) { return computeSelect(select); })
      .Default([](Operation *) { return std::nullopt; });
}

std::optional<PaddedWith> RowPadding::computeUnary(tile::UnaryOp op) {
  std::optional<PaddedFloat> x = PaddedFloat::of(of(op.getX()));
  if (!x)
    return std::nullopt;
  Type element = tile::elementType(op.getType());
  const llvm::fltSemantics &semantics = x->value.getSemantics();
  switch (op.getKind()) {
  case tile::UnaryKind::exp:
  case tile::UnaryKind::exp2:
    if (x->isNegativeInfinity())
      return padded(element, APFloat::getZero(semantics), x->orAllNaN);
    if (x->value.isZero())
      return padded(element, APFloat::getOne(semantics), x->orAllNaN);
    return std::nullopt;
  case tile::UnaryKind::neg: x->value.changeSign(); return padded(element, x->value, x->orAllNaN);
  case tile::UnaryKind::abs: x->value.clearSign(); return padded(element, x->value, x->orAllNaN);
  default: return std::nullopt;
  }
}

std::optional<PaddedWith> RowPadding::computeBinary(tile::BinaryOp op) {
  std::optional<PaddedFloat> x = PaddedFloat::of(of(op.getX()));
  if (!x)
    return std::nullopt;
  Type element = tile::elementType(op.getType());
  // -inf less the row's maximum: -inf, or NaN in the whole row where the maximum is -inf itself.
  if (op.getKind() == tile::BinaryKind::sub && x->isNegativeInfinity() &&
      isMaximumOf(op.getY(), op.getX()))
    return padded(element, x->value, /*orAllNaN=*/true);
  std::optional<PaddedFloat> y = PaddedFloat::of(of(op.getY()));
  // Results that another rounding would change are not numbers like 0 or -inf.
  if (!y || (x->isOrdinary() && y->isOrdinary()))
    return std::nullopt;
  APFloat value = x->value;
  constexpr APFloat::roundingMode nearest = APFloat::rmNearestTiesToEven;
  switch (op.getKind()) {
  case tile::BinaryKind::add: value.add(y->value, nearest); break;
  case tile::BinaryKind::sub: value.subtract(y->value, nearest); break;
  case tile::BinaryKind::mul: value.multiply(y->value, nearest); break;
  default: return std::nullopt;
  }
  if (value.isNaN())
    return std::nullopt;
  return padded(element, value, x->orAllNaN || y->orAllNaN);
}

std::optional<PaddedWith> RowPadding::computeCast(tile::CastOp op) {
  std::optional<PaddedFloat> x = PaddedFloat::of(of(op.getX()));
  auto type = dyn_cast<FloatType>(tile::elementType(op.getType()));
  if (!x || !type || x->isOrdinary() ||
      (x->value.isInfinity() && !APFloat::semanticsHasInf(type.getFloatSemantics())))
    return std::nullopt;
  bool losesInfo = false;
  x->value.convert(type.getFloatSemantics(), APFloat::rmNearestTiesToEven, &losesInfo);
  return padded(type, x->value, x->orAllNaN);
}

// Columns are inside where their numbers are below that of the columns, and padding is not.
std::optional<PaddedWith> RowPadding::computeCompare(tile::CompareOp op) {
  auto isEnd = [&](Value tile) {
    while (auto broadcast = tile.getDefiningOp<tile::BroadcastOp>())
      tile = broadcast.getX();
    auto splat = tile.getDefiningOp<tile::SplatOp>();
    return splat && llvm::is_contained(ends, lengthBehind(splat.getX()));
  };
  const bool isNumberFirst = isColumnNumber(op.getX()) && isEnd(op.getY()),
             isEndFirst = isEnd(op.getX()) && isColumnNumber(op.getY());
  auto said = [&](bool isTrue) {
    return PaddedWith{IntegerAttr::get(IntegerType::get(op.getContext(), 1), isTrue)};
  };
  using Kind = tile::CompareKind;
  if ((isNumberFirst && op.getKind() == Kind::lt) || (isEndFirst && op.getKind() == Kind::gt))
    return said(false);
  if ((isNumberFirst && op.getKind() == Kind::ge) || (isEndFirst && op.getKind() == Kind::le))
    return said(true);
  return std::nullopt;
}

std::optional<PaddedWith> RowPadding::computeSelect(tile::SelectOp op) {
  std::optional<PaddedWith> mask = of(op.getMask());
  if (!mask || mask->orAllNaN)
    return std::nullopt;
  std::optional<PaddedWith> chosen =
      of(cast<IntegerAttr>(mask->value).getValue().isZero() ? op.getY() : op.getX());
  // What the columns have comes from the other tile.
  return chosen && !chosen->orAllNaN ? chosen : std::nullopt;
}

TypedAttr RowPadding::reduced(tile::ReduceOp reduce) {
  std::optional<PaddedWith> padding = of(reduce.getX());
  if (!padding || reduce.getIndices())
    return {};
  auto real = dyn_cast<FloatAttr>(padding->value);
  const bool isZero =
      real ? real.getValue().isPosZero() : cast<IntegerAttr>(padding->value).getValue().isZero();
  using Kind = tile::ReduceKind;
  switch (reduce.getKind()) {
  case Kind::sum: return isZero ? padding->value : TypedAttr();
  case Kind::max:
  case Kind::min:
  case Kind::max_nan:
  case Kind::min_nan: return padding->orAllNaN ? TypedAttr() : padding->value;
  case Kind::bit_or:
  case Kind::bit_and: return padding->value;
  case Kind::prod:
  case Kind::bit_xor:
  case Kind::argmax:
  case Kind::argmin: return {};
  }
  llvm_unreachable("no such reduction");
}

} // namespace tessera::plan
