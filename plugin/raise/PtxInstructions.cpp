// A row of the table at the end defines an instruction.
#include "raise/PtxInstructions.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;

namespace tessera::raising::ptx {
namespace {

// .relu keeps NaN, .sat makes it 0.
Value clamp(const Step &step, Value x) {
  Type type = x.getType();
  if (step.opcode.relu)
    x = step.create<tile::BinaryOp>(type, tile::BinaryKind::max_nan, x, step.number(type, 0));
  if (step.opcode.saturate) {
    x = step.create<tile::BinaryOp>(type, tile::BinaryKind::max, x, step.number(type, 0));
    x = step.create<tile::BinaryOp>(type, tile::BinaryKind::min, x, step.number(type, 1));
  }
  return x;
}

Value move(const Step &step) { return step[0]; }

template <class Op> Value bits(const Step &step) {
  return step.isFloat() ? Value() : Value(step.create<Op>(step[0], step[1]));
}

template <tile::UnaryKind Kind> Value unary(const Step &step) {
  return step.isFloat() ? Value(step.create<tile::UnaryOp>(step.type(), Kind, step[0])) : Value();
}

template <tile::BinaryKind Kind> Value binary(const Step &step) {
  return step.isFloat() ? clamp(step, step.binary(Kind, step[0], step[1])) : Value();
}

// The upper half of a product of integers; tile.binary mulhi reads its operands as unsigned.
Value multiply(const Step &step) {
  if (step.isFloat())
    return binary<tile::BinaryKind::mul>(step);
  auto type = cast<IntegerType>(step.type());
  if (!step.opcode.high)
    return {};
  if (step.opcode.to().isUnsigned)
    return step.binary(tile::BinaryKind::mulhi, step[0], step[1]);
  if (type.getWidth() > 32)
    return {};
  Type wide = step.builder.getI64Type();
  Value product = step.create<arith::MulIOp>(step.create<arith::ExtSIOp>(wide, step[0]),
                                             step.create<arith::ExtSIOp>(wide, step[1]));
  return step.create<arith::TruncIOp>(
      type, step.create<arith::ShRSIOp>(product, step.number(wide, type.getWidth())));
}

template <tile::BinaryKind Number, tile::BinaryKind Nan> Value extreme(const Step &step) {
  return step.isFloat() ? step.binary(step.opcode.nan ? Nan : Number, step[0], step[1]) : Value();
}

Value reciprocal(const Step &step) {
  return step.isFloat() ? step.binary(tile::BinaryKind::div, step.number(step.type(), 1), step[0])
                        : Value();
}

Value fma(const Step &step) {
  if (!step.isFloat())
    return {};
  return clamp(step, step.create<tile::FmaOp>(step.type(), step[0], step[1], step[2],
                                              step.opcode.rounding, step.opcode.flush));
}

Value compare(const Step &step) {
  if (!step.opcode.predicate || step.opcode.flush || !isa<FloatType>(step[0].getType()))
    return {};
  return step.create<arith::CmpFOp>(*step.opcode.predicate, step[0], step[1]);
}

// The comparison as 1 or 0 of the result's type; for integer types PTX gives all ones.
Value compareAsNumber(const Step &step) {
  Value isTrue = step.isFloat() ? compare(step) : Value();
  if (!isTrue)
    return {};
  return step.create<arith::SelectOp>(isTrue, step.number(step.type(), 1),
                                      step.number(step.type(), 0));
}

Value select(const Step &step) { return step.create<arith::SelectOp>(step[2], step[0], step[1]); }

// ---- conversions ----

// Conversions saturate; below 32 bits the bounds are the type's own.
Value narrowInteger(const Step &step, Value x, IntegerType to) {
  Type wide = x.getType();
  unsigned width = to.getWidth();
  auto bound = [&](int64_t value) {
    return step.create<arith::ConstantOp>(step.builder.getIntegerAttr(wide, value));
  };
  if (step.opcode.to().isUnsigned) {
    x = step.create<arith::MinUIOp>(x, bound((int64_t(1) << width) - 1));
  } else {
    x = step.create<arith::MinSIOp>(x, bound((int64_t(1) << (width - 1)) - 1));
    x = step.create<arith::MaxSIOp>(x, bound(-(int64_t(1) << (width - 1))));
  }
  return step.create<arith::TruncIOp>(to, x);
}

// A number rounded to an integer, in the instruction's direction.
Value integral(const Step &step, Value x) {
  if (x.getType().getIntOrFloatBitWidth() < 32)
    x = step.create<tile::CastOp>(step.builder.getF32Type(), x);
  if (step.opcode.rounding == tile::Rounding::toward_zero && !step.isFloat())
    return x; // a conversion to an integer rounds by itself
  auto kind = step.opcode.rounding == tile::Rounding::nearest           ? tile::UnaryKind::roundeven
              : step.opcode.rounding == tile::Rounding::toward_negative ? tile::UnaryKind::floor
              : step.opcode.rounding == tile::Rounding::toward_positive ? tile::UnaryKind::ceil
                                                                        : tile::UnaryKind::trunc;
  return step.create<tile::UnaryOp>(x.getType(), kind, x);
}

Value floatToInteger(const Step &step) {
  Value x = integral(step, step[0]);
  auto to = cast<IntegerType>(step.type());
  Type wide = step.builder.getIntegerType(std::max(to.getWidth(), 32u));
  x = step.create<tile::CastOp>(wide, x, tile::Rounding::nearest, /*fromUnsigned=*/false,
                                step.opcode.to().isUnsigned);
  return to.getWidth() < 32 ? narrowInteger(step, x, to) : x;
}

// tile.cast rounds unsigned numbers only to nearest, and for 64 bits there is no wider signed type.
// From 2^63 on, it is twice the half, rounded to odd: the lost bit is kept in the last place, which
// is all that directed rounding needs.
Value unsignedInDirection(const Step &step, Value x) {
  Value zero = step.number(x.getType(), 0), one = step.number(x.getType(), 1);
  Value isLarge = step.create<arith::CmpIOp>(arith::CmpIPredicate::slt, x, zero);
  Value half = step.create<arith::OrIOp>(step.create<arith::ShRUIOp>(x, one),
                                         step.create<arith::AndIOp>(x, one));
  Value number = step.create<arith::SelectOp>(isLarge, half, x);
  number = step.create<tile::CastOp>(step.type(), number, step.opcode.rounding);
  Value twice = step.create<arith::AddFOp>(number, number);
  return step.create<arith::SelectOp>(isLarge, twice, number);
}

Value integerToFloat(const Step &step) {
  if (step.opcode.relu || step.opcode.saturate)
    return {};
  Value x = step[0];
  bool isUnsigned = step.opcode.from().isUnsigned;
  if (isUnsigned && x.getType().getIntOrFloatBitWidth() < 64) {
    x = step.create<arith::ExtUIOp>(step.builder.getI64Type(), x);
    isUnsigned = false;
  }
  if (isUnsigned && step.opcode.rounding != tile::Rounding::nearest)
    return unsignedInDirection(step, x);
  return step.create<tile::CastOp>(step.type(), x, step.opcode.rounding, isUnsigned,
                                   /*toUnsigned=*/false);
}

Value convert(const Step &step) {
  bool fromFloat = isa<FloatType>(step[0].getType());
  bool toByte = step.isFloat() && step.type().getIntOrFloatBitWidth() == 8;
  // A conversion to 8 bits always saturates in the tile dialect.
  if (step.opcode.flush || step.opcode.finite != toByte || (!fromFloat && !step.isFloat()))
    return {};
  if (!step.isFloat())
    return floatToInteger(step);
  if (!fromFloat)
    return integerToFloat(step);
  Value x = step.opcode.toIntegral ? integral(step, step[0]) : step[0];
  return clamp(step, step.create<tile::CastOp>(step.type(), x, step.opcode.rounding));
}

constexpr Row rows[] = {
    {"mov", 1, move},
    {"neg", 1, unary<tile::UnaryKind::neg>},
    {"abs", 1, unary<tile::UnaryKind::abs>},
    {"rcp", 1, reciprocal},
    {"sqrt", 1, unary<tile::UnaryKind::sqrt>},
    {"rsqrt", 1, unary<tile::UnaryKind::rsqrt>},
    {"ex2", 1, unary<tile::UnaryKind::exp2>},
    {"lg2", 1, unary<tile::UnaryKind::log2>},
    {"sin", 1, unary<tile::UnaryKind::sin>},
    {"cos", 1, unary<tile::UnaryKind::cos>},
    {"tanh", 1, unary<tile::UnaryKind::tanh>},
    {"cvt", 1, convert},
    {"and", 2, bits<arith::AndIOp>},
    {"or", 2, bits<arith::OrIOp>},
    {"add", 2, binary<tile::BinaryKind::add>},
    {"sub", 2, binary<tile::BinaryKind::sub>},
    {"mul", 2, multiply},
    {"div", 2, binary<tile::BinaryKind::div>},
    {"min", 2, extreme<tile::BinaryKind::min, tile::BinaryKind::min_nan>},
    {"max", 2, extreme<tile::BinaryKind::max, tile::BinaryKind::max_nan>},
    {"setp", 2, compare},
    {"set", 2, compareAsNumber},
    {"selp", 3, select},
    {"fma", 3, fma},
};

} // namespace

const Row *findRow(StringRef name) {
  const Row *row =
      llvm::find_if(rows, [&](const Row &candidate) { return candidate.name == name; });
  return row == std::end(rows) ? nullptr : row;
}

} // namespace tessera::raising::ptx
