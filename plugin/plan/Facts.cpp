// Facts by walking up the definitions of a value.
#include "plan/Facts.h"

#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Matchers.h"
#include "tile/TileDialect.h"
#include <algorithm>

using namespace mlir;

namespace tessera::plan {

namespace {

constexpr int64_t most = 1 << 20;
// Deep enough for address arithmetic, shallow enough to stay cheap on any input.
constexpr int maxDepth = 24;

int64_t powerOfTwoDivisor(int64_t n) {
  return n == 0 ? most : int64_t(std::min<uint64_t>(uint64_t(n) & -uint64_t(n), most));
}

int64_t divisor(Value v, int depth);

int64_t divisorOfArgument(BlockArgument argument, int depth) {
  auto loop = dyn_cast_or_null<scf::ForOp>(argument.getOwner()->getParentOp());
  if (!loop || argument != loop.getInductionVar())
    return 1;
  return std::min(divisor(loop.getLowerBound(), depth), divisor(loop.getStep(), depth));
}

int64_t combine(tile::BinaryKind kind, Value x, Value y, int depth) {
  switch (kind) {
  case tile::BinaryKind::add:
  case tile::BinaryKind::sub:
  case tile::BinaryKind::min:
  case tile::BinaryKind::max: return std::min(divisor(x, depth), divisor(y, depth));
  case tile::BinaryKind::mul: return std::min(divisor(x, depth) * divisor(y, depth), most);
  default: return 1;
  }
}

int64_t divisor(Value v, int depth) {
  if (++depth > maxDepth || !isa<IntegerType>(v.getType()))
    return 1;
  APInt constant;
  if (matchPattern(v, m_ConstantInt(&constant)))
    return powerOfTwoDivisor(constant.getSExtValue());
  if (auto argument = dyn_cast<BlockArgument>(v))
    return divisorOfArgument(argument, depth);
  return TypeSwitch<Operation *, int64_t>(v.getDefiningOp())
      .Case([&](tile::AssumeOp op) {
        return std::max(divisor(op.getX(), depth),
                        powerOfTwoDivisor(op.getDivisible().value_or(1)));
      })
      .Case<arith::AddIOp, arith::SubIOp, arith::OrIOp, arith::MinSIOp, arith::MinUIOp,
            arith::MaxSIOp, arith::MaxUIOp>([&](auto op) {
        return std::min(divisor(op.getLhs(), depth), divisor(op.getRhs(), depth));
      })
      .Case([&](arith::AndIOp op) {
        return std::max(divisor(op.getLhs(), depth), divisor(op.getRhs(), depth));
      })
      .Case([&](arith::MulIOp op) {
        return std::min(divisor(op.getLhs(), depth) * divisor(op.getRhs(), depth), most);
      })
      .Case([&](arith::ShLIOp op) -> int64_t {
        auto count = constantOf(op.getRhs());
        return count && *count < 20 ? std::min(divisor(op.getLhs(), depth) << *count, most) : 1;
      })
      .Case<arith::ExtSIOp, arith::ExtUIOp, arith::TruncIOp>(
          [&](auto op) { return divisor(op.getIn(), depth); })
      .Case([&](arith::SelectOp op) {
        return std::min(divisor(op.getTrueValue(), depth), divisor(op.getFalseValue(), depth));
      })
      .Case([&](tile::CastOp op) {
        return op.getType().isInteger(1) ? 1 : divisor(op.getX(), depth);
      })
      .Case([&](tile::BinaryOp op) { return combine(op.getKind(), op.getX(), op.getY(), depth); })
      .Default([](Operation *) { return 1; });
}

Range everyValue(Value v) {
  unsigned bits = std::min(v.getType().getIntOrFloatBitWidth(), 64u);
  return {APInt::getSignedMinValue(bits).getSExtValue(),
          APInt::getSignedMaxValue(bits).getSExtValue()};
}

bool isWithin(Range inner, Range outer) {
  return inner.low >= outer.low && inner.high <= outer.high;
}

// The results of a monotone operation on the ends of two ranges; everything if one overflows.
Range combineEnds(Range x, Range y, Range otherwise,
                  function_ref<bool(int64_t, int64_t, int64_t &)> overflows) {
  Range result{std::numeric_limits<int64_t>::max(), std::numeric_limits<int64_t>::min()};
  for (int64_t a : {x.low, x.high})
    for (int64_t b : {y.low, y.high}) {
      int64_t c;
      if (overflows(a, b, c))
        return otherwise;
      result = {std::min(result.low, c), std::max(result.high, c)};
    }
  return isWithin(result, otherwise) ? result : otherwise;
}

using Conditions = ArrayRef<Value>;

Range range(Value v, int depth, Conditions given);

// The predicate of the same comparison read from right to left.
arith::CmpIPredicate mirrored(arith::CmpIPredicate predicate) {
  using enum arith::CmpIPredicate;
  switch (predicate) {
  case slt: return sgt;
  case sle: return sge;
  case sgt: return slt;
  case sge: return sle;
  case ult: return ugt;
  case ule: return uge;
  case ugt: return ult;
  case uge: return ule;
  default: return predicate;
  }
}

// What is left of x's range where `x predicate y` holds; nothing is made of a contradiction.
Range narrowed(Range x, arith::CmpIPredicate predicate, Range y) {
  using enum arith::CmpIPredicate;
  constexpr int64_t least = std::numeric_limits<int64_t>::min(),
                    greatest = std::numeric_limits<int64_t>::max();
  Range allowed{least, greatest};
  switch (predicate) {
  case slt: allowed.high = std::max(y.high, least + 1) - 1; break;
  case sle: allowed.high = y.high; break;
  case sgt: allowed.low = std::min(y.low, greatest - 1) + 1; break;
  case sge: allowed.low = y.low; break;
  case eq: allowed = y; break;
  case ult:
    if (y.low > 0) // as it is for unsigned numbers, too
      allowed = {0, y.high - 1};
    break;
  case ule:
    if (y.low >= 0)
      allowed = {0, y.high};
    break;
  default: break;
  }
  Range both{std::max(x.low, allowed.low), std::min(x.high, allowed.high)};
  return both.low <= both.high ? both : x;
}

Range narrowedBy(Value condition, Value x, Range known, int depth) {
  if (auto both = condition.getDefiningOp<arith::AndIOp>(); both && depth < maxDepth)
    return narrowedBy(both.getRhs(), x, narrowedBy(both.getLhs(), x, known, depth + 1), depth + 1);
  auto compare = condition.getDefiningOp<arith::CmpIOp>();
  if (compare && compare.getLhs() == x)
    return narrowed(known, compare.getPredicate(), range(compare.getRhs(), depth, {}));
  if (compare && compare.getRhs() == x)
    return narrowed(known, mirrored(compare.getPredicate()), range(compare.getLhs(), depth, {}));
  return known;
}

Range rangeOfInductionVar(BlockArgument argument, Range otherwise, int depth, Conditions given) {
  auto loop = dyn_cast_or_null<scf::ForOp>(argument.getOwner()->getParentOp());
  if (!loop || argument != loop.getInductionVar() || loop.getUnsignedCmp() ||
      range(loop.getStep(), depth, given).low < 1)
    return otherwise;
  // The body runs only below the upper bound, and for whole steps from a constant.
  Range lower = range(loop.getLowerBound(), depth, given),
        step = range(loop.getStep(), depth, given);
  int64_t last = std::max(range(loop.getUpperBound(), depth, given).high, otherwise.low + 1) - 1;
  int64_t distance;
  if (lower.low == lower.high && step.low == step.high && last > lower.low &&
      !llvm::SubOverflow(last, lower.low, distance))
    last -= distance % step.low;
  return {lower.low, last};
}

Range rangeOfDefinition(Value v, int depth, Conditions given);

Range range(Value v, int depth, Conditions given) {
  Range known = rangeOfDefinition(v, depth, given);
  for (Value condition : given)
    known = narrowedBy(condition, v, known, depth);
  return known;
}

Range rangeOfDefinition(Value v, int depth, Conditions given) {
  if (!isa<IntegerType>(v.getType()) || v.getType().getIntOrFloatBitWidth() > 64)
    return {std::numeric_limits<int64_t>::min(), std::numeric_limits<int64_t>::max()};
  Range all = everyValue(v);
  APInt constant;
  if (matchPattern(v, m_ConstantInt(&constant)))
    return {constant.getSExtValue(), constant.getSExtValue()};
  if (++depth > maxDepth)
    return all;
  if (auto argument = dyn_cast<BlockArgument>(v))
    return rangeOfInductionVar(argument, all, depth, given);
  auto ends = [&](auto op, auto overflows) {
    return combineEnds(range(op.getLhs(), depth, given), range(op.getRhs(), depth, given), all,
                       overflows);
  };
  return TypeSwitch<Operation *, Range>(v.getDefiningOp())
      .Case([&](tile::AssumeOp op) {
        Range x = range(op.getX(), depth, given);
        // Bounds of an unsigned number beyond those of a signed one say nothing here.
        if (!op.getLow() || !op.getHigh() || int64_t(*op.getHigh()) > all.high)
          return x;
        Range y{std::max(x.low, int64_t(*op.getLow())), std::min(x.high, int64_t(*op.getHigh()))};
        return y.low <= y.high ? y : x;
      })
      .Case([&](tile::BlockIndexOp) { return Range{0, all.high}; })
      .Case([&](tile::GridSizeOp) { return Range{1, all.high}; })
      .Case([&](arith::AddIOp op) {
        return ends(op,
                    [](int64_t a, int64_t b, int64_t &c) { return llvm::AddOverflow(a, b, c); });
      })
      .Case([&](arith::SubIOp op) {
        return ends(op,
                    [](int64_t a, int64_t b, int64_t &c) { return llvm::SubOverflow(a, b, c); });
      })
      .Case([&](arith::MulIOp op) {
        return ends(op,
                    [](int64_t a, int64_t b, int64_t &c) { return llvm::MulOverflow(a, b, c); });
      })
      .Case([&](arith::ShLIOp op) {
        return ends(op, [](int64_t a, int64_t b, int64_t &c) {
          return b < 0 || b > 62 || llvm::MulOverflow(a, int64_t(1) << b, c);
        });
      })
      .Case([&](arith::MinSIOp op) {
        return ends(op, [](int64_t a, int64_t b, int64_t &c) { return c = std::min(a, b), false; });
      })
      .Case([&](arith::MaxSIOp op) {
        return ends(op, [](int64_t a, int64_t b, int64_t &c) { return c = std::max(a, b), false; });
      })
      .Case([&](arith::AndIOp op) {
        // A mask with a clear sign bit bounds the result.
        Range x = range(op.getLhs(), depth, given), y = range(op.getRhs(), depth, given);
        if (x.low < 0 && y.low < 0)
          return all;
        return Range{0, x.low < 0 ? y.high : y.low < 0 ? x.high : std::min(x.high, y.high)};
      })
      // A remainder has the sign of what is divided, and is no larger; unsigned, that is above 0.
      .Case<arith::RemUIOp, arith::RemSIOp>([&](auto op) {
        Range x = range(op.getLhs(), depth, given), y = range(op.getRhs(), depth, given);
        if (y.low <= 0)
          return all;
        if (x.low >= 0 || isa<arith::RemUIOp>(op))
          return Range{0, x.low >= 0 ? std::min(x.high, y.high - 1) : y.high - 1};
        return Range{std::max(x.low, 1 - y.high), std::clamp<int64_t>(x.high, 0, y.high - 1)};
      })
      .Case<arith::DivUIOp, arith::DivSIOp>([&](auto op) {
        Range x = range(op.getLhs(), depth, given), y = range(op.getRhs(), depth, given);
        if (y.low <= 0 || (x.low < 0 && isa<arith::DivUIOp>(op)))
          return all;
        return ends(op, [](int64_t a, int64_t b, int64_t &c) { return c = a / b, false; });
      })
      .Case([&](arith::ExtSIOp op) { return range(op.getIn(), depth, given); })
      .Case([&](arith::ExtUIOp op) {
        Range x = range(op.getIn(), depth, given);
        unsigned bits = op.getIn().getType().getIntOrFloatBitWidth();
        return x.low >= 0 ? x : Range{0, int64_t(llvm::maskTrailingOnes<uint64_t>(bits))};
      })
      .Case([&](arith::TruncIOp op) {
        Range x = range(op.getIn(), depth, given);
        return isWithin(x, all) ? x : all;
      })
      .Case([&](arith::SelectOp op) {
        Range x = range(op.getTrueValue(), depth, given),
              y = range(op.getFalseValue(), depth, given);
        return Range{std::min(x.low, y.low), std::max(x.high, y.high)};
      })
      .Default([&](Operation *) { return all; });
}

int64_t alignment(Value v, int depth) {
  if (++depth > maxDepth)
    return 1;
  Operation *op = v.getDefiningOp();
  if (!op)
    return 1;
  return TypeSwitch<Operation *, int64_t>(op)
      .Case([&](tile::AssumeOp assume) {
        return std::max(alignment(assume.getX(), depth),
                        powerOfTwoDivisor(assume.getAligned().value_or(1)));
      })
      .Case([&](LLVM::GEPOp gep) -> int64_t {
        if (gep.getIndices().size() != 1)
          return 1;
        Type element = gep.getElemType();
        if (!element.isIntOrFloat())
          return 1;
        auto index = *gep.getIndices().begin();
        int64_t n = isa<Value>(index) ? divisor(cast<Value>(index), depth)
                                      : powerOfTwoDivisor(cast<IntegerAttr>(index).getInt());
        return std::min(alignment(gep.getBase(), depth),
                        std::min<int64_t>(n * tile::storageBits(element) / 8, most));
      })
      .Case([&](arith::SelectOp select) {
        return std::min(alignment(select.getTrueValue(), depth),
                        alignment(select.getFalseValue(), depth));
      })
      .Default([](Operation *) { return 1; });
}

} // namespace

int64_t divisorOf(Value integer) { return divisor(integer, 0); }

Range rangeOf(Value integer, ArrayRef<Value> given) { return range(integer, 0, given); }

SmallVector<Value> conditionsOf(Operation *op) {
  SmallVector<Value> conditions;
  if (auto copy = dyn_cast<tile::CopyAsyncOp>(op); copy && copy.getWhen())
    conditions.push_back(copy.getWhen());
  for (Operation *inner = op; auto branch = inner->getParentOp(); inner = branch)
    if (auto choice = dyn_cast<scf::IfOp>(branch);
        choice && choice.thenBlock() == inner->getBlock())
      conditions.push_back(choice.getCondition());
  return conditions;
}

int64_t alignmentOf(Value pointer) { return alignment(pointer, 0); }

std::optional<int64_t> constantOf(Value integer) {
  APInt constant;
  if (matchPattern(integer, m_ConstantInt(&constant)))
    return constant.getSExtValue();
  return std::nullopt;
}

// Each thread's own.
static bool isLocalMemory(Value base) {
  return isa_and_present<LLVM::AllocaOp, tile::LocalAllocOp>(base.getDefiningOp());
}

Value baseOf(Value pointer) {
  for (int depth = 0; depth < 4 * maxDepth; ++depth) {
    Operation *op = pointer.getDefiningOp();
    if (!op)
      return isa<func::FuncOp>(pointer.getParentBlock()->getParentOp()) ? pointer : Value();
    Value next = TypeSwitch<Operation *, Value>(op)
                     .Case([](tile::AssumeOp o) { return o.getX(); })
                     .Case([](LLVM::GEPOp o) { return o.getBase(); })
                     .Case([](tile::OffsetOp o) { return o.getPointers(); })
                     .Case<tile::SplatOp, tile::BroadcastOp, tile::ReshapeOp, tile::PermuteOp,
                           tile::ConvertLayoutOp>([](auto o) { return o.getX(); })
                     .Default([](Operation *) { return Value(); });
    if (!next)
      return isLocalMemory(pointer) ? pointer : Value();
    pointer = next;
  }
  return {};
}

bool mayAlias(Value x, Value y) {
  if (!x || !y || x == y)
    return true;
  if (isLocalMemory(x) || isLocalMemory(y))
    return false;
  auto isRestrict = [](Value v) {
    auto argument = cast<BlockArgument>(v);
    auto kernel = cast<func::FuncOp>(argument.getOwner()->getParentOp());
    return bool(kernel.getArgAttr(argument.getArgNumber(), "tile.restrict"));
  };
  return !isRestrict(x) && !isRestrict(y);
}

namespace {

bool isLocal(Value pointer) {
  Value base = pointer ? baseOf(pointer) : Value();
  return base && isLocalMemory(base);
}

bool isStrong(Operation *op) {
  return TypeSwitch<Operation *, bool>(op)
      .Case<tile::AtomicRmwOp, tile::AtomicCompareExchangeOp, tile::AtomicLoadOp,
            tile::AtomicStoreOp>(
          [](auto atomic) { return atomic.getOrder() != tile::MemoryOrder::relaxed; })
      .Default([](Operation *) { return false; });
}

} // namespace

GlobalEffects globalEffectsOf(Operation *op) {
  if (op->hasTrait<OpTrait::HasRecursiveMemoryEffects>() || op->hasTrait<OpTrait::IsTerminator>())
    return {};
  auto interface = dyn_cast<MemoryEffectOpInterface>(op);
  if (!interface)
    return {true, true, true};
  SmallVector<MemoryEffects::EffectInstance> effects;
  interface.getEffects(effects);
  GlobalEffects result;
  for (const MemoryEffects::EffectInstance &effect : effects) {
    SideEffects::Resource *resource = effect.getResource();
    bool isGlobal = isa<tile::GlobalMemory>(resource),
         isAnything = isa<SideEffects::DefaultResource>(resource);
    if ((!isGlobal && !isAnything) || isLocal(effect.getValue()))
      continue;
    // A volatile access is one that is made as often as it is written, not one that orders others.
    if (isa<LLVM::LoadOp, LLVM::StoreOp>(op) && !effect.getValue())
      continue;
    result.reads |= isa<MemoryEffects::Read>(effect.getEffect());
    result.writes |= isa<MemoryEffects::Write>(effect.getEffect());
    // An effect on nothing in particular: nobody knows what it reads and writes.
    result.orders |=
        isAnything && !effect.getValue() && !isa<MemoryEffects::Allocate>(effect.getEffect());
  }
  result.orders |= isStrong(op);
  return result;
}

bool mayChangeReads(Operation *op) {
  return op
      ->walk([](Operation *inner) {
        GlobalEffects effects = globalEffectsOf(inner);
        return effects.writes || effects.orders ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

} // namespace tessera::plan
