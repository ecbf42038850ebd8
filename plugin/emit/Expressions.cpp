// Everything of an emitted kernel that is an expression: arithmetic on scalars as C++ writes it, tile operations as calls of the runtime.
#include "emit/CTypes.h"
#include "emit/KernelPrinter.h"

#include "llvm/ADT/TypeSwitch.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace tessera::emit {

namespace {

bool isTile(Value v) { return isa<RankedTensorType>(v.getType()); }
bool isFloat(Value v) { return isa<FloatType>(tile::elementType(v.getType())); }
bool isSmallFloat(Value v) {
  Type t = tile::elementType(v.getType());
  return t.isF16() || t.isBF16();
}

// Every pointer variable of emitted text is spelled `T *` with T as elementName has it, but for kernel parameters, which keep the programmer's
// spelling: whether such a one is `T *`, or `const T *` where that will do.
bool isSpelledAsPointerTo(Value v, StringRef element, bool constWillDo) {
  auto argument = dyn_cast<BlockArgument>(v);
  auto kernel = argument ? dyn_cast<func::FuncOp>(argument.getOwner()->getParentOp()) : func::FuncOp();
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
  return type == element || (type == "__half" && element == "half") || (type == "__nv_bfloat16" && element == "bf16");
}

// Text that needs no parentheses as an operand: a name, a literal, a call.
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

std::string modes(tile::Rounding rounding, bool flush) {
  if (rounding == tile::Rounding::nearest && !flush)
    return "";
  return "<rounding::" + tile::stringifyRounding(rounding).str() + ">";
}

std::string flushArgument(bool flush) { return flush ? ", flush_subnormals" : ""; }

StringRef reduceFunctor(tile::ReduceKind kind, bool isUnsigned) {
  switch (kind) {
  case tile::ReduceKind::sum: return "sum";
  case tile::ReduceKind::prod: return "prod";
  case tile::ReduceKind::max:
  case tile::ReduceKind::argmax: return isUnsigned ? "maximum_unsigned" : "maximum";
  case tile::ReduceKind::min:
  case tile::ReduceKind::argmin: return isUnsigned ? "minimum_unsigned" : "minimum";
  case tile::ReduceKind::max_nan: return "maximum_nan";
  case tile::ReduceKind::min_nan: return "minimum_nan";
  case tile::ReduceKind::bit_and: return "bit_and";
  case tile::ReduceKind::bit_or: return "bit_or";
  case tile::ReduceKind::bit_xor: return "bit_xor";
  }
  llvm_unreachable("all kinds are listed");
}

std::string atomicName(tile::AtomicKind kind, bool isUnsigned) {
  std::string name = tile::stringifyAtomicKind(kind).str();
  bool ordered = kind == tile::AtomicKind::max || kind == tile::AtomicKind::min;
  return "atomic::" + name + (ordered && isUnsigned ? "_unsigned" : "");
}

} // namespace

// ---- Operands -----------------------------------------------------------------------------------------------------------------

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
    return asUnsigned ? "(unsigned " + std::string(integer.getWidth() == 8 ? "char" : "short") + ")(" + name + ")" : name;
  std::string type = integer.getWidth() == 32 ? (asUnsigned ? "unsigned" : "int") : (asUnsigned ? "uint64" : "int64");
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

std::string KernelPrinter::infix(Value x, StringRef symbol, Value y, std::optional<bool> asUnsigned) {
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
  std::string have = use(v), want = isa<LLVM::LLVMPointerType>(pointee) ? "char *" : elementName(pointee);
  Type points = pointeeOf(v);
  if (isTile(v))
    return points == pointee ? have : "bitcast<" + want + " *>(" + have + ")";
  if (points == pointee && !isa<LLVM::LLVMPointerType>(pointee) && isSpelledAsPointerTo(v, want, readOnly))
    return have;
  std::string type = readOnly && want.back() == '*' ? want + "const *" : (readOnly ? "const " : "") + want + (want.back() == '*' ? "*" : " *");
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
    return width == 64 ? "uint64" : width == 32 ? "unsigned" : width == 16 ? "unsigned short" : "unsigned char";
  }
  std::string name = elementName(v.getType());
  return name == "long long" ? "int64" : name;
}

std::string KernelPrinter::layoutOf(Value tile) { return layoutAlias(tile::shapeOf(tile.getType()), tile::layoutOf(tile.getType())); }

std::string KernelPrinter::layoutAlias(ArrayRef<int64_t> shape, tile::LayoutAttr layout) {
  std::string type = layoutName(shape, layout);
  std::string &alias = aliasOf[type];
  if (alias.empty()) {
    alias = names.fresh(shape.empty() ? "one" : "tile_" + llvm::join(llvm::map_range(shape, [](int64_t n) { return std::to_string(n); }), "x"));
    aliases.emplace_back(alias, type);
  }
  return alias;
}

std::string KernelPrinter::accessName(tile::AccessAttr access) {
  std::string type = "access_by<" + std::to_string(access.getVector()) + ", " + std::to_string(access.getAlong()) + ", alignment::" +
                     (access.getAligned() ? "proven" : "guarded") + ", bounds::" + (access.getChecked() ? "checked" : "inside") + ">";
  std::string &alias = aliasOf[type];
  if (alias.empty()) {
    alias = names.fresh("by_" + std::to_string(access.getVector()));
    aliases.emplace_back(alias, type);
  }
  return alias;
}

// ---- Scalars --------------------------------------------------------------------------------------------------------------------

std::optional<std::string> KernelPrinter::scalarExpression(Operation *op) {
  using Text = std::optional<std::string>;
  auto wraps = [&](auto o) { return !bitEnumContainsAny(o.getOverflowFlags(), arith::IntegerOverflowFlags::nsw); };
  auto ofFloats = [&](StringRef symbol) -> std::string {
    if (!isSmallFloat(op->getResult(0)))
      return infix(op->getOperand(0), symbol, op->getOperand(1));
    return "cast<" + elementName(op->getResult(0).getType()) + ">(cast<float>(" + use(op->getOperand(0)) + ") " + symbol.str() + " cast<float>(" +
           use(op->getOperand(1)) + "))";
  };
  auto function = [&](StringRef name) { return call(name, op->getOperands()); };
  auto castTo = [&](bool fromUnsigned) {
    Value x = op->getOperand(0), result = op->getResult(0);
    if (isSmallFloat(x) || isSmallFloat(result))
      return "cast<" + elementName(result.getType()) + ">(" + use(x, fromUnsigned) + ")";
    return "(" + variableType(result) + ")" + operand(x, fromUnsigned);
  };
  return llvm::TypeSwitch<Operation *, std::optional<std::string>>(op)
      .Case([&](arith::AddIOp o) { return infix(o.getLhs(), "+", o.getRhs(), wraps(o)); })
      .Case([&](arith::SubIOp o) { return infix(o.getLhs(), "-", o.getRhs(), wraps(o)); })
      .Case([&](arith::MulIOp o) { return infix(o.getLhs(), "*", o.getRhs(), wraps(o)); })
      .Case([&](arith::ShLIOp o) { return infix(o.getLhs(), "<<", o.getRhs(), wraps(o)); })
      .Case([&](arith::DivSIOp o) { return infix(o.getLhs(), "/", o.getRhs()); })
      .Case([&](arith::RemSIOp o) { return infix(o.getLhs(), "%", o.getRhs()); })
      .Case([&](arith::ShRSIOp o) { return infix(o.getLhs(), ">>", o.getRhs()); })
      .Case([&](arith::DivUIOp o) { return infix(o.getLhs(), "/", o.getRhs(), true); })
      .Case([&](arith::RemUIOp o) { return infix(o.getLhs(), "%", o.getRhs(), true); })
      .Case([&](arith::ShRUIOp o) { return infix(o.getLhs(), ">>", o.getRhs(), true); })
      .Case([&](arith::AndIOp o) {
        bool logical = o.getType().isInteger(1);
        return infix(o.getLhs(), logical ? "&&" : "&", o.getRhs(), isUnsigned(o.getResult()));
      })
      .Case([&](arith::OrIOp o) {
        bool logical = o.getType().isInteger(1);
        return infix(o.getLhs(), logical ? "||" : "|", o.getRhs(), isUnsigned(o.getResult()));
      })
      .Case([&](arith::XOrIOp o) {
        if (o.getType().isInteger(1) && matchPattern(o.getRhs(), m_One()))
          return "!" + operand(o.getLhs());
        return infix(o.getLhs(), o.getType().isInteger(1) ? "!=" : "^", o.getRhs(), isUnsigned(o.getResult()));
      })
      .Case<arith::MinSIOp, arith::MaxSIOp>([&](auto o) { return function(isa<arith::MinSIOp>(op) ? "min" : "max"); })
      .Case<arith::MinUIOp, arith::MaxUIOp>([&](auto o) {
        return variableType(o.getResult()) + "(" + function(isa<arith::MinUIOp>(op) ? "min_unsigned" : "max_unsigned") + ")";
      })
      .Case([&](arith::CmpIOp o) {
        static constexpr StringRef symbols[] = {"==", "!=", "<", "<=", ">", ">=", "<", "<=", ">", ">="};
        auto predicate = o.getPredicate();
        bool equality = predicate == arith::CmpIPredicate::eq || predicate == arith::CmpIPredicate::ne;
        bool asUnsigned = predicate >= arith::CmpIPredicate::ult || (equality && isUnsigned(o.getLhs()));
        return infix(o.getLhs(), symbols[int(predicate)], o.getRhs(), asUnsigned);
      })
      .Case([&](LLVM::ICmpOp o) {
        static constexpr StringRef symbols[] = {"==", "!=", "<", "<=", ">", ">=", "<", "<=", ">", ">="};
        return operand(o.getLhs()) + " " + symbols[int(o.getPredicate())].str() + " " + operand(o.getRhs());
      })
      .Case([&](arith::CmpFOp o) -> std::optional<std::string> {
        // Ordered comparisons are C++'s; an unordered one is the negation of its opposite. In the enum's order:
        static constexpr StringRef symbols[] = {"", "==", ">", ">=", "<", "<=", "", "", "", "!<=", "!<", "!>=", "!>", "!=", "", ""};
        StringRef symbol = symbols[int(o.getPredicate())];
        auto compare = [&](StringRef s) {
          if (isSmallFloat(o.getLhs()))
            return "cast<float>(" + use(o.getLhs()) + ") " + s.str() + " cast<float>(" + use(o.getRhs()) + ")";
          return infix(o.getLhs(), s, o.getRhs());
        };
        if (o.getPredicate() == arith::CmpFPredicate::UNE)
          return compare("!=");
        if (o.getPredicate() == arith::CmpFPredicate::ONE)
          return compare("<") + " || " + compare(">");
        if (o.getPredicate() == arith::CmpFPredicate::UEQ)
          return "!(" + compare("<") + " || " + compare(">") + ")";
        if (o.getPredicate() == arith::CmpFPredicate::ORD)
          return "!isnan(" + use(o.getLhs()) + ") && !isnan(" + use(o.getRhs()) + ")";
        if (o.getPredicate() == arith::CmpFPredicate::UNO)
          return "isnan(" + use(o.getLhs()) + ") || isnan(" + use(o.getRhs()) + ")";
        if (symbol.consume_front("!"))
          return "!(" + compare(symbol) + ")";
        if (symbol.empty())
          return std::nullopt;
        return compare(symbol);
      })
      .Case<arith::SelectOp, LLVM::SelectOp>([&](auto o) {
        return operand(op->getOperand(0)) + " ? " + operand(op->getOperand(1), isUnsigned(op->getResult(0))) + " : " +
               operand(op->getOperand(2), isUnsigned(op->getResult(0)));
      })
      .Case([&](arith::AddFOp) { return ofFloats("+"); })
      .Case([&](arith::SubFOp) { return ofFloats("-"); })
      .Case([&](arith::MulFOp) { return ofFloats("*"); })
      .Case([&](arith::DivFOp) { return ofFloats("/"); })
      .Case([&](arith::RemFOp) { return function("rem"); })
      .Case([&](arith::NegFOp o) { return isSmallFloat(o.getOperand()) ? "neg(" + use(o.getOperand()) + ")" : "-" + operand(o.getOperand()); })
      .Case<arith::MaximumFOp, arith::MaxNumFOp>([&](auto) { return function(isa<arith::MaximumFOp>(op) ? "max_nan" : "max"); })
      .Case<arith::MinimumFOp, arith::MinNumFOp>([&](auto) { return function(isa<arith::MinimumFOp>(op) ? "min_nan" : "min"); })
      .Case<arith::ExtUIOp, arith::UIToFPOp>([&](auto o) { return castTo(!o.getIn().getType().isInteger(1)); })
      .Case<arith::ExtSIOp, arith::SIToFPOp, arith::ExtFOp, arith::TruncFOp, arith::FPToSIOp, arith::FPToUIOp>([&](auto) { return castTo(false); })
      .Case([&](arith::TruncIOp o) {
        if (o.getType().isInteger(1))
          return "(" + use(o.getIn()) + " & 1) != 0";
        return castTo(isUnsigned(o.getIn()));
      })
      .Case<arith::BitcastOp, LLVM::BitcastOp>([&](auto o) { return "bitcast<" + elementName(op->getResult(0).getType()) + ">(" + use(op->getOperand(0)) + ")"; })
      .Case<arith::IndexCastOp, arith::IndexCastUIOp>([&](auto) { return use(op->getOperand(0)); })
      .Case([&](ub::PoisonOp o) { return variableType(o.getResult()) + (isa<LLVM::LLVMPointerType>(o.getType()) ? "(nullptr)" : "()"); })
      .Case<LLVM::PoisonOp, LLVM::UndefOp, LLVM::ZeroOp>([&](auto o) -> std::string {
        if (isa<LLVM::LLVMPointerType>(op->getResult(0).getType()))
          return "(" + variableType(op->getResult(0)) + ")nullptr";
        return variableType(op->getResult(0)) + "()";
      })
      .Case([&](math::FmaOp) { return function("fma"); })
      .Case([&](math::SqrtOp) { return function("sqrt"); })
      .Case([&](math::RsqrtOp) { return function("rsqrt"); })
      .Case([&](math::ExpOp) { return function("exp"); })
      .Case([&](math::Exp2Op) { return function("exp2"); })
      .Case([&](math::LogOp) { return function("log"); })
      .Case([&](math::Log2Op) { return function("log2"); })
      .Case([&](math::SinOp) { return function("sin"); })
      .Case([&](math::CosOp) { return function("cos"); })
      .Case([&](math::TanhOp) { return function("tanh"); })
      .Case([&](math::PowFOp) { return function("pow"); })
      .Case([&](math::CeilOp) { return function("ceil"); })
      .Case([&](math::FloorOp) { return function("floor"); })
      .Case<math::AbsFOp, math::AbsIOp>([&](auto) { return function("abs"); })
      .Case([&](math::CtPopOp) { return function("count_ones"); })
      .Case([&](math::CountLeadingZerosOp) { return function("count_leading_zeros"); })
      .Case([&](math::CountTrailingZerosOp) { return function("count_trailing_zeros"); })
      .Case([&](LLVM::GEPOp o) -> std::optional<std::string> {
        if (o.getIndices().size() != 1)
          return std::nullopt;
        auto index = *o.getIndices().begin();
        std::string amount = isa<Value>(index) ? operand(cast<Value>(index)) : std::to_string(cast<IntegerAttr>(index).getInt());
        return pointer(o.getBase(), o.getElemType()) + " + " + amount;
      })
      .Case([&](LLVM::LoadOp o) -> std::string {
        if (isa<LLVM::LLVMPointerType>(o.getType()))
          return "*(" + variableType(o.getResult()) + "*)" + operand(o.getAddr());
        std::string from = pointer(o.getAddr(), o.getType());
        return "*" + (isPrimary(from) ? from : "(" + from + ")");
      })
      .Case([&](LLVM::AddressOfOp o) -> Text {
        auto global = SymbolTable::lookupNearestSymbolFrom<LLVM::GlobalOp>(op, o.getGlobalNameAttr());
        if (global && global->hasAttr("tile.table"))
          return "(" + variableType(o.getResult()) + ")" + table(global);
        auto name = global ? global->getAttrOfType<StringAttr>("tile.name") : StringAttr();
        return name ? Text("(" + variableType(o.getResult()) + ")&::" + name.str()) : std::nullopt;
      })
      .Case([&](LLVM::PtrToIntOp o) { return "(" + variableType(o.getResult()) + ")" + operand(o.getArg()); })
      .Case([&](LLVM::IntToPtrOp o) { return "(" + variableType(o.getResult()) + ")" + operand(o.getArg()); })
      .Case<LLVM::AddrSpaceCastOp, LLVM::FreezeOp>([&](auto) { return use(op->getOperand(0)); })
      .Default([](Operation *) { return std::nullopt; });
}

// ---- Tiles ------------------------------------------------------------------------------------------------------------------------

std::string KernelPrinter::unary(tile::UnaryOp op) {
  std::string x = use(op.getX());
  switch (op.getKind()) {
  case tile::UnaryKind::neg:
    return isTile(op.getX()) ? "-" + operand(op.getX()) : "neg(" + x + ")";
  case tile::UnaryKind::bit_not: {
    bool boolean = tile::elementType(op.getType()).isInteger(1);
    return (boolean ? "!" : "~") + operand(op.getX());
  }
  case tile::UnaryKind::abs:
    if (op.getIsUnsigned())
      return x;
    [[fallthrough]];
  default:
    bool plain = op.getRounding() == tile::Rounding::full; // the default of exp and tanh
    return tile::stringifyUnaryKind(op.getKind()).str() + (plain ? "" : modes(op.getRounding(), op.getFlush())) + "(" + x +
           flushArgument(op.getFlush()) + ")";
  }
}

std::string KernelPrinter::binary(tile::BinaryOp op) {
  using Kind = tile::BinaryKind;
  Kind kind = op.getKind();
  std::string m = modes(op.getRounding(), op.getFlush());
  std::string name = tile::stringifyBinaryKind(kind).str();
  bool tiles = isTile(op.getResult()), integral = !isFloat(op.getResult());
  bool boolean = tile::elementType(op.getType()).isInteger(1);
  static const std::map<Kind, StringRef> symbols = {{Kind::add, "+"}, {Kind::sub, "-"}, {Kind::mul, "*"}, {Kind::div, "/"}, {Kind::rem, "%"},
                                                    {Kind::bit_and, "&"}, {Kind::bit_or, "|"}, {Kind::bit_xor, "^"}, {Kind::shl, "<<"}, {Kind::shr, ">>"}};
  bool differsUnsigned = integral && op.getIsUnsigned() &&
                         llvm::is_contained({Kind::div, Kind::rem, Kind::shr, Kind::min, Kind::max, Kind::ceildiv, Kind::mulhi}, kind);
  if (kind == Kind::floordiv && op.getIsUnsigned())
    return call("div_unsigned", {op.getX(), op.getY()});
  // bool is an unsigned number of one bit; the runtime computes on it as such.
  if (differsUnsigned && !boolean)
    return call(name + "_unsigned", {op.getX(), op.getY()});
  auto symbol = symbols.find(kind);
  if (symbol != symbols.end() && m.empty() && tiles)
    return infix(op.getX(), symbol->second, op.getY());
  return name + m + "(" + use(op.getX()) + ", " + use(op.getY()) + flushArgument(op.getFlush()) + ")";
}

std::string KernelPrinter::castText(tile::CastOp op) {
  Type from = tile::elementType(op.getX().getType()), to = tile::elementType(op.getType());
  bool fromUnsigned = op.getFromUnsigned() && isa<IntegerType>(from) && !from.isInteger(1);
  bool toUnsigned = op.getToUnsigned() && isa<IntegerType>(to) && isa<FloatType>(from) && !to.isInteger(1);
  std::string name = fromUnsigned ? "cast_unsigned" : toUnsigned ? "cast_to_unsigned" : "cast";
  std::string rounding = op.getRounding() == tile::Rounding::nearest ? "" : ", rounding::" + tile::stringifyRounding(op.getRounding()).str();
  return name + "<" + elementName(to) + rounding + ">(" + use(op.getX()) + ")";
}

std::optional<std::string> KernelPrinter::tileExpression(Operation *op) {
  using Text = std::optional<std::string>;
  auto ordered = [&](tile::MemoryOrder order, tile::Scope scope) {
    return "order::" + tile::stringifyMemoryOrder(order).str() + ", scope::" + tile::stringifyScope(scope).str();
  };
  auto masked = [&](Value pointers, Value mask) { return isTile(pointers) || !matchPattern(mask, m_One()) ? ", " + use(mask) : std::string(); };
  return llvm::TypeSwitch<Operation *, Text>(op)
      .Case([&](tile::SplatOp o) -> Text {
        std::string x = isa<LLVM::LLVMPointerType>(o.getX().getType()) ? pointer(o.getX(), pointeeOf(o.getX())) : use(o.getX());
        Type element = tile::elementType(o.getType());
        bool exact = !isa<IntegerType>(element) || element.isInteger(32) || element.isInteger(1);
        return "splat<" + layoutOf(o.getResult()) + ">(" + (exact ? x : "(" + elementName(element) + ")" + (isPrimary(x) ? x : "(" + x + ")")) + ")";
      })
      .Case([&](tile::IotaOp o) -> Text { return "iota<" + elementName(tile::elementType(o.getType())) + ", " + layoutOf(o.getResult()) + ">()"; })
      .Case([&](tile::ScalarOp o) -> Text { return "scalar(" + use(o.getX()) + ")"; })
      .Case([&](tile::UnaryOp o) -> Text { return unary(o); })
      .Case([&](tile::BinaryOp o) -> Text { return binary(o); })
      .Case([&](tile::FmaOp o) -> Text {
        return "fma" + modes(o.getRounding(), o.getFlush()) + "(" + use(o.getX()) + ", " + use(o.getY()) + ", " + use(o.getZ()) + flushArgument(o.getFlush()) + ")";
      })
      .Case([&](tile::CompareOp o) -> Text {
        static constexpr StringRef symbols[] = {"==", "!=", "<", "<=", ">", ">="};
        bool equality = o.getKind() == tile::CompareKind::eq || o.getKind() == tile::CompareKind::ne;
        bool boolean = tile::elementType(o.getX().getType()).isInteger(1);
        if (o.getIsUnsigned() && !equality && !isFloat(o.getX()) && !boolean && !isa<LLVM::LLVMPointerType>(tile::elementType(o.getX().getType())))
          return call(tile::stringifyCompareKind(o.getKind()).str() + "_unsigned", {o.getX(), o.getY()});
        return infix(o.getX(), symbols[int(o.getKind())], o.getY());
      })
      .Case([&](tile::ClassifyOp o) -> Text { return call(tile::stringifyClassifyKind(o.getKind()), {o.getX()}); })
      .Case([&](tile::SelectOp o) -> Text { return call("select", {o.getMask(), o.getX(), o.getY()}); })
      .Case([&](tile::CastOp o) -> Text { return castText(o); })
      .Case([&](tile::BitcastOp o) -> Text {
        Type to = tile::elementType(o.getType());
        std::string name = elementName(to);
        if (isa<LLVM::LLVMPointerType>(to)) {
          Type points = pointeeOf(o.getResult());
          name = (isa<LLVM::LLVMPointerType>(points) ? "char *" : elementName(points)) + " *";
        }
        return "bitcast<" + name + ">(" + use(o.getX()) + ")";
      })
      .Case<tile::ReshapeOp, tile::PermuteOp>([&](auto o) -> Text { return "relabel<" + layoutOf(o.getResult()) + ">(" + use(o.getX()) + ")"; })
      .Case([&](tile::BroadcastOp o) -> Text { return "broadcast<" + layoutOf(o.getResult()) + ">(" + use(o.getX()) + ")"; })
      .Case([&](tile::ConvertLayoutOp o) -> Text { return "convert<" + layoutOf(o.getResult()) + ">(" + use(o.getX()) + ")"; })
      .Case([&](tile::PartOp o) -> Text {
        return "part<" + layoutOf(o.getResult()) + ", " + std::to_string(o.getMask()) + ", " + std::to_string(o.getValue()) + ">(" + use(o.getX()) + ")";
      })
      .Case([&](tile::SharedLoadPartOp o) -> Text {
        return "load_shared_part<" + std::to_string(o.getMask()) + ", " + std::to_string(o.getValue()) + ">(" + sharedTile(o.getShared()) + ", " +
               use(o.getInto()) + ")";
      })
      .Case([&](tile::ReduceOp o) -> Text {
        bool arg = o.getKind() == tile::ReduceKind::argmax || o.getKind() == tile::ReduceKind::argmin;
        return std::string(arg ? "argreduce<" : "reduce<") + reduceFunctor(o.getKind(), o.getIsUnsigned() && !isFloat(o.getX())).str() + ", " + std::to_string(o.getDim()) + ", " +
               layoutOf(o.getResult()) + ">(" + use(o.getX()) + ")";
      })
      .Case([&](tile::ScanOp o) -> Text {
        return "scan<" + reduceFunctor(o.getKind(), false).str() + ", " + std::to_string(o.getDim()) + ", " + (o.getBackward() ? "true" : "false") + ">(" +
               use(o.getX()) + ")";
      })
      .Case([&](tile::OffsetOp o) -> Text {
        std::string count = use(o.getCount());
        bool narrow = tile::elementType(o.getCount().getType()).getIntOrFloatBitWidth() < 64;
        if (narrow && o.getIsUnsigned())
          count = isTile(o.getCount()) ? "cast_unsigned<long long>(" + count + ")" : use(o.getCount(), true);
        return "offset(" + pointer(o.getPointers(), o.getPointee()) + ", " + count + ")";
      })
      .Case([&](tile::DifferenceOp o) -> Text {
        return "difference(" + pointer(o.getX(), o.getPointee()) + ", " + pointer(o.getY(), o.getPointee()) + ")";
      })
      .Case([&](tile::LoadOp o) -> Text {
        std::string from = pointer(o.getPointers(), tile::elementType(o.getType()), !isTile(o.getPointers()));
        if (!isTile(o.getPointers())) {
          if (o.getMask())
            return operand(o.getMask()) + " ? load(" + from + ") : " + operand(o.getPadding());
          return "load(" + from + ")";
        }
        std::string rest = o.getMask() ? ", " + use(o.getMask()) + ", " + use(o.getPadding()) : "";
        return "load<" + std::to_string(o.getVector()) + ">(" + from + rest + ")";
      })
      .Case([&](tile::ViewLoadOp o) -> Text {
        Type element = tile::elementType(o.getType());
        std::string padding;
        static constexpr StringRef floats[] = {"0.0f", "-0.0f", "INFINITY", "-INFINITY", "NAN"};
        if (isa<FloatType>(element) && o.getPadding() != tile::Padding::zero)
          padding = ", cast<" + elementName(element) + ">(" + floats[int(o.getPadding())].str() + ")";
        std::string from = viewOf(o.getBase(), o.getExtents(), o.getStrides(), element, true);
        return "load<" + layoutOf(o.getResult()) + ", " + accessName(*o.getAccess()) + ">(" + from + ", " + box(o.getStarts()) + padding + ")";
      })
      .Case([&](tile::AtomicRmwOp o) -> Text {
        return "atomic_rmw<" + atomicName(o.getKind(), o.getIsUnsigned()) + ", " + ordered(o.getOrder(), o.getScope()) + ">(" +
               pointer(o.getPointers(), tile::elementType(o.getValue().getType())) + ", " + use(o.getValue()) + masked(o.getPointers(), o.getMask()) + ")";
      })
      .Case([&](tile::AtomicCompareExchangeOp o) -> Text {
        return "atomic_compare_exchange<" + ordered(o.getOrder(), o.getScope()) + ">(" + pointer(o.getPointers(), tile::elementType(o.getDesired().getType())) + ", " +
               use(o.getExpected()) + ", " + use(o.getDesired()) + masked(o.getPointers(), o.getMask()) + ")";
      })
      .Case([&](tile::AtomicLoadOp o) -> Text {
        std::string load = "atomic_load<" + ordered(o.getOrder(), o.getScope()) + ">(" + pointer(o.getPointers(), tile::elementType(o.getType())) +
                           (isTile(o.getPointers()) ? ", " + use(o.getMask()) : "") + ")";
        bool conditional = !isTile(o.getPointers()) && !matchPattern(o.getMask(), m_One());
        return conditional ? operand(o.getMask()) + " ? " + load + " : " + variableType(o.getResult()) + "()" : load;
      })
      .Case([&](tile::SharedLoadOp o) -> Text {
        if (o.getStarts().empty())
          return "load_shared<" + layoutOf(o.getResult()) + ">(" + sharedTile(o.getShared()) + ")";
        return "load_shared_box<" + layoutOf(o.getResult()) + ">(" + sharedTile(o.getShared()) + ", " + box(o.getStarts()) + ")";
      })
      .Case([&](tile::SharedMmaOp o) -> Text {
        auto factor = [&](Value v, bool transposed) { return transposed ? "transposed(" + sharedTile(v) + ")" : sharedTile(v); };
        std::string name = "mma";
        if (o.getKind() == tile::MmaKind::fma)
          name = o.getAUnsigned() || o.getBUnsigned()
                     ? std::string("mma_fma<") + (o.getAUnsigned() ? "true" : "false") + ", " + (o.getBUnsigned() ? "true" : "false") + ">"
                     : "mma_fma";
        return name + "(" + factor(o.getA(), o.getATransposed()) + ", " + factor(o.getB(), o.getBTransposed()) + ", " + use(o.getC()) + ")";
      })
      .Case([&](tile::LocalLoadOp o) -> Text { return operand(o.getArray()) + "[" + use(o.getIndex()) + "]"; })
      .Case([&](tile::BlockIndexOp o) -> Text { return "block_index<" + std::to_string(o.getAxis()) + ">()"; })
      .Case([&](tile::GridSizeOp o) -> Text { return "grid_size<" + std::to_string(o.getAxis()) + ">()"; })
      .Case([&](tile::AssumeOp o) -> Text { return use(o.getX(), isUnsigned(o.getX())); })
      .Case([&](ub::PoisonOp o) -> Text { return isTile(o.getResult()) ? Text(variableType(o.getResult()) + "{}") : std::nullopt; })
      .Case([&](arith::ConstantOp o) -> Text {
        if (auto dense = dyn_cast<DenseElementsAttr>(o.getValue()); dense && dense.isSplat())
          return "splat<" + layoutOf(o.getResult()) + ">((" + elementName(dense.getElementType()) + ")" + literal(dense.getSplatValue<TypedAttr>()) + ")";
        return isTile(o.getResult()) ? std::nullopt : Text(literal(cast<TypedAttr>(o.getValue())));
      })
      .Default([](Operation *) { return std::nullopt; });
}

std::optional<std::string> KernelPrinter::expression(Operation *op) {
  if (auto text = tileExpression(op))
    return text;
  return scalarExpression(op);
}

} // namespace tessera::emit
