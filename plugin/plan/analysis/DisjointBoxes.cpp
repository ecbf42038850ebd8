// Two boxes of a view have no element in common if they begin far enough apart along one dimension,
// and no two elements of the view share an address.
//
// The start of a box is computed modulo 2^n, unsigned. The distance of two starts of the form
// variable * scale + the same  depends, modulo 2^n, only on the iterations between them: the common
// part may wrap around. If all these distances lie between the one box's extent and 2^n less the
// other's, the boxes are apart whichever of the two begins first.
#include "plan/analysis/DisjointBoxes.h"

#include "plan/analysis/Facts.h"

#include "llvm/ADT/MapVector.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;

namespace tessera::plan {

namespace {

// scale * the loop's variable + offset + others, each with a factor; without those whose factor is
// 0.
struct Affine {
  int64_t scale = 0, offset = 0;
  llvm::SmallMapVector<Value, int64_t, 4> others; // known before the loop; any value where there is
                                                  // no loop

  void add(const Affine &other, int64_t times) {
    scale += times * other.scale;
    offset += times * other.offset;
    for (auto [value, count] : other.others)
      others[value] += times * count;
  }
  bool hasSameOthers(const Affine &x) const {
    Affine difference = *this;
    difference.add(x, -1);
    return llvm::all_of(difference.others, [](auto &one) { return one.second == 0; });
  }
};

// Keeps sums of a few products within 64 bits.
constexpr int64_t maxFactor = int64_t(1) << 20;
constexpr int deepest = 8;

// What numbers are wanted for: modulo 2^bits, in the iterations of a loop, if there is one.
struct Setting {
  scf::ForOp loop;
  unsigned bits;
};

std::optional<Affine> affineOf(Value value, Setting in, int depth = 0);

std::optional<Affine> scaled(Value value, Value by, Setting in, int depth) {
  std::optional<int64_t> factor = constantOf(by);
  std::optional<Affine> of = affineOf(value, in, depth);
  if (!factor || !of || std::abs(*factor) > maxFactor || std::abs(of->scale) > maxFactor ||
      std::abs(of->offset) > maxFactor ||
      llvm::any_of(of->others, [](auto &one) { return std::abs(one.second) > maxFactor; }))
    return std::nullopt;
  Affine result;
  result.add(*of, *factor);
  return result;
}

std::optional<Affine> sum(Value x, Value y, int64_t times, Setting in, int depth) {
  std::optional<Affine> result = affineOf(x, in, depth), other = affineOf(y, in, depth);
  if (!result || !other)
    return std::nullopt;
  result->add(*other, times);
  return result;
}

// Also extended to more bits, where that keeps the value.
bool isVariable(Value value, scf::ForOp loop) {
  if (!loop)
    return false;
  Value variable = loop.getInductionVar();
  if (auto wide = value.getDefiningOp<arith::ExtSIOp>())
    return wide.getIn() == variable;
  if (auto wide = value.getDefiningOp<arith::ExtUIOp>())
    return wide.getIn() == variable && rangeOf(variable).low >= 0;
  return value == variable;
}

// Does it have as many bits as are wanted? What is computed with fewer is not known modulo 2^bits.
bool hasBits(Value value, Setting in) {
  auto type = dyn_cast<IntegerType>(value.getType());
  return type && type.getWidth() >= in.bits;
}

// As computed from numbers about which more is known. Conversions keep the bits that are wanted.
std::optional<Affine> affineOfOperands(Value value, Setting in, int depth) {
  Operation *op = value.getDefiningOp();
  if (auto assume = dyn_cast_or_null<tile::AssumeOp>(op))
    return affineOf(assume.getX(), in, depth);
  if (!op || !hasBits(value, in))
    return std::nullopt;
  if (isa<arith::TruncIOp, arith::ExtSIOp, arith::ExtUIOp>(op) && hasBits(op->getOperand(0), in))
    return affineOf(op->getOperand(0), in, depth);
  if (auto add = dyn_cast<arith::AddIOp>(op))
    return sum(add.getLhs(), add.getRhs(), 1, in, depth);
  if (auto subtract = dyn_cast<arith::SubIOp>(op))
    return sum(subtract.getLhs(), subtract.getRhs(), -1, in, depth);
  if (auto multiply = dyn_cast<arith::MulIOp>(op)) {
    bool isFirst = constantOf(multiply.getLhs()).has_value();
    return scaled(multiply.getOperand(isFirst), multiply.getOperand(!isFirst), in, depth);
  }
  return std::nullopt;
}

std::optional<Affine> affineOf(Value value, Setting in, int depth) {
  if (++depth > deepest)
    return std::nullopt;
  Affine result;
  if (isVariable(value, in.loop)) {
    result.scale = 1;
    return result;
  }
  if (std::optional<int64_t> constant = constantOf(value);
      constant && std::abs(*constant) <= maxFactor) {
    result.offset = *constant;
    return result;
  }
  const bool isKnown = in.loop && in.loop.isDefinedOutsideOfLoop(value);
  if (!isKnown)
    if (std::optional<Affine> computed = affineOfOperands(value, in, depth))
      return computed;
  if (in.loop && !isKnown)
    return std::nullopt;
  result.others[value] = 1;
  return result;
}

// Is an extent, which is at least 0, at most `number`? Views of coarsened blocks end where the grid
// does.
bool isAtMost(Value extent, Value number) {
  if (auto wide = number.getDefiningOp<arith::ExtUIOp>())
    number = wide.getIn();
  if (extent == number)
    return true;
  Operation *op = extent.getDefiningOp();
  if (isa_and_present<arith::ExtUIOp, arith::TruncIOp>(op))
    return isAtMost(op->getOperand(0), number);
  auto select = dyn_cast_or_null<arith::SelectOp>(op);
  auto less = select ? select.getCondition().getDefiningOp<arith::CmpIOp>() : arith::CmpIOp();
  return less && less.getPredicate() == arith::CmpIPredicate::ult &&
         less.getLhs() == select.getTrueValue() && less.getRhs() == select.getFalseValue() &&
         (isAtMost(less.getLhs(), number) || isAtMost(less.getRhs(), number));
}

// Is a stride at least the size of a row of the dimension after it, as in a row-major array?
template <class Access> bool passesRow(Access access, size_t dim) {
  ArrayRef<int64_t> strides = access.getStaticStrides(), extents = access.getStaticExtents();
  const int64_t inner = strides[dim + 1], row = extents[dim + 1];
  if (inner < 0)
    return false;
  if (strides[dim] >= 0 && row >= 0)
    return strides[dim] >= inner * row;
  return inner == 1 && isAtMost(access.getExtents()[dim + 1], access.getStrides()[dim]);
}

// Do elements that differ along this dimension, or those after it, have different addresses?
template <class Access> bool isOneToOne(Access access, size_t from = 0) {
  const size_t rank = access.getStaticStrides().size();
  bool isRight = rank > 0 && access.getStaticStrides().back() > 0;
  for (size_t dim = from; dim + 1 < rank; ++dim)
    isRight = isRight && passesRow(access, dim);
  return isRight;
}

ArrayRef<int64_t> boxOf(tile::ViewLoadOp load) { return tile::shapeOf(load.getType()); }
ArrayRef<int64_t> boxOf(tile::ViewStoreOp store) {
  return tile::shapeOf(store.getValue().getType());
}

// Are both boxes one element long, and at one index whatever the iteration, along a dimension?
template <class Access>
bool areAtOneIndex(Access access, tile::ViewStoreOp store, unsigned dim, scf::ForOp loop) {
  Value start = access.getStarts()[dim];
  return start == store.getStarts()[dim] && boxOf(access)[dim] == 1 && boxOf(store)[dim] == 1 &&
         (!loop || loop.isDefinedOutsideOfLoop(start));
}

// Do different elements of two boxes that are apart along a dimension have different addresses? So
// they have in a view of which all elements have; and where the boxes are one line along it, or
// differ only along dimensions from it on.
template <class Access>
bool haveOwnAddresses(Access access, tile::ViewStoreOp store, unsigned dim, scf::ForOp loop) {
  auto areHere = [&](size_t first, size_t end) {
    return llvm::all_of(llvm::seq(first, end), [&](size_t d) {
      return d == dim || areAtOneIndex(access, store, d, loop);
    });
  };
  const size_t rank = boxOf(access).size();
  return isOneToOne(access) || (isOneToOne(access, dim) && areHere(0, dim)) ||
         (access.getStaticStrides()[dim] > 0 && areHere(0, rank));
}

template <class Access> bool isViewKnown(Access access, scf::ForOp loop) {
  auto isKnown = [&](Value v) { return loop.isDefinedOutsideOfLoop(v); };
  return isKnown(access.getBase()) && llvm::all_of(access.getExtents(), isKnown) &&
         llvm::all_of(access.getStrides(), isKnown);
}

template <class Access> bool areOneView(Access access, tile::ViewStoreOp store, scf::ForOp loop) {
  return isViewKnown(access, loop) && haveOneView(access, store);
}

// How far the loop's variable may be beyond that of an earlier iteration, or of the same.
std::optional<Range> distancesOf(scf::ForOp loop, bool isOwnToo) {
  const Range variable = rangeOf(loop.getInductionVar());
  const int64_t step = getConstantIntValue(loop.getStep()).value_or(1);
  int64_t limit;
  if (loop.getUnsignedCmp() || step < 1 || llvm::SubOverflow(variable.high, variable.low, limit) ||
      limit > std::numeric_limits<int32_t>::max())
    return std::nullopt;
  return Range{isOwnToo ? 0 : step, std::max(limit, step)};
}

// Do boxes of these extents begin far enough apart along a dimension, in all these iterations?
bool areApartAlong(Value read, int64_t readExtent, Value written, int64_t writtenExtent,
                   scf::ForOp loop, Range distances) {
  const Setting in{loop, read.getType().getIntOrFloatBitWidth()};
  std::optional<Affine> x = affineOf(read, in), y = affineOf(written, in);
  if (!x || !y || read.getType() != written.getType() || x->scale != y->scale ||
      std::abs(x->scale) > maxFactor || !x->hasSameOthers(*y))
    return false;
  const int64_t first = x->offset - y->offset + x->scale * distances.low,
                last = x->offset - y->offset + x->scale * distances.high;
  const int64_t all = int64_t(1) << std::min(in.bits, 62u);
  return x->scale >= 0 ? first >= writtenExtent && last <= all - readExtent
                       : -first >= readExtent && -last <= all - writtenExtent;
}

// The same of two stores, along a dimension.
bool areApartInOne(tile::ViewStoreOp x, tile::ViewStoreOp y, unsigned dim, scf::ForOp loop,
                   Range distances) {
  return areApartAlong(x.getStarts()[dim], boxOf(x)[dim], y.getStarts()[dim], boxOf(y)[dim], loop,
                       distances);
}

} // namespace

bool hasOwnAddresses(tile::ViewStoreOp store) { return isOneToOne(store); }

bool areApart(tile::ViewStoreOp store, tile::ViewStoreOp other) {
  return haveOneView(store, other) &&
         llvm::any_of(llvm::seq(unsigned(store.getStarts().size())), [&](unsigned dim) {
           return haveOwnAddresses(store, other, dim, {}) &&
                  (areApartInOne(store, other, dim, {}, {0, 0}) ||
                   areApartInOne(other, store, dim, {}, {0, 0}));
         });
}

bool areApartAhead(tile::ViewLoadOp load, tile::ViewStoreOp store, scf::ForOp loop) {
  Operation *here = loop.getBody()->findAncestorOpInBlock(*store);
  if (!here || load->getBlock() != loop.getBody() || !areOneView(load, store, loop))
    return false;
  std::optional<Range> distances = distancesOf(loop, /*isOwnToo=*/here->isBeforeInBlock(load));
  auto rank = unsigned(load.getStarts().size());
  return distances && llvm::any_of(llvm::seq(rank), [&](unsigned dim) {
           return haveOwnAddresses(load, store, dim, loop) &&
                  areApartAlong(load.getStarts()[dim], boxOf(load)[dim], store.getStarts()[dim],
                                boxOf(store)[dim], loop, *distances);
         });
}

bool areApartInIterations(tile::ViewStoreOp store, tile::ViewStoreOp other, scf::ForOp loop) {
  if (!areOneView(store, other, loop))
    return false;
  std::optional<Range> distances = distancesOf(loop, /*isOwnToo=*/false);
  auto apart = [&](tile::ViewStoreOp x, tile::ViewStoreOp y, unsigned dim, Range range) {
    return areApartInOne(x, y, dim, loop, range);
  };
  auto rank = unsigned(store.getStarts().size());
  return distances && llvm::any_of(llvm::seq(rank), [&](unsigned dim) {
           return haveOwnAddresses(store, other, dim, loop) &&
                  apart(store, other, dim, *distances) && apart(other, store, dim, *distances) &&
                  (store == other || apart(store, other, dim, {0, 0}) ||
                   apart(other, store, dim, {0, 0}));
         });
}

} // namespace tessera::plan
