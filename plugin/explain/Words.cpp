// Names are those that the emitted text has, see emit/Names.h.
#include "explain/Words.h"

#include "emit/CTypes.h"
#include "emit/Names.h"
#include "plan/analysis/Facts.h"
#include "tile/Attributes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;

namespace tessera::explain {

FileLocation locationOf(Operation *op) { return tile::fileLocation(op->getLoc()); }

// The word by which a kernel's parameter says it of the integers that it points to.
static StringRef signIn(Value pointer) {
  auto base = dyn_cast_or_null<BlockArgument>(plan::baseOf(pointer));
  auto kernel = base ? dyn_cast<func::FuncOp>(base.getOwner()->getParentOp()) : func::FuncOp();
  auto type = kernel ? kernel.getArgAttrOfType<StringAttr>(base.getArgNumber(), tile::typeAttr)
                     : StringAttr();
  if (type)
    for (StringRef word : llvm::split(type.getValue(), ' '))
      if (word == "signed" || word == "unsigned")
        return word;
  return "";
}

// The runtime has shorter names for some.
std::string elementWords(Type element, StringRef sign) {
  if (isa<LLVM::LLVMPointerType>(element))
    return "pointers";
  if (element.isInteger(8))
    return (sign + (sign.empty() ? "char" : " char")).str();
  if (sign == "unsigned" && isa<IntegerType>(element) && !element.isInteger(1))
    return "unsigned " + emit::elementName(element);
  std::string name = emit::elementName(element);
  return llvm::StringSwitch<std::string>(name)
      .Case("half", "__half")
      .Case("bf16", "__nv_bfloat16")
      .Case("tf32", "__nv_tf32")
      .Default(name);
}

std::string tileWords(Type element, ArrayRef<int64_t> shape, StringRef sign) {
  std::string words = elementWords(element, sign) + ", ";
  for (auto [i, extent] : llvm::enumerate(shape))
    words += (i ? "x" : "") + std::to_string(extent);
  return words;
}

std::string tileWords(Type element, ArrayRef<int64_t> shape, Value pointer) {
  return tileWords(element, shape, signIn(pointer));
}

std::string valueWords(Value tile) {
  auto type = cast<RankedTensorType>(tile.getType());
  Value pointer;
  if (auto load = tile.getDefiningOp<tile::ViewLoadOp>())
    pointer = load.getBase();
  else if (auto load = tile.getDefiningOp<tile::LoadOp>())
    pointer = load.getPointers();
  return pointer ? tileWords(type.getElementType(), type.getShape(), pointer)
                 : tileWords(type.getElementType(), type.getShape());
}

std::optional<std::string> variableOf(Value value) {
  while (Operation *op = value.getDefiningOp()) {
    if (auto field = dyn_cast<tile::FieldOp>(op); field && field.getIndices().empty()) {
      std::optional<std::string> object = variableOf(field.getObject());
      return object ? std::optional(*object + field.getPath().str()) : std::nullopt;
    }
    if (!isa<tile::AssumeOp, arith::ExtSIOp, arith::ExtUIOp, arith::TruncIOp>(op))
      return emit::sourceName(value.getLoc());
    value = op->getOperand(0);
  }
  auto argument = cast<BlockArgument>(value);
  auto kernel = dyn_cast<func::FuncOp>(argument.getOwner()->getParentOp());
  if (!kernel)
    return emit::sourceName(value.getLoc());
  auto name = kernel.getArgAttrOfType<StringAttr>(argument.getArgNumber(), tile::parameterNameAttr);
  return name ? std::optional(name.str()) : std::nullopt;
}

std::optional<std::string> memoryName(Value pointer) {
  Value base = plan::baseOf(pointer);
  return base ? variableOf(base) : std::nullopt;
}

std::string memoryWords(Value pointer) {
  std::optional<std::string> name = memoryName(pointer);
  return name ? "'" + *name + "'" : "memory";
}

} // namespace tessera::explain
