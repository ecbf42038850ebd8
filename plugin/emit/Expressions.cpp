// Operands of an emitted kernel: values by name or by expression, pointers with their types, and
// which of the expression files has an op.
#include "emit/CTypes.h"
#include "emit/KernelPrinter.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace tessera::emit {

namespace {

// Every pointer variable of emitted text is spelled `T *` with T as elementName has it, but for
// kernel parameters, which keep the programmer's spelling: whether such a one is `T *`, or `const T
// *` where that will do.
bool isSpelledAsPointerTo(Value v, StringRef element, bool constWillDo) {
  while (Operation *op = v.getDefiningOp()) { // those that are spelled as their operand
    if (!isa<tile::AssumeOp, LLVM::AddrSpaceCastOp, LLVM::FreezeOp>(op))
      break;
    v = op->getOperand(0);
  }
  auto argument = dyn_cast<BlockArgument>(v);
  auto kernel =
      argument ? dyn_cast<func::FuncOp>(argument.getOwner()->getParentOp()) : func::FuncOp();
  if (!kernel)
    return true;
  auto attr = kernel.getArgAttrOfType<StringAttr>(argument.getArgNumber(), "tile.type");
  if (!attr || kernel.getArgAttr(argument.getArgNumber(), "tile.byval"))
    return false;
  StringRef type = attr.getValue();
  if (type.consume_front("const ") && !constWillDo)
    return false;
  type.consume_back("__restrict");
  if (!type.consume_back("*"))
    return false;
  type = type.rtrim();
  return type == element || (type == "__half" && element == "half") ||
         (type == "__nv_bfloat16" && element == "bf16");
}

} // namespace

bool isPrimary(StringRef text) {
  int depth = 0;
  for (char c : text) {
    if (c == '(' || c == '[' || c == '<' || c == '{')
      ++depth;
    else if (c == ')' || c == ']' || c == '>' || c == '}')
      --depth;
    else if (depth == 0 && !llvm::isAlnum(c) && c != '_' && c != '.' && c != ':')
      return false;
  }
  return true;
}

std::string KernelPrinter::use(Value v) { return use(v, false); }

std::string KernelPrinter::use(Value v, bool asUnsigned) {
  Attribute constant;
  if (!isTile(v) && matchPattern(v, m_Constant(&constant)))
    if (auto typed = dyn_cast<TypedAttr>(constant); typed && isa<IntegerAttr, FloatAttr>(constant))
      return literal(typed, asUnsigned);
  auto found = text.find(v);
  std::string name = found == text.end() ? "/* undefined */" : found->second;
  auto integer = dyn_cast<IntegerType>(v.getType());
  if (!integer || integer.getWidth() == 1 || isUnsigned(v) == asUnsigned)
    return name;
  if (integer.getWidth() < 32)
    return asUnsigned ? "(unsigned " + std::string(integer.getWidth() == 8 ? "char" : "short") +
                            ")(" + name + ")"
                      : name;
  std::string type = integer.getWidth() == 32 ? (asUnsigned ? "unsigned" : "int")
                                              : (asUnsigned ? "uint64" : "int64");
  return type + "(" + name + ")";
}

std::string KernelPrinter::operand(Value v) {
  std::string t = use(v);
  return isPrimary(t) ? t : "(" + t + ")";
}

std::string KernelPrinter::operand(Value v, bool asUnsigned) {
  std::string t = use(v, asUnsigned);
  return isPrimary(t) ? t : "(" + t + ")";
}

std::string KernelPrinter::infix(Value x, StringRef symbol, Value y,
                                 std::optional<bool> asUnsigned) {
  bool u = asUnsigned.value_or(false);
  return operand(x, u) + " " + symbol.str() + " " + operand(y, u);
}

std::string KernelPrinter::call(StringRef function, ValueRange arguments) {
  std::string list;
  for (Value v : arguments)
    list += (list.empty() ? "" : ", ") + use(v);
  return function.str() + "(" + list + ")";
}

// A pointer, or a tile of pointers, as pointing to elements of a type.
std::string KernelPrinter::pointer(Value v, Type pointee, bool readOnly) {
  std::string have = use(v),
              want = isa<LLVM::LLVMPointerType>(pointee) ? "char *" : elementName(pointee);
  Type points = pointeeOf(v);
  if (isTile(v))
    return points == pointee ? have : "bitcast<" + want + " *>(" + have + ")";
  if (points == pointee && !isa<LLVM::LLVMPointerType>(pointee) &&
      isSpelledAsPointerTo(v, want, readOnly))
    return have;
  std::string type = readOnly && want.back() == '*'
                         ? want + "const *"
                         : (readOnly ? "const " : "") + want + (want.back() == '*' ? "*" : " *");
  return "(" + type + ")" + operand(v);
}

std::string KernelPrinter::variableType(Value v) {
  if (isTile(v)) {
    Type element = tile::elementType(v.getType());
    std::string name = elementName(element);
    if (isa<LLVM::LLVMPointerType>(element)) {
      Type points = pointeeOf(v);
      name = (isa<LLVM::LLVMPointerType>(points) ? "char *" : elementName(points)) + " *";
    }
    return "fragment<" + name + ", " + layoutOf(v) + ">";
  }
  if (isa<LLVM::LLVMPointerType>(v.getType())) {
    Type points = pointeeOf(v);
    return (isa<LLVM::LLVMPointerType>(points) ? "char *" : elementName(points)) + " *";
  }
  if (isUnsigned(v)) {
    unsigned width = v.getType().getIntOrFloatBitWidth();
    return width == 64   ? "uint64"
           : width == 32 ? "unsigned"
           : width == 16 ? "unsigned short"
                         : "unsigned char";
  }
  std::string name = elementName(v.getType());
  return name == "long long" ? "int64" : name;
}

std::string KernelPrinter::layoutOf(Value tile) {
  return layoutAlias(tile::shapeOf(tile.getType()), tile::layoutOf(tile.getType()));
}

std::string KernelPrinter::layoutAlias(ArrayRef<int64_t> shape, tile::LayoutAttr layout) {
  std::string type = layoutName(shape, layout);
  std::string &alias = aliasOf[type];
  if (alias.empty()) {
    alias = names.fresh(
        shape.empty()
            ? "one"
            : "tile_" +
                  llvm::join(llvm::map_range(shape, [](int64_t n) { return std::to_string(n); }),
                             "x"));
    aliases.emplace_back(alias, type);
  }
  return alias;
}

std::optional<std::string> KernelPrinter::expression(Operation *op) {
  if (auto text = tileExpression(op))
    return text;
  return scalarExpression(op);
}

} // namespace tessera::emit
