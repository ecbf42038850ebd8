// Operations on rank-0 tiles are scalar operations: the exact ones become arith, so that later
// stages recognise index arithmetic; those that the tile dialect defines itself (roundings, math
// functions, NaN rules) stay tile operations on scalars.
#include "raise/ElementPrimitives.h"

using namespace mlir;

namespace tessera::raising::primitive {

Value unary(const Call &call) {
  return call.create<tile::UnaryOp>(call.type("R"), call.mode<tile::UnaryKind>("op"), call[0],
                                    call.rounding(), call.flush(), call.isUnsigned("R"));
}

// The exact integer operations of arith; null if there is none.
static Value scalarIntegerBinary(const Call &call, tile::BinaryKind kind, bool isUnsigned) {
  Value x = call[0], y = call[1];
  bool isBool = x.getType().isInteger(1); // C++ would add two of them as int
  if (isBool && (kind == tile::BinaryKind::add || kind == tile::BinaryKind::sub))
    return call.create<arith::XOrIOp>(x, y);
  if (isBool && kind == tile::BinaryKind::mul)
    return call.create<arith::AndIOp>(x, y);
  switch (kind) {
  case tile::BinaryKind::add: return call.create<arith::AddIOp>(x, y);
  case tile::BinaryKind::sub: return call.create<arith::SubIOp>(x, y);
  case tile::BinaryKind::mul: return call.create<arith::MulIOp>(x, y);
  case tile::BinaryKind::div:
    return isUnsigned ? Value(call.create<arith::DivUIOp>(x, y))
                      : call.create<arith::DivSIOp>(x, y);
  case tile::BinaryKind::rem:
    return isUnsigned ? Value(call.create<arith::RemUIOp>(x, y))
                      : call.create<arith::RemSIOp>(x, y);
  case tile::BinaryKind::min:
    return isUnsigned ? Value(call.create<arith::MinUIOp>(x, y))
                      : call.create<arith::MinSIOp>(x, y);
  case tile::BinaryKind::max:
    return isUnsigned ? Value(call.create<arith::MaxUIOp>(x, y))
                      : call.create<arith::MaxSIOp>(x, y);
  case tile::BinaryKind::bit_and: return call.create<arith::AndIOp>(x, y);
  case tile::BinaryKind::bit_or: return call.create<arith::OrIOp>(x, y);
  case tile::BinaryKind::bit_xor: return call.create<arith::XOrIOp>(x, y);
  default: return {};
  }
}

static Value scalarFloatBinary(const Call &call, tile::BinaryKind kind) {
  Value x = call[0], y = call[1];
  if (!x.getType().isF32() && !x.getType().isF64())
    return {};
  switch (kind) {
  case tile::BinaryKind::add: return call.create<arith::AddFOp>(x, y);
  case tile::BinaryKind::sub: return call.create<arith::SubFOp>(x, y);
  case tile::BinaryKind::mul: return call.create<arith::MulFOp>(x, y);
  case tile::BinaryKind::div: return call.create<arith::DivFOp>(x, y);
  default: return {};
  }
}

Value binary(const Call &call) {
  Type type = call.type("R");
  auto kind = call.mode<tile::BinaryKind>("op");
  bool isUnsigned = call.isUnsigned("R");
  Value exact;
  if (type.isInteger())
    exact = scalarIntegerBinary(call, kind, isUnsigned);
  else if (isa<FloatType>(type) && call.rounding() == tile::Rounding::nearest && !call.flush())
    exact = scalarFloatBinary(call, kind);
  if (exact)
    return exact;
  return call.create<tile::BinaryOp>(type, kind, call[0], call[1], call.rounding(), call.flush(),
                                     isUnsigned);
}

Value fma(const Call &call) {
  return call.create<tile::FmaOp>(call.type("R"), call[0], call[1], call[2], call.rounding(),
                                  call.flush());
}

static arith::CmpIPredicate integerPredicate(tile::CompareKind kind, bool isUnsigned) {
  using P = arith::CmpIPredicate;
  switch (kind) {
  case tile::CompareKind::eq: return P::eq;
  case tile::CompareKind::ne: return P::ne;
  case tile::CompareKind::lt: return isUnsigned ? P::ult : P::slt;
  case tile::CompareKind::le: return isUnsigned ? P::ule : P::sle;
  case tile::CompareKind::gt: return isUnsigned ? P::ugt : P::sgt;
  case tile::CompareKind::ge: return isUnsigned ? P::uge : P::sge;
  }
  return P::eq;
}

Value compare(const Call &call) {
  auto kind = call.mode<tile::CompareKind>("op");
  bool isUnsigned = call.isUnsigned("A");
  if (call[0].getType().isInteger())
    return call.create<arith::CmpIOp>(integerPredicate(kind, isUnsigned), call[0], call[1]);
  return call.create<tile::CompareOp>(call.type("R"), kind, call[0], call[1], isUnsigned);
}

Value classify(const Call &call) {
  return call.create<tile::ClassifyOp>(call.type("R"), call.mode<tile::ClassifyKind>("op"),
                                       call[0]);
}

Value select(const Call &call) {
  if (!isTile(call[1].getType()))
    return call.create<arith::SelectOp>(call[0], call[1], call[2]);
  return call.create<tile::SelectOp>(call[0], call[1], call[2]);
}

static Value integerCast(const Call &call, Value x, IntegerType to) {
  unsigned from = x.getType().getIntOrFloatBitWidth();
  if (to.getWidth() == from)
    return x;
  if (to.getWidth() == 1) {
    Value zero = call.create<arith::ConstantOp>(call.builder.getIntegerAttr(x.getType(), 0));
    return call.create<arith::CmpIOp>(arith::CmpIPredicate::ne, x, zero);
  }
  if (to.getWidth() < from)
    return call.create<arith::TruncIOp>(to, x);
  if (call.isUnsigned("A"))
    return call.create<arith::ExtUIOp>(to, x);
  return call.create<arith::ExtSIOp>(to, x);
}

Value castElements(const Call &call) {
  Type from = call[0].getType(), to = call.type("R");
  if (from.isInteger() && to.isInteger())
    return integerCast(call, call[0], cast<IntegerType>(to));
  if (from == to)
    return call[0];
  return call.create<tile::CastOp>(to, call[0], call.rounding(), call.isUnsigned("A"),
                                   call.isUnsigned("R"));
}

Value bitcast(const Call &call) {
  return reinterpret(call.builder, call.loc, call[0], call.type("R"));
}

} // namespace tessera::raising::primitive
