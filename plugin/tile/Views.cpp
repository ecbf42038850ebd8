#include "tile/Views.h"

using namespace mlir;

namespace tessera::tile {

FloatAttr numberOf(Padding padding, FloatType element) {
  const llvm::fltSemantics &semantics = element.getFloatSemantics();
  const bool isNegative = APFloat::semanticsHasSignedRepr(semantics) &&
                          (padding == Padding::negative_inf || padding == Padding::negative_zero);
  auto number = [&]() -> APFloat {
    switch (padding) {
    case Padding::zero:
    case Padding::negative_zero:
      return APFloat::semanticsHasZero(semantics) ? APFloat::getZero(semantics, isNegative)
                                                  : APFloat::getSmallest(semantics);
    case Padding::positive_inf:
    case Padding::negative_inf:
      return APFloat::semanticsHasInf(semantics) ? APFloat::getInf(semantics, isNegative)
                                                 : APFloat::getLargest(semantics, isNegative);
    case Padding::nan:
      return APFloat::semanticsHasNaN(semantics) ? APFloat::getQNaN(semantics)
                                                 : APFloat::getLargest(semantics);
    }
    llvm_unreachable("a padding");
  };
  return FloatAttr::get(element, number());
}

Value alongAllOthers(OpBuilder &b, Location loc, Value line, size_t dim, ArrayRef<int64_t> shape) {
  Type element = elementType(line.getType());
  SmallVector<int64_t> ones(shape.size(), 1);
  ones[dim] = shape[dim];
  line = b.createOrFold<ReshapeOp>(loc, RankedTensorType::get(ones, element), line);
  auto whole = RankedTensorType::get(shape, element);
  return line.getType() == whole ? line : Value(BroadcastOp::create(b, loc, whole, line));
}

} // namespace tessera::tile
