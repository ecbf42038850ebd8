// Arithmetic on scalars, as C++ writes it.
#include "emit/CTypes.h"
#include "emit/KernelPrinter.h"

#include "llvm/ADT/TypeSwitch.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace tessera::emit {

namespace {

bool isSmallFloat(Value v) {
  Type t = tile::elementType(v.getType());
  return t.isF16() || t.isBF16();
}

// The predicates of arith and of LLVM are numbered alike.
template <class Predicate> StringRef comparisonSymbol(Predicate predicate) {
  static constexpr StringRef symbols[] = {"==", "!=", "<", "<=", ">", ">=", "<", "<=", ">", ">="};
  return symbols[int(predicate)];
}

} // namespace

std::optional<std::string> KernelPrinter::scalarExpression(Operation *op) {
  using Text = std::optional<std::string>;
  auto wraps = [&](auto o) {
    return !bitEnumContainsAny(o.getOverflowFlags(), arith::IntegerOverflowFlags::nsw);
  };
  auto ofFloats = [&](StringRef symbol) -> std::string {
    if (!isSmallFloat(op->getResult(0)))
      return infix(op->getOperand(0), symbol, op->getOperand(1));
    return "cast<" + elementName(op->getResult(0).getType()) + ">(cast<float>(" +
           use(op->getOperand(0)) + ") " + symbol.str() + " cast<float>(" + use(op->getOperand(1)) +
           "))";
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
        return infix(o.getLhs(), o.getType().isInteger(1) ? "!=" : "^", o.getRhs(),
                     isUnsigned(o.getResult()));
      })
      .Case<arith::MinSIOp, arith::MaxSIOp>(
          [&](auto o) { return function(isa<arith::MinSIOp>(op) ? "min" : "max"); })
      .Case<arith::MinUIOp, arith::MaxUIOp>([&](auto o) {
        return variableType(o.getResult()) + "(" +
               function(isa<arith::MinUIOp>(op) ? "min_unsigned" : "max_unsigned") + ")";
      })
      .Case([&](arith::CmpIOp o) {
        auto predicate = o.getPredicate();
        bool equality =
            predicate == arith::CmpIPredicate::eq || predicate == arith::CmpIPredicate::ne;
        bool asUnsigned =
            predicate >= arith::CmpIPredicate::ult || (equality && isUnsigned(o.getLhs()));
        return infix(o.getLhs(), comparisonSymbol(predicate), o.getRhs(), asUnsigned);
      })
      .Case([&](LLVM::ICmpOp o) {
        return operand(o.getLhs()) + " " + comparisonSymbol(o.getPredicate()).str() + " " +
               operand(o.getRhs());
      })
      .Case([&](arith::CmpFOp o) -> std::optional<std::string> {
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
        return operand(op->getOperand(0)) + " ? " +
               operand(op->getOperand(1), isUnsigned(op->getResult(0))) + " : " +
               operand(op->getOperand(2), isUnsigned(op->getResult(0)));
      })
      .Case([&](arith::AddFOp) { return ofFloats("+"); })
      .Case([&](arith::SubFOp) { return ofFloats("-"); })
      .Case([&](arith::MulFOp) { return ofFloats("*"); })
      .Case([&](arith::DivFOp) { return ofFloats("/"); })
      .Case([&](arith::RemFOp) { return function("rem"); })
      .Case([&](arith::NegFOp o) {
        return isSmallFloat(o.getOperand()) ? "neg(" + use(o.getOperand()) + ")"
                                            : "-" + operand(o.getOperand());
      })
      .Case<arith::MaximumFOp, arith::MaxNumFOp>(
          [&](auto) { return function(isa<arith::MaximumFOp>(op) ? "max_nan" : "max"); })
      .Case<arith::MinimumFOp, arith::MinNumFOp>(
          [&](auto) { return function(isa<arith::MinimumFOp>(op) ? "min_nan" : "min"); })
      .Case<arith::ExtUIOp, arith::UIToFPOp>(
          [&](auto o) { return castTo(!o.getIn().getType().isInteger(1)); })
      .Case<arith::ExtSIOp, arith::SIToFPOp, arith::ExtFOp, arith::TruncFOp, arith::FPToSIOp,
            arith::FPToUIOp>([&](auto) { return castTo(false); })
      .Case([&](arith::TruncIOp o) {
        if (o.getType().isInteger(1))
          return "(" + use(o.getIn()) + " & 1) != 0";
        return castTo(isUnsigned(o.getIn()));
      })
      .Case<arith::BitcastOp, LLVM::BitcastOp>([&](auto o) {
        return "bitcast<" + elementName(op->getResult(0).getType()) + ">(" +
               use(op->getOperand(0)) + ")";
      })
      .Case<arith::IndexCastOp, arith::IndexCastUIOp>([&](auto) { return use(op->getOperand(0)); })
      .Case([&](ub::PoisonOp o) {
        return variableType(o.getResult()) +
               (isa<LLVM::LLVMPointerType>(o.getType()) ? "(nullptr)" : "()");
      })
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
        std::string amount = isa<Value>(index) ? operand(cast<Value>(index))
                                               : std::to_string(cast<IntegerAttr>(index).getInt());
        return pointer(o.getBase(), o.getElemType()) + " + " + amount;
      })
      .Case([&](LLVM::LoadOp o) -> std::string {
        if (isa<LLVM::LLVMPointerType>(o.getType()))
          return "*(" + variableType(o.getResult()) + "*)" + operand(o.getAddr());
        std::string from = scalarAddress(o.getAddr(), o.getType());
        return "*" + (isPrimary(from) ? from : "(" + from + ")");
      })
      .Case([&](LLVM::AddressOfOp o) -> Text {
        auto global =
            SymbolTable::lookupNearestSymbolFrom<LLVM::GlobalOp>(op, o.getGlobalNameAttr());
        if (global && global->hasAttr("tile.variable"))
          return "(" + variableType(o.getResult()) + ")" + variable(global);
        auto name = global ? global->getAttrOfType<StringAttr>("tile.name") : StringAttr();
        return name ? Text("(" + variableType(o.getResult()) + ")&::" + name.str()) : std::nullopt;
      })
      .Case([&](LLVM::PtrToIntOp o) {
        return "(" + variableType(o.getResult()) + ")" + operand(o.getArg());
      })
      .Case([&](LLVM::IntToPtrOp o) {
        return "(" + variableType(o.getResult()) + ")" + operand(o.getArg());
      })
      .Case<LLVM::AddrSpaceCastOp, LLVM::FreezeOp>([&](auto) { return use(op->getOperand(0)); })
      .Default([](Operation *) { return std::nullopt; });
}

} // namespace tessera::emit
