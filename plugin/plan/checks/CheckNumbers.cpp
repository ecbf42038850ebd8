// Checks that report the first operation whose result is no number.
//   y = binary div a, b  ->  y = ...; check !isnan(y) || isnan(a) || isnan(b)
// A NaN that an operand already has is reported where it was made; one from memory is not the
// kernel's. The elements that a reduction, a scan or a multiply reads excuse its result: a
// reduction, scan or broadcast next to it computes whether one of them is NaN. Of a fold, whose
// region has no effects, the results are checked.
#include "plan/checks/CheckMessages.h"
#include "plan/Passes.h"

#include "llvm/ADT/TypeSwitch.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;

namespace tessera::plan {

#define GEN_PASS_DEF_CHECKNUMBERS
#include "plan/Passes.h.inc"

namespace {

using tile::ClassifyKind;

bool isFloat(Value v) { return isa<FloatType>(tile::elementType(v.getType())); }
bool isTile(Type type) { return isa<RankedTensorType>(type); }

// Builds conditions, for tiles as for scalars.
class Conditions {
public:
  Conditions(Operation *behind, ClassifyKind kind)
      : builder(behind->getContext()), loc(locationOf(behind)), kind(kind) {
    builder.setInsertionPointAfter(behind);
  }

  Type maskOf(Type type) { return tile::withElementType(type, builder.getI1Type()); }

  // Which elements are NaN, or infinite.
  Value isWrong(Value x) {
    Type element = tile::elementType(x.getType());
    if (!element.isF32() && !element.isF64() && !element.isF16() && !element.isBF16())
      x = tile::CastOp::create(builder, loc,
                               tile::withElementType(x.getType(), builder.getF32Type()), x);
    return tile::ClassifyOp::create(builder, loc, maskOf(x.getType()), kind, x);
  }
  Value either(Value x, Value y) {
    if (!x || !y)
      return x ? x : y;
    if (!isTile(x.getType()))
      return arith::OrIOp::create(builder, loc, x, y);
    return tile::BinaryOp::create(builder, loc, x.getType(), tile::BinaryKind::bit_or, x, y);
  }
  Value isNot(Value x) {
    Value yes = constant(builder, loc, builder.getI1Type(), 1);
    if (!isTile(x.getType()))
      return arith::XOrIOp::create(builder, loc, x, yes);
    yes = tile::SplatOp::create(builder, loc, x.getType(), yes);
    return tile::BinaryOp::create(builder, loc, x.getType(), tile::BinaryKind::bit_xor, x, yes);
  }
  Value counts(Value mask) {
    auto type = tile::withElementType(mask.getType(), builder.getI32Type());
    auto cast = tile::CastOp::create(builder, loc, type, mask);
    cast.setFromUnsigned(true);
    return cast;
  }
  Value isCounted(Value counts) {
    Value zero = constant(builder, loc, builder.getI32Type(), 0);
    zero = tile::SplatOp::create(builder, loc, counts.getType(), zero);
    return tile::CompareOp::create(builder, loc, maskOf(counts.getType()), tile::CompareKind::ne,
                                   counts, zero, /*isUnsigned=*/false);
  }
  // Whether any element along a dimension is wrong.
  Value isAnyAlong(Value mask, int64_t dim) {
    SmallVector<int64_t> shape(tile::shapeOf(mask.getType()));
    shape[dim] = 1;
    auto type = RankedTensorType::get(shape, builder.getI32Type());
    return isCounted(tile::ReduceOp::create(builder, loc, type, tile::ReduceKind::bit_or,
                                            counts(mask), dim, tile::Rounding::nearest,
                                            /*flush=*/false, /*isUnsigned=*/false, Value()));
  }
  // Whether an element, or any before it in the scan, is wrong.
  Value isAnyBefore(Value mask, int64_t dim, bool isBackward) {
    Value x = counts(mask);
    return isCounted(tile::ScanOp::create(builder, loc, x.getType(), tile::ReduceKind::sum, x, dim,
                                          isBackward, tile::Rounding::nearest, /*flush=*/false,
                                          /*withinWarps=*/false));
  }
  Value broadcastTo(Value mask, Type type) {
    type = maskOf(type);
    return mask.getType() == type ? mask : tile::BroadcastOp::create(builder, loc, type, mask);
  }

  OpBuilder builder;
  Location loc;

private:
  ClassifyKind kind;
};

// A finite constant, or a splat of one.
bool isFinite(Value operand) {
  auto splat = operand.getDefiningOp<tile::SplatOp>();
  APFloat constant(0.0f);
  return matchPattern(splat ? splat.getX() : operand, m_ConstantFloat(&constant)) &&
         constant.isFinite();
}

// A constant that a fold reads is infinite or NaN: its results may be, too.
bool readsWrongConstant(tile::FoldOp fold) {
  SetVector<Value> read;
  getUsedValuesDefinedAbove(fold.getCombine(), read);
  fold.getCombine().walk([&](arith::ConstantOp constant) { read.insert(constant); });
  APFloat constant(0.0f);
  return llvm::any_of(read, [&](Value value) {
    return matchPattern(value, m_ConstantFloat(&constant)) && !constant.isFinite();
  });
}

// What a fold combines, or reads from outside.
Value excuseOf(tile::FoldOp fold, Conditions &conditions) {
  Value excuse;
  for (Value x : fold.getX())
    if (isFloat(x)) {
      Value wrong = conditions.isWrong(x);
      excuse = conditions.either(
          excuse, fold.getScan() ? conditions.isAnyBefore(wrong, fold.getDim(), fold.getBackward())
                                 : conditions.isAnyAlong(wrong, fold.getDim()));
    }
  SetVector<Value> read;
  getUsedValuesDefinedAbove(fold.getCombine(), read);
  Type type = conditions.maskOf(fold.getResult(0).getType());
  for (Value value : read)
    if (isFloat(value) && !isFinite(value))
      excuse = conditions.either(excuse, tile::SplatOp::create(conditions.builder, conditions.loc,
                                                               type, conditions.isWrong(value)));
  return excuse;
}

// Which elements of the result have an operand that is wrong already; null if none can.
Value excuseOf(Operation *op, Conditions &conditions) {
  if (auto reduce = dyn_cast<tile::ReduceOp>(op))
    return conditions.isAnyAlong(conditions.isWrong(reduce.getX()), reduce.getDim());
  if (auto scan = dyn_cast<tile::ScanOp>(op))
    return conditions.isAnyBefore(conditions.isWrong(scan.getX()), scan.getDim(),
                                  scan.getBackward());
  if (auto fold = dyn_cast<tile::FoldOp>(op))
    return excuseOf(fold, conditions);
  if (auto mma = dyn_cast<tile::MmaOp>(op)) {
    Type type = mma.getType();
    int64_t rank = cast<RankedTensorType>(type).getRank();
    Value excuse = conditions.isWrong(mma.getC());
    for (auto [operand, along] : {std::pair(mma.getA(), rank - 1), std::pair(mma.getB(), rank - 2)})
      if (isFloat(operand))
        excuse = conditions.either(
            excuse, conditions.broadcastTo(
                        conditions.isAnyAlong(conditions.isWrong(operand), along), type));
    return excuse;
  }
  Value excuse;
  for (Value operand : op->getOperands())
    if (isFloat(operand) && !isFinite(operand))
      excuse = conditions.either(excuse, conditions.isWrong(operand));
  return excuse;
}

// Ops that compute numbers; the others move them.
bool computes(Operation *op) {
  if (auto fold = dyn_cast<tile::FoldOp>(op))
    return !readsWrongConstant(fold);
  return op->hasTrait<tile::Computes>() ||
         isa<arith::AddFOp, arith::SubFOp, arith::MulFOp, arith::DivFOp, arith::RemFOp,
             arith::TruncFOp>(op) ||
         isa<math::MathDialect>(op->getDialect());
}

std::string wordsOf(Operation *op) {
  return TypeSwitch<Operation *, std::string>(op)
      .Case([](tile::UnaryOp o) { return tile::stringifyUnaryKind(o.getKind()).str(); })
      .Case([](tile::BinaryOp o) { return tile::stringifyBinaryKind(o.getKind()).str(); })
      .Case([](tile::ReduceOp o) {
        return "reduction " + tile::stringifyReduceKind(o.getKind()).str();
      })
      .Case([](tile::ScanOp o) { return "scan " + tile::stringifyReduceKind(o.getKind()).str(); })
      .Case([](tile::FoldOp o) { return o.getScan() ? "scan" : "reduction"; })
      .Case<tile::CastOp, arith::TruncFOp>([](auto) { return "conversion"; })
      .Case<arith::AddFOp, arith::SubFOp, arith::MulFOp, arith::DivFOp, arith::RemFOp>(
          [](auto o) { return o->getName().stripDialect().drop_back().str(); })
      .Default([](Operation *o) { return o->getName().stripDialect().str(); });
}

void checkResult(OpResult result, ClassifyKind kind) {
  Operation *op = result.getOwner();
  Conditions conditions(op, kind);
  Value holds =
      conditions.either(conditions.isNot(conditions.isWrong(result)), excuseOf(op, conditions));
  bool isNan = kind == ClassifyKind::isnan;
  createCheck(conditions.builder, conditions.loc, holds,
              "the " + wordsOf(op) + " makes " + namedOr(result, "a value") +
                  (isNan ? " a NaN from operands without NaN"
                         : " an infinity from operands without infinities"));
}

// A divisor that may be 0.
Value divisorIn(Operation *op) {
  Value divisor;
  if (isa<arith::DivSIOp, arith::DivUIOp, arith::RemSIOp, arith::RemUIOp>(op))
    divisor = op->getOperand(1);
  auto binary = dyn_cast<tile::BinaryOp>(op);
  if (binary && !isFloat(binary) &&
      llvm::is_contained({tile::BinaryKind::div, tile::BinaryKind::rem, tile::BinaryKind::floordiv,
                          tile::BinaryKind::ceildiv},
                         binary.getKind()))
    divisor = binary.getY();
  auto splat = divisor ? divisor.getDefiningOp<tile::SplatOp>() : tile::SplatOp();
  bool isKnown = divisor && matchPattern(splat ? splat.getX() : divisor, m_NonZero());
  return isKnown ? Value() : divisor;
}

void checkDivisor(Operation *op, Value divisor) {
  OpBuilder builder(op);
  Location loc = locationOf(op);
  Value zero = constant(builder, loc, tile::elementType(divisor.getType()), 0);
  Value holds;
  if (isTile(divisor.getType())) {
    zero = tile::SplatOp::create(builder, loc, divisor.getType(), zero);
    holds = tile::CompareOp::create(builder, loc,
                                    tile::withElementType(divisor.getType(), builder.getI1Type()),
                                    tile::CompareKind::ne, divisor, zero, /*isUnsigned=*/false);
  } else {
    holds = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ne, divisor, zero);
  }
  createCheck(builder, loc, holds,
              "an integer division by 0 computes " + namedOr(op->getResult(0), "a value"));
}

struct CheckNumbers : impl::CheckNumbersBase<CheckNumbers> {
  using CheckNumbersBase::CheckNumbersBase;

  void runOnOperation() override {
    SmallVector<Operation *> found;
    getOperation().walk([&](Operation *op) {
      if (!op->getParentOfType<tile::FoldOp>())
        found.push_back(op);
    });
    for (Operation *op : found) {
      if (Value divisor = divisorIn(op); nan && divisor)
        checkDivisor(op, divisor);
      if (!computes(op))
        continue;
      for (OpResult result : llvm::make_filter_range(op->getResults(), isFloat)) {
        if (nan)
          checkResult(result, ClassifyKind::isnan);
        if (inf)
          checkResult(result, ClassifyKind::isinf);
      }
    }
  }
};

} // namespace
} // namespace tessera::plan
