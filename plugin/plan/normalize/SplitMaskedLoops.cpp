// A loop of multiplies that masks what it computes in every iteration, though the mask is all true
// in most, becomes loops one after the other, of which the middle one has no mask:
//
//   for %i = %begin to %end { %s = select (%column(%i) <= %row), %x, -inf; ... }
//   ->  for %i = %begin to %a { ... }
//       for %i = %a to %b { %s = %x; ... }
//       for %i = %b to %end { ... }
//
// which is how attention's programs with a causal mask, a window or a length are written by hand. A
// mask is a conjunction of comparisons of integers; a side is a number plus indices along the tile
// (iota), and the number grows or falls linearly with the loop's variable, or stays. So each
// comparison is true for all elements from one iteration on, or up to one; or nothing is known of
// it, and the loop stays as it is.
//
// A program with several loops of multiplies one after the other has split them itself: they stay.
//
// Three loops are three times the code, which a short launch reads from memory more slowly than it
// computes. What images are launched for is not known: their loops stay, too. TileGym's window
// attention as an image on an H200, with cold caches, us, as one loop without a producer warp, and
// as three with one: 512 tokens 19.4 and 33.1, 2048 123 and 139, 4096 387 and 377, 16384 2288 and
// 2034.
//
// The program computes with integers of 32 bits, which wrap. Bounds are computed in 64 bits, and
// where a side would wrap in any iteration, all iterations keep their masks.
#include "plan/analysis/Facts.h"
#include "plan/analysis/Layouts.h"
#include "plan/Passes.h"
#include "tile/Attributes.h"
#include "tile/TileDialect.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;

namespace tessera::plan {

#define GEN_PASS_DEF_SPLITMASKEDLOOPS
#include "plan/Passes.h.inc"

namespace {

// Sums of more terms, or of larger multiples, might not fit 64 bits.
constexpr size_t maxTerms = 8;
constexpr int64_t maxMultiple = int64_t(1) << 26;

// slope * variable + sum of multiples of numbers from before the loop + [low, high], which are the
// constants and what differs between the elements of a tile.
struct LinearRange {
  int64_t slope = 0, low = 0, high = 0;
  SmallVector<std::pair<Value, int64_t>> terms;

  // A number of 32 bits as it is, or a constant: nothing that could wrap.
  bool isNumber() const {
    return !slope &&
           (terms.empty() || (terms.size() == 1 && terms.front().second == 1 && !low && !high));
  }

  bool isSmall() const {
    auto fits = [](int64_t n) { return std::abs(n) <= maxMultiple; };
    return fits(slope) && std::abs(low) <= INT32_MAX && std::abs(high) <= INT32_MAX &&
           terms.size() <= maxTerms &&
           llvm::all_of(terms, [&](const auto &term) { return fits(term.second); });
  }
};

LinearRange sum(LinearRange x, const LinearRange &y) {
  x.slope += y.slope, x.low += y.low, x.high += y.high;
  llvm::append_range(x.terms, y.terms);
  return x;
}

LinearRange product(LinearRange x, int64_t factor) {
  x.slope *= factor, x.low *= factor, x.high *= factor;
  if (factor < 0)
    std::swap(x.low, x.high);
  for (auto &[value, multiple] : x.terms)
    multiple *= factor;
  return x;
}

LinearRange difference(const LinearRange &x, const LinearRange &y) {
  return sum(x, product(y, -1));
}

bool isInt32(Type type) { return tile::elementType(type).isInteger(32); }

// A sum, difference or product, of numbers or of tiles.
std::optional<tile::BinaryKind> linearKindOf(Operation *op) {
  using enum tile::BinaryKind;
  if (auto binary = dyn_cast<tile::BinaryOp>(op);
      binary && llvm::is_contained({add, sub, mul}, binary.getKind()))
    return binary.getKind();
  return isa<arith::AddIOp>(op)   ? std::optional(add)
         : isa<arith::SubIOp>(op) ? std::optional(sub)
         : isa<arith::MulIOp>(op) ? std::optional(mul)
                                  : std::nullopt;
}

// Numbers and tiles of 32 bits as linear ranges.
class Ranges {
public:
  explicit Ranges(scf::ForOp loop) : loop(loop) {}

  bool isInvariant(Value value) const { return loop.isDefinedOutsideOfLoop(value); }

  std::optional<LinearRange> operator()(Value value) const {
    std::optional<LinearRange> range = isInt32(value.getType()) ? of(value) : std::nullopt;
    return range && range->isSmall() ? range : std::nullopt;
  }

private:
  std::optional<LinearRange> of(Value value) const {
    LinearRange range;
    if (value == loop.getInductionVar()) {
      range.slope = 1;
      return range;
    }
    if (std::optional<int64_t> constant = constantOf(value)) {
      range.low = range.high = *constant;
      return range;
    }
    Operation *op = value.getDefiningOp();
    if (auto iota = dyn_cast_or_null<tile::IotaOp>(op)) {
      range.high = cast<RankedTensorType>(iota.getType()).getNumElements() - 1;
      return range;
    }
    if (isa_and_present<tile::SplatOp, tile::BroadcastOp, tile::ReshapeOp>(op))
      return (*this)(op->getOperand(0));
    if (std::optional<LinearRange> computed = op ? ofComputed(op) : std::nullopt)
      return computed;
    if (isa<RankedTensorType>(value.getType()) || !loop.isDefinedOutsideOfLoop(value))
      return std::nullopt;
    range.terms.emplace_back(value, 1);
    return range;
  }

  std::optional<LinearRange> ofComputed(Operation *op) const {
    std::optional<tile::BinaryKind> kind = linearKindOf(op);
    if (!kind)
      return std::nullopt;
    std::optional<LinearRange> x = (*this)(op->getOperand(0)), y = (*this)(op->getOperand(1));
    if (!x || !y)
      return std::nullopt;
    if (*kind == tile::BinaryKind::add)
      return sum(*x, *y);
    if (*kind == tile::BinaryKind::sub)
      return difference(*x, *y);
    auto isConstant = [](const LinearRange &range) {
      return !range.slope && range.terms.empty() && range.low == range.high;
    };
    if (isConstant(*y) && std::abs(y->low) <= maxMultiple)
      return product(*x, y->low);
    if (isConstant(*x) && std::abs(x->low) <= maxMultiple)
      return product(*y, x->low);
    return std::nullopt;
  }

  mutable scf::ForOp loop; // MLIR's ops have no const members
};

// What must be positive for all elements, and the sides that must not wrap; or what must be so, of
// all iterations.
struct Condition {
  LinearRange positive;
  SmallVector<LinearRange, 0> sides;
  Value flag = {};
  bool isNegated = false;
};

using Conditions = SmallVector<Condition, 0>;

// x > y, as what must be positive.
LinearRange above(const LinearRange &x, const LinearRange &y) { return difference(x, y); }
LinearRange notBelow(const LinearRange &x, const LinearRange &y) {
  LinearRange one;
  one.low = one.high = 1;
  return sum(difference(x, y), one);
}

// The comparisons that must hold for a mask to be all true, or, negated, all false; false: one of
// them is not known.
bool collect(Value mask, bool isNegated, const Ranges &rangeOf, Conditions &conditions) {
  Operation *op = mask.getDefiningOp();
  if (isa_and_present<tile::SplatOp, tile::BroadcastOp, tile::ReshapeOp>(op))
    return collect(op->getOperand(0), isNegated, rangeOf, conditions);
  if (mask.getType().isInteger(1) && rangeOf.isInvariant(mask)) {
    conditions.push_back({{}, {}, mask, isNegated});
    return true;
  }
  if (auto both = dyn_cast_or_null<tile::BinaryOp>(op);
      both && both.getKind() == (isNegated ? tile::BinaryKind::bit_or : tile::BinaryKind::bit_and))
    return collect(both.getX(), isNegated, rangeOf, conditions) &&
           collect(both.getY(), isNegated, rangeOf, conditions);
  auto compare = dyn_cast_or_null<tile::CompareOp>(op);
  if (!compare || compare.getIsUnsigned())
    return false;
  std::optional<LinearRange> x = rangeOf(compare.getX()), y = rangeOf(compare.getY());
  if (!x || !y)
    return false;
  auto add = [&](LinearRange positive) {
    conditions.push_back({std::move(positive), {*x, *y}, Value(), false});
    return true;
  };
  switch (compare.getKind()) {
  case tile::CompareKind::gt: return add(isNegated ? notBelow(*y, *x) : above(*x, *y));
  case tile::CompareKind::ge: return add(isNegated ? above(*y, *x) : notBelow(*x, *y));
  case tile::CompareKind::lt: return add(isNegated ? notBelow(*x, *y) : above(*y, *x));
  case tile::CompareKind::le: return add(isNegated ? above(*x, *y) : notBelow(*y, *x));
  default: return false;
  }
}

// A select between what is computed from an iteration's multiplies and something else.
struct Masked {
  tile::SelectOp select;
  Value computed;

  bool isNegated() { return computed == select.getY(); }
};
SmallVector<Masked> maskedIn(scf::ForOp loop) {
  llvm::SmallPtrSet<Operation *, 16> computed;
  auto isComputed = [&](Value v) { return computed.contains(v.getDefiningOp()); };
  SmallVector<Masked> masked;
  for (Operation &op : loop.getBody()->without_terminator()) {
    if (!isa<tile::MmaOp>(op) && !llvm::any_of(op.getOperands(), isComputed))
      continue;
    computed.insert(&op);
    auto select = dyn_cast<tile::SelectOp>(op);
    if (select && isa<RankedTensorType>(select.getMask().getType()) &&
        isComputed(select.getX()) != isComputed(select.getY()))
      masked.push_back({select, isComputed(select.getX()) ? select.getX() : select.getY()});
  }
  return masked;
}

// Several multiplies an iteration: what threads compute between them takes time.
bool isOfChain(scf::ForOp loop) {
  return llvm::count_if(loop.getBody()->without_terminator(), llvm::IsaPred<tile::MmaOp>) > 1;
}

class Splitting {
public:
  explicit Splitting(scf::ForOp loop) : loop(loop), b(loop), loc(loop.getLoc()) {}

  bool find() {
    std::optional<int64_t> constantStep = getConstantIntValue(loop.getStep());
    if (loop.getUnsignedCmp() || !constantStep || *constantStep < 1 ||
        *constantStep > maxMultiple || !loop.getInductionVar().getType().isInteger(32) ||
        !isOfChain(loop) || llvm::count_if(loop->getBlock()->getOps<scf::ForOp>(), isOfChain) > 1)
      return false;
    step = *constantStep;
    const Ranges rangeOf(loop);
    for (Masked value : maskedIn(loop))
      if (Conditions own; collect(value.select.getMask(), value.isNegated(), rangeOf, own)) {
        masked.push_back(value);
        llvm::append_range(conditions, own);
      }
    hasFirst = llvm::any_of(conditions, [](const Condition &c) { return c.positive.slope > 0; });
    hasLast = llvm::any_of(conditions, [](const Condition &c) { return c.positive.slope < 0; });
    return hasFirst || hasLast;
  }

  void split() {
    computeBounds();
    Value first32 = b.createOrFold<arith::TruncIOp>(loc, b.getI32Type(), first),
          last32 = b.createOrFold<arith::TruncIOp>(loc, b.getI32Type(), last);
    SmallVector<Value> carried(loop.getInitArgs());
    if (hasFirst)
      carried = part(loop.getLowerBound(), first32, carried, /*isMasked=*/true);
    carried = part(hasFirst ? first32 : loop.getLowerBound(),
                   hasLast ? last32 : loop.getUpperBound(), carried, /*isMasked=*/false);
    if (hasLast)
      carried = part(last32, loop.getUpperBound(), carried, /*isMasked=*/true);
    loop.replaceAllUsesWith(carried);
    loop.erase();
  }

private:
  static constexpr auto fits64 = arith::IntegerOverflowFlags::nsw; // LinearRange::isSmall

  Value number(int64_t n) { return arith::ConstantOp::create(b, loc, b.getI64IntegerAttr(n)); }
  Value wide(Value v) { return b.createOrFold<arith::ExtSIOp>(loc, b.getI64Type(), v); }
  Value times(Value v, int64_t factor) {
    return factor == 1 ? v : b.createOrFold<arith::MulIOp>(loc, v, number(factor), fits64);
  }
  Value plus(Value x, Value y) { return b.createOrFold<arith::AddIOp>(loc, x, y, fits64); }
  Value minus(Value x, Value y) { return b.createOrFold<arith::SubIOp>(loc, x, y, fits64); }
  Value plus(Value x, int64_t n) {
    return n == 0 ? x : n > 0 ? plus(x, number(n)) : minus(x, number(-n));
  }
  // Adds a multiple to a sum, which is null while it has no terms.
  Value plusTimes(Value total, Value v, int64_t factor) {
    Value term = times(v, std::abs(factor));
    if (!total)
      return factor < 0 ? minus(number(0), term) : term;
    return factor < 0 ? minus(total, term) : plus(total, term);
  }
  Value both(Value x, Value y) { return x ? b.createOrFold<arith::AndIOp>(loc, x, y) : y; }

  // The terms of a range: what does not differ between elements or iterations.
  Value invariantOf(const LinearRange &range) {
    auto terms = range.terms;
    llvm::stable_sort(terms, [](const auto &x, const auto &y) { return x.second > y.second; });
    Value total;
    for (auto [value, multiple] : terms)
      if (multiple)
        total = plusTimes(total, wide(value), multiple);
    return total ? total : number(0);
  }

  // Does a side stay within 32 bits in the first and in the last iteration, so in all of them?
  Value fits(const LinearRange &side, Value firstVariable, Value lastVariable) {
    Value total = invariantOf(side), result;
    for (Value variable : {firstVariable, lastVariable}) {
      Value here = side.slope ? plusTimes(total, variable, side.slope) : total;
      auto holds = [&](arith::CmpIPredicate predicate, int64_t bound) {
        result = both(result, b.createOrFold<arith::CmpIOp>(loc, predicate, here, number(bound)));
      };
      holds(arith::CmpIPredicate::sge, int64_t(INT32_MIN) - side.low);
      holds(arith::CmpIPredicate::sle, int64_t(INT32_MAX) - side.high);
      if (!side.slope)
        break;
    }
    return result;
  }

  // The first value of the loop's variable that is not below `bound`, between two of its values.
  Value onGrid(Value bound, Value from, Value begin, Value end) {
    Value distance =
        b.createOrFold<arith::SubIOp>(loc, b.createOrFold<arith::MaxSIOp>(loc, bound, from), begin);
    if (step != 1)
      distance = times(divided(plus(distance, step - 1), step), step);
    return b.createOrFold<arith::MinSIOp>(loc, plus(begin, distance),
                                          b.createOrFold<arith::MaxSIOp>(loc, from, end));
  }

  void computeBounds() {
    Value begin = wide(loop.getLowerBound()), end = wide(loop.getUpperBound());
    Value isKnown, from, to;
    for (const Condition &condition : conditions) {
      if (Value flag = condition.flag) {
        Value wanted = arith::ConstantOp::create(b, loc, b.getBoolAttr(!condition.isNegated));
        isKnown = both(isKnown,
                       b.createOrFold<arith::CmpIOp>(loc, arith::CmpIPredicate::eq, flag, wanted));
        continue;
      }
      for (const LinearRange &side : condition.sides)
        if (!side.isNumber())
          isKnown = both(isKnown, fits(side, begin, plus(end, -1)));
      // slope * variable + rest > 0
      const LinearRange &positive = condition.positive;
      if (positive.slope == 0) {
        Value all = plus(invariantOf(positive), positive.low);
        isKnown = both(
            isKnown, b.createOrFold<arith::CmpIOp>(loc, arith::CmpIPredicate::sgt, all, number(0)));
        continue;
      }
      // variable > -rest / slope, or variable < rest / -slope
      Value bound;
      if (positive.slope > 0)
        bound = plus(
            divided(plus(invariantOf(product(positive, -1)), -positive.low), positive.slope), 1);
      else
        bound = plus(divided(plus(invariantOf(positive), positive.low - 1), -positive.slope), 1);
      Value &limit = positive.slope > 0 ? from : to;
      if (!limit)
        limit = bound;
      else if (positive.slope > 0)
        limit = b.createOrFold<arith::MaxSIOp>(loc, limit, bound);
      else
        limit = b.createOrFold<arith::MinSIOp>(loc, limit, bound);
    }
    first = hasFirst ? onGrid(from, begin, begin, end) : begin;
    last = hasLast ? onGrid(to, first, begin, end) : end;
    // Where nothing is known the last loop takes all iterations, or else the first one.
    if (isKnown) {
      Value all = hasLast ? begin : b.createOrFold<arith::MaxSIOp>(loc, begin, end);
      first = hasFirst ? select(isKnown, first, all) : first;
      last = hasLast ? select(isKnown, last, all) : last;
    }
  }

  Value divided(Value x, int64_t divisor) {
    return divisor == 1 ? x
                        : tile::BinaryOp::create(b, loc, x.getType(), tile::BinaryKind::floordiv, x,
                                                 number(divisor), tile::Rounding::nearest,
                                                 /*flush=*/false, /*isUnsigned=*/false);
  }
  Value select(Value condition, Value x, Value y) {
    return b.createOrFold<arith::SelectOp>(loc, condition, x, y);
  }

  SmallVector<Value> part(Value begin, Value end, ValueRange carried, bool isMasked) {
    IRMapping map;
    auto copy = cast<scf::ForOp>(b.clone(*loop, map));
    copy.getLowerBoundMutable().assign(begin);
    copy.getUpperBoundMutable().assign(end);
    copy.getInitArgsMutable().assign(carried);
    if (!isMasked)
      for (Masked value : masked) {
        auto own = map.lookup(value.select.getResult()).getDefiningOp<tile::SelectOp>();
        own.getResult().replaceAllUsesWith(value.isNegated() ? own.getY() : own.getX());
        own.erase();
      }
    return SmallVector<Value>(copy.getResults());
  }

  scf::ForOp loop;
  OpBuilder b;
  Location loc;
  int64_t step = 1;
  SmallVector<Masked> masked;
  Conditions conditions;
  bool hasFirst = false, hasLast = false; // loops in front of, and behind, the one without masks
  Value first, last;                      // iterations: its bounds
};

struct SplitMaskedLoops : impl::SplitMaskedLoopsBase<SplitMaskedLoops> {
  void runOnOperation() override {
    if (!getOperation()->getParentOfType<ModuleOp>()->hasAttr(tile::launchedAttr))
      return;
    SmallVector<scf::ForOp> loops;
    getOperation().walk([&](scf::ForOp loop) { loops.push_back(loop); });
    for (scf::ForOp loop : loops)
      if (Splitting splitting(loop); splitting.find())
        splitting.split();
    eraseDead(getOperation());
  }
};

} // namespace
} // namespace tessera::plan
