// Functions of the C math library that are a few operations on a number's bits. All compute in
// double, where they are exact for floats, so that only the conversion back rounds.
#include "raise/Translator.h"

#include "llvm/ADT/StringSwitch.h"

#include <climits>
#include <cmath>

using namespace mlir;

namespace tessera::raising {

namespace {

using Predicate = arith::CmpFPredicate;

struct Composer {
  OpBuilder &builder;
  Location loc;

  template <class Op, class... Args> Value make(Args &&...args) {
    return Op::create(builder, loc, std::forward<Args>(args)...);
  }
  Value number(double x) { return make<arith::ConstantOp>(builder.getF64FloatAttr(x)); }
  Value integer(int64_t n, unsigned width = 64) {
    return make<arith::ConstantOp>(builder.getIntegerAttr(builder.getIntegerType(width), n));
  }
  Value unary(tile::UnaryKind kind, Value x) { return make<tile::UnaryOp>(x.getType(), kind, x); }
  Value copySign(Value x, Value sign) {
    return make<tile::BinaryOp>(x.getType(), tile::BinaryKind::copysign, x, sign);
  }
  Value magnitude(Value x) { return unary(tile::UnaryKind::abs, x); }
  Value is(Predicate predicate, Value x, Value y) { return make<arith::CmpFOp>(predicate, x, y); }
  Value choose(Value condition, Value x, Value y) { return make<arith::SelectOp>(condition, x, y); }
  Value widened(Value x) {
    return x.getType().isF64() ? x : make<arith::ExtFOp>(builder.getF64Type(), x);
  }
  Value narrowed(Value x, Type type) { return type.isF64() ? x : make<arith::TruncFOp>(type, x); }
  Value isZeroOrNoNumber(Value x) {
    Value isZero = is(Predicate::OEQ, x, number(0)),
          isOther = is(Predicate::UGE, magnitude(x), number(INFINITY));
    return make<arith::OrIOp>(isZero, isOther);
  }

  // 2 to the power of n, for a normal result.
  Value power(Value n) {
    Value biased =
        make<arith::AddIOp>(make<arith::ExtSIOp>(builder.getI64Type(), n), integer(1023));
    return make<arith::BitcastOp>(builder.getF64Type(), make<arith::ShLIOp>(biased, integer(52)));
  }

  // x * 2^n, rounded once: a scale factor below the normal numbers is applied in steps, only the
  // last of which can give a subnormal.
  Value scale(Value x, Value n) {
    n = make<arith::MaxSIOp>(make<arith::MinSIOp>(n, integer(2200, 32)), integer(-2200, 32));
    for (int i = 0; i < 2; ++i) {
      Value isLarge = make<arith::CmpIOp>(arith::CmpIPredicate::sgt, n, integer(1023, 32));
      Value isSmall = make<arith::CmpIOp>(arith::CmpIPredicate::slt, n, integer(-1022, 32));
      Value step =
          choose(isLarge, integer(1023, 32), choose(isSmall, integer(-969, 32), integer(0, 32)));
      x = make<arith::MulFOp>(x, power(step));
      n = make<arith::SubIOp>(n, step);
    }
    return make<arith::MulFOp>(x, power(n));
  }

  // A number in [1/2, 1) and its power of 2.
  std::pair<Value, Value> split(Value x) {
    Value isTiny = is(Predicate::OLT, magnitude(x), number(0x1p-1022));
    Value normal = choose(isTiny, make<arith::MulFOp>(x, number(0x1p54)), x);
    Value bits = make<arith::BitcastOp>(builder.getI64Type(), normal);
    Value field = make<arith::AndIOp>(make<arith::ShRUIOp>(bits, integer(52)), integer(0x7ff));
    Value power = make<arith::SubIOp>(make<arith::TruncIOp>(builder.getI32Type(), field),
                                      choose(isTiny, integer(1022 + 54, 32), integer(1022, 32)));
    Value fraction =
        make<arith::OrIOp>(make<arith::AndIOp>(bits, integer(int64_t(0x800fffffffffffff))),
                           integer(int64_t(1022) << 52));
    return {make<arith::BitcastOp>(builder.getF64Type(), fraction), power};
  }

  Value logarithm(Value x) { // of the largest power of 2 in it
    Value whole = make<arith::SubIOp>(split(x).second, integer(1, 32));
    Value infinite = make<arith::MulFOp>(x, x); // or NaN
    Value other = choose(is(Predicate::OEQ, x, number(0)), number(-INFINITY), infinite);
    return choose(isZeroOrNoNumber(x), other, make<arith::SIToFPOp>(builder.getF64Type(), whole));
  }
  Value integerLogarithm(Value x) {
    Value whole = make<arith::SubIOp>(split(x).second, integer(1, 32));
    Value other = choose(is(Predicate::OEQ, magnitude(x), number(INFINITY)), integer(INT_MAX, 32),
                         integer(INT_MIN, 32));
    return choose(isZeroOrNoNumber(x), other, whole);
  }

  // x - y * n for the n nearest to x / y, ties to even. Every difference is exact.
  Value remainder(Value x, Value y) {
    Value divisor = magnitude(y), twice = make<arith::AddFOp>(divisor, divisor);
    Value rest = make<arith::RemFOp>(magnitude(x), twice); // for an infinite divisor: all
    // 2 * rest > divisor, without overflow in the doubling.
    auto isFar = [&](Predicate predicate, Value rest) {
      return is(predicate, rest, make<arith::SubFOp>(divisor, rest));
    };
    Value nearer = make<arith::SubFOp>(rest, divisor);
    Value nearest =
        choose(isFar(Predicate::OGE, nearer), make<arith::SubFOp>(nearer, divisor), nearer);
    rest = choose(isFar(Predicate::OGT, rest), nearest, rest);
    Value isNegative = make<arith::CmpIOp>(
        arith::CmpIPredicate::slt, make<arith::BitcastOp>(builder.getI64Type(), x), integer(0));
    return choose(isNegative, make<arith::NegFOp>(rest), rest);
  }

  Value positiveDifference(Value x, Value y) {
    return choose(is(Predicate::OLE, x, y), number(0), make<arith::SubFOp>(x, y));
  }

  // The fractional part with the sign of x, also of infinity.
  Value fraction(Value x, Value whole) {
    Value isInfinite = is(Predicate::OEQ, magnitude(x), number(INFINITY));
    return copySign(choose(isInfinite, number(0), make<arith::SubFOp>(x, whole)), x);
  }
};

enum class Function {
  None,
  Frexp,
  Ldexp,
  Modf,
  Round,
  RoundEven,
  Powi,
  Fdim,
  Ilogb,
  Logb,
  Remainder
};

Function functionOf(StringRef name) {
  return llvm::StringSwitch<Function>(name)
      .Case("frexp", Function::Frexp)
      .Cases({"ldexp", "scalbn", "scalbln"}, Function::Ldexp)
      .Case("modf", Function::Modf)
      .Cases({"lround", "llround"}, Function::Round)
      .Cases({"lrint", "llrint"}, Function::RoundEven)
      .Case("powi", Function::Powi)
      .Case("fdim", Function::Fdim)
      .Case("ilogb", Function::Ilogb)
      .Case("logb", Function::Logb)
      .Case("remainder", Function::Remainder)
      .Default(Function::None);
}

} // namespace

// A function of C, LLVM or CUDA by its name: ldexpf, llvm.ldexp.f32.i32, __nv_ldexpf.
bool Translator::composedFunction(const llvm::CallInst &call) {
  const llvm::Function *callee = call.getCalledFunction();
  StringRef name = callee ? callee->getName() : StringRef();
  bool isIntrinsic = name.consume_front("llvm.");
  if (call.arg_size() == 0 || call.arg_size() > 2 ||
      llvm::any_of(call.args(), [](const llvm::Use &argument) {
        return !argument->getType()->isFloatTy() && !argument->getType()->isDoubleTy() &&
               !argument->getType()->isIntegerTy();
      }))
    return false;
  Type type = typeOf(call.getArgOperand(0));
  name.consume_front("__nv_");
  if (isIntrinsic)
    name = name.split('.').first;
  else if (type.isF32())
    name.consume_back("f");
  Function function = functionOf(name);
  if (function == Function::None || !isa<FloatType>(type))
    return false;
  Composer c{builder, loc};
  Value x = c.widened(value(call.getArgOperand(0)));
  Value second = call.arg_size() > 1 ? value(call.getArgOperand(1)) : Value();
  if (second && isa<FloatType>(second.getType()))
    second = c.widened(second);
  if (second && second.getType().isInteger(64)) { // scalbln
    second =
        c.make<arith::MaxSIOp>(c.make<arith::MinSIOp>(second, c.integer(9999)), c.integer(-9999));
    second = c.make<arith::TruncIOp>(builder.getI32Type(), second);
  }
  auto rounded = [&](tile::UnaryKind kind) {
    return c.make<arith::FPToSIOp>(typeOf(&call), c.unary(kind, x));
  };
  SmallVector<Value, 2> results;
  switch (function) {
  case Function::Frexp: {
    auto [fraction, power] = c.split(x);
    Value isOther = c.isZeroOrNoNumber(x);
    results = {c.choose(isOther, x, fraction), c.choose(isOther, c.integer(0, 32), power)};
    break;
  }
  case Function::Modf: {
    Value whole = c.unary(tile::UnaryKind::trunc, x);
    results = {c.fraction(x, whole), whole};
    break;
  }
  case Function::Ldexp: results = {c.scale(x, second)}; break;
  case Function::Powi:
    results = {c.make<tile::BinaryOp>(x.getType(), tile::BinaryKind::pow, x,
                                      c.make<arith::SIToFPOp>(x.getType(), second))};
    break;
  case Function::Round: results = {rounded(tile::UnaryKind::round)}; break;
  case Function::RoundEven: results = {rounded(tile::UnaryKind::roundeven)}; break;
  case Function::Fdim: results = {c.positiveDifference(x, second)}; break;
  case Function::Ilogb: results = {c.integerLogarithm(x)}; break;
  case Function::Logb: results = {c.logarithm(x)}; break;
  case Function::Remainder: results = {c.remainder(x, second)}; break;
  case Function::None: break;
  }
  for (Value &result : results)
    if (result.getType().isF64())
      result = c.narrowed(result, type);
  define(call, results);
  return true;
}

} // namespace tessera::raising
