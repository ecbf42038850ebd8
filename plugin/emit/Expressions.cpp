// Operands of a generated kernel: values by name or by expression, pointers with their types, and
// the dispatch of ops to the expression files.
#include "emit/CTypes.h"
#include "emit/KernelPrinter.h"

#include "mlir/IR/Matchers.h"
#include "plan/analysis/Layouts.h"
#include "tile/Attributes.h"

using namespace mlir;

namespace tessera::emit {

// A `<` directly after a name opens template arguments; any other is an operator.
bool isPrimary(StringRef text) {
  SmallVector<char> open;
  char before = ' ';
  for (char c : text) {
    if (c == '(' || c == '[' || c == '{' || (c == '<' && llvm::isAlnum(before)))
      open.push_back(c);
    else if (c == ')' || c == ']' || c == '}' || (c == '>' && !open.empty() && open.back() == '<'))
      open.pop_back();
    else if (open.empty() && !isOfName(c) && c != '.' && c != ':')
      return false;
    before = c;
  }
  return true;
}

namespace {

std::string parenthesized(const std::string &text) {
  return isPrimary(text) ? text : "(" + text + ")";
}

// An integer that a runtime function or a C operator can read in more than one way.
IntegerType numberType(Value v) {
  auto integer = dyn_cast<IntegerType>(v.getType());
  return integer && integer.getWidth() > 1 ? integer : IntegerType();
}

TypedAttr literalOf(Value v) {
  Attribute constant;
  if (isTile(v) || !matchPattern(v, m_Constant(&constant)) ||
      !isa<IntegerAttr, FloatAttr>(constant))
    return {};
  return cast<TypedAttr>(constant);
}

} // namespace

std::string KernelPrinter::bits(Value v) {
  if (TypedAttr constant = literalOf(v))
    return literal(constant);
  auto found = text.find(v);
  if (found != text.end())
    return found->second;
  mlir::emitError(v.getLoc()) << "the emitter reads a value that has no text";
  return text[v] = "0"; // reported once; the kernel's code is discarded
}

std::string KernelPrinter::use(Value v) { return use(v, false); }

std::string KernelPrinter::use(Value v, bool asUnsigned) {
  IntegerType integer = numberType(v);
  TypedAttr constant = literalOf(v);
  if (constant && integer && integer.getWidth() < 32)
    return "(" + integerName(integer.getWidth(), asUnsigned) + ")" +
           parenthesized(literal(constant, asUnsigned));
  return reading(v, asUnsigned);
}

// Like use, but a literal below 32 bits may have type int: its value is right in any expression.
std::string KernelPrinter::reading(Value v, bool asUnsigned) {
  IntegerType integer = numberType(v);
  if (TypedAttr constant = literalOf(v)) {
    if (asUnsigned && integer && integer.getWidth() < 32)
      return llvm::toString(cast<IntegerAttr>(constant).getValue(), 10, /*Signed=*/false);
    return literal(constant, asUnsigned);
  }
  if (!integer || isUnsigned(v) == asUnsigned)
    return bits(v);
  std::string type = integerName(integer.getWidth(), asUnsigned);
  // A pending cast that is expanded here casts to the requested type.
  if (auto source = castSources.find(v); source != castSources.end())
    return "(" + type + ")" + source->second;
  return StringRef(type).contains(' ') ? "(" + type + ")" + parenthesized(bits(v))
                                       : type + "(" + bits(v) + ")";
}

std::string KernelPrinter::operand(Value v) { return parenthesized(reading(v, false)); }

std::string KernelPrinter::operand(Value v, bool asUnsigned) {
  return parenthesized(reading(v, asUnsigned));
}

std::string KernelPrinter::infix(Value x, StringRef symbol, Value y,
                                 std::optional<bool> asUnsigned) {
  bool u = asUnsigned.value_or(false);
  return operand(x, u) + " " + symbol.str() + " " + operand(y, u);
}

std::string KernelPrinter::asResult(Value result, const std::string &text) {
  IntegerType integer = numberType(result);
  if (!integer || integer.getWidth() >= 32)
    return text;
  return castTo(result, parenthesized(text));
}

std::string KernelPrinter::castTo(Value result, const std::string &source) {
  castSources[result] = source;
  return "(" + variableType(result) + ")" + source;
}

std::string KernelPrinter::call(StringRef function, ValueRange arguments) {
  std::string list;
  for (Value v : arguments)
    list += (list.empty() ? "" : ", ") + use(v);
  return function.str() + "(" + list + ")";
}

// A pointer, or a tile of pointers, with the given pointee type.
std::string KernelPrinter::pointer(Value v, Type pointee, bool readOnly) {
  return pointer(v, Pointee{pointee, readOnly});
}

std::string KernelPrinter::pointer(Value v, const Pointee &pointee) {
  std::string have = use(v);
  if (isTile(v)) {
    std::string want = Pointee{pointee.element}.pointer();
    return pointers.of(v).pointer() == want ? have : "bitcast<" + want + ">(" + have + ")";
  }
  std::string type = variableType(v);
  bool isSame =
      type == pointee.pointer() || (pointee.isConst && type == Pointee{pointee.element}.pointer());
  return isSame ? have : "(" + pointee.pointer() + ")" + parenthesized(have);
}

// The expression that assigns `v` to a variable of `target`'s type.
std::string KernelPrinter::assignable(Value v, Value target) {
  return isPointer(v) ? pointer(v, pointers.of(target)) : bits(v);
}

// A pointer that an operation returns as `natural`, in the type of its value.
std::string KernelPrinter::pointerResult(Value result, const std::string &text, Type natural) {
  std::string want = pointers.of(result).pointer();
  if (want == Pointee{natural, pointers.of(result).isConst}.pointer())
    return text;
  return isTile(result) ? "bitcast<" + want + ">(" + text + ")"
                        : "(" + want + ")" + parenthesized(text);
}

// A value as stored in memory, where pointers are char pointers.
std::string KernelPrinter::memoryValue(Value v) {
  return isPointer(v) ? pointer(v, Pointee{}) : bits(v);
}

// The programmer's type, in our spelling if that is the same type.
std::string KernelPrinter::ownSpelling(StringRef type) {
  // A reference represents the address that is passed.
  bool isConst = type.consume_front("const "),
       isPointer = type.consume_back("*") || type.consume_back("&");
  static const llvm::StringMap<StringRef> spellings = {{"__half", "half"},
                                                       {"__nv_bfloat16", "bf16"},
                                                       {"unsigned int", "unsigned"},
                                                       {"long long", "int64"},
                                                       {"unsigned long long", "uint64"}};
  auto same = spellings.find(type.rtrim());
  if (!isPointer)
    return same == spellings.end() ? type.str() : same->second.str();
  // The pointee of `long long *` has this spelling.
  bool isOther = same == spellings.end() || same->second == "int64";
  return (isConst ? "const " : "") + (isOther ? type.rtrim().str() : same->second.str()) + " *";
}

std::string KernelPrinter::parameterType(BlockArgument parameter) {
  auto type = kernel.getArgAttrOfType<StringAttr>(parameter.getArgNumber(), tile::typeAttr);
  bool isObject = bool(kernel.getArgAttr(parameter.getArgNumber(), tile::byvalAttr));
  return type && !isObject ? ownSpelling(type.getValue()) : "";
}

// A field has the spelling of a parameter of its type.
std::string KernelPrinter::field(tile::FieldOp op) {
  std::string name = objects.at(op.getObject());
  StringRef path = op.getPath();
  for (Value index : op.getIndices()) {
    auto [before, behind] = path.split('#');
    name += before.str() + (behind.starts_with(" ") ? operand(index) : reading(index, false));
    path = behind;
  }
  name += path;
  Type type = op.getType();
  bool isNumber = isa<IntegerType>(type) && !type.isInteger(1);
  bool isPointer = isa<LLVM::LLVMPointerType>(type);
  std::string want = variableType(op.getResult());
  bool isSame = ownSpelling(op.getSpelling()) == want || (!isNumber && !isPointer);
  return isSame ? name : "(" + want + ")" + name;
}

std::string KernelPrinter::variableType(Value v) {
  Type element = tile::elementType(v.getType());
  bool isPointer = isa<LLVM::LLVMPointerType>(element);
  if (isTile(v))
    return "fragment<" + (isPointer ? pointers.of(v).pointer() : elementName(element)) + ", " +
           layoutOf(v) + ">";
  auto argument = dyn_cast<BlockArgument>(v);
  if (argument && argument.getOwner()->getParentOp() == kernel && isPointer)
    return parameterType(argument);
  if (isPointer)
    return pointers.of(v).pointer();
  if (auto integer = dyn_cast<IntegerType>(element))
    return integerName(integer.getWidth(), isUnsigned(v));
  return elementName(element);
}

std::string KernelPrinter::layoutOf(Value tile) {
  if (ArrayRef<int64_t> shape = tile::shapeOf(tile.getType()); options.isWhole)
    return aliasOfTile(shape, "whole<" + shapeName(shape) + ">");
  return layoutAlias(tile::shapeOf(tile.getType()), tile::layoutOf(tile.getType()));
}

std::string KernelPrinter::partAlias(tile::StorePartsOp store) {
  const LinearLayout part =
      plan::toLinear(cast<RankedTensorType>(store.getValue().getType())).part(store.getMask());
  return layoutAlias(part.shape(), plan::toAttr(kernel.getContext(), part));
}

std::string KernelPrinter::layoutAlias(ArrayRef<int64_t> shape, tile::LayoutAttr layout) {
  return aliasOfTile(shape, layoutName(shape, layout));
}

std::string KernelPrinter::aliasOfTile(ArrayRef<int64_t> shape, const std::string &type) {
  std::string &alias = aliasOf[type];
  if (alias.empty()) {
    alias = names.freshForFunction(
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
  if (!tileList.empty())
    if (auto text = listedExpression(op))
      return text;
  if (auto text = tileExpression(op))
    return text;
  return scalarExpression(op);
}

} // namespace tessera::emit
