// Sums of values with constant strides, and their products with constants, have constant strides,
// whether they wrap or not. A conversion to a wider type and a division keep a stride only if the
// value does not wrap: because the program promises it, or because the bounds of its operands
// exclude it.
#include "plan/analysis/InductionStrides.h"

#include "plan/analysis/Facts.h"
#include "plan/analysis/Reach.h"
#include "tile/Counters.h"
#include "tile/Speculation.h"
#include "tile/TileDialect.h"

#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace tessera::plan {

namespace {

// No caller needs larger strides, and below this sums of strides do not overflow.
constexpr int64_t farthest = int64_t(1) << 40;

using Distance = std::optional<int64_t>;

class InductionStrides {
public:
  explicit InductionStrides(scf::ForOp loop) : loop(loop) {}

  Distance of(Value v, Reach reach) {
    if (loop.isDefinedOutsideOfLoop(v))
      return 0;
    if (!reach.goesOn() || !isa<IntegerType>(v.getType()))
      return isSame(v, reach) ? Distance(0) : Distance();
    Distance found = strideOf(v, reach);
    if (!found)
      return isSame(v, reach) ? Distance(0) : Distance();
    return *found > -farthest && *found < farthest ? found : Distance();
  }

private:
  // A pure op of equal operands has equal results.
  bool isSame(Value v, Reach reach) {
    Operation *op = v.getDefiningOp();
    return reach.goesOn() && op && op->getBlock() == loop.getBody() && op->getNumRegions() == 0 &&
           isPure(op) &&
           llvm::all_of(op->getOperands(), [&](Value x) { return of(x, reach) == Distance(0); });
  }

  Distance strideOf(Value v, Reach reach) {
    if (auto argument = dyn_cast<BlockArgument>(v))
      return argumentStride(argument);
    auto both = [&](Value x, Value y, int64_t sign) -> Distance {
      Distance a = of(x, reach), b = of(y, reach);
      return a && b ? Distance(*a + sign * *b) : Distance();
    };
    auto times = [&](Value x, int64_t factor) -> Distance {
      Distance a = of(x, reach);
      int64_t result;
      return a && !llvm::MulOverflow(*a, factor, result) ? Distance(result) : Distance();
    };
    return TypeSwitch<Operation *, Distance>(v.getDefiningOp())
        .Case([&](arith::AddIOp op) { return both(op.getLhs(), op.getRhs(), 1); })
        .Case([&](arith::SubIOp op) { return both(op.getLhs(), op.getRhs(), -1); })
        .Case([&](arith::MulIOp op) -> Distance {
          if (auto factor = constantOf(op.getRhs()))
            return times(op.getLhs(), *factor);
          if (auto factor = constantOf(op.getLhs()))
            return times(op.getRhs(), *factor);
          return {};
        })
        .Case([&](arith::ShLIOp op) -> Distance {
          auto count = constantOf(op.getRhs());
          return count && *count >= 0 && *count < 32 ? times(op.getLhs(), int64_t(1) << *count)
                                                     : Distance();
        })
        .Case([&](arith::TruncIOp op) { return of(op.getIn(), reach); })
        .Case([&](tile::AssumeOp op) { return of(op.getX(), reach); })
        .Case([&](arith::ExtSIOp op) {
          return neverWraps(op.getIn(), reach) ? of(op.getIn(), reach) : Distance();
        })
        .Case([&](arith::ExtUIOp op) {
          bool isPositive = rangeOf(op.getIn()).low >= 0;
          return isPositive && neverWraps(op.getIn(), reach) ? of(op.getIn(), reach) : Distance();
        })
        .Case([&](arith::DivSIOp op) { return quotient(op.getLhs(), op.getRhs(), false, reach); })
        .Case([&](arith::DivUIOp op) { return quotient(op.getLhs(), op.getRhs(), true, reach); })
        .Default([](Operation *) { return Distance(); });
  }

  Distance argumentStride(BlockArgument argument) {
    if (argument.getOwner() != loop.getBody())
      return {};
    if (argument == loop.getInductionVar())
      return getConstantIntValue(loop.getStep());
    std::optional<tile::Advance> advance = advanceOf(argument);
    auto distance = advance ? constantOf(advance->by) : std::nullopt;
    return distance ? Distance(advance->isDown ? -*distance : *distance) : Distance();
  }

  // How a carried value gets its next value.
  std::optional<tile::Advance> advanceOf(BlockArgument argument) {
    return tile::advanceOf(loop.getTiedLoopYieldedValue(argument)->get(), argument);
  }

  // Quotients of multiples of the divisor have the stride divided by it.
  Distance quotient(Value x, Value by, bool isUnsigned, Reach reach) {
    auto divisor = constantOf(by);
    Distance a = of(x, reach);
    bool isExact = divisor && *divisor > 0 && a && *a % *divisor == 0 &&
                   divisorOf(x) % *divisor == 0 && neverWraps(x, reach) &&
                   (!isUnsigned || rangeOf(x).low >= 0);
    return isExact ? Distance(*a / *divisor) : Distance();
  }

  // Read as signed, the value is the same in types of any width.
  bool neverWraps(Value v, Reach reach) {
    if (loop.isDefinedOutsideOfLoop(v))
      return true;
    if (!reach.goesOn())
      return false;
    if (auto argument = dyn_cast<BlockArgument>(v)) {
      if (argument == loop.getInductionVar())
        return !loop.getUnsignedCmp() || rangeOf(v).low >= 0;
      if (argument.getOwner() != loop.getBody())
        return false;
      std::optional<tile::Advance> advance = advanceOf(argument);
      return advance && advance->nsw;
    }
    Operation *op = v.getDefiningOp();
    bool areOperands =
        llvm::all_of(op->getOperands(), [&](Value x) { return neverWraps(x, reach); });
    if (isa<arith::AddIOp, arith::SubIOp, arith::MulIOp>(op))
      return areOperands && (isPromised(op) || isWithinType(v));
    if (isa<arith::ExtSIOp, arith::DivSIOp, tile::AssumeOp>(op))
      return areOperands;
    return op->getBlock() == loop.getBody() && isSame(v, reach);
  }

  static bool isPromised(Operation *op) {
    auto flags = cast<arith::ArithIntegerOverflowFlagsInterface>(op).getOverflowAttr().getValue();
    return bitEnumContainsAll(flags, arith::IntegerOverflowFlags::nsw);
  }

  // Bounds narrower than the type's come from operands that leave no room to wrap.
  static bool isWithinType(Value v) {
    Range range = rangeOf(v);
    unsigned bits = v.getType().getIntOrFloatBitWidth();
    return bits <= 64 && range.low > llvm::minIntN(bits) && range.high < llvm::maxIntN(bits);
  }

  scf::ForOp loop;
};

} // namespace

std::optional<int64_t> movesBy(Value integer, scf::ForOp loop) {
  int steps = stepsOfWalk;
  return InductionStrides(loop).of(integer, Reach(steps));
}

} // namespace tessera::plan
