// Loops around multiplies that count in their own way become counted loops over their iterations,
// whose operands can be copied ahead.
//
//   while %left > 0 { ...; next %left - 64 }
//   ->  for %iteration = 0 to (%left > 0 ? (%left - 1) / 64 + 1 : 0) { ... }
//
// The loop carries its counter as before; the counter moves by the same distance in each iteration
// and is compared with a loop invariant. Loops that test before an iteration run as often as the
// comparison holds, loops that test after it once more. A counter that wraps would go on beyond its
// bound: it must not wrap by the program's own rules (signed integers), or cannot, because its
// stride is one.
//
// Loops that count up to a bound are counted before they are structured, whatever they do
// (structure/CountedLoops), and keep the program's counter as their variable. This pass takes what
// is left, and only around multiplies: a second counter is a cost where nothing is copied ahead.
// Both ask tile/Counters.h how a counter moves and what it is compared with.
#include "plan/Passes.h"
#include "tile/Counters.h"
#include "tile/Speculation.h"
#include "tile/TileDialect.h"

#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using Predicate = arith::CmpIPredicate;

namespace tessera::plan {

#define GEN_PASS_DEF_COUNTLOOPS
#include "plan/Passes.h.inc"

namespace {

// A value that goes `first`, `first + stride` or `first - stride`, ... while it compares with the
// bound.
struct Counter {
  unsigned argument; // of the loop
  Predicate predicate;
  Value bound;
  APInt stride; // above 0
  bool isDown = false, testsNext = false;
  bool nsw = false, nuw = false;
};

// The value of the first region that a value of the second region stands for.
Value beforeTest(scf::WhileOp loop, Value value) {
  auto argument = dyn_cast<BlockArgument>(value);
  return argument && argument.getOwner() == loop.getAfterBody()
             ? loop.getConditionOp().getArgs()[argument.getArgNumber()]
             : value;
}

// Finds the constant stride between `argument` and `next`.
bool findStride(scf::WhileOp loop, Value argument, Value next, Counter &counter) {
  std::optional<tile::Advance> advance =
      tile::advanceOf(next, [&](Value value) { return beforeTest(loop, value) == argument; });
  if (!advance || !matchPattern(advance->by, m_ConstantInt(&counter.stride)))
    return false;
  counter.isDown = advance->isDown;
  counter.nsw = advance->nsw;
  counter.nuw = advance->nuw;
  if (counter.stride.isNegative()) {
    counter.nuw = false; // holds for another number
    counter.isDown = !counter.isDown;
    counter.stride.negate();
  }
  return counter.stride.isStrictlyPositive();
}

// Whether the counter reaches its bound before it wraps.
bool isExact(const Counter &counter) {
  auto isAtLeast = [&](const APInt &minimum) {
    APInt bound;
    return matchPattern(counter.bound, m_ConstantInt(&bound)) && bound.uge(minimum);
  };
  if (counter.testsNext && !counter.nsw && !counter.nuw)
    return false;
  switch (counter.predicate) {
  case Predicate::slt:
  case Predicate::sle: return !counter.isDown && counter.nsw;
  case Predicate::sgt:
  case Predicate::sge: return counter.isDown && counter.nsw;
  case Predicate::ult: return !counter.isDown && (counter.nuw || counter.stride.isOne());
  case Predicate::ule: return !counter.isDown && counter.nuw;
  case Predicate::ugt:
    return counter.isDown &&
           (counter.nuw || counter.stride.isOne() || isAtLeast(counter.stride - 1));
  case Predicate::uge: return counter.isDown && (counter.nuw || isAtLeast(counter.stride));
  case Predicate::ne: return counter.stride.isOne() || counter.nsw || counter.nuw;
  case Predicate::eq: return false;
  }
  llvm_unreachable("all predicates are listed");
}

std::optional<Counter> counterOf(scf::WhileOp loop) {
  std::optional<tile::Relation> test = tile::relationOf(loop.getConditionOp().getCondition());
  if (test && loop.isDefinedOutsideOfLoop(test->left))
    test = test->mirrored();
  if (!test || !loop.isDefinedOutsideOfLoop(test->right))
    return {};
  for (BlockArgument argument : loop.getBeforeArguments()) {
    unsigned i = argument.getArgNumber();
    Value next = beforeTest(loop, loop.getYieldOp().getOperand(i));
    if (test->left != argument && test->left != next)
      continue;
    Counter counter{i, test->predicate, test->right, APInt(), false, test->left == next};
    if (findStride(loop, argument, next, counter) && isExact(counter))
      return counter;
  }
  return {};
}

// How often the comparison holds, from `first` on.
Value iterationsFrom(OpBuilder &b, Location loc, Value first, const Counter &counter) {
  auto constant = [&](const APInt &n) -> Value {
    return arith::ConstantOp::create(b, loc, b.getIntegerAttr(first.getType(), n));
  };
  unsigned width = counter.stride.getBitWidth();
  Value one = constant(APInt(width, 1)), stride = constant(counter.stride);
  Value distance = counter.isDown ? b.createOrFold<arith::SubIOp>(loc, first, counter.bound)
                                  : b.createOrFold<arith::SubIOp>(loc, counter.bound, first);
  auto strides = [&](Value of) -> Value {
    return counter.stride.isOne() ? of : b.createOrFold<arith::DivUIOp>(loc, of, stride);
  };
  if (counter.predicate == Predicate::ne)
    return strides(distance);
  bool isInclusive = counter.predicate == Predicate::sle || counter.predicate == Predicate::sge ||
                     counter.predicate == Predicate::ule || counter.predicate == Predicate::uge;
  if (!isInclusive && !counter.stride.isOne())
    distance = b.createOrFold<arith::SubIOp>(loc, distance, one);
  Value iterations = strides(distance);
  if (isInclusive || !counter.stride.isOne())
    iterations = b.createOrFold<arith::AddIOp>(loc, iterations, one);
  Value holds = b.createOrFold<arith::CmpIOp>(loc, counter.predicate, first, counter.bound);
  return b.createOrFold<arith::SelectOp>(loc, holds, iterations, constant(APInt(width, 0)));
}

// May run once more than in the program.
bool isCheap(Block *block) {
  return llvm::all_of(block->without_terminator(), [](Operation &op) {
    return tile::isSpeculatable(&op) && !isa<tile::MmaOp>(op);
  });
}

void cloneBody(OpBuilder &b, Block *block, IRMapping &map) {
  for (Operation &op : block->without_terminator())
    b.clone(op, map);
}

SmallVector<Value> mapped(ValueRange values, const IRMapping &map) {
  return llvm::map_to_vector(values, [&](Value v) { return map.lookupOrDefault(v); });
}

// Clones both regions, one after the other; `map` also covers what the first passes to the second.
void cloneIteration(OpBuilder &b, scf::WhileOp loop, ValueRange arguments, IRMapping &map) {
  map.map(loop.getBeforeArguments(), arguments);
  cloneBody(b, loop.getBeforeBody(), map);
  map.map(loop.getAfterArguments(), mapped(loop.getConditionOp().getArgs(), map));
  cloneBody(b, loop.getAfterBody(), map);
}

scf::ForOp loopOver(OpBuilder &b, scf::WhileOp loop, Value iterations, ValueRange inits) {
  Location loc = loop.getLoc();
  auto constant = [&](int64_t n) {
    return arith::ConstantOp::create(b, loc, b.getIntegerAttr(iterations.getType(), n));
  };
  auto result = scf::ForOp::create(b, loc, constant(0), iterations, constant(1), inits, nullptr,
                                   /*unsignedCmp=*/true);
  result.getInductionVar().setLoc(NameLoc::get(b.getStringAttr("iteration"), loc));
  for (auto [argument, old] : llvm::zip(result.getRegionIterArgs(), loop.getBeforeArguments()))
    argument.setLoc(old.getLoc());
  return result;
}

// Tested before its iterations: the first region, which runs once more than the second, is pure.
void countTestedBefore(scf::WhileOp loop, Value iterations) {
  OpBuilder b(loop);
  scf::ForOp result = loopOver(b, loop, iterations, loop.getInits());
  OpBuilder inner = OpBuilder::atBlockBegin(result.getBody());
  IRMapping map, last;
  cloneIteration(inner, loop, result.getRegionIterArgs(), map);
  scf::YieldOp::create(inner, loop.getLoc(), mapped(loop.getYieldOp().getOperands(), map));
  last.map(loop.getBeforeArguments(), result.getResults());
  cloneBody(b, loop.getBeforeBody(), last);
  loop.replaceAllUsesWith(mapped(loop.getConditionOp().getArgs(), last));
  loop.erase();
}

// Tested after its iterations: the second region is pure. Results of the loop that are not the next
// iteration's initial values are carried as well.
void countTestedBehind(scf::WhileOp loop, Value iterations) {
  OpBuilder b(loop);
  SmallVector<Value> inits(loop.getInits()), nexts(loop.getYieldOp().getOperands());
  SmallVector<unsigned> indices; // of the results
  for (Value given : loop.getConditionOp().getArgs()) {
    auto same = llvm::find_if(nexts, [&](Value next) { return beforeTest(loop, next) == given; });
    indices.push_back(same - nexts.begin());
    if (same != nexts.end())
      continue;
    inits.push_back(ub::PoisonOp::create(b, loop.getLoc(), given.getType()));
    nexts.push_back(given);
  }
  scf::ForOp result = loopOver(b, loop, iterations, inits);
  OpBuilder inner = OpBuilder::atBlockBegin(result.getBody());
  IRMapping map;
  cloneIteration(inner, loop, result.getRegionIterArgs().take_front(loop.getInits().size()), map);
  scf::YieldOp::create(inner, loop.getLoc(), mapped(nexts, map));
  for (auto [old, index] : llvm::zip(loop.getResults(), indices))
    old.replaceAllUsesWith(result.getResult(index));
  loop.erase();
}

void count(scf::WhileOp loop) {
  std::optional<Counter> counter = counterOf(loop);
  if (!counter)
    return;
  bool isBefore = isCheap(loop.getBeforeBody());
  // One more than the comparison holds: as a number only if the first comparison is not with the
  // first count.
  if (!isBefore && (!counter->testsNext || !isCheap(loop.getAfterBody())))
    return;
  OpBuilder b(loop);
  Location loc = loop.getLoc();
  Value first = loop.getInits()[counter->argument];
  auto constant = [&](const APInt &n) -> Value {
    return arith::ConstantOp::create(b, loc, b.getIntegerAttr(first.getType(), n));
  };
  if (counter->testsNext)
    first = b.createOrFold<arith::AddIOp>(
        loc, first, constant(counter->isDown ? -counter->stride : counter->stride));
  Value iterations = iterationsFrom(b, loc, first, *counter);
  if (isBefore)
    return countTestedBefore(loop, iterations);
  iterations = b.createOrFold<arith::AddIOp>(loc, iterations,
                                             constant(APInt(counter->stride.getBitWidth(), 1)));
  countTestedBehind(loop, iterations);
}

struct CountLoops : impl::CountLoopsBase<CountLoops> {
  void runOnOperation() override {
    SmallVector<scf::WhileOp> loops; // inner ones first
    getOperation().walk([&](scf::WhileOp loop) { loops.push_back(loop); });
    for (scf::WhileOp loop : loops) {
      bool multiplies =
          loop->walk([](tile::MmaOp) { return WalkResult::interrupt(); }).wasInterrupted();
      if (multiplies)
        count(loop);
    }
  }
};

} // namespace
} // namespace tessera::plan
