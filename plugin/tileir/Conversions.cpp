// From one element type to another. tile.cast takes an i1 for 0 or 1, and tests for non-zero where
// it makes one; bytecode has a signed i1 that is 0 or -1, and keeps the lowest bit.
#include "tileir/Kernel.h"

#include <cmath>

using namespace mlir;

namespace tessera::tileir {

namespace {

using tile::BinaryKind;
using tile::CompareKind;

bool isUnsigned(const Op &op) { return op.word<Signedness>("signedness") == Signedness::Unsigned; }

bool isTruth(MlirValue value) { return tile::elementType(value.getType()).isInteger(1); }

MlirValue negated(Kernel &kernel, MlirValue x) {
  return tile::UnaryOp::create(kernel.builder, x.getType(), tile::UnaryKind::neg, x);
}

// The i4 in the low half of each byte, as an i4 is kept: in a byte, with its sign.
MlirValue signedNibble(Kernel &kernel, MlirValue bytes) {
  MlirValue four = kernel.constant(bytes.getType(), 4);
  return kernel.binary(BinaryKind::shr, kernel.binary(BinaryKind::shl, bytes, four), four);
}

LogicalResult extend(Kernel &kernel, const Op &op) {
  MlirValue x = kernel.operand(op, "x");
  mlir::Type type = kernel.typeOf(kernel.resultOf(op), op);
  if (!type)
    return failure();
  if (kernel.operandType(op, "x").isNibbleTile() && isUnsigned(op))
    x = kernel.lowNibble(x);
  MlirValue wide = kernel.cast(x, tile::elementType(type), isUnsigned(op) || isTruth(x));
  kernel.define(op, isTruth(x) && !isUnsigned(op) ? negated(kernel, wide) : wide);
  return success();
}

LogicalResult truncate(Kernel &kernel, const Op &op) {
  MlirValue x = kernel.operand(op, "x");
  mlir::Type type = kernel.typeOf(kernel.resultOf(op), op);
  if (!type)
    return failure();
  bool isToTruth = tile::elementType(type).isInteger(1);
  if (isToTruth && !isTruth(x))
    x = kernel.binary(BinaryKind::bit_and, x, kernel.constant(x.getType(), 1));
  MlirValue result = kernel.cast(x, tile::elementType(type));
  kernel.define(op, kernel.resultOf(op).isNibbleTile() ? signedNibble(kernel, result) : result);
  return success();
}

LogicalResult integerToFloat(Kernel &kernel, const Op &op) {
  MlirValue x = kernel.operand(op, "x");
  mlir::Type type = kernel.typeOf(kernel.resultOf(op), op);
  std::optional<tile::Rounding> rounding = roundingOf(op);
  if (!type)
    return failure();
  if (rounding != tile::Rounding::nearest)
    return kernel.refuse(op, "the rounding mode of 'itof'");
  MlirValue number = kernel.cast(x, tile::elementType(type), isUnsigned(op) || isTruth(x));
  kernel.define(op, isTruth(x) && !isUnsigned(op) ? negated(kernel, number) : number);
  return success();
}

// The least value, and the number above the greatest one: powers of two, which are exact.
struct Range {
  double least, above;
  int64_t leastValue, greatestValue;
};

Range rangeOf(unsigned width, bool isUnsigned) {
  if (isUnsigned)
    return {0, std::ldexp(1.0, int(width)), 0, width == 64 ? -1 : int64_t((1ull << width) - 1)};
  double above = std::ldexp(1.0, int(width) - 1);
  return {-above, above, -int64_t(1ull << (width - 1)), int64_t((1ull << (width - 1)) - 1)};
}

// What is outside of the range becomes its nearest end, and NaN becomes 0.
MlirValue saturated(Kernel &kernel, MlirValue x, mlir::Type element, bool isUnsigned) {
  Range range = rangeOf(element.getIntOrFloatBitWidth(), isUnsigned);
  auto select = [&](MlirValue mask, MlirValue a, MlirValue b) -> MlirValue {
    return tile::SelectOp::create(kernel.builder, mask, a, b);
  };
  MlirValue above =
      kernel.compare(CompareKind::ge, x, kernel.constantFloat(x.getType(), range.above));
  MlirValue below =
      kernel.compare(CompareKind::lt, x, kernel.constantFloat(x.getType(), range.least));
  MlirValue isNumber = kernel.compare(CompareKind::eq, x, x);
  MlirValue inside =
      kernel.binary(BinaryKind::bit_and, isNumber,
                    kernel.complement(kernel.binary(BinaryKind::bit_or, above, below)));
  MlirValue safe = select(inside, x, kernel.constantFloat(x.getType(), 0));
  MlirValue result = kernel.cast(safe, element, /*fromUnsigned=*/false, isUnsigned);
  result = select(above, kernel.constant(result.getType(), range.greatestValue), result);
  return select(below, kernel.constant(result.getType(), range.leastValue), result);
}

LogicalResult floatToInteger(Kernel &kernel, const Op &op) {
  MlirValue x = kernel.operand(op, "x");
  mlir::Type type = kernel.typeOf(kernel.resultOf(op), op);
  if (!type)
    return failure();
  if (op.word<Rounding>("rounding") != Rounding::NearestIntToZero)
    return kernel.refuse(op, "the rounding mode of 'ftoi'");
  mlir::Type element = tile::elementType(type);
  if (element.isInteger(1)) { // is it another number than zero, or none?
    if (!tile::elementType(x.getType()).isF64())
      x = kernel.cast(x, kernel.builder.getF32Type());
    kernel.define(op, kernel.compare(CompareKind::ne, x, kernel.constantFloat(x.getType(), 0)));
    return success();
  }
  if (!op.flag("saturating")) {
    kernel.define(op, kernel.cast(x, element, /*fromUnsigned=*/false, isUnsigned(op)));
    return success();
  }
  // Small floats cannot hold the ends of the range.
  if (tile::elementType(x.getType()).getIntOrFloatBitWidth() < 32)
    x = kernel.cast(x, kernel.builder.getF32Type());
  kernel.define(op, saturated(kernel, x, element, isUnsigned(op)));
  return success();
}

// The nearest float that tf32 holds, ties away from zero: half a unit is added, and what tf32 lacks
// is cut off. What is infinite or NaN stays.
MlirValue nearestAway(Kernel &kernel, MlirValue x) {
  mlir::Type bitsType = tile::withElementType(x.getType(), kernel.builder.getI32Type());
  auto number = [&](int64_t n) { return kernel.constant(bitsType, n); };
  MlirValue bits = tile::BitcastOp::create(kernel.builder, bitsType, x);
  MlirValue magnitude = kernel.binary(BinaryKind::bit_and, bits, number(0x7fffffff));
  MlirValue isFinite = kernel.compare(CompareKind::lt, magnitude, number(0x7f800000));
  MlirValue raised = kernel.binary(BinaryKind::add, bits, number(0x1000));
  raised = kernel.binary(BinaryKind::bit_and, raised, number(0xffffe000));
  raised = tile::SelectOp::create(kernel.builder, isFinite, raised, bits);
  return tile::BitcastOp::create(kernel.builder, x.getType(), raised);
}

LogicalResult floatToFloat(Kernel &kernel, const Op &op) {
  MlirValue x = kernel.operand(op, "x");
  mlir::Type type = kernel.typeOf(kernel.resultOf(op), op);
  std::optional<tile::Rounding> rounding = roundingOf(op);
  if (!type)
    return failure();
  if (op.word<Rounding>("rounding") == Rounding::NearestAway &&
      tile::elementType(x.getType()).isF32() && tile::elementType(type).isTF32()) {
    x = nearestAway(kernel, x);
    rounding = tile::Rounding::nearest;
  }
  if (!rounding)
    return kernel.refuse(op, "the rounding mode of 'ftof'");
  kernel.define(op, tile::CastOp::create(kernel.builder, type, x, *rounding,
                                         /*fromUnsigned=*/false, /*toUnsigned=*/false));
  return success();
}

LogicalResult sameBits(Kernel &kernel, const Op &op) {
  mlir::Type type = kernel.typeOf(kernel.resultOf(op), op);
  MlirValue x = kernel.operand(op, "x");
  if (!type)
    return failure();
  auto isSmall = [](const Type &t) {
    return t.isNumberTile() && t.elementOf() == Element::F4E2M1FN;
  };
  if (tile::storageBits(tile::elementType(type)) !=
          tile::storageBits(tile::elementType(x.getType())) ||
      isSmall(kernel.resultOf(op)) != isSmall(kernel.operandType(op, "x")))
    return kernel.reject(op, "changes the width of elements");
  kernel.define(op, tile::BitcastOp::create(kernel.builder, type, x));
  return success();
}

// Pointers of tile IR do not say what they point to.
LogicalResult samePointer(Kernel &kernel, const Op &op) {
  kernel.define(op, kernel.operand(op, "x"));
  return success();
}

// ---- a tile of numbers as a tile of bytes ----

mlir::Type integersLike(Kernel &kernel, mlir::Type type) {
  return tile::withElementType(
      type, kernel.builder.getIntegerType(tile::storageBits(tile::elementType(type))));
}

// Columns side by side as the rows of one tile. Joined in pairs: a tile has as many columns as a
// power of two.
MlirValue joined(Kernel &kernel, SmallVector<MlirValue> columns, mlir::Type type) {
  mlir::Type byte = kernel.builder.getI8Type();
  int64_t rows = tile::shapeOf(columns.front().getType())[0];
  for (MlirValue &column : columns)
    column = kernel.reshaped(column, RankedTensorType::get({rows, 1}, byte));
  for (; columns.size() > 1; columns.resize(columns.size() / 2))
    for (size_t i = 0; i < columns.size() / 2; ++i) {
      MlirValue left = columns[2 * i], right = columns[2 * i + 1];
      int64_t width = 2 * tile::shapeOf(left.getType())[1];
      columns[i] = tile::CatOp::create(kernel.builder, RankedTensorType::get({rows, width}, byte),
                                       left, right, /*dim=*/1);
    }
  return kernel.reshaped(columns.front(), type);
}

// Of rows of bytes.
MlirValue columnOf(Kernel &kernel, MlirValue rows, int64_t i) {
  mlir::Type byte = kernel.builder.getI8Type();
  ArrayRef<int64_t> shape = tile::shapeOf(rows.getType());
  if (shape[1] > 1)
    rows = tile::ExtractOp::create(kernel.builder, RankedTensorType::get({shape[0], 1}, byte), rows,
                                   ValueRange{kernel.constant(kernel.builder.getI32Type(), 0),
                                              kernel.constant(kernel.builder.getI32Type(), i)});
  return kernel.reshaped(rows, RankedTensorType::get({shape[0]}, byte));
}

// The same bits as integers.
MlirValue asIntegers(Kernel &kernel, MlirValue x) {
  mlir::Type integers = integersLike(kernel, x.getType());
  if (x.getType() == integers)
    return x;
  return tile::BitcastOp::create(kernel.builder, integers, x);
}

// Of numbers of four bits, two to a byte, the first one in the low half.
LogicalResult packHalves(Kernel &kernel, const Op &op, MlirValue x, mlir::Type type) {
  int64_t count = tile::shapeOf(x.getType())[0];
  if (count % 2 || type != RankedTensorType::get({count / 2}, kernel.builder.getI8Type()))
    return kernel.reject(op, "gives another number of bytes than the operand has");
  x = asIntegers(kernel, x);
  MlirValue pairs =
      kernel.reshaped(x, RankedTensorType::get({count / 2, 2}, kernel.builder.getI8Type()));
  MlirValue low = kernel.lowNibble(columnOf(kernel, pairs, 0)), high = columnOf(kernel, pairs, 1);
  high = kernel.binary(BinaryKind::shl, high, kernel.constant(type, 4));
  kernel.define(op, kernel.binary(BinaryKind::bit_or, low, high));
  return success();
}

LogicalResult unpackHalves(Kernel &kernel, const Op &op, MlirValue x, mlir::Type type) {
  int64_t count = tile::shapeOf(type)[0];
  if (count % 2 || x.getType() != RankedTensorType::get({count / 2}, kernel.builder.getI8Type()))
    return kernel.reject(op, "takes another number of bytes than the result has");
  MlirValue high = kernel.binary(BinaryKind::shr, x, kernel.constant(x.getType(), 4),
                                 /*isUnsigned=*/true);
  MlirValue numbers = joined(kernel, {kernel.lowNibble(x), high}, integersLike(kernel, type));
  kernel.define(op, kernel.resultOf(op).isNibbleTile()
                        ? signedNibble(kernel, numbers)
                        : MlirValue(tile::BitcastOp::create(kernel.builder, type, numbers)));
  return success();
}

// [a0 b0 c0 d0 a1 ...]: the bytes of each number side by side, the lowest first.
LogicalResult pack(Kernel &kernel, const Op &op) {
  MlirValue x = kernel.operand(op, "x");
  mlir::Type type = kernel.typeOf(kernel.resultOf(op), op);
  if (!type)
    return failure();
  unsigned bits = bitsOf(kernel.operandType(op, "x").elementOf());
  ArrayRef<int64_t> shape = tile::shapeOf(x.getType());
  if (shape.size() != 1 || (bits % 8 && bits != 4))
    return kernel.refuse(op, "'pack' of elements that are smaller than a byte");
  if (bits == 4)
    return packHalves(kernel, op, x, type);
  int64_t bytes = bits / 8;
  if (tile::shapeOf(type) != ArrayRef<int64_t>{shape[0] * bytes} ||
      !tile::elementType(type).isInteger(8))
    return kernel.reject(op, "gives another number of bytes than the operand has");
  x = asIntegers(kernel, x);
  SmallVector<MlirValue> columns;
  for (int64_t i = 0; i < bytes; ++i) {
    MlirValue part = x;
    if (i)
      part = kernel.binary(BinaryKind::shr, x, kernel.constant(x.getType(), 8 * i),
                           /*isUnsigned=*/true);
    columns.push_back(bytes == 1 ? part : kernel.cast(part, kernel.builder.getI8Type()));
  }
  kernel.define(op, joined(kernel, columns, type));
  return success();
}

LogicalResult unpack(Kernel &kernel, const Op &op) {
  MlirValue x = kernel.operand(op, "x");
  mlir::Type type = kernel.typeOf(kernel.resultOf(op), op);
  if (!type)
    return failure();
  unsigned bits = bitsOf(kernel.resultOf(op).elementOf());
  ArrayRef<int64_t> shape = tile::shapeOf(type);
  if (shape.size() != 1 || (bits % 8 && bits != 4))
    return kernel.refuse(op, "'unpack' to elements that are smaller than a byte");
  if (bits == 4)
    return unpackHalves(kernel, op, x, type);
  int64_t bytes = bits / 8;
  if (tile::shapeOf(x.getType()) != ArrayRef<int64_t>{shape[0] * bytes} ||
      !tile::elementType(x.getType()).isInteger(8))
    return kernel.reject(op, "takes another number of bytes than the result has");
  mlir::Type byte = kernel.builder.getI8Type(), numbers = integersLike(kernel, type);
  MlirValue rows = kernel.reshaped(x, RankedTensorType::get({shape[0], bytes}, byte)), result;
  for (int64_t i = 0; i < bytes; ++i) {
    MlirValue column = columnOf(kernel, rows, i);
    if (bytes > 1)
      column = kernel.cast(column, tile::elementType(numbers), /*fromUnsigned=*/true);
    if (i)
      column = kernel.binary(BinaryKind::shl, column, kernel.constant(numbers, 8 * i));
    result = result ? kernel.binary(BinaryKind::bit_or, result, column) : column;
  }
  if (numbers != type)
    result = tile::BitcastOp::create(kernel.builder, type, result);
  kernel.define(op, result);
  return success();
}

} // namespace

ArrayRef<HandlerRow> conversionHandlers() {
  static const HandlerRow rows[] = {
      {Opcode::ExtI, extend},         {Opcode::TruncI, truncate},   {Opcode::IToF, integerToFloat},
      {Opcode::FToI, floatToInteger}, {Opcode::FToF, floatToFloat}, {Opcode::Bitcast, sameBits},
      {Opcode::IntToPtr, sameBits},   {Opcode::PtrToInt, sameBits}, {Opcode::PtrToPtr, samePointer},
      {Opcode::Pack, pack},           {Opcode::Unpack, unpack},
  };
  return rows;
}

} // namespace tessera::tileir
