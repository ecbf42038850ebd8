// Values, types and messages of one entry; see Kernel.h.
#include "tileir/Kernel.h"

#include "tileir/Check.h"
#include "tileir/Text.h"

#include <array>

using namespace mlir;

namespace tessera::tileir {

namespace {

std::array<Handler, 256> makeHandlers() {
  std::array<Handler, 256> handlers{};
  for (ArrayRef<HandlerRow> rows :
       {arithmeticHandlers(), conversionHandlers(), shapeHandlers(), foldHandlers(),
        memoryHandlers(), viewHandlers(), controlHandlers(), gridHandlers()})
    for (const HandlerRow &row : rows)
      handlers[size_t(row.opcode)] = row.translate;
  return handlers;
}

std::vector<FileLocation> locationsOf(const Frames &frames) {
  std::vector<FileLocation> all;
  for (const Frame &frame : frames)
    all.push_back({frame.file.str(), frame.line, frame.column});
  return all;
}

Refused say(Reports &reports, Diagnostic::Kind kind, const Op &op, const Twine &message) {
  std::vector<FileLocation> all = locationsOf(*op.frames);
  FileLocation at = all.empty() ? FileLocation() : all.front();
  if (!all.empty())
    all.erase(all.begin());
  std::string where = at.file.empty() ? (" (at byte " + Twine(op.offset) + ")").str() : "";
  reports({kind, at, message.str() + where, all});
  return {};
}

} // namespace

Refused Kernel::refuse(const Op &op, const Twine &message) {
  return say(reports, Diagnostic::Unsupported, op, message);
}

Refused Kernel::reject(const Op &op, const Twine &message) {
  return say(reports, Diagnostic::Error, op, "'" + op.format->name + "' " + message);
}

// ---- types ----

mlir::Type Kernel::elementOf(const Type &type, const Op &op) {
  const Type &inner = type.isTile() ? *type.inner : type;
  if (inner.kind == Type::Pointer)
    return LLVM::LLVMPointerType::get(builder.getContext());
  if (inner.kind == Type::Number)
    switch (inner.element) {
    case Element::I1: return builder.getI1Type();
    case Element::I8: return builder.getI8Type();
    case Element::I16: return builder.getI16Type();
    case Element::I32: return builder.getI32Type();
    case Element::I64: return builder.getI64Type();
    case Element::F16: return builder.getF16Type();
    case Element::BF16: return builder.getBF16Type();
    case Element::F32: return builder.getF32Type();
    case Element::TF32: return builder.getTF32Type();
    case Element::F64: return builder.getF64Type();
    case Element::F8E4M3FN: return builder.getType<Float8E4M3FNType>();
    case Element::F8E5M2: return builder.getType<Float8E5M2Type>();
    case Element::F8E8M0FNU: return builder.getType<Float8E8M0FNUType>();
    case Element::F4E2M1FN:
      if (!type.isTile()) // in memory two of them share a byte
        break;
      return builder.getType<Float4E2M1FNType>();
    case Element::I4:
      if (!type.isTile())
        break;
      return builder.getI8Type(); // with its sign in the upper half
    default: break;
    }
  (void)refuse(op, "elements of type " + textOf(inner));
  return {};
}

mlir::Type Kernel::typeOf(const Type &type, const Op &op) {
  mlir::Type element = elementOf(type, op);
  return element ? tileOf(element, type.shape) : mlir::Type();
}

mlir::Type Kernel::tileOf(mlir::Type element, ArrayRef<int64_t> shape) const {
  return shape.empty() ? element : RankedTensorType::get(shape, element);
}

// ---- values ----

SmallVector<MlirValue> Kernel::kept(ArrayRef<Value> values) const {
  SmallVector<MlirValue> all;
  for (Value value : values)
    if (isKept(value))
      all.push_back(this->values[value]);
  return all;
}

LogicalResult Kernel::keptTypes(const Op &op, ArrayRef<Value> values,
                                SmallVectorImpl<mlir::Type> &types) {
  for (Value value : values) {
    if (!isKept(value))
      continue;
    mlir::Type type = typeOf(typeOf(value), op);
    if (!type)
      return failure();
    types.push_back(type);
  }
  return success();
}

MlirValue Kernel::constant(mlir::Type type, int64_t number) {
  auto element = cast<IntegerType>(tile::elementType(type));
  IntegerAttr value =
      builder.getIntegerAttr(element, APInt(element.getWidth(), uint64_t(number),
                                            /*isSigned=*/true, /*implicitTrunc=*/true));
  return splat(arith::ConstantOp::create(builder, value), tile::shapeOf(type));
}

MlirValue Kernel::constantFloat(mlir::Type type, double number) {
  FloatAttr value = builder.getFloatAttr(tile::elementType(type), number);
  return splat(arith::ConstantOp::create(builder, value), tile::shapeOf(type));
}

MlirValue Kernel::allTrue(ArrayRef<int64_t> shape) {
  return constant(tileOf(builder.getI1Type(), shape), 1);
}

MlirValue Kernel::complement(MlirValue truth) {
  return binary(tile::BinaryKind::bit_xor, truth, constant(truth.getType(), 1));
}

MlirValue Kernel::lowNibble(MlirValue bytes) {
  return binary(tile::BinaryKind::bit_and, bytes, constant(bytes.getType(), 15));
}

MlirValue Kernel::reshaped(MlirValue value, mlir::Type type) {
  if (value.getType() == type)
    return value;
  bool isFromTile = isa<RankedTensorType>(value.getType()), isToTile = isa<RankedTensorType>(type);
  if (!isFromTile)
    return tile::SplatOp::create(builder, type, value);
  if (!isToTile)
    return tile::ScalarOp::create(builder, type, value);
  return tile::ReshapeOp::create(builder, type, value);
}

MlirValue Kernel::splat(MlirValue scalar, ArrayRef<int64_t> shape) {
  return shape.empty() ? scalar
                       : tile::SplatOp::create(builder, tileOf(scalar.getType(), shape), scalar);
}

// Integers of rank 0 compute in arith, which later passes know.
MlirValue Kernel::binary(tile::BinaryKind kind, MlirValue x, MlirValue y, bool isUnsigned) {
  if (isa<IntegerType>(x.getType()))
    switch (kind) {
    case tile::BinaryKind::add: return arith::AddIOp::create(builder, x, y);
    case tile::BinaryKind::sub: return arith::SubIOp::create(builder, x, y);
    case tile::BinaryKind::mul: return arith::MulIOp::create(builder, x, y);
    case tile::BinaryKind::bit_and: return arith::AndIOp::create(builder, x, y);
    case tile::BinaryKind::bit_or: return arith::OrIOp::create(builder, x, y);
    case tile::BinaryKind::bit_xor: return arith::XOrIOp::create(builder, x, y);
    default: break;
    }
  return tile::BinaryOp::create(builder, x.getType(), kind, x, y, tile::Rounding::nearest,
                                /*flush=*/false, isUnsigned);
}

MlirValue Kernel::compare(tile::CompareKind kind, MlirValue x, MlirValue y, bool isUnsigned) {
  mlir::Type type = tile::withElementType(x.getType(), builder.getI1Type());
  return tile::CompareOp::create(builder, type, kind, x, y, isUnsigned);
}

MlirValue Kernel::cast(MlirValue x, mlir::Type element, bool fromUnsigned, bool toUnsigned) {
  return tile::CastOp::create(builder, tile::withElementType(x.getType(), element), x,
                              tile::Rounding::nearest, fromUnsigned, toUnsigned);
}

// ---- structure ----

mlir::Location Kernel::locationOf(const Frames &frames) {
  mlir::Location location = UnknownLoc::get(output.getContext());
  for (const Frame &frame : llvm::reverse(frames)) { // the outermost caller first
    mlir::Location one =
        FileLineColLoc::get(output.getContext(), frame.file, frame.line, frame.column);
    location = isa<UnknownLoc>(location) ? one : mlir::Location(CallSiteLoc::get(one, location));
  }
  return location;
}

LogicalResult Kernel::translateOps(const Block &block) {
  static const std::array<Handler, 256> handlers = makeHandlers();
  for (const Op &op : block.ops) {
    builder.setLoc(op.frames->empty() ? builder.getLoc() : locationOf(*op.frames));
    Handler handler = handlers[size_t(op.opcode())];
    if (!handler)
      return refuse(op, "the operation '" + op.format->name + "'");
    if (failed(checkTypes(*this, op)) || failed(handler(*this, op)))
      return failure();
  }
  return success();
}

} // namespace tessera::tileir
