// Operations on each element. Bytecode has signless integers, of which the operation says how it
// reads them; a signed i1 has the values 0 and -1.
#include "tileir/Kernel.h"

using namespace mlir;

namespace tessera::tileir {

std::optional<tile::Rounding> roundingOf(const Op &op) {
  switch (op.word<Rounding>("rounding")) {
  case Rounding::NearestEven: return tile::Rounding::nearest;
  case Rounding::Zero: return tile::Rounding::toward_zero;
  case Rounding::NegativeInf: return tile::Rounding::toward_negative;
  case Rounding::PositiveInf: return tile::Rounding::toward_positive;
  case Rounding::Approx: return tile::Rounding::approximate;
  case Rounding::Full: return tile::Rounding::full;
  default: return std::nullopt;
  }
}

namespace {

using tile::BinaryKind;
using tile::CompareKind;
using tile::UnaryKind;

struct Modes {
  tile::Rounding rounding = tile::Rounding::nearest;
  bool flush = false;
};

std::optional<Modes> modesOf(Kernel &kernel, const Op &op) {
  Modes modes;
  for (const AttributeFormat &attribute : op.format->attributes) {
    if (attribute.name == "ftz")
      modes.flush = op.flag("ftz");
    if (attribute.name != "rounding")
      continue;
    std::optional<tile::Rounding> rounding = roundingOf(op);
    if (!rounding)
      return kernel.refuse(op, "the rounding mode of '" + op.format->name + "'");
    modes.rounding = *rounding;
  }
  return modes;
}

bool isUnsigned(const Op &op) { return op.word<Signedness>("signedness") == Signedness::Unsigned; }

bool isTruth(MlirValue value) { return tile::elementType(value.getType()).isInteger(1); }

template <UnaryKind kind> LogicalResult unary(Kernel &kernel, const Op &op) {
  MlirValue x = kernel.operand(op, "x");
  std::optional<Modes> modes = modesOf(kernel, op);
  if (!modes)
    return failure();
  bool isIdentity = isTruth(x); // of -x and of |x|
  kernel.define(op, isIdentity ? x
                               : MlirValue(tile::UnaryOp::create(kernel.builder, x.getType(), kind,
                                                                 x, modes->rounding, modes->flush,
                                                                 /*isUnsigned=*/false)));
  return success();
}

template <BinaryKind kind> LogicalResult binary(Kernel &kernel, const Op &op) {
  MlirValue a = kernel.operand(op, "a"), b = kernel.operand(op, "b");
  std::optional<Modes> modes = modesOf(kernel, op);
  if (!modes)
    return failure();
  kernel.define(op, tile::BinaryOp::create(kernel.builder, a.getType(), kind, a, b, modes->rounding,
                                           modes->flush, /*isUnsigned=*/false));
  return success();
}

template <BinaryKind kind, BinaryKind ofTruth>
LogicalResult wrapping(Kernel &kernel, const Op &op) {
  MlirValue a = kernel.operand(op, "a"), b = kernel.operand(op, "b");
  kernel.define(op, kernel.binary(isTruth(a) ? ofTruth : kind, a, b));
  return success();
}

// The extreme of truth values: a signed true is the least one.
template <BinaryKind kind, BinaryKind ofSignedTruth>
LogicalResult extreme(Kernel &kernel, const Op &op) {
  MlirValue a = kernel.operand(op, "a"), b = kernel.operand(op, "b");
  bool isSignedTruth = isTruth(a) && !isUnsigned(op);
  kernel.define(op, isSignedTruth ? kernel.binary(ofSignedTruth, a, b)
                                  : kernel.binary(kind, a, b, isUnsigned(op)));
  return success();
}

template <BinaryKind kind, BinaryKind ofNaN>
LogicalResult extremeFloat(Kernel &kernel, const Op &op) {
  MlirValue a = kernel.operand(op, "a"), b = kernel.operand(op, "b");
  kernel.define(op,
                tile::BinaryOp::create(kernel.builder, a.getType(), op.flag("nan") ? ofNaN : kind,
                                       a, b, tile::Rounding::nearest, op.flag("ftz"),
                                       /*isUnsigned=*/false));
  return success();
}

// The only divisor of a truth value is true, by which the quotient is the dividend.
LogicalResult divide(Kernel &kernel, const Op &op) {
  MlirValue a = kernel.operand(op, "a"), b = kernel.operand(op, "b");
  BinaryKind kind;
  switch (op.word<Rounding>("rounding")) {
  case Rounding::Zero: kind = BinaryKind::div; break;
  case Rounding::NegativeInf: kind = BinaryKind::floordiv; break;
  case Rounding::PositiveInf: kind = BinaryKind::ceildiv; break;
  default: return kernel.refuse(op, "the rounding mode of 'divi'");
  }
  kernel.define(op, isTruth(a) ? a : kernel.binary(kind, a, b, isUnsigned(op)));
  return success();
}

LogicalResult remainder(Kernel &kernel, const Op &op) {
  MlirValue a = kernel.operand(op, "a"), b = kernel.operand(op, "b");
  kernel.define(op, isTruth(a) ? kernel.constant(a.getType(), 0)
                               : kernel.binary(BinaryKind::rem, a, b, isUnsigned(op)));
  return success();
}

// The only count below the width of a truth value is 0.
template <BinaryKind kind> LogicalResult shift(Kernel &kernel, const Op &op) {
  MlirValue a = kernel.operand(op, "a"), b = kernel.operand(op, "b");
  bool isRight = kind == BinaryKind::shr;
  kernel.define(op, isTruth(a) ? a : kernel.binary(kind, a, b, isRight && isUnsigned(op)));
  return success();
}

LogicalResult highProduct(Kernel &kernel, const Op &op) {
  kernel.define(op, kernel.binary(BinaryKind::mulhi, kernel.operand(op, "a"),
                                  kernel.operand(op, "b"), /*isUnsigned=*/true));
  return success();
}

CompareKind kindOf(Predicate predicate) {
  switch (predicate) {
  case Predicate::Equal: return CompareKind::eq;
  case Predicate::NotEqual: return CompareKind::ne;
  case Predicate::Less: return CompareKind::lt;
  case Predicate::LessOrEqual: return CompareKind::le;
  case Predicate::Greater: return CompareKind::gt;
  case Predicate::GreaterOrEqual: break;
  }
  return CompareKind::ge;
}

CompareKind opposite(CompareKind kind) {
  switch (kind) {
  case CompareKind::eq: return CompareKind::ne;
  case CompareKind::ne: return CompareKind::eq;
  case CompareKind::lt: return CompareKind::ge;
  case CompareKind::le: return CompareKind::gt;
  case CompareKind::gt: return CompareKind::le;
  case CompareKind::ge: break;
  }
  return CompareKind::lt;
}

LogicalResult compareIntegers(Kernel &kernel, const Op &op) {
  MlirValue a = kernel.operand(op, "a"), b = kernel.operand(op, "b");
  if (a.getType() != b.getType())
    return kernel.reject(op, "compares operands of two types");
  bool isSignedTruth = isTruth(a) && !isUnsigned(op);
  if (isSignedTruth) // 0 and -1 in the other order
    std::swap(a, b);
  kernel.define(op, kernel.compare(kindOf(op.word<Predicate>("predicate")), a, b,
                                   isUnsigned(op) || isTruth(a)));
  return success();
}

// tile.compare is ordered, but for ne.
LogicalResult compareFloats(Kernel &kernel, const Op &op) {
  MlirValue a = kernel.operand(op, "a"), b = kernel.operand(op, "b");
  if (a.getType() != b.getType())
    return kernel.reject(op, "compares operands of two types");
  CompareKind kind = kindOf(op.word<Predicate>("predicate"));
  auto isLessOrGreater = [&] {
    MlirValue less = kernel.compare(CompareKind::lt, a, b);
    return kernel.binary(BinaryKind::bit_or, less, kernel.compare(CompareKind::gt, a, b));
  };
  bool isOrdered = op.word<Ordering>("ordering") == Ordering::Ordered;
  if (isOrdered)
    kernel.define(op, kind == CompareKind::ne ? isLessOrGreater() : kernel.compare(kind, a, b));
  else if (kind == CompareKind::ne)
    kernel.define(op, kernel.compare(kind, a, b));
  else if (kind == CompareKind::eq)
    kernel.define(op, kernel.complement(isLessOrGreater()));
  else
    kernel.define(op, kernel.complement(kernel.compare(opposite(kind), a, b)));
  return success();
}

LogicalResult fusedMultiplyAdd(Kernel &kernel, const Op &op) {
  std::optional<Modes> modes = modesOf(kernel, op);
  if (!modes)
    return failure();
  MlirValue a = kernel.operand(op, "a");
  kernel.define(op, tile::FmaOp::create(kernel.builder, a.getType(), a, kernel.operand(op, "b"),
                                        kernel.operand(op, "c"), modes->rounding, modes->flush));
  return success();
}

// A whole exponent is exact in double.
LogicalResult powerOfInteger(Kernel &kernel, const Op &op) {
  MlirValue a = kernel.operand(op, "a"), b = kernel.operand(op, "b");
  mlir::Type element = tile::elementType(a.getType()),
             wide = isa<Float64Type>(element) ||
                            tile::elementType(b.getType()).getIntOrFloatBitWidth() > 16
                        ? mlir::Type(kernel.builder.getF64Type())
                        : mlir::Type(kernel.builder.getF32Type());
  auto widened = [&](MlirValue x) {
    return tile::elementType(x.getType()) == wide ? x : kernel.cast(x, wide);
  };
  MlirValue power = kernel.binary(BinaryKind::pow, widened(a), widened(b));
  kernel.define(op, element == wide ? power : kernel.cast(power, element));
  return success();
}

LogicalResult select(Kernel &kernel, const Op &op) {
  MlirValue a = kernel.operand(op, "a"), b = kernel.operand(op, "b");
  if (a.getType() != b.getType())
    return kernel.reject(op, "selects from operands of two types");
  kernel.define(op, tile::SelectOp::create(kernel.builder, kernel.operand(op, "condition"), a, b));
  return success();
}

LogicalResult multiplyMatrices(Kernel &kernel, const Op &op) {
  bool isInteger = op.opcode() == Opcode::MmaI;
  auto isUnsignedSide = [&](StringRef side) {
    return isInteger && op.word<Signedness>(side) == Signedness::Unsigned;
  };
  MlirValue a = kernel.operand(op, "a"), b = kernel.operand(op, "b"), c = kernel.operand(op, "c");
  for (MlirValue tile : {a, b, c})
    if (tile::shapeOf(tile.getType()).size() < 2)
      return kernel.reject(op, "multiplies tiles of rank below 2");
  kernel.define(
      op, tile::MmaOp::create(kernel.builder, c.getType(), a, b, c, isUnsignedSide("signedness_a"),
                              isUnsignedSide("signedness_b"), !isInteger && op.flag("fast")));
  return success();
}

// Each scale in the elements that it belongs to: those of a block along dimension `dim`.
std::optional<MlirValue> spreadScale(Kernel &kernel, const Op &op, MlirValue scale, MlirValue tile,
                                     size_t dim) {
  ArrayRef<int64_t> from = tile::shapeOf(scale.getType()), to = tile::shapeOf(tile.getType());
  SmallVector<int64_t> whole(to);
  if (from.size() == to.size() && to[dim] % from[dim] == 0)
    whole[dim] = from[dim];
  if (from != ArrayRef(whole))
    return kernel.reject(op, "has scales of another shape than its operands");
  mlir::Type number = kernel.builder.getF32Type();
  if (!isa<FloatType>(tile::elementType(scale.getType())))
    return kernel.reject(op, "has scales that are no floats");
  SmallVector<int64_t> split(from), spread;
  split.insert(split.begin() + ptrdiff_t(dim) + 1, 1);
  spread = split;
  spread[dim + 1] = to[dim] / from[dim];
  MlirValue wide = kernel.reshaped(kernel.cast(scale, number), kernel.tileOf(number, split));
  if (split != spread)
    wide = tile::BroadcastOp::create(kernel.builder, kernel.tileOf(number, spread), wide);
  return kernel.reshaped(wide, kernel.tileOf(number, to));
}

// No GPU before sm_100 multiplies with scales: the operands are scaled as floats first.
LogicalResult multiplyScaled(Kernel &kernel, const Op &op) {
  MlirValue c = kernel.operand(op, "c"), scaled[2];
  size_t rank = tile::shapeOf(c.getType()).size();
  if (rank < 2 || !tile::elementType(c.getType()).isF32())
    return kernel.refuse(op, "'mmaf_scaled' that does not add to floats of 32 bits");
  for (int i = 0; i < 2; ++i) {
    MlirValue tile = kernel.operand(op, i ? "b" : "a");
    if (tile::shapeOf(tile.getType()).size() != rank ||
        !isa<FloatType>(tile::elementType(tile.getType())))
      return kernel.reject(op, "multiplies tiles of several ranks, or no floats");
    std::optional<MlirValue> scale = spreadScale(
        kernel, op, kernel.operand(op, i ? "scale_b" : "scale_a"), tile, i ? rank - 2 : rank - 1);
    if (!scale)
      return failure();
    scaled[i] =
        kernel.binary(BinaryKind::mul, kernel.cast(tile, kernel.builder.getF32Type()), *scale);
  }
  kernel.define(op, tile::MmaOp::create(kernel.builder, c.getType(), scaled[0], scaled[1], c));
  return success();
}

} // namespace

ArrayRef<HandlerRow> arithmeticHandlers() {
  static const HandlerRow rows[] = {
      {Opcode::AbsF, unary<UnaryKind::abs>},
      {Opcode::AbsI, unary<UnaryKind::abs>},
      {Opcode::NegF, unary<UnaryKind::neg>},
      {Opcode::NegI, unary<UnaryKind::neg>},
      {Opcode::Ceil, unary<UnaryKind::ceil>},
      {Opcode::Floor, unary<UnaryKind::floor>},
      {Opcode::Exp, unary<UnaryKind::exp>},
      {Opcode::Exp2, unary<UnaryKind::exp2>},
      {Opcode::Log, unary<UnaryKind::log>},
      {Opcode::Log2, unary<UnaryKind::log2>},
      {Opcode::Sqrt, unary<UnaryKind::sqrt>},
      {Opcode::RSqrt, unary<UnaryKind::rsqrt>},
      {Opcode::Sin, unary<UnaryKind::sin>},
      {Opcode::Cos, unary<UnaryKind::cos>},
      {Opcode::Tan, unary<UnaryKind::tan>},
      {Opcode::Sinh, unary<UnaryKind::sinh>},
      {Opcode::Cosh, unary<UnaryKind::cosh>},
      {Opcode::Tanh, unary<UnaryKind::tanh>},
      {Opcode::AddF, binary<BinaryKind::add>},
      {Opcode::SubF, binary<BinaryKind::sub>},
      {Opcode::MulF, binary<BinaryKind::mul>},
      {Opcode::DivF, binary<BinaryKind::div>},
      {Opcode::RemF, binary<BinaryKind::rem>},
      {Opcode::Pow, binary<BinaryKind::pow>},
      {Opcode::Atan2, binary<BinaryKind::atan2>},
      {Opcode::MaxF, extremeFloat<BinaryKind::max, BinaryKind::max_nan>},
      {Opcode::MinF, extremeFloat<BinaryKind::min, BinaryKind::min_nan>},
      {Opcode::Fma, fusedMultiplyAdd},
      {Opcode::FPowI, powerOfInteger},
      {Opcode::AddI, wrapping<BinaryKind::add, BinaryKind::bit_xor>},
      {Opcode::SubI, wrapping<BinaryKind::sub, BinaryKind::bit_xor>},
      {Opcode::MulI, wrapping<BinaryKind::mul, BinaryKind::bit_and>},
      {Opcode::AndI, wrapping<BinaryKind::bit_and, BinaryKind::bit_and>},
      {Opcode::OrI, wrapping<BinaryKind::bit_or, BinaryKind::bit_or>},
      {Opcode::XOrI, wrapping<BinaryKind::bit_xor, BinaryKind::bit_xor>},
      {Opcode::MulHiI, highProduct},
      {Opcode::DivI, divide},
      {Opcode::RemI, remainder},
      {Opcode::MaxI, extreme<BinaryKind::max, BinaryKind::bit_and>},
      {Opcode::MinI, extreme<BinaryKind::min, BinaryKind::bit_or>},
      {Opcode::ShLI, shift<BinaryKind::shl>},
      {Opcode::ShRI, shift<BinaryKind::shr>},
      {Opcode::CmpI, compareIntegers},
      {Opcode::CmpF, compareFloats},
      {Opcode::Select, select},
      {Opcode::MmaF, multiplyMatrices},
      {Opcode::MmaI, multiplyMatrices},
      {Opcode::MmaFScaled, multiplyScaled},
  };
  return rows;
}

} // namespace tessera::tileir
