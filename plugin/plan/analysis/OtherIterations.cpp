#include "plan/analysis/OtherIterations.h"

#include "plan/analysis/Facts.h"
#include "tile/Counters.h"
#include "tile/Speculation.h"
#include "tile/TileDialect.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;

namespace tessera::plan {

namespace {

// An integer division or remainder: pure except for some divisors.
bool isDivision(Operation *op) {
  return isa<arith::DivSIOp, arith::DivUIOp, arith::RemSIOp, arith::RemUIOp>(op);
}

// The same of tiles of integers.
bool isDivisionOfTiles(Operation *op) {
  auto binary = dyn_cast<tile::BinaryOp>(op);
  if (!binary || !tile::elementType(binary.getType()).isInteger())
    return false;
  switch (binary.getKind()) {
  case tile::BinaryKind::div:
  case tile::BinaryKind::rem:
  case tile::BinaryKind::floordiv:
  case tile::BinaryKind::ceildiv: return true;
  default: return false;
  }
}

// A part of a tile at a run-time index, which may not exist where the program would not read it.
bool isPartAnywhere(Operation *op) {
  auto extract = dyn_cast<tile::ExtractOp>(op);
  auto insert = dyn_cast<tile::InsertOp>(op);
  if (!extract && !insert)
    return false;
  return !llvm::all_of(extract ? extract.getIndex() : insert.getIndex(),
                       [](Value index) { return matchPattern(index, m_Constant()); });
}

// The op that gives a carried number or pointer, or a tile of such, its next value with a constant
// stride: `carried + %n`, `carried - %n`, `carried[%n]`. Null if there is none.
Operation *growthOf(BlockArgument carried, scf::ForOp loop) {
  if (carried.getOwner() != loop.getBody() || carried == loop.getInductionVar())
    return nullptr;
  Operation *next = loop.getTiedLoopYieldedValue(carried)->get().getDefiningOp();
  auto isSame = [&](Value by) { return loop.isDefinedOutsideOfLoop(by); };
  if (auto advance = tile::advanceOf(loop.getTiedLoopYieldedValue(carried)->get(), carried))
    return isSame(advance->by) ? next : nullptr;
  if (auto moved = dyn_cast_or_null<tile::OffsetOp>(next))
    return moved.getPointers() == carried && isSame(moved.getCount()) ? next : nullptr;
  if (auto binary = dyn_cast_or_null<tile::BinaryOp>(next)) {
    bool isOfIntegers = tile::elementType(binary.getType()).isInteger(),
         adds = binary.getKind() == tile::BinaryKind::add,
         subtracts = binary.getKind() == tile::BinaryKind::sub;
    bool isEven = ((adds || subtracts) && binary.getX() == carried && isSame(binary.getY())) ||
                  (adds && binary.getY() == carried && isSame(binary.getX()));
    return isOfIntegers && isEven ? next : nullptr;
  }
  auto moved = dyn_cast_or_null<LLVM::GEPOp>(next);
  bool isEven = moved && moved.getBase() == carried && moved.getIndices().size() == 1 &&
                llvm::all_of(moved.getDynamicIndices(), isSame);
  return isEven ? next : nullptr;
}

// A carried value `distance` iterations later. It may go beyond what the program computes, so
// additions may wrap.
Value grown(OpBuilder &b, Value from, BlockArgument carried, Operation *growth, int64_t distance) {
  Location loc = growth->getLoc();
  auto constant = [&](Type type, int64_t n) -> Value {
    return arith::ConstantOp::create(b, loc, b.getIntegerAttr(type, n));
  };
  auto times = [&](Value by) {
    return b.createOrFold<arith::MulIOp>(loc, by, constant(by.getType(), distance));
  };
  if (auto advance = tile::advanceOf(growth->getResult(0), carried))
    return advance->isDown ? b.createOrFold<arith::SubIOp>(loc, from, times(advance->by))
                           : b.createOrFold<arith::AddIOp>(loc, from, times(advance->by));
  // A tile repeats the program's own steps: the multiplied count may exceed its type.
  if (isa<tile::OffsetOp, tile::BinaryOp>(growth)) {
    for (; distance; --distance) {
      IRMapping map;
      map.map(carried, from);
      from = b.clone(*growth, map)->getResult(0);
    }
    return from;
  }
  auto moved = cast<LLVM::GEPOp>(growth);
  LLVM::GEPIndicesAdaptor<ValueRange>::value_type by = *moved.getIndices().begin();
  Value index;
  if (auto number = dyn_cast<IntegerAttr>(by))
    index = constant(b.getI64Type(), number.getInt() * distance);
  else if (cast<Value>(by).getType().isInteger(64))
    index = times(cast<Value>(by));
  else
    index = times(arith::ExtSIOp::create(b, loc, b.getI64Type(), cast<Value>(by)));
  return LLVM::GEPOp::create(b, loc, moved.getType(), moved.getElemType(), from,
                             ArrayRef<LLVM::GEPArg>{LLVM::GEPArg(index)});
}

// A copy of a division that divides by 1 where `exists` does not hold, and never by 0.
void cloneDivision(OpBuilder &b, Operation *division, Value exists, IRMapping &map) {
  Location loc = division->getLoc();
  Operation *copy = b.clone(*division, map);
  Value divisor = copy->getOperand(1);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPoint(copy);
  auto constant = [&](int64_t n) {
    return arith::ConstantOp::create(b, loc, b.getIntegerAttr(divisor.getType(), n));
  };
  Value divides = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ne, divisor, constant(0));
  divides = arith::AndIOp::create(b, loc, exists, divides);
  copy->setOperand(1, arith::SelectOp::create(b, loc, divides, divisor, constant(1)));
}

// The maximum of such a count.
int64_t maxOf(OpFoldResult iterations) {
  if (std::optional<int64_t> known = getConstantIntValue(iterations))
    return *known;
  return rangeOf(cast<Value>(iterations)).high;
}

// Is step * count an unsigned number of this many bits?
bool isRepresentable(int64_t step, int64_t count, unsigned bits) {
  int64_t distance;
  return !llvm::MulOverflow(step, count, distance) &&
         (bits >= 64 || uint64_t(distance) >> bits == 0);
}

// May the variable, this many iterations after `from`, exceed its type? For an unsigned loop: half
// of its type.
bool mayPassType(scf::ForOp loop, Value from, OpFoldResult iterations) {
  const unsigned bits = from.getType().getIntOrFloatBitWidth();
  std::optional<int64_t> step = getConstantIntValue(loop.getStep());
  int64_t distance, there;
  if (bits > 64 || !step || llvm::MulOverflow(*step, maxOf(iterations), distance))
    return true;
  const int64_t limit = APInt::getSignedMaxValue(bits).getSExtValue();
  const Range first = rangeOf(from);
  if ((first.low >= 0 || !loop.getUnsignedCmp()) &&
      !llvm::AddOverflow(first.high, distance, there) && there <= limit)
    return false;
  return !loop.getUnsignedCmp() || distance > limit || rangeOf(loop.getUpperBound()).low < 0;
}

// A count that is not negative and fits every type of a loop's variable.
Value asNumber(OpBuilder &b, Location loc, Type type, OpFoldResult count) {
  if (std::optional<int64_t> known = getConstantIntValue(count))
    return arith::ConstantOp::create(b, loc, b.getIntegerAttr(type, *known));
  auto value = cast<Value>(count);
  unsigned bits = value.getType().getIntOrFloatBitWidth(), wanted = type.getIntOrFloatBitWidth();
  if (bits == wanted)
    return value;
  return wanted > bits ? arith::ExtUIOp::create(b, loc, type, value).getResult()
                       : arith::TruncIOp::create(b, loc, type, value).getResult();
}

} // namespace

bool collectSlice(Value value, scf::ForOp loop, Slice &slice) {
  if (value == loop.getInductionVar() || loop.isDefinedOutsideOfLoop(value))
    return true;
  if (auto carried = dyn_cast<BlockArgument>(value)) {
    if (!growthOf(carried, loop))
      return false;
    slice.carried.insert(carried);
    return true;
  }
  Operation *op = value.getDefiningOp();
  bool isPure = tile::isSpeculatable(op) || isDivision(op);
  if (op->getBlock() != loop.getBody() || op->getNumRegions() || !isPure || isDivisionOfTiles(op) ||
      isPartAnywhere(op))
    return false;
  for (Value operand : op->getOperands())
    if (!collectSlice(operand, loop, slice))
      return false;
  slice.ops.insert(op);
  return true;
}

Slice sliceOf(ValueRange values, scf::ForOp loop) {
  Slice slice;
  for (Value value : values)
    collectSlice(value, loop, slice);
  return slice;
}

void computeThere(OpBuilder &b, scf::ForOp loop, const Slice &slice, const OtherIteration &there,
                  IRMapping &map) {
  map.map(loop.getInductionVar(), there.variable);
  for (BlockArgument carried : slice.carried) {
    if (map.contains(carried))
      continue;
    Value from = there.isBeforeLoop ? loop.getTiedLoopInit(carried)->get() : carried;
    map.map(carried, there.distance
                         ? grown(b, from, carried, growthOf(carried, loop), there.distance)
                         : from);
  }
  for (Operation *op : slice.ops) {
    if (map.contains(op->getResult(0)))
      continue;
    if (!tile::isSpeculatable(op)) {
      cloneDivision(b, op, there.exists, map);
      continue;
    }
    Operation *copy = b.clone(*op, map);
    SmallVector<Value> folded;
    if (failed(b.tryFold(copy, folded)) || folded.size() != 1 ||
        folded.front() == copy->getResult(0))
      continue;
    map.map(op->getResult(0), folded.front());
    copy->erase();
  }
}

void hoistInvariants(scf::ForOp loop, const Slice &slice) {
  OpBuilder b(loop);
  Value runs; // whether the loop runs at least once
  for (Operation *op : slice.ops) {
    if (!llvm::all_of(op->getOperands(), [&](Value v) { return loop.isDefinedOutsideOfLoop(v); }))
      continue;
    if (tile::isSpeculatable(op)) {
      op->moveBefore(loop);
      continue;
    }
    if (!runs)
      runs = arith::CmpIOp::create(b, loop.getLoc(),
                                   loop.getUnsignedCmp() ? arith::CmpIPredicate::ult
                                                         : arith::CmpIPredicate::slt,
                                   loop.getLowerBound(), loop.getUpperBound());
    IRMapping map;
    cloneDivision(b, op, runs, map);
    op->replaceAllUsesWith(map.lookup(op));
    op->erase();
  }
}

Value nextOf(OpBuilder &b, scf::ForOp loop, BlockArgument carried, Value from) {
  return grown(b, from, carried, growthOf(carried, loop), /*distance=*/1);
}

Value advance(OpBuilder &b, scf::ForOp loop, Value from, OpFoldResult iterations) {
  Location loc = loop.getLoc();
  bool mayWrap = loop.getUnsignedCmp() || mayPassType(loop, from, iterations);
  auto flags = mayWrap ? arith::IntegerOverflowFlags::none : arith::IntegerOverflowFlags::nsw;
  Value count = asNumber(b, loc, from.getType(), iterations);
  Value distance = b.createOrFold<arith::MulIOp>(loc, count, loop.getStep(), flags);
  return b.createOrFold<arith::AddIOp>(loc, distance, from, flags);
}

bool canTestByCount(scf::ForOp loop, int64_t limit) {
  const unsigned bits = loop.getStep().getType().getIntOrFloatBitWidth();
  std::optional<int64_t> step = getConstantIntValue(loop.getStep());
  return step ? isRepresentable(*step, limit, bits) : bits <= 32;
}

Value iterationExists(OpBuilder &b, scf::ForOp loop, Value from, Value there,
                      OpFoldResult iterations) {
  Location loc = loop.getLoc();
  const bool isUnsigned = loop.getUnsignedCmp();
  using enum arith::CmpIPredicate;
  auto compare = [&](arith::CmpIPredicate predicate, Value x, Value y) -> Value {
    return arith::CmpIOp::create(b, loc, predicate, x, y);
  };
  const auto less = isUnsigned ? ult : slt;
  Value upper = loop.getUpperBound();
  auto both = [&](Value x, Value y) -> Value { return arith::AndIOp::create(b, loc, x, y); };
  // With a step that is not above zero a loop has no iteration, or does not end.
  auto unlessNone = [&](Value exists) {
    const bool isFirstSure = from != loop.getLowerBound() || rangeOf(loop.getStep()).low > 0;
    return isFirstSure ? exists : both(compare(less, from, upper), exists);
  };
  if (isConstantIntValue(iterations, 0))
    return compare(less, there, upper);
  if (!mayPassType(loop, from, iterations))
    return unlessNone(compare(less, there, upper));

  const unsigned bits = from.getType().getIntOrFloatBitWidth();
  std::optional<int64_t> step = getConstantIntValue(loop.getStep());
  if (step && isRepresentable(*step, maxOf(iterations), bits))
    return both(compare(isUnsigned ? ule : sle, from, there), compare(less, there, upper));

  if (bits <= 32) {
    auto widened = [&](Value v) {
      return isUnsigned ? b.createOrFold<arith::ExtUIOp>(loc, b.getI64Type(), v)
                        : b.createOrFold<arith::ExtSIOp>(loc, b.getI64Type(), v);
    };
    auto flags = arith::IntegerOverflowFlags::nsw;
    Value count = asNumber(b, loc, b.getI64Type(), iterations);
    Value distance = b.createOrFold<arith::MulIOp>(loc, widened(loop.getStep()), count, flags);
    Value wide = b.createOrFold<arith::AddIOp>(loc, widened(from), distance, flags);
    return unlessNone(compare(less, wide, widened(upper)));
  }

  // The rest of the loop, unsigned, compared with a distance that does not overflow.
  const int64_t count = maxOf(iterations); // iterations are known (canTestByCount)
  auto number = [&](uint64_t n) {
    return arith::ConstantOp::create(b, loc, b.getIntegerAttr(from.getType(), int64_t(n)));
  };
  Value distance = b.createOrFold<arith::MulIOp>(loc, loop.getStep(), number(uint64_t(count)));
  Value left = arith::SubIOp::create(b, loc, upper, from);
  Value isSmall =
      compare(ule, loop.getStep(), number(std::numeric_limits<uint64_t>::max() / count));
  return both(compare(less, from, upper), both(isSmall, compare(ult, distance, left)));
}

} // namespace tessera::plan
