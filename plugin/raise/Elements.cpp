// Element types and their lanes; see Elements.h.
#include "raise/Elements.h"

#include "mlir/Dialect/LLVMIR/LLVMTypes.h"
#include "llvm/IR/Type.h"

using namespace mlir;
using tessera::frontend::ElementKind;

namespace tessera::raising {

Type elementType(MLIRContext *context, ElementKind kind) {
  switch (kind) {
#define TESSERA_INTEGER(KIND, NAME, BITS, SIGN)                                                    \
  case ElementKind::KIND: return IntegerType::get(context, BITS);
#define TESSERA_FLOAT(KIND, NAME, RANK, MLIR)                                                      \
  case ElementKind::KIND: return MLIR::get(context);
#define TESSERA_FLOAT_CLASS(KIND, NAME, CLASS, LANE, BITS, RANK, MLIR, ...)                        \
  case ElementKind::KIND: return MLIR::get(context);
#include "tessera/elements.def"
  case ElementKind::Pointer: return LLVM::LLVMPointerType::get(context);
  case ElementKind::Other: return {};
  }
  return {};
}

// void * and pointers to structs count bytes.
Type pointeeType(MLIRContext *context, const frontend::ElementType &pointer) {
  Type type = elementType(context, pointer.pointee);
  return type ? type : IntegerType::get(context, 8);
}

Type tileType(MLIRContext *context, const frontend::TileType &type) {
  Type element = elementType(context, type.element.kind);
  if (!element || type.shape.empty())
    return element;
  return RankedTensorType::get(type.shape, element);
}

bool isUnsigned(ElementKind kind) {
  enum Sign { is_signed, is_unsigned };
  switch (kind) {
#define TESSERA_INTEGER(KIND, NAME, BITS, SIGN)                                                    \
  case ElementKind::KIND: return SIGN == is_unsigned;
#include "tessera/elements.def"
  case ElementKind::Pointer: return true;
  default: return false;
  }
}

Type scalarType(MLIRContext *context, const llvm::Type *type) {
  if (type->isIntegerTy()) {
    // Only the widths of elements; generated code has no other types (see Prepare.h).
    unsigned width = type->getIntegerBitWidth();
    bool isNumber = llvm::is_contained({1u, 8u, 16u, 32u, 64u}, width);
    return isNumber ? IntegerType::get(context, width) : Type();
  }
  if (type->isPointerTy())
    return LLVM::LLVMPointerType::get(context);
  if (type->isHalfTy())
    return Float16Type::get(context);
  if (type->isBFloatTy())
    return BFloat16Type::get(context);
  if (type->isFloatTy())
    return Float32Type::get(context);
  if (type->isDoubleTy() || type->isX86_FP80Ty()) // long double has double's values
    return Float64Type::get(context);
  return {};
}

namespace {

bool isPointer(Type type) { return isa<LLVM::LLVMPointerType>(type); }

// Can arith.bitcast express it? MLIR counts 19 bits for tf32 and 4 for e2m1, whose lanes have 32
// and 8.
bool arithBitcasts(Type from, Type to) {
  return from.isIntOrFloat() && to.isIntOrFloat() &&
         from.getIntOrFloatBitWidth() == to.getIntOrFloatBitWidth();
}

Value truth(OpBuilder &builder, Location loc, Value lane) {
  Value zero = arith::ConstantOp::create(builder, loc, builder.getIntegerAttr(lane.getType(), 0));
  return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ne, lane, zero);
}

Value pointerFromInteger(OpBuilder &builder, Location loc, Value integer, Type type) {
  if (auto cast = integer.getDefiningOp<LLVM::PtrToIntOp>())
    return cast.getArg();
  return LLVM::IntToPtrOp::create(builder, loc, type, integer);
}

Value integerFromPointer(OpBuilder &builder, Location loc, Value pointer, Type type) {
  if (auto cast = pointer.getDefiningOp<LLVM::IntToPtrOp>();
      cast && cast.getArg().getType() == type)
    return cast.getArg();
  return LLVM::PtrToIntOp::create(builder, loc, type, pointer);
}

} // namespace

Value fromLane(OpBuilder &builder, Location loc, Value lane, Type element) {
  Type type = lane.getType();
  if (type == element)
    return lane;
  if (element.isInteger(1))
    return truth(builder, loc, lane);
  if (isPointer(element))
    return pointerFromInteger(builder, loc, lane, element);
  if (arithBitcasts(type, element))
    return arith::BitcastOp::create(builder, loc, element, lane);
  return tile::BitcastOp::create(builder, loc, element, lane);
}

Value toLane(OpBuilder &builder, Location loc, Value element, Type lane) {
  Type type = element.getType();
  if (type == lane)
    return element;
  if (type.isInteger(1))
    return arith::ExtUIOp::create(builder, loc, lane, element);
  if (isPointer(type))
    return integerFromPointer(builder, loc, element, lane);
  if (arithBitcasts(type, lane))
    return arith::BitcastOp::create(builder, loc, lane, element);
  return tile::BitcastOp::create(builder, loc, lane, element);
}

namespace {

int64_t elementCount(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor ? tensor.getNumElements() : 1;
}

// A scalar reinterpreted as another one, through their common lane type.
Value reinterpretScalar(OpBuilder &builder, Location loc, Value value, Type type) {
  Type lane = builder.getIntegerType(tile::storageBits(type));
  return fromLane(builder, loc, toLane(builder, loc, value, lane), type);
}

} // namespace

Value reinterpret(OpBuilder &builder, Location loc, Value value, Type type) {
  if (value.getType() == type)
    return value;
  Type from = tile::elementType(value.getType()), to = tile::elementType(type);
  if (elementCount(value.getType()) != elementCount(type) ||
      tile::storageBits(from) != tile::storageBits(to))
    return {};
  bool tensorFrom = isa<RankedTensorType>(value.getType()), tensorTo = isa<RankedTensorType>(type);
  if (tensorFrom && !tensorTo)
    value = tile::ScalarOp::create(builder, loc, from, value);
  if (!tensorFrom || !tensorTo) {
    value = from == to ? value : reinterpretScalar(builder, loc, value, to);
    return tensorTo ? Value(tile::SplatOp::create(builder, loc, type, value)) : value;
  }
  if (from != to)
    value =
        tile::BitcastOp::create(builder, loc, tile::withElementType(value.getType(), to), value);
  if (value.getType() != type)
    value = tile::ReshapeOp::create(builder, loc, type, value);
  return value;
}

} // namespace tessera::raising
