// Spelling of types and literals.
#include "emit/CTypes.h"

#include "tile/Attributes.h"

#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/MathExtras.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include <charconv>

using namespace mlir;

namespace tessera::emit {

std::string elementName(Type t) {
#define TESSERA_INTEGER(KIND, NAME, BITS, SIGN)                                                    \
  if (t.isInteger(BITS))                                                                           \
    return #NAME;
#define TESSERA_FLOAT(KIND, NAME, RANK, MLIR)                                                      \
  if (isa<MLIR>(t))                                                                                \
    return #NAME;
#define TESSERA_FLOAT_CLASS(KIND, NAME, CLASS, LANE, BITS, RANK, MLIR, ...)                        \
  if (isa<MLIR>(t))                                                                                \
    return #NAME;
#include "tessera/elements.def"
  return "char"; // pointers count bytes
}

std::string integerName(unsigned width, bool isUnsigned) {
  switch (width) {
  case 1: return "bool";
  case 8: return isUnsigned ? "unsigned char" : "signed char";
  case 16: return isUnsigned ? "unsigned short" : "short";
  case 32: return isUnsigned ? "unsigned" : "int";
  default: return isUnsigned ? "uint64" : "int64";
  }
}

namespace {

bool isUnsignedValue(Value v, int depth) {
  auto integer = dyn_cast<IntegerType>(v.getType());
  if (!integer || integer.getWidth() == 1 || depth == 0)
    return false;
  if (auto argument = dyn_cast<BlockArgument>(v)) {
    Operation *parent = argument.getOwner()->getParentOp();
    if (auto kernel = dyn_cast<func::FuncOp>(parent))
      return bool(kernel.getArgAttr(argument.getArgNumber(), tile::unsignedAttr));
    if (auto loop = dyn_cast<scf::ForOp>(parent); loop && argument == loop.getInductionVar())
      return loop.getUnsignedCmp();
    return false;
  }
  Operation *op = v.getDefiningOp();
  if (isa<arith::FPToUIOp>(op))
    return true;
  if (auto field = dyn_cast<tile::FieldOp>(op))
    return field.getIsUnsigned();
  if (isa<tile::AssumeOp>(op))
    return isUnsignedValue(op->getOperand(0), depth - 1);
  if (integer.getWidth() < 32)
    return false;
  return llvm::TypeSwitch<Operation *, bool>(op)
      .Case<arith::AddIOp, arith::SubIOp, arith::MulIOp, arith::ShLIOp>([](auto op) {
        return !bitEnumContainsAny(op.getOverflowFlags(), arith::IntegerOverflowFlags::nsw);
      })
      .Case<arith::DivUIOp, arith::RemUIOp, arith::ShRUIOp>([](auto) { return true; })
      .Case<arith::TruncIOp>([&](auto op) { return isUnsignedValue(op.getIn(), depth - 1); })
      .Case<arith::AndIOp, arith::OrIOp, arith::XOrIOp>([&](auto op) {
        return isUnsignedValue(op.getLhs(), depth - 1) || isUnsignedValue(op.getRhs(), depth - 1);
      })
      .Default([](Operation *) { return false; });
}

std::string floatLiteral(const APFloat &value) {
  bool isDouble = &value.getSemantics() == &APFloat::IEEEdouble();
  if (value.isNaN())
    return isDouble ? "double(NAN)" : "NAN";
  if (value.isInfinity())
    return std::string(value.isNegative() ? "-" : "") +
           (isDouble ? "double(INFINITY)" : "INFINITY");
  // The shortest text that reads back as the same number.
  char buffer[64];
  auto end = isDouble ? std::to_chars(buffer, std::end(buffer), value.convertToDouble())
                      : std::to_chars(buffer, std::end(buffer), value.convertToFloat());
  std::string text(buffer, end.ptr);
  if (text.find_first_of(".e") == std::string::npos)
    text += ".0";
  return text + (isDouble ? "" : "f");
}

template <class Range> std::string list(StringRef name, const Range &values) {
  std::string text = name.str() + "<";
  llvm::raw_string_ostream os(text);
  llvm::interleaveComma(values, os);
  return text + ">";
}

} // namespace

bool isUnsigned(Value scalar) { return isUnsignedValue(scalar, 4); }

std::string literal(TypedAttr value, bool asUnsigned) {
  if (auto integer = dyn_cast<IntegerAttr>(value)) {
    unsigned width = integer.getType().getIntOrFloatBitWidth();
    if (width == 1)
      return integer.getValue().isZero() ? "false" : "true";
    if (asUnsigned)
      return llvm::toString(integer.getValue(), 10, false) + (width > 32 ? "ull" : "u");
    if (integer.getValue().isMinSignedValue())
      return width > 32    ? "(-9223372036854775807ll - 1)"
             : width == 32 ? "(-2147483647 - 1)"
                           : std::to_string(integer.getInt());
    return std::to_string(integer.getInt()) + (width > 32 ? "ll" : "");
  }
  auto real = cast<FloatAttr>(value);
  if (real.getType().isF32() || real.getType().isF64())
    return floatLiteral(real.getValue());
  APFloat wide = real.getValue();
  // Conversions to 8 bits give the largest number for an infinity.
  if (wide.isInfinity() && real.getType().getIntOrFloatBitWidth() == 8)
    return "bitcast<" + elementName(real.getType()) + ">((signed char)" +
           std::to_string(wide.bitcastToAPInt().getSExtValue()) + ")";
  bool lossy;
  wide.convert(APFloat::IEEEsingle(), APFloat::rmNearestTiesToEven, &lossy);
  return "cast<" + elementName(real.getType()) + ">(" + floatLiteral(wide) + ")";
}

std::string shapeName(ArrayRef<int64_t> shape) { return list("shape", shape); }

std::string layoutName(ArrayRef<int64_t> shape, tile::LayoutAttr layout) {
  return "layout<" + shapeName(shape) + ", " + list("registers", layout.getRegisters()) + ", " +
         list("lanes", layout.getLanes()) + ", " + list("warps", layout.getWarps()) + ">";
}

std::string sharedName(tile::SharedType type, ArrayRef<int64_t> shape, StringRef element) {
  std::string head = "shared_tile<" + element.str() + ", " + shapeName(shape) + ", ";
  if (type.getPanels())
    return head + "panels<" + element.str() + ", " +
           std::to_string(llvm::Log2_64(type.getShape()[0])) + ", " +
           std::to_string(llvm::Log2_64(type.getShape()[1])) + ">>";
  return head +
         list("swizzle", ArrayRef<int64_t>{type.getBits(), type.getBase(), type.getShift()}) + ">";
}

} // namespace tessera::emit
