// The canonical form of a fold: one operation that reductions and scans know is tile.reduce or
// tile.scan of that kind, and an operation that is the same with its sides exchanged is marked as
// commutative.
#include "tile/Comparisons.h"
#include "tile/FoldedExtremes.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/TypeSwitch.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;

namespace tessera::tile {

namespace {

// ---- Known kinds ------------------------------------------------------------------------------

struct Known {
  ReduceKind kind;
  bool isUnsigned = false;
  Rounding rounding = Rounding::nearest;
  bool flush = false;
};

std::optional<Known> knownKind(BinaryOp op) {
  auto known = [&](ReduceKind kind) {
    return Known{kind, op.getIsUnsigned(), op.getRounding(), op.getFlush()};
  };
  switch (op.getKind()) {
  case BinaryKind::add: return known(ReduceKind::sum);
  case BinaryKind::mul: return known(ReduceKind::prod);
  case BinaryKind::max: return known(ReduceKind::max);
  case BinaryKind::min: return known(ReduceKind::min);
  case BinaryKind::max_nan: return known(ReduceKind::max_nan);
  case BinaryKind::min_nan: return known(ReduceKind::min_nan);
  case BinaryKind::bit_and: return known(ReduceKind::bit_and);
  case BinaryKind::bit_or: return known(ReduceKind::bit_or);
  case BinaryKind::bit_xor: return known(ReduceKind::bit_xor);
  default: return std::nullopt;
  }
}

std::optional<Known> knownKind(Operation *op) {
  return llvm::TypeSwitch<Operation *, std::optional<Known>>(op)
      .Case([](BinaryOp o) { return knownKind(o); })
      .Case<arith::AddFOp, arith::AddIOp>([](auto) { return Known{ReduceKind::sum}; })
      .Case<arith::MulFOp, arith::MulIOp>([](auto) { return Known{ReduceKind::prod}; })
      .Case<arith::MaxNumFOp, arith::MaxSIOp>([](auto) { return Known{ReduceKind::max}; })
      .Case<arith::MinNumFOp, arith::MinSIOp>([](auto) { return Known{ReduceKind::min}; })
      .Case([](arith::MaxUIOp) { return Known{ReduceKind::max, /*isUnsigned=*/true}; })
      .Case([](arith::MinUIOp) { return Known{ReduceKind::min, /*isUnsigned=*/true}; })
      .Case([](arith::MaximumFOp) { return Known{ReduceKind::max_nan}; })
      .Case([](arith::MinimumFOp) { return Known{ReduceKind::min_nan}; })
      .Case([](arith::AndIOp) { return Known{ReduceKind::bit_and}; })
      .Case([](arith::OrIOp) { return Known{ReduceKind::bit_or}; })
      .Case([](arith::XOrIOp) { return Known{ReduceKind::bit_xor}; })
      .Default([](Operation *) { return std::nullopt; });
}

// One of two integers, which a comparison of the two selects. (Of floats, a NaN and two zeros are
// selected otherwise than by max and min.)
std::optional<Known> knownSelection(Value value) {
  auto [condition, x, y] = selectionOf(value);
  Operation *compares = condition ? condition.getDefiningOp() : nullptr;
  std::optional<Comparison> compare = compares ? comparisonOf(compares) : std::nullopt;
  if (!compare || !compare->kind || !isa<IntegerType>(x.getType()))
    return std::nullopt;
  const bool selectsLeft = compare->x == x && compare->y == y,
             selectsRight = compare->x == y && compare->y == x;
  if (!selectsLeft && !selectsRight)
    return std::nullopt;
  ReduceKind ifGreater = selectsLeft ? ReduceKind::max : ReduceKind::min,
             ifLess = selectsLeft ? ReduceKind::min : ReduceKind::max;
  switch (*compare->kind) {
  case CompareKind::gt:
  case CompareKind::ge: return Known{ifGreater, compare->isUnsigned};
  case CompareKind::lt:
  case CompareKind::le: return Known{ifLess, compare->isUnsigned};
  default: return std::nullopt;
  }
}

// Of bits: a sum of two is carried no further, and one of them is the greater. Of bits with a sign
// it depends on whose sign it is.
Known ofBits(Known known) {
  auto is = [](ReduceKind kind) { return Known{kind}; };
  switch (known.kind) {
  case ReduceKind::sum: return is(ReduceKind::bit_xor);
  case ReduceKind::prod: return is(ReduceKind::bit_and);
  case ReduceKind::max: return known.isUnsigned ? is(ReduceKind::bit_or) : known;
  case ReduceKind::min: return known.isUnsigned ? is(ReduceKind::bit_and) : known;
  default: return known;
  }
}

// Sums and products of half and bf16 are kept in float, where the region rounds every step. Only
// these two are scanned.
bool isSame(FoldOp op, ReduceKind kind, Type element) {
  const bool adds = kind == ReduceKind::sum || kind == ReduceKind::prod;
  const bool isBitwise =
      kind == ReduceKind::bit_and || kind == ReduceKind::bit_or || kind == ReduceKind::bit_xor;
  if (op.getScan() && !adds)
    return false;
  if (element.isInteger(1))
    return isBitwise;
  return !adds || isa<IntegerType>(element) || element.getIntOrFloatBitWidth() >= 32 ||
         (op.getInFloat() && (element.isF16() || element.isBF16()));
}

// The only operation of the region, if it combines the element and the accumulator.
std::optional<Known> knownKind(FoldOp op) {
  if (op.getX().size() != 1)
    return std::nullopt;
  Operation *combined = op.getCombined().front().getDefiningOp();
  if (!combined || combined->getParentRegion() != &op.getCombine() ||
      combined->getNumOperands() < 2)
    return std::nullopt;
  // Of a selection the first operand is the condition.
  Value y = combined->getOperands().back(), x = combined->getOperands().drop_back().back(),
        element = op.getElements()[0], accumulator = op.getAccumulators()[0];
  if (!(x == element && y == accumulator) && !(x == accumulator && y == element))
    return std::nullopt;
  std::optional<Known> known = combined->getNumOperands() == 2
                                   ? knownKind(combined)
                                   : knownSelection(combined->getResult(0));
  if (known && element.getType().isInteger(1))
    known = ofBits(*known);
  return known && isSame(op, known->kind, element.getType()) ? known : std::nullopt;
}

LogicalResult useKnownKind(FoldOp op, PatternRewriter &rewriter) {
  std::optional<Known> known = knownKind(op);
  if (!known)
    return failure();
  Value x = op.getX().front();
  Type type = op.getResult(0).getType();
  if (op.getScan())
    rewriter.replaceOpWithNewOp<ScanOp>(op, type, known->kind, x, op.getDim(), op.getBackward(),
                                        known->rounding, known->flush, op.getWithinWarps());
  else
    rewriter.replaceOpWithNewOp<ReduceOp>(op, type, known->kind, x, op.getDim(), known->rounding,
                                          known->flush, known->isUnsigned, Value());
  return success();
}

// Both results of an argument reduction. The value of floats stays with the index: of two zeros, or
// two NaN, a maximum is any.
LogicalResult useArgumentReduction(FoldOp op, PatternRewriter &rewriter) {
  std::optional<FoldedExtreme> extreme = extremeOf(op);
  if (!extreme)
    return failure();
  Value x = op.getX()[extreme->values], indices = op.getX()[1 - extreme->values];
  OpResult value = op->getResult(extreme->values), index = op->getResult(1 - extreme->values);
  auto reduce = [&](ReduceKind kind, Type type, Value at) {
    return ReduceOp::create(rewriter, op.getLoc(), type, kind, x, op.getDim(), Rounding::nearest,
                            /*flush=*/false, extreme->isUnsigned, at);
  };
  if (!value.use_empty() && isa<FloatType>(elementType(x.getType()))) {
    if (op.getCommutative())
      return failure();
    rewriter.modifyOpInPlace(op, [&] { op.setCommutative(true); });
    return success();
  }
  SmallVector<Value> results(2);
  const bool isMaximum = extreme->isMaximum;
  results[index.getResultNumber()] =
      reduce(isMaximum ? ReduceKind::argmax : ReduceKind::argmin, index.getType(), indices);
  results[value.getResultNumber()] =
      reduce(isMaximum ? ReduceKind::max : ReduceKind::min, value.getType(), Value());
  rewriter.replaceOp(op, results);
  return success();
}

// ---- Commutative operations -------------------------------------------------------------------

// Of a * b + c the multiplicands may be exchanged, of others both operands.
SmallVector<Value> withOperandsExchanged(Operation *op) {
  SmallVector<Value> operands(op->getOperands());
  if (operands.size() > 1)
    std::swap(operands[0], operands[1]);
  return operands;
}

bool isCommutative(Operation *op) {
  if (op->hasTrait<OpTrait::IsCommutative>() || isa<FmaOp>(op))
    return true;
  if (auto compare = dyn_cast<CompareOp>(op))
    return compare.getKind() == CompareKind::eq || compare.getKind() == CompareKind::ne;
  auto binary = dyn_cast<BinaryOp>(op);
  return binary && knownKind(binary);
}

// Compares the values of a region with those of the same region whose elements and accumulators
// are exchanged.
class Exchanged {
public:
  explicit Exchanged(FoldOp op) : op(op) {}

  // Is x, with the sides exchanged, the same as y?
  bool isSame(Value x, Value y) {
    auto [found, isNew] = known.try_emplace({x, y}, false);
    if (!isNew)
      return found->second;
    bool same = compare(x, y);
    return known[{x, y}] = same;
  }

private:
  bool compare(Value x, Value y) {
    if (auto argument = dyn_cast<BlockArgument>(x); argument && argument.getOwner() == block())
      return y == block()->getArgument((argument.getArgNumber() + op.getX().size()) %
                                       block()->getNumArguments());
    Operation *first = x.getDefiningOp(), *second = y.getDefiningOp();
    if (!first || first->getBlock() != block())
      return x == y;
    if (!second || second->getBlock() != block() || first->getName() != second->getName() ||
        first->getNumRegions() || x.getType() != y.getType() ||
        cast<OpResult>(x).getResultNumber() != cast<OpResult>(y).getResultNumber() ||
        first->getNumOperands() != second->getNumOperands() ||
        first->getAttrDictionary() != second->getAttrDictionary())
      return false;
    auto areSame = [&](auto operands) {
      return llvm::all_of(llvm::zip(first->getOperands(), operands),
                          [&](auto pair) { return isSame(std::get<0>(pair), std::get<1>(pair)); });
    };
    return areSame(second->getOperands()) ||
           (isCommutative(first) && areSame(withOperandsExchanged(second)));
  }

  Block *block() { return &op.getCombine().front(); }

  FoldOp op;
  DenseMap<std::pair<Value, Value>, bool> known;
};

LogicalResult markCommutative(FoldOp op, PatternRewriter &rewriter) {
  Exchanged exchanged(op);
  if (op.getCommutative() || op.getScan() ||
      !llvm::all_of(op.getCombined(), [&](Value value) { return exchanged.isSame(value, value); }))
    return failure();
  rewriter.modifyOpInPlace(op, [&] { op.setCommutative(true); });
  return success();
}

} // namespace

LogicalResult FoldOp::canonicalize(FoldOp op, PatternRewriter &rewriter) {
  if (succeeded(useKnownKind(op, rewriter)) || succeeded(useArgumentReduction(op, rewriter)))
    return success();
  return markCommutative(op, rewriter);
}

} // namespace tessera::tile
