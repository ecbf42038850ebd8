// Arithmetic on scalars, as C++ writes it.
#include "emit/CTypes.h"
#include "emit/KernelPrinter.h"

#include "llvm/ADT/TypeSwitch.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/IR/Matchers.h"
#include "plan/analysis/BlockMemory.h"
#include "plan/analysis/Facts.h"
#include "tile/Attributes.h"

using namespace mlir;

namespace tessera::emit {

namespace {

bool isSmallFloat(Value v) {
  Type t = tile::elementType(v.getType());
  return t.isF16() || t.isBF16();
}

// The predicates of arith and of LLVM have the same numbers.
template <class Predicate> StringRef comparisonSymbol(Predicate predicate) {
  static constexpr StringRef symbols[] = {"==", "!=", "<", "<=", ">", ">=", "<", "<=", ">", ">="};
  return symbols[int(predicate)];
}

} // namespace

// Addition, subtraction, multiplication, left shifts and bitwise operations: wrapping ones are
// computed as unsigned, nsw ones as signed. Below 32 bits C computes as int, which holds every
// result except a product of unsigned shorts, and the result is cast back.
std::string KernelPrinter::integerArithmetic(Operation *op, StringRef symbol) {
  Value x = op->getOperand(0), y = op->getOperand(1), result = op->getResult(0);
  bool isShift = isa<arith::ShLIOp>(op);
  auto operandText = [&](Value v) {
    if (result.getType().getIntOrFloatBitWidth() >= 32)
      return operand(v, isUnsigned(result));
    if (isa<arith::MulIOp>(op))
      return operand(v, false);
    std::string text = bits(v);
    return isPrimary(text) ? text : "(" + text + ")";
  };
  std::string left = isShift ? operand(x, true) : operandText(x);
  if (isShift && result.getType().getIntOrFloatBitWidth() >= 32)
    left = operand(x, isUnsigned(result));
  return asResult(result,
                  left + " " + symbol.str() + " " + (isShift ? shiftCount(y) : operandText(y)));
}

// A count may be read as signed or unsigned: it is less than the width.
std::string KernelPrinter::shiftCount(Value v) {
  std::optional<int64_t> constant = plan::constantOf(v);
  std::string text = constant ? std::to_string(*constant) : bits(v);
  return isPrimary(text) ? text : "(" + text + ")";
}

std::string KernelPrinter::integerComparison(arith::CmpIOp op) {
  auto predicate = op.getPredicate();
  bool equality = predicate == arith::CmpIPredicate::eq || predicate == arith::CmpIPredicate::ne;
  Value x = op.getLhs(), y = op.getRhs();
  bool asUnsigned =
      predicate >= arith::CmpIPredicate::ult || (equality && (isUnsigned(x) || isUnsigned(y)));
  // A true bool is -1 to a signed comparison.
  if (x.getType().isInteger(1) && !equality && !asUnsigned)
    std::swap(x, y);
  return infix(x, comparisonSymbol(predicate), y, asUnsigned);
}

// A table of the ops of arith, math and LLVM, a line or a few for each: long and flat.
std::optional<std::string> KernelPrinter::scalarExpression(Operation *op) {
  using Text = std::optional<std::string>;
  auto floatInfix = [&](StringRef symbol) -> std::string {
    if (!isSmallFloat(op->getResult(0)))
      return infix(op->getOperand(0), symbol, op->getOperand(1));
    return "cast<" + elementName(op->getResult(0).getType()) + ">(cast<float>(" +
           use(op->getOperand(0)) + ") " + symbol.str() + " cast<float>(" + use(op->getOperand(1)) +
           "))";
  };
  auto function = [&](StringRef name) { return call(name, op->getOperands()); };
  auto logical = [&](StringRef symbol, StringRef boolSymbol) {
    bool isBool = op->getResult(0).getType().isInteger(1);
    return isBool ? infix(op->getOperand(0), boolSymbol, op->getOperand(1))
                  : integerArithmetic(op, symbol);
  };
  auto convert = [&](bool fromUnsigned) -> std::string {
    Value x = op->getOperand(0), result = op->getResult(0);
    if (isSmallFloat(x) || isSmallFloat(result))
      return "cast<" + variableType(result) + ">(" + use(x, fromUnsigned) + ")";
    if (!fromUnsigned && x.getType().isInteger(1)) // true is -1
      return "(" + variableType(result) + ")-(int)" + operand(x);
    if (isa<IntegerType>(result.getType()) && isa<IntegerType>(x.getType()))
      return castTo(result, operand(x, fromUnsigned));
    return "(" + variableType(result) + ")" + operand(x, fromUnsigned);
  };
  return llvm::TypeSwitch<Operation *, std::optional<std::string>>(op)
      .Case([&](arith::AddIOp) { return logical("+", "!="); })
      .Case([&](arith::SubIOp) { return logical("-", "!="); })
      .Case([&](arith::MulIOp) { return logical("*", "&&"); })
      .Case([&](arith::ShLIOp) { return integerArithmetic(op, "<<"); })
      .Case(
          [&](arith::DivSIOp o) { return asResult(o, infix(o.getLhs(), "/", o.getRhs(), false)); })
      .Case(
          [&](arith::RemSIOp o) { return asResult(o, infix(o.getLhs(), "%", o.getRhs(), false)); })
      .Case([&](arith::ShRSIOp o) {
        return asResult(o, operand(o.getLhs(), false) + " >> " + shiftCount(o.getRhs()));
      })
      .Case([&](arith::DivUIOp o) { return asResult(o, infix(o.getLhs(), "/", o.getRhs(), true)); })
      .Case([&](arith::RemUIOp o) { return asResult(o, infix(o.getLhs(), "%", o.getRhs(), true)); })
      .Case([&](arith::ShRUIOp o) {
        return asResult(o, operand(o.getLhs(), true) + " >> " + shiftCount(o.getRhs()));
      })
      .Case([&](arith::AndIOp) { return logical("&", "&&"); })
      .Case([&](arith::OrIOp) { return logical("|", "||"); })
      .Case([&](arith::XOrIOp o) {
        if (o.getType().isInteger(1) && matchPattern(o.getRhs(), m_One()))
          return "!" + operand(o.getLhs());
        if (APInt mask; matchPattern(o.getRhs(), m_ConstantInt(&mask)) && mask.isAllOnes())
          return asResult(o, "complement(" + operand(o.getLhs(), isUnsigned(o.getResult())) + ")");
        return logical("^", "!=");
      })
      .Case<arith::MinSIOp, arith::MaxSIOp>(
          [&](auto) { return function(isa<arith::MinSIOp>(op) ? "min" : "max"); })
      .Case<arith::MinUIOp, arith::MaxUIOp>(
          [&](auto) { return function(isa<arith::MinUIOp>(op) ? "min_unsigned" : "max_unsigned"); })
      .Case([&](arith::CmpIOp o) { return integerComparison(o); })
      .Case([&](LLVM::ICmpOp o) {
        // Of pointers, which are of one type for C.
        return pointer(o.getLhs(), Pointee{}) + " " + comparisonSymbol(o.getPredicate()).str() +
               " " + pointer(o.getRhs(), Pointee{});
      })
      .Case([&](arith::CmpFOp o) -> std::string {
        // Ordered comparisons are C++'s; an unordered one is the negation of its opposite. In the
        // enum's order:
        static constexpr StringRef symbols[] = {"", "==",  ">",  ">=",  "<",  "<=", "", "",
                                                "", "!<=", "!<", "!>=", "!>", "!=", "", ""};
        StringRef symbol = symbols[int(o.getPredicate())];
        auto compare = [&](StringRef s) {
          if (isSmallFloat(o.getLhs()))
            return "cast<float>(" + use(o.getLhs()) + ") " + s.str() + " cast<float>(" +
                   use(o.getRhs()) + ")";
          return infix(o.getLhs(), s, o.getRhs());
        };
        if (o.getPredicate() == arith::CmpFPredicate::AlwaysFalse)
          return "false";
        if (o.getPredicate() == arith::CmpFPredicate::AlwaysTrue)
          return "true";
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
        return compare(symbol);
      })
      .Case<arith::SelectOp, LLVM::SelectOp>([&](auto) {
        Value result = op->getResult(0);
        auto choice = [&](Value v) {
          std::string text = isa<LLVM::LLVMPointerType>(v.getType())
                                 ? pointer(v, pointers.of(result))
                                 : reading(v, isUnsigned(result));
          return isPrimary(text) ? text : "(" + text + ")";
        };
        return asResult(result, operand(op->getOperand(0)) + " ? " + choice(op->getOperand(1)) +
                                    " : " + choice(op->getOperand(2)));
      })
      .Case([&](arith::AddFOp) { return floatInfix("+"); })
      .Case([&](arith::SubFOp) { return floatInfix("-"); })
      .Case([&](arith::MulFOp) { return floatInfix("*"); })
      .Case([&](arith::DivFOp) { return floatInfix("/"); })
      .Case([&](arith::RemFOp) { return function("rem"); })
      .Case([&](arith::NegFOp o) {
        return isSmallFloat(o.getOperand()) ? "neg(" + use(o.getOperand()) + ")"
                                            : "-" + operand(o.getOperand());
      })
      .Case<arith::MaximumFOp, arith::MaxNumFOp>(
          [&](auto) { return function(isa<arith::MaximumFOp>(op) ? "max_nan" : "max"); })
      .Case<arith::MinimumFOp, arith::MinNumFOp>(
          [&](auto) { return function(isa<arith::MinimumFOp>(op) ? "min_nan" : "min"); })
      .Case<arith::ExtUIOp, arith::UIToFPOp>([&](auto) { return convert(true); })
      .Case<arith::ExtSIOp, arith::SIToFPOp, arith::ExtFOp, arith::TruncFOp, arith::FPToSIOp,
            arith::FPToUIOp>([&](auto) { return convert(false); })
      .Case([&](arith::TruncIOp o) -> std::string {
        if (o.getType().isInteger(1))
          return "(" + bits(o.getIn()) + " & 1) != 0";
        std::string from = bits(o.getIn());
        return castTo(o, isPrimary(from) ? from : "(" + from + ")");
      })
      .Case<arith::BitcastOp, LLVM::BitcastOp>([&](auto) {
        return "bitcast<" + elementName(op->getResult(0).getType()) + ">(" +
               use(op->getOperand(0)) + ")";
      })
      .Case([&](arith::IndexCastOp) { return use(op->getOperand(0)); })
      .Case([&](arith::IndexCastUIOp) { return use(op->getOperand(0), true); })
      .Case<ub::PoisonOp, LLVM::PoisonOp, LLVM::UndefOp, LLVM::ZeroOp>([&](auto) -> std::string {
        Value result = op->getResult(0);
        std::string type = variableType(result);
        if (isa<LLVM::LLVMPointerType>(result.getType()))
          return "(" + type + ")nullptr";
        return isa<IntegerType>(result.getType()) ? "(" + type + ")0" : type + "()";
      })
      .Case([&](LLVM::ConstantOp o) -> Text {
        auto number = dyn_cast<TypedAttr>(o.getValue());
        return number ? Text(literal(number)) : std::nullopt;
      })
      .Case([&](math::AbsIOp) { return function("abs"); })
      .Case([&](math::CtPopOp) { return function("count_ones"); })
      .Case([&](math::CountLeadingZerosOp) { return function("count_leading_zeros"); })
      .Case([&](math::CountTrailingZerosOp) { return function("count_trailing_zeros"); })
      .Case([&](LLVM::GEPOp o) -> std::optional<std::string> {
        if (o.getIndices().size() != 1)
          return std::nullopt;
        auto index = *o.getIndices().begin();
        std::string amount = isa<Value>(index) ? operand(cast<Value>(index))
                                               : std::to_string(cast<IntegerAttr>(index).getInt());
        Pointee step{o.getElemType(), pointers.of(o).isConst};
        std::string base = pointer(o.getBase(), step);
        return pointerResult(o, (isPrimary(base) ? base : "(" + base + ")") + " + " + amount,
                             step.element);
      })
      .Case([&](tile::FieldOp o) { return field(o); })
      .Case([&](LLVM::LoadOp o) -> std::string {
        bool isLocal = o->hasAttr(tile::localAttr);
        std::string from = scalarAddress(o.getAddr(), o.getType(), isLocal, /*readOnly=*/true);
        std::string load =
            isLocal ? "*" + (isPrimary(from) ? from : "(" + from + ")")
                    : (plan::isBlockMemoryInShared(o) ? "load_in_block(" : "load(") + from + ")";
        return isa<LLVM::LLVMPointerType>(o.getType()) ? pointerResult(o, load, Type()) : load;
      })
      .Case([&](LLVM::AddressOfOp o) -> Text {
        auto global =
            SymbolTable::lookupNearestSymbolFrom<LLVM::GlobalOp>(op, o.getGlobalNameAttr());
        if (global && global->hasAttr(tile::variableAttr))
          return "(" + variableType(o.getResult()) + ")" + variable(global);
        auto name = global ? global->getAttrOfType<StringAttr>(tile::globalNameAttr) : StringAttr();
        return name ? Text("(" + variableType(o.getResult()) + ")&::" + name.str()) : std::nullopt;
      })
      .Case([&](LLVM::PtrToIntOp o) {
        std::string address = "(int64)" + operand(o.getArg());
        return o.getType().isInteger(64) ? address : castTo(o, address);
      })
      .Case([&](LLVM::IntToPtrOp o) {
        return "(" + variableType(o.getResult()) + ")(uint64)" + operand(o.getArg(), true);
      })
      .Case<LLVM::AddrSpaceCastOp, LLVM::FreezeOp>([&](auto) -> std::string {
        Value x = op->getOperand(0), result = op->getResult(0);
        return isa<LLVM::LLVMPointerType>(x.getType()) ? assignable(x, result) : use(x);
      })
      .Default([](Operation *) { return std::nullopt; });
}

} // namespace tessera::emit
