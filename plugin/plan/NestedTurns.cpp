#include "plan/NestedTurns.h"

#include "plan/Facts.h"
#include "tile/TileDialect.h"

using namespace mlir;

namespace tessera::plan {

namespace {

// Where a turn's fixed values stand.
enum : unsigned { Variable, OuterVariable, Exists, Others };

bool isNumber(Value v) { return v.getType().isIntOrIndex(); }

// Past the last iteration it may wrap.
Value stepped(OpBuilder &b, scf::ForOp loop, Value from) {
  return b.createOrFold<arith::AddIOp>(loop.getLoc(), from, loop.getStep());
}

} // namespace

std::optional<NestedTurns> NestedTurns::of(scf::ForOp inner, ArrayRef<Operation *> reads) {
  auto outer = dyn_cast<scf::ForOp>(inner->getParentOp());
  if (!outer)
    return std::nullopt;
  SmallVector<Value> bounds = {inner.getLowerBound(), inner.getUpperBound(), inner.getStep()};
  Slice ofBounds;
  if (!llvm::all_of(bounds, [&](Value v) { return collectSlice(v, outer, ofBounds); }))
    return std::nullopt;
  NestedTurns turns(inner, outer);
  if (!turns.collect(reads))
    return std::nullopt;
  hoistInvariants(outer, ofBounds);
  hoistInvariants(outer, turns.slice);
  bool isSame =
      llvm::all_of(ValueRange{inner.getLowerBound(), inner.getUpperBound(), inner.getStep()},
                   [&](Value v) { return outer.isDefinedOutsideOfLoop(v); });
  NestedTurns result(inner, outer); // without what has gone before the loop
  if (!isSame || !result.collect(reads))
    return std::nullopt;
  return result;
}

bool NestedTurns::collect(ArrayRef<Operation *> reads) {
  SmallVector<Value> values;
  for (Operation *read : reads)
    llvm::append_range(values, read->getOperands());
  Slice ofInner = sliceOf(values, inner);
  SmallVector<Value> read(values), starts;
  for (Operation *op : ofInner.ops)
    llvm::append_range(read, op->getOperands());
  for (BlockArgument argument : ofInner.carried) {
    carried.insert(argument);
    llvm::append_range(read, growthBy(argument, inner));
    starts.push_back(inner.getTiedLoopInit(argument)->get());
  }
  for (Value value : read)
    if (inner.isDefinedOutsideOfLoop(value) && !outer.isDefinedOutsideOfLoop(value) &&
        value != outer.getInductionVar())
      seen.insert(value);
  llvm::append_range(starts, seen);
  bool isKnown =
      llvm::all_of(starts, [&](Value value) { return collectSlice(value, outer, slice); });
  // What the outer loop carries is part of a turn in any case.
  for (BlockArgument argument : slice.carried)
    seen.remove(argument);
  return isKnown && llvm::all_of(carried, isNumber) && llvm::all_of(seen, isNumber) &&
         llvm::all_of(slice.carried, isNumber);
}

SmallVector<Value> NestedTurns::turnOf(Value variable, Value outerVariable, Value exists,
                                       const IRMapping &map, bool isFirst) const {
  SmallVector<Value> turn = {variable, outerVariable, exists};
  for (BlockArgument argument : slice.carried)
    turn.push_back(map.lookup(argument));
  for (BlockArgument argument : carried)
    turn.push_back(map.lookupOrDefault(isFirst ? scf::ForOp(inner).getTiedLoopInit(argument)->get()
                                               : Value(argument)));
  for (Value value : seen)
    turn.push_back(map.lookup(value));
  return turn;
}

void NestedTurns::mapTurn(ValueRange turn, IRMapping &map) const {
  map.map(scf::ForOp(outer).getInductionVar(), turn[OuterVariable]);
  size_t at = Others;
  for (BlockArgument argument : slice.carried)
    map.map(argument, turn[at++]);
  for (BlockArgument argument : carried)
    map.map(argument, turn[at++]);
  for (Value value : seen)
    map.map(value, turn[at++]);
}

SmallVector<Value> NestedTurns::first(OpBuilder &b) const {
  scf::ForOp loop = outer, within = inner;
  Value lower = within.getLowerBound();
  Value exists = arith::AndIOp::create(
      b, loop.getLoc(), takesPlace(b, loop, loop.getLowerBound(), loop.getLowerBound(), 0),
      takesPlace(b, within, lower, lower, 0));
  IRMapping map;
  computeThere(b, loop, slice, {loop.getLowerBound(), exists, 0, true}, map);
  return turnOf(lower, loop.getLowerBound(), exists, map, true);
}

SmallVector<Value> NestedTurns::next(OpBuilder &b, ValueRange turn) const {
  scf::ForOp loop = outer, within = inner;
  Location loc = within.getLoc();
  IRMapping here;
  mapTurn(turn, here);
  Value later = stepped(b, within, turn[Variable]);
  Value stays = takesPlace(b, within, turn[Variable], later, 1);
  auto sameIteration = [&](OpBuilder &at, Location) {
    IRMapping map = here;
    for (BlockArgument argument : carried)
      map.map(argument, grownOnce(at, argument, within, here));
    scf::YieldOp::create(at, loc, turnOf(later, turn[OuterVariable], turn[Exists], map, false));
  };
  auto nextIteration = [&](OpBuilder &at, Location) {
    Value there = stepped(at, loop, turn[OuterVariable]);
    Value exists = arith::AndIOp::create(at, loc, turn[Exists],
                                         takesPlace(at, loop, turn[OuterVariable], there, 1));
    IRMapping map;
    for (BlockArgument argument : slice.carried)
      map.map(argument, grownOnce(at, argument, loop, here));
    computeThere(at, loop, slice, {there, exists, 0, false}, map);
    scf::YieldOp::create(at, loc, turnOf(within.getLowerBound(), there, exists, map, true));
  };
  auto branch = scf::IfOp::create(b, loc, stays, sameIteration, nextIteration);
  return llvm::to_vector_of<Value>(branch.getResults());
}

// What is known of the outer body's value is known of it in every iteration.
Value NestedTurns::withFacts(OpBuilder &b, Value turnValue, Value known) const {
  if (!isa<IntegerType>(known.getType()))
    return turnValue;
  int64_t divisor = divisorOf(known);
  Range range = rangeOf(known);
  if (divisor == 1 && range.low < 0)
    return turnValue;
  auto attribute = [&](int64_t n) { return b.getI64IntegerAttr(n); };
  return tile::AssumeOp::create(b, known.getLoc(), turnValue, IntegerAttr(),
                                divisor > 1 ? attribute(divisor) : IntegerAttr(),
                                range.low >= 0 ? attribute(range.low) : IntegerAttr(),
                                range.low >= 0 ? attribute(range.high) : IntegerAttr());
}

OtherIteration NestedTurns::at(OpBuilder &b, ValueRange turn, IRMapping &map) const {
  mapTurn(turn, map);
  for (Value value : seen)
    map.map(value, withFacts(b, map.lookup(value), value));
  return {turn[Variable], turn[Exists], 0, false};
}

} // namespace tessera::plan
