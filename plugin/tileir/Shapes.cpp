// Constants, and what moves elements without computing.
#include "tileir/Kernel.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"

using namespace mlir;

namespace tessera::tileir {

namespace {

APInt numberOf(StringRef bytes, unsigned width) {
  APInt bits(width, 0);
  for (unsigned i = 0; i < bytes.size() && 8 * i < width; ++i)
    bits |= APInt(width, uint8_t(bytes[i]), /*isSigned=*/false, /*implicitTrunc=*/true).shl(8 * i);
  return bits;
}

size_t sizeOf(Element element) { return (bitsOf(element) + 7) / 8; }

// Truth values have a bit each. Of a splat of them there is one byte, whose lowest bit counts.
bool isSplat(const Type &type, StringRef bytes) {
  if (type.elementOf() == Element::I1)
    return bytes.size() == 1 && (bytes[0] == 0 || bytes[0] == '\xff' ||
                                 ShapedType::getNumElements(type.shape) > 8 || type.shape.empty());
  return bytes.size() == sizeOf(type.elementOf());
}

MlirValue splatOf(Kernel &kernel, const Type &type, mlir::Type mlirType, StringRef bytes) {
  mlir::Type element = tile::elementType(mlirType);
  TypedAttr number;
  if (auto floatType = dyn_cast<FloatType>(element))
    number = FloatAttr::get(
        element, APFloat(floatType.getFloatSemantics(), numberOf(bytes, floatType.getWidth())));
  else if (element.isInteger(1))
    number = kernel.builder.getBoolAttr(bytes[0] & 1);
  else
    number = IntegerAttr::get(element, numberOf(bytes, element.getIntOrFloatBitWidth()));
  return kernel.splat(arith::ConstantOp::create(kernel.builder, number), type.shape);
}

// Nineteen bits of a float: what the other bits would be is zero.
constexpr unsigned tf32MissingBits = 13;

MlirValue tf32Constant(Kernel &kernel, mlir::Type mlirType, StringRef bytes) {
  APInt bits = numberOf(bytes, 32).shl(tf32MissingBits);
  APFloat value(APFloat::IEEEsingle(), bits);
  MlirValue number = kernel.constantFloat(
      tile::withElementType(mlirType, kernel.builder.getF32Type()), value.convertToFloat());
  return kernel.cast(number, tile::elementType(mlirType));
}

// What lies in memory for elements that have no whole number of bytes: of truth values a byte for
// each bit, of tf32 the float.
std::string bytesInMemory(Element element, int64_t count, StringRef bytes) {
  std::string out;
  for (int64_t i = 0; i < count; ++i)
    if (element == Element::I1) {
      out.push_back(char((bytes[size_t(i / 8)] >> (i % 8)) & 1));
    } else {
      size_t size = sizeOf(element);
      uint64_t bits = numberOf(bytes.substr(size_t(i) * size, size), 32).getZExtValue()
                      << tf32MissingBits;
      for (unsigned k = 0; k < 32; k += 8)
        out.push_back(char(bits >> k));
    }
  return out;
}

// One that is no splat lies in an array in memory.
MlirValue listOf(Kernel &kernel, const Type &type, mlir::Type mlirType, StringRef bytes) {
  OpBuilder &builder = kernel.builder;
  int64_t count = ShapedType::getNumElements(type.shape);
  mlir::Type element = tile::elementType(mlirType), stored = element;
  Type number = *type.inner, list = type;
  list.inner = &number;
  if (number.element == Element::I1)
    number.element = Element::I8, stored = builder.getI8Type();
  if (number.element == Element::TF32)
    number.element = Element::F32, stored = builder.getF32Type();
  const std::string spread =
      stored == element ? bytes.str() : bytesInMemory(type.elementOf(), count, bytes);
  MlirValue address =
      addressOfArray(kernel, "constant", list, spread, /*isConstant=*/true, sizeOf(number.element));
  MlirValue index =
      tile::IotaOp::create(kernel.builder, RankedTensorType::get({count}, builder.getI32Type()));
  index = kernel.reshaped(index, RankedTensorType::get(type.shape, builder.getI32Type()));
  MlirValue pointers =
      tile::OffsetOp::create(kernel.builder, kernel.splat(address, type.shape), index, stored);
  MlirValue loaded =
      tile::LoadOp::create(kernel.builder, RankedTensorType::get(type.shape, stored), pointers);
  return stored == element ? loaded : kernel.cast(loaded, element);
}

LogicalResult constant(Kernel &kernel, const Op &op) {
  const Type &type = kernel.resultOf(op);
  if (!type.isNumberTile())
    return kernel.reject(op, "is no tile of numbers");
  mlir::Type mlirType = kernel.typeOf(type, op);
  if (!mlirType)
    return failure();
  StringRef bytes = op.attribute("value").text;
  Element element = type.elementOf();
  if (isSplat(type, bytes)) {
    kernel.define(op, element == Element::TF32 ? tf32Constant(kernel, mlirType, bytes)
                                               : splatOf(kernel, type, mlirType, bytes));
    return success();
  }
  auto count = size_t(ShapedType::getNumElements(type.shape));
  if (bytes.size() != (element == Element::I1 ? (count + 7) / 8 : count * sizeOf(element)))
    return kernel.reject(op, "has " + Twine(bytes.size()) + " bytes, which do not fit its type");
  kernel.define(op, listOf(kernel, type, mlirType, bytes));
  return success();
}

LogicalResult iota(Kernel &kernel, const Op &op) {
  mlir::Type type = kernel.typeOf(kernel.resultOf(op), op);
  if (!type)
    return failure();
  if (kernel.resultOf(op).shape.empty())
    kernel.define(op, kernel.constant(type, 0));
  else
    kernel.define(op, tile::IotaOp::create(kernel.builder, type));
  return success();
}

LogicalResult reshape(Kernel &kernel, const Op &op) {
  mlir::Type type = kernel.typeOf(kernel.resultOf(op), op);
  if (!type)
    return failure();
  if (ShapedType::getNumElements(kernel.resultOf(op).shape) !=
      ShapedType::getNumElements(kernel.operandType(op, "x").shape))
    return kernel.reject(op, "changes the number of elements");
  kernel.define(op, kernel.reshaped(kernel.operand(op, "x"), type));
  return success();
}

LogicalResult broadcast(Kernel &kernel, const Op &op) {
  mlir::Type type = kernel.typeOf(kernel.resultOf(op), op);
  MlirValue x = kernel.operand(op, "x");
  if (!type)
    return failure();
  if (kernel.operandType(op, "x").shape.size() != kernel.resultOf(op).shape.size())
    return kernel.reject(op, "changes the rank");
  kernel.define(
      op, x.getType() == type ? x : MlirValue(tile::BroadcastOp::create(kernel.builder, type, x)));
  return success();
}

LogicalResult permute(Kernel &kernel, const Op &op) {
  mlir::Type type = kernel.typeOf(kernel.resultOf(op), op);
  if (!type)
    return failure();
  ArrayRef<int64_t> map = op.attribute("permutation").numbers;
  SmallVector<int64_t> sorted(map);
  llvm::sort(sorted);
  size_t rank = kernel.operandType(op, "x").shape.size();
  if (!llvm::equal(sorted, llvm::seq<int64_t>(0, int64_t(rank))))
    return kernel.reject(op, "needs a permutation of " + Twine(rank) + " dimensions");
  MlirValue x = kernel.operand(op, "x");
  kernel.define(op,
                rank < 2 ? x : MlirValue(tile::PermuteOp::create(kernel.builder, type, x, map)));
  return success();
}

LogicalResult cat(Kernel &kernel, const Op &op) {
  mlir::Type type = kernel.typeOf(kernel.resultOf(op), op);
  if (!type)
    return failure();
  if (op.attribute("dim").number >= kernel.resultOf(op).shape.size())
    return kernel.reject(op, "joins along a dimension that the tile has not");
  kernel.define(op, tile::CatOp::create(kernel.builder, type, kernel.operand(op, "a"),
                                        kernel.operand(op, "b"), op.attribute("dim").number));
  return success();
}

// Indices of extract and insert: i32 scalars, one for each dimension.
std::optional<SmallVector<MlirValue>> indicesOf(Kernel &kernel, const Op &op, size_t rank) {
  SmallVector<MlirValue> indices;
  for (Value index : op.operand("indices")) {
    MlirValue value = kernel.value(index);
    if (!kernel.typeOf(index).shape.empty() || !isa<IntegerType>(value.getType()))
      return kernel.reject(op, "has an index that is no integer");
    bool isNarrow = value.getType().isInteger(32);
    indices.push_back(isNarrow ? value : kernel.cast(value, kernel.builder.getI32Type()));
  }
  if (indices.size() != rank)
    return kernel.reject(op, "has " + Twine(indices.size()) + " indices for " + Twine(rank) +
                                 " dimensions");
  return indices;
}

// The type of what an extract or insert computes, and its indices.
struct IndexedResult {
  mlir::Type type;
  SmallVector<MlirValue> indices;
};
std::optional<IndexedResult> indexedResultOf(Kernel &kernel, const Op &op, StringRef name) {
  if (op.results.size() != 1)
    return kernel.refuse(op, "'" + name + "' with several results");
  mlir::Type type = kernel.typeOf(kernel.resultOf(op), op);
  if (!type)
    return std::nullopt;
  auto indices = indicesOf(kernel, op, kernel.resultOf(op).shape.size());
  if (!indices)
    return std::nullopt;
  return IndexedResult{type, {indices->begin(), indices->end()}};
}

LogicalResult extract(Kernel &kernel, const Op &op) {
  std::optional<IndexedResult> result = indexedResultOf(kernel, op, "extract");
  if (!result)
    return failure();
  auto &[type, indices] = *result;
  MlirValue x = kernel.operand(op, "x");
  kernel.define(op, x.getType() == type
                        ? x
                        : MlirValue(tile::ExtractOp::create(kernel.builder, type, x, indices)));
  return success();
}

LogicalResult insert(Kernel &kernel, const Op &op) {
  std::optional<IndexedResult> result = indexedResultOf(kernel, op, "insert");
  if (!result)
    return failure();
  auto &[type, indices] = *result;
  MlirValue part = kernel.operand(op, "x"), whole = kernel.operand(op, "into");
  if (whole.getType() != type)
    return kernel.reject(op, "changes the type of the tile");
  kernel.define(op, part.getType() == type ? part
                                           : MlirValue(tile::InsertOp::create(
                                                 kernel.builder, type, part, whole, indices)));
  return success();
}

// Promises that the plan can use: of every element, without a pattern.
LogicalResult assume(Kernel &kernel, const Op &op) {
  MlirValue x = kernel.operand(op, "x");
  const Attribute &predicate = op.attribute("predicate");
  OpBuilder &builder = kernel.builder;
  auto number = [&](std::optional<int64_t> n) {
    return n ? builder.getI64IntegerAttr(*n) : IntegerAttr();
  };
  IntegerAttr none;
  kernel.define(op, x);
  if (predicate.tag == Attribute::DivBy && !predicate.first && predicate.number &&
      predicate.number <= uint64_t(INT64_MAX)) {
    IntegerAttr divisor = number(int64_t(predicate.number));
    bool isPointer = kernel.resultOf(op).isPointerTile();
    kernel.define(op,
                  tile::AssumeOp::create(kernel.builder, x.getType(), x, isPointer ? divisor : none,
                                         isPointer ? none : divisor, none, none));
  }
  if (predicate.tag == Attribute::Bounded && (predicate.first || predicate.second))
    kernel.define(op, tile::AssumeOp::create(kernel.builder, x.getType(), x, none, none,
                                             number(predicate.first), number(predicate.second)));
  return success();
}

} // namespace

ArrayRef<HandlerRow> shapeHandlers() {
  static const HandlerRow rows[] = {
      {Opcode::Constant, constant},   {Opcode::Iota, iota},       {Opcode::Reshape, reshape},
      {Opcode::Broadcast, broadcast}, {Opcode::Permute, permute}, {Opcode::Cat, cat},
      {Opcode::Extract, extract},     {Opcode::Insert, insert},   {Opcode::Assume, assume},
  };
  return rows;
}

} // namespace tessera::tileir
