// Arithmetic on floats that cheaper operations do as exactly:
//
//   pow(x, 2)                              ->  x * x; of float and double whole exponents up to 4
//   cast<f32>(cast<f64>(x) + cast<f64>(y)) ->  x + y; also -, * and /
//
// The second rule holds since a double has more than twice the bits of a float and two more: the
// first of two roundings never makes a tie for the second (S. Figueroa, "When is double rounding
// innocuous?", 1995). Programs write both without meaning to: `x ** 2` of cuTile Python is a power
// in double.
#include "tile/TileDialect.h"

#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;

namespace tessera::tile {

namespace {

// Does the result have the elements of its operand, as far as these are small whole numbers? Not
// all elements of few bits can be 2, 3 and 4.
bool keepsSmallNumbers(Operation *op) {
  if (auto cast = dyn_cast_or_null<CastOp>(op)) {
    Type type = elementType(cast.getType());
    return type.getIntOrFloatBitWidth() >= (isa<FloatType>(type) ? 16 : 8);
  }
  return isa_and_present<SplatOp, BroadcastOp, ReshapeOp, PermuteOp>(op);
}

// The whole number in [2, 4] that all elements are.
std::optional<int64_t> smallWholeNumber(Value v) {
  while (keepsSmallNumbers(v.getDefiningOp()))
    v = v.getDefiningOp()->getOperand(0);
  auto within = [](double n) { return n == 2 || n == 3 || n == 4; };
  APFloat number(0.0);
  if (matchPattern(v, m_ConstantFloat(&number))) {
    const double n = number.convertToDouble();
    return within(n) ? std::optional(int64_t(n)) : std::nullopt;
  }
  APInt whole;
  if (!matchPattern(v, m_ConstantInt(&whole)) || whole.getBitWidth() < 4 || whole.ugt(4))
    return std::nullopt;
  return within(double(whole.getZExtValue())) ? std::optional(int64_t(whole.getZExtValue()))
                                              : std::nullopt;
}

// The float that a conversion to double widens.
Value widenedFloat(Value v) {
  auto cast = v.getDefiningOp<CastOp>();
  return cast && elementType(cast.getType()).isF64() && elementType(cast.getX().getType()).isF32()
             ? cast.getX()
             : Value();
}

bool isExactInFloat(BinaryKind kind) {
  switch (kind) {
  case BinaryKind::add:
  case BinaryKind::sub:
  case BinaryKind::mul:
  case BinaryKind::div: return true;
  default: return false;
  }
}

} // namespace

LogicalResult BinaryOp::canonicalize(BinaryOp op, PatternRewriter &rewriter) {
  if (op.getKind() != BinaryKind::pow || op.getFlush() ||
      !isa<FloatType>(elementType(op.getType())))
    return failure();
  const std::optional<int64_t> exponent = smallWholeNumber(op.getY());
  // Powers of smaller floats are rounded once, as one product is.
  if (!exponent || (*exponent > 2 && elementType(op.getType()).getIntOrFloatBitWidth() < 32))
    return failure();
  auto product = [&](Value x, Value y) -> Value {
    return BinaryOp::create(rewriter, op.getLoc(), op.getType(), BinaryKind::mul, x, y,
                            Rounding::nearest, /*flush=*/false, /*isUnsigned=*/false);
  };
  Value square = product(op.getX(), op.getX());
  rewriter.replaceOp(op, *exponent == 2   ? square
                         : *exponent == 3 ? product(square, op.getX())
                                          : product(square, square));
  return success();
}

LogicalResult CastOp::canonicalize(CastOp op, PatternRewriter &rewriter) {
  auto wide = op.getX().getDefiningOp<BinaryOp>();
  if (!wide || !elementType(op.getType()).isF32() || !elementType(wide.getType()).isF64() ||
      !isExactInFloat(wide.getKind()) || wide.getFlush() ||
      wide.getRounding() != Rounding::nearest || op.getRounding() != Rounding::nearest)
    return failure();
  Value x = widenedFloat(wide.getX()), y = widenedFloat(wide.getY());
  if (!x || !y)
    return failure();
  rewriter.replaceOpWithNewOp<BinaryOp>(op, op.getType(), wide.getKind(), x, y, Rounding::nearest,
                                        /*flush=*/false, /*isUnsigned=*/false);
  return success();
}

} // namespace tessera::tile
