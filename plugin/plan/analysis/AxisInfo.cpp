#include "plan/analysis/AxisInfo.h"

#include "llvm/ADT/TypeSwitch.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "plan/analysis/Facts.h"
#include "plan/analysis/Layouts.h"
#include <algorithm>

using namespace mlir;

namespace tessera::plan {

namespace {

constexpr int64_t limit = maxDivisor;
constexpr int maxBreaks = 1; // two breaks may cancel each other

ArrayRef<int64_t> shape(Value v) { return tile::shapeOf(v.getType()); }

int64_t powerBelow(int64_t n) { return n <= 0 ? 0 : int64_t(llvm::bit_floor(uint64_t(n))); }

// Groups without breaks.
Run unbroken(int64_t length, int64_t step, int64_t divisor) {
  return {length, step, divisor, 0, length};
}

// Groups of `length` elements, or fewer.
Run limited(Run run, int64_t length) {
  if (length < run.length) {
    run.divisor = std::min(run.divisor, powerOfTwoIn(run.step * length));
    run.length = length;
  }
  if (run.length <= run.whole) {
    run.whole = run.length;
    run.breaks = 0;
  }
  return run;
}

// Keeps only what divides every element.
Run unordered(const Run &run) {
  Run one = limited(run, 1);
  return unbroken(1, 0, one.divisor);
}

// A value that was computed in fewer bits than it is read with may have wrapped around, except
// between groups; at most once in groups that span half of the type's range.
Run widened(Run run, Type from) {
  unsigned bits = from.getIntOrFloatBitWidth();
  if (!run.mayWrap || run.step == 0 || bits >= 64)
    return run;
  run = limited(run,
                std::max<int64_t>(powerBelow((int64_t(1) << (bits - 1)) / std::abs(run.step)), 1));
  int64_t whole = run.divisor % run.step ? 1 : powerOfTwoIn(run.divisor / run.step);
  if (whole < run.length)
    ++run.breaks;
  run.whole = std::min(run.whole, whole);
  run.mayWrap = false;
  return run;
}

Run wrapping(Run run) {
  run.mayWrap = true;
  return run;
}

// Of two operands: the shorter of both lengths, with the step and the divisor of the result.
Run both(const Run &x, const Run &y, int64_t step, int64_t divisor) {
  return {
      std::min(x.length, y.length), step, divisor, x.breaks + y.breaks, std::min(x.whole, y.whole),
      x.mayWrap || y.mayWrap};
}

// The result of two operands that are both constant throughout a group is so too.
Run uniform(const Run &x, const Run &y) {
  return x.step == 0 && y.step == 0 ? both(x, y, 0, 1) : Run();
}

Run sum(const Run &x, const Run &y, int sign) {
  int64_t length = std::min(x.length, y.length);
  Run a = limited(x, length), b = limited(y, length);
  return both(a, b, a.step + sign * b.step, std::min(a.divisor, b.divisor));
}

// A value times one that is constant throughout a group, and known where the value is not constant.
Run product(const Run &x, const Run &y, std::optional<int64_t> factor) {
  if (std::abs(x.step) > limit || std::abs(factor.value_or(limit)) >= limit)
    factor.reset();
  Run a = x.step != 0 && !factor ? unordered(x) : x;
  int64_t length = y.step == 0 ? std::min(a.length, y.length) : 1;
  a = limited(a, length);
  Run b = limited(y, length);
  return both(a, b, a.step * factor.value_or(0), std::min(a.divisor * b.divisor, limit));
}

// Remainders wrap only at multiples of the divisor's power of two, and so do values that wrapped
// around: at one point of a group that is no longer than that, at none where groups begin at such
// multiples, except for negative ones, which isUnsigned excludes.
Run remainder(const Run &x, const Run &y, bool isUnsigned) {
  if (y.step != 0 || x.step != 1)
    return uniform(x, y);
  Run a = limited(x, std::min({x.length, y.length, y.divisor}));
  Run run = both(a, y, 1, std::min(a.divisor, y.divisor));
  int64_t whole = isUnsigned ? std::min(a.divisor, run.length) : 1;
  if (whole < run.length)
    ++run.breaks;
  run.whole = std::min(run.whole, whole);
  run.mayWrap = false;
  return run;
}

// Groups of integers x lie between adjacent multiples of the span of a group, a power of two, where
// numbers of this many bits do not wrap around. So all of a group compare alike with such a
// multiple.
std::optional<Run> against(const Run &x, const Run &multiple, unsigned bits) {
  if (x.step <= 0 || multiple.step != 0)
    return std::nullopt;
  for (int64_t length = std::min(x.length, multiple.length); length > 1; length /= 2) {
    Run a = limited(x, length), b = limited(multiple, length);
    int64_t span = x.step * length;
    if (!a.breaks && !b.breaks && llvm::isPowerOf2_64(span) && llvm::Log2_64(span) < bits &&
        a.divisor % span == 0 && b.divisor % span == 0)
      return unbroken(length, 0, 1);
  }
  return std::nullopt;
}

Run comparison(tile::CompareKind kind, const Run &x, const Run &y, Type element) {
  std::optional<Run> run;
  if (element.isInteger() && (kind == tile::CompareKind::lt || kind == tile::CompareKind::ge))
    run = against(x, y, element.getIntOrFloatBitWidth());
  if (element.isInteger() && (kind == tile::CompareKind::gt || kind == tile::CompareKind::le))
    run = against(y, x, element.getIntOrFloatBitWidth());
  return run.value_or(uniform(x, y));
}

// The constant that all elements are equal to.
std::optional<int64_t> uniformConstant(Value v) {
  while (true) {
    if (auto splat = v.getDefiningOp<tile::SplatOp>())
      v = splat.getX();
    else if (auto broadcast = v.getDefiningOp<tile::BroadcastOp>())
      v = broadcast.getX();
    else if (auto reshape = v.getDefiningOp<tile::ReshapeOp>())
      v = reshape.getX();
    else
      return isa<IntegerType>(v.getType()) ? constantOf(v) : std::nullopt;
  }
}

// The dimension of `from` with the same stride in row-major order as dimension `d` of `to`.
std::optional<unsigned> sameStride(ArrayRef<int64_t> from, ArrayRef<int64_t> to, unsigned d) {
  int64_t stride = ShapedType::getNumElements(to.drop_front(d + 1)), reached = 1;
  for (unsigned s = from.size(); s-- > 0; reached *= from[s])
    if (reached == stride && from[s] > 1)
      return s;
  return std::nullopt;
}

} // namespace

Run AxisInfo::along(Value v, unsigned dimension) {
  if (auto found = known.find({v, dimension}); found != known.end())
    return found->second;
  if (isa<BlockArgument>(v))
    known[{v, dimension}] = {}; // for a value that depends on itself, through a loop's argument
  Run run = find(v, dimension);
  if (run.breaks > maxBreaks)
    run = limited(run, run.whole);
  if (run.step < 0)
    run = unordered(run);
  known[{v, dimension}] = run;
  return run;
}

Run AxisInfo::find(Value v, unsigned d) {
  ArrayRef<int64_t> extents = shape(v);
  int64_t extent = d < extents.size() ? extents[d] : 1;
  if (!isa<RankedTensorType>(v.getType()))
    return unbroken(extent, 0, divisorOf(v));
  if (auto argument = dyn_cast<BlockArgument>(v))
    return carried(argument, d);
  Type element = tile::elementType(v.getType());
  return TypeSwitch<Operation *, Run>(v.getDefiningOp())
      .Case([&](tile::SplatOp op) { return unbroken(extent, 0, along(op.getX(), 0).divisor); })
      .Case([&](tile::IotaOp) {
        int64_t stride = ShapedType::getNumElements(extents.drop_front(d + 1));
        Run run = unbroken(extent, stride, stride == 1 ? powerOfTwoIn(extent) : 1);
        return element.getIntOrFloatBitWidth() < 32 ? wrapping(run) : run;
      })
      .Case([&](tile::AssumeOp op) {
        Run run = along(op.getX(), d);
        int64_t each = std::max(powerOfTwoIn(op.getDivisible().value_or(1)),
                                powerOfTwoIn(op.getAligned().value_or(1)));
        run.divisor = std::max(run.divisor, each);
        return run;
      })
      .Case([&](tile::CastOp op) {
        Type from = tile::elementType(op.getX().getType());
        if (!element.isInteger() || !from.isInteger() || element.isInteger(1))
          return Run();
        Run run = along(op.getX(), d);
        unsigned bits = element.getIntOrFloatBitWidth(), before = from.getIntOrFloatBitWidth();
        return bits > before ? widened(run, from) : bits < before ? wrapping(run) : run;
      })
      .Case([&](tile::BinaryOp op) -> Run {
        if (!element.isInteger())
          return {};
        Run x = along(op.getX(), d), y = along(op.getY(), d);
        switch (op.getKind()) {
        case tile::BinaryKind::add: return wrapping(sum(x, y, 1));
        case tile::BinaryKind::sub: return wrapping(sum(x, y, -1));
        case tile::BinaryKind::mul:
          if (x.step == 0 && y.step != 0)
            return wrapping(product(y, x, uniformConstant(op.getX())));
          return wrapping(product(x, y, uniformConstant(op.getY())));
        case tile::BinaryKind::rem:
          return remainder(x, y, op.getIsUnsigned() || rangeOf(op.getX()).low >= 0);
        default: return uniform(x, y);
        }
      })
      .Case([&](tile::SelectOp op) -> Run {
        Run mask = along(op.getMask(), d), x = along(op.getX(), d), y = along(op.getY(), d);
        int64_t length =
            mask.step == 0 && x.step == y.step ? std::min({mask.length, x.length, y.length}) : 1;
        x = limited(x, length);
        y = limited(y, length);
        return both(both(x, y, x.step, std::min(x.divisor, y.divisor)), limited(mask, length),
                    length == 1 ? 0 : x.step, std::min(x.divisor, y.divisor));
      })
      .Case([&](tile::CompareOp op) {
        return comparison(op.getKind(), along(op.getX(), d), along(op.getY(), d),
                          tile::elementType(op.getX().getType()));
      })
      .Case([&](tile::OffsetOp op) -> Run {
        if (!op.getPointee().isIntOrFloat())
          return {};
        int64_t bytes = bytesOf(op.getPointee());
        Run count = widened(along(op.getCount(), d), tile::elementType(op.getCount().getType()));
        count.step *= bytes;
        count.divisor = std::min(count.divisor * bytes, limit);
        return sum(along(op.getPointers(), d), count, 1);
      })
      .Case([&](tile::BroadcastOp op) {
        Run run = along(op.getX(), d);
        return shape(op.getX())[d] == extent ? run : unbroken(extent, 0, unordered(run).divisor);
      })
      .Case([&](tile::ReshapeOp op) -> Run {
        std::optional<unsigned> from = sameStride(shape(op.getX()), extents, d);
        if (extent == 1 || !from)
          return {};
        return limited(along(op.getX(), *from), std::min(extent, shape(op.getX())[*from]));
      })
      .Case([&](tile::PermuteOp op) { return along(op.getX(), op.getMap()[d]); })
      .Default([](Operation *) { return Run(); });
}

int64_t AxisInfo::neighbours(Value pointers, int64_t bytes) {
  ArrayRef<int64_t> extents = shape(pointers);
  if (extents.empty())
    return 1;
  Run run = along(pointers, extents.size() - 1);
  return run.step == bytes ? run.length : 1;
}

bool AxisInfo::areAligned(Value pointers, int64_t bytes, int64_t vector) {
  Run run = limited(along(pointers, shape(pointers).size() - 1), vector);
  return run.breaks == 0 && run.divisor % (vector * bytes) == 0;
}

bool AxisInfo::areEqual(Value tile, int64_t vector) {
  ArrayRef<int64_t> extents = shape(tile);
  if (extents.empty())
    return true;
  Run run = limited(along(tile, extents.size() - 1), vector);
  return run.step == 0 && run.breaks == 0 && run.length >= vector;
}

// The run of the initial value, as far as every iteration keeps it.
Run AxisInfo::carried(BlockArgument argument, unsigned d) {
  auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
  if (!loop || argument == loop.getInductionVar())
    return {};
  Run run = along(loop.getTiedLoopInit(argument)->get(), d);
  Value next = loop.getTiedLoopYieldedValue(argument)->get();
  auto before = known;
  for (int iteration = 0; iteration < 3; ++iteration) {
    known = before;
    known[{argument, d}] = run;
    Run kept = along(next, d);
    if (kept.length >= run.length && kept.step == run.step && kept.divisor >= run.divisor &&
        kept.breaks <= run.breaks && kept.whole >= run.whole && kept.mayWrap <= run.mayWrap)
      return run;
    int64_t length = kept.step == run.step ? std::min(run.length, kept.length) : 1;
    Run a = limited(run, length), b = limited(kept, length);
    run = {length,
           a.step,
           std::min(a.divisor, b.divisor),
           std::max(a.breaks, b.breaks),
           std::min(a.whole, b.whole),
           a.mayWrap || b.mayWrap};
  }
  known = before;
  return {};
}

} // namespace tessera::plan
