// Registration of the tile dialect, its attributes and types, and the small queries on tile types
// that every stage uses.
#include "tile/TileDialect.h"
#include "target/Target.h"

#include "llvm/ADT/TypeSwitch.h"
#include "mlir/IR/DialectImplementation.h"

using namespace mlir;
using namespace tessera::tile;

#include "tile/TileDialect.cpp.inc"
#include "tile/TileEnums.cpp.inc"
#define GET_ATTRDEF_CLASSES
#include "tile/TileAttributes.cpp.inc"
#define GET_TYPEDEF_CLASSES
#include "tile/TileTypes.cpp.inc"

void TileDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "tile/TileAttributes.cpp.inc"
      >();
  addTypes<
#define GET_TYPEDEF_LIST
#include "tile/TileTypes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "tile/TileOps.cpp.inc"
      >();
}

LogicalResult TargetAttr::verify(function_ref<InFlightDiagnostic()> emitError, StringRef name) {
  return findGpuTarget(name) ? success() : emitError() << "no target is called '" << name << "'";
}

LogicalResult ConfigAttr::verify(function_ref<InFlightDiagnostic()> emitError, int64_t warps,
                                 int64_t kBytes, int64_t stages, bool, bool, int64_t exchangeBytes,
                                 int64_t operandBytes) {
  if (!llvm::isPowerOf2_64(uint64_t(std::max<int64_t>(warps, 0))))
    return emitError() << "the warps of a block are a power of two, not " << warps;
  if (kBytes < 0 || stages < 1 || exchangeBytes < 1 || operandBytes < 1)
    return emitError() << "kBytes is at least 0; stages, exchangeBytes and operandBytes at least 1";
  return success();
}

Attribute LayoutAttr::parse(AsmParser &parser, Type) {
  SmallVector<int64_t> bases[3];
  if (parser.parseLess())
    return {};
  for (auto [i, list] : llvm::enumerate(bases)) {
    if (i && parser.parseComma())
      return {};
    if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Square,
                                       [&] { return parser.parseInteger(list.emplace_back()); }))
      return {};
  }
  if (parser.parseGreater())
    return {};
  return get(parser.getContext(), bases[0], bases[1], bases[2]);
}

void LayoutAttr::print(AsmPrinter &printer) const {
  printer << "<[";
  llvm::interleaveComma(getRegisters(), printer);
  printer << "], [";
  llvm::interleaveComma(getLanes(), printer);
  printer << "], [";
  llvm::interleaveComma(getWarps(), printer);
  printer << "]>";
}

LogicalResult SharedType::verify(function_ref<InFlightDiagnostic()> emitError,
                                 ArrayRef<int64_t> shape, Type element, int64_t, int64_t, int64_t,
                                 bool panels) {
  if (!panels)
    return success();
  bool fits = shape.size() == 2 && shape[0] >= 8 && shape[1] * storageBits(element) / 8 >= 32;
  return fits ? success()
              : emitError() << "panels have rows of 32 bytes or more, in eights, of a tile of two "
                               "dimensions";
}

// `<128x64xbf16, bits, base, shift>` or `<128x64xbf16, panels>`
Type SharedType::parse(AsmParser &parser) {
  SmallVector<int64_t> shape;
  Type element;
  int64_t bits = 0, base = 0, shift = 0;
  if (parser.parseLess() || parser.parseDimensionList(shape, /*allowDynamic=*/false) ||
      parser.parseType(element) || parser.parseComma())
    return {};
  bool panels = succeeded(parser.parseOptionalKeyword("panels"));
  if (!panels && (parser.parseInteger(bits) || parser.parseComma() || parser.parseInteger(base) ||
                  parser.parseComma() || parser.parseInteger(shift)))
    return {};
  if (parser.parseGreater())
    return {};
  return getChecked([&] { return parser.emitError(parser.getNameLoc()); }, parser.getContext(),
                    shape, element, bits, base, shift, panels);
}

void SharedType::print(AsmPrinter &printer) const {
  printer << '<';
  for (int64_t extent : getShape())
    printer << extent << 'x';
  printer << getElementType() << ", ";
  if (getPanels())
    printer << "panels>";
  else
    printer << getBits() << ", " << getBase() << ", " << getShift() << '>';
}

namespace tessera::tile {

Type elementType(Type type) {
  if (auto tensor = dyn_cast<RankedTensorType>(type))
    return tensor.getElementType();
  return type;
}

ArrayRef<int64_t> shapeOf(Type type) {
  if (auto tensor = dyn_cast<RankedTensorType>(type))
    return tensor.getShape();
  return {};
}

Type withElementType(Type type, Type element) {
  if (auto tensor = dyn_cast<RankedTensorType>(type))
    return RankedTensorType::get(tensor.getShape(), element, tensor.getEncoding());
  return element;
}

unsigned storageBits(Type element) {
  if (isa<LLVM::LLVMPointerType>(element))
    return 64;
  if (isa<FloatTF32Type>(element))
    return 32;
  unsigned bits = element.getIntOrFloatBitWidth();
  return bits < 8 ? 8 : bits;
}

LayoutAttr layoutOf(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor ? dyn_cast_or_null<LayoutAttr>(tensor.getEncoding()) : LayoutAttr();
}

RankedTensorType withLayout(RankedTensorType type, LayoutAttr layout) {
  return RankedTensorType::get(type.getShape(), type.getElementType(), layout);
}

} // namespace tessera::tile
