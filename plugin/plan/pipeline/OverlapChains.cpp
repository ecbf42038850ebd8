// The second multiply of a chain waits for what threads compute from the first one's accumulator:
// meanwhile the tensor core has nothing to do. So the loop is rotated by half an iteration. An
// iteration starts its first multiply, and with it the second one of the iteration before; threads
// compute on the first accumulator while the second multiply is in flight:
//
//   for { %s = mma %q, K(i); %p = f(%s); %o' = g(%o, %s); %o = mma %p, V(i), %o' }
// becomes
//   %s = mma %q, K(0); %p = f(%s); %o' = g(%o, %s)
//   for i from 1 { %s = mma_start %q, K(i); %o = mma_start %p, V(i - 1), %o'
//                  mma_finish %s, all but one; %x = f(%s) without its last op
//                  mma_finish %o; %p = last op of f(%x); %o' = g(%o, %s) }
//   %o = mma %p, V(n - 1), %o'
//
// The order of additions stays. The registers of %p are read until the second multiply is complete:
// only then may they be written again. The waits for a stage and the release of it go with the
// multiply that reads it. Where threads load a row for f from the stage of V(i), they wait for it
// in front of that, and the multiply, an iteration later, has no wait of its own. A release behind
// the loop, of what only the first multiplies read, comes before the last second one.
//
// A second multiply of fp8 promotes its sums: it adds to zero, threads add that to the accumulator,
// and the promotion would be the end of all that is in flight. So it becomes two ops, of which the
// second one is done with the rest of its iteration, in the next one:
//   %o = mma promotes %p, V(i), %o'  ->  %x = mma %p, V(i), 0; %o = add %o', %x
//
// Only where a producer warp fills the rings: where threads start copies, all warps of the block
// meet in each iteration, and the tensor core gains nothing (525 TFLOP/s with and without). With a
// producer warp, written by hand, attention in bf16, 128x128 tiles, head dimension 128, on an H100:
// 587 to 590 TFLOP/s, and 662 to 698 rotated (bench/results/2026-11-28-attention.txt).
#include "plan/analysis/Chains.h"
#include "plan/analysis/Facts.h"
#include "plan/analysis/Layouts.h"
#include "plan/analysis/Matmuls.h"
#include "plan/analysis/Occupancy.h"
#include "plan/Passes.h"
#include "plan/pipeline/InFlight.h"
#include "plan/Plan.h"
#include "target/RegisterBudgets.h"
#include "tile/Attributes.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;

namespace tessera::plan {

#define GEN_PASS_DEF_OVERLAPCHAINS
#include "plan/Passes.h.inc"

namespace {

using Ops = llvm::SetVector<Operation *>;

int64_t registersOf(Value tile) {
  auto type = dyn_cast<RankedTensorType>(tile.getType());
  return type ? toLinear(type).registerCount() : 1;
}

// The accumulators of a chain, with one more for each sum that is promoted, and operands A.
int64_t registersOfPromotedChain(const Chain &chain) {
  int64_t registers = 0;
  for (Operation *op : llvm::concat<Operation *const>(chain.first, chain.second)) {
    auto multiply = cast<tile::SharedMmaOp>(op);
    registers += registersOf(multiply.getResult()) * (multiply.getPromotes() ? 2 : 1);
    if (multiply.hasAInRegisters())
      registers += registersOf(multiply.getA()) *
                   tile::storageBits(tile::elementType(multiply.getA().getType())) / 32;
  }
  return registers;
}

// Makes a multiply of the loop that promotes its sums once a multiply from zero and an addition.
void addLater(tile::SharedMmaOp multiply, scf::ForOp loop) {
  OpBuilder b(loop);
  Location loc = multiply.getLoc();
  auto type = cast<RankedTensorType>(multiply.getType());
  Value zero = tile::SplatOp::create(
      b, loc, type, arith::ConstantOp::create(b, loc, b.getFloatAttr(type.getElementType(), 0.0)));
  b.setInsertionPointAfter(multiply);
  Value accumulator = multiply.getC();
  multiply.getCMutable().set(zero);
  multiply.setPromotes(false);
  auto sum = tile::BinaryOp::create(b, loc, type, tile::BinaryKind::add, accumulator,
                                    multiply.getResult(), tile::Rounding::nearest,
                                    /*flush=*/false, /*isUnsigned=*/false);
  multiply.getResult().replaceAllUsesExcept(sum, sum);
}

bool isRingOp(Operation *op) { return isa<tile::WaitGroupOp, tile::ConsumerReleaseOp>(op); }

// Does an iteration load a row from its stage of a ring?
bool loadsRow(Operation *op) {
  auto load = dyn_cast<tile::SharedLoadOp>(op);
  return load && load.getShared().getDefiningOp<tile::SharedSlotOp>();
}

// May an iteration do this while multiplies of another one are in flight, and earlier or later than
// the program says?
bool isMovable(Operation *op) {
  if (isa<tile::SharedMmaOp>(op) || isRingOp(op) || loadsRow(op))
    return true;
  return op->getNumRegions() ? isMemoryEffectFree(op)
                             : isMemoryEffectFree(op) || (isa<tile::ViewLoadOp, tile::LoadOp>(op) &&
                                                          !globalEffectsOf(op).orders);
}

class Rotation {
public:
  explicit Rotation(scf::ForOp loop) : loop(loop), body(loop.getBody()) {}

  // Divides an iteration; false if it cannot be rotated.
  bool find() {
    std::optional<Chain> chain = chainOf(loop);
    if (!chain ||
        !llvm::all_of(body->without_terminator(), [](Operation &op) { return isMovable(&op); }))
      return false;
    for (auto [from, to] : {std::pair(&chain->first, &first), {&chain->second, &second}})
      for (Operation *op : *from)
        to->insert(op);
    if (!llvm::all_of(first, isOfRing) || !llvm::all_of(second, isOfRing) ||
        !areStartedTogether() || !promoteLater(*chain))
      return false;
    return findLate() && findTail();
  }

  void rewrite() {
    collectCarried();
    OpBuilder b(loop);
    Location loc = loop.getLoc();
    takeReleases();
    std::optional<int64_t> trips = constantTrips();
    SmallVector<Value> results;
    if (trips && *trips > 0) {
      results = rotated(b);
    } else {
      auto predicate =
          loop.getUnsignedCmp() ? arith::CmpIPredicate::ult : arith::CmpIPredicate::slt;
      Value isEntered =
          arith::CmpIOp::create(b, loc, predicate, loop.getLowerBound(), loop.getUpperBound());
      auto entered = scf::IfOp::create(b, loc, loop.getResultTypes(), isEntered,
                                       /*withElseRegion=*/true);
      OpBuilder inside = entered.getThenBodyBuilder();
      scf::YieldOp::create(inside, loc, rotated(inside));
      OpBuilder otherwise = entered.getElseBodyBuilder();
      release(otherwise, /*isAfterMultiply=*/false);
      scf::YieldOp::create(otherwise, loc, loop.getInitArgs());
      llvm::append_range(results, entered.getResults());
    }
    loop.replaceAllUsesWith(results);
    loop.erase();
    for (Operation *behind : releases)
      behind->erase();
  }

private:
  // A warpgroup multiply that nothing else leaves in flight, with operand B from a ring of the
  // producer warp's, and operand A from another one, from registers, or from before the loop.
  static bool isOfRing(Operation *op) {
    auto multiply = cast<tile::SharedMmaOp>(op);
    auto wait = waitOf(multiply);
    return multiply.getInstruction().isOfWarpgroups() && !multiply.getInFlight() && wait &&
           wait.isFilledByProducerWarp() && releaseOf(multiply);
  }

  // The consumer wait before a multiply, and the release after it.
  static tile::WaitGroupOp waitOf(tile::SharedMmaOp multiply) {
    for (Operation *op = multiply->getPrevNode(); op; op = op->getPrevNode())
      if (isa<tile::WaitGroupOp, tile::SharedMmaOp>(op))
        return dyn_cast<tile::WaitGroupOp>(op);
    return {};
  }
  static tile::ConsumerReleaseOp releaseOf(tile::SharedMmaOp multiply) {
    for (Operation *op = multiply->getNextNode(); op; op = op->getNextNode())
      if (isa<tile::ConsumerReleaseOp, tile::SharedMmaOp>(op))
        return dyn_cast<tile::ConsumerReleaseOp>(op);
    return {};
  }

  // Multiplies of one group follow each other: nothing but the next one's accumulator reads the
  // accumulator of one before all are started.
  bool areStartedTogether() {
    for (Ops *group : {&first, &second})
      for (Operation *multiply : group->getArrayRef().drop_back())
        for (Operation *user : multiply->getUsers())
          if (user->getBlock() != body ||
              (user->isBeforeInBlock(group->back()) && !group->contains(user)))
            return false;
    return true;
  }

  // No multiply that promotes can be in flight. Are there none, or can they be divided?
  bool promoteLater(const Chain &chain) {
    auto promotes = [](Operation *op) { return cast<tile::SharedMmaOp>(op).getPromotes(); };
    if (llvm::any_of(first, promotes))
      return false;
    if (llvm::none_of(second, promotes))
      return true;
    const bool isOnce = llvm::all_of(second, [](Operation *op) {
      return matmulOf(cast<tile::SharedMmaOp>(op)).k <= kOfPromotion;
    });
    auto kernel = loop->getParentOfType<func::FuncOp>();
    if (!isOnce || registersOfPromotedChain(chain) + registersBesidesPromotedChain >
                       availableRegisters(kernel))
      return false;
    for (Operation *op : second)
      if (promotes(op))
        addLater(cast<tile::SharedMmaOp>(op), loop);
    return true;
  }

  // Do threads load a row from the stage that is waited for?
  bool isAwaitedForRow(tile::WaitGroupOp wait) const {
    return llvm::any_of(body->getOps<tile::SharedLoadOp>(), [&](tile::SharedLoadOp load) {
      auto slot = load.getShared().getDefiningOp<tile::SharedSlotOp>();
      return slot && slot.getIndex() == wait.getSlot();
    });
  }

  // The second multiplies, what waits for their operands and releases them, and what is computed
  // from their accumulators.
  bool findLate() {
    for (Operation *op : second) {
      auto multiply = cast<tile::SharedMmaOp>(op);
      if (!isAwaitedForRow(waitOf(multiply)))
        late.insert(waitOf(multiply));
      for (Value operand : {multiply.getA(), Value(multiply.getB())})
        if (auto slot = operand.getDefiningOp<tile::SharedSlotOp>();
            slot && slot->getBlock() == body)
          late.insert(slot);
      late.insert(multiply);
      late.insert(releaseOf(multiply));
    }
    addDependent(late, second.getArrayRef());
    sink();
    return llvm::none_of(first, [&](Operation *op) { return late.contains(op); }) && areRowsRead();
  }

  // Is each row that is loaded read for the second multiplies, behind the wait for one of their
  // stages? Their release, an iteration later, is behind the load then.
  bool areRowsRead() const {
    return llvm::all_of(body->getOps<tile::SharedLoadOp>(), [&](tile::SharedLoadOp load) {
      return llvm::any_of(second, [&](Operation *op) {
        tile::WaitGroupOp wait = waitOf(cast<tile::SharedMmaOp>(op));
        auto slot = load.getShared().getDefiningOp<tile::SharedSlotOp>();
        return slot && wait.getSlot() == slot.getIndex() && wait->isBeforeInBlock(load) &&
               opsBehind(op).contains(load) && !late.contains(load);
      });
    });
  }

  // Is nothing carried over to the second half for it?
  bool isFree(Value value) {
    Operation *op = value.getDefiningOp();
    auto argument = dyn_cast<BlockArgument>(value);
    if (op ? op->getBlock() != body : argument.getOwner() != body)
      return true;
    return op ? late.contains(op)
              : argument != loop.getInductionVar() &&
                    isLate(loop.getTiedLoopYieldedValue(argument)->get().getDefiningOp());
  }

  // What the second half alone takes, behind its multiplies, is computed there if no more registers
  // are carried over for it: the rescaling of an accumulator to which a sum is added is one
  // instruction with the addition.
  void sink() {
    for (bool found = true; found;) {
      found = false;
      for (Operation *op : llvm::to_vector(late)) {
        if (!second.back()->isBeforeInBlock(op) || isRingOp(op))
          continue;
        for (Value operand : op->getOperands()) {
          Operation *made = operand.getDefiningOp();
          if (!made || made->getBlock() != body || late.contains(made) || !operand.hasOneUse() ||
              made->getNumRegions() || made->getNumResults() != 1 || !isMemoryEffectFree(made) ||
              isa<tile::SharedMmaOp>(made))
            continue;
          int64_t registers = 0;
          for (Value needed : made->getOperands())
            if (!isFree(needed))
              registers += registersOf(needed);
          if (registers > registersOf(operand))
            continue;
          made->moveBefore(op);
          late.insert(made);
          found = true;
        }
      }
    }
  }

  // What an iteration can do only with the second accumulator of the iteration before, or must do
  // after it, since it writes what the multiply reads.
  bool findTail() {
    SmallVector<Operation *> from;
    for (auto [argument, yielded] : carriedValues())
      if (isLate(yielded.getDefiningOp()))
        for (Operation *user : argument.getUsers())
          if (Operation *op = body->findAncestorOpInBlock(*user); op && !late.contains(op))
            from.push_back(op);
    for (Operation *op : second)
      if (auto multiply = cast<tile::SharedMmaOp>(op); multiply.hasAInRegisters()) {
        Operation *made = multiply.getA().getDefiningOp();
        if (!made || made->getBlock() != body || !made->hasOneUse())
          return false;
        // A change of shape writes no registers: what it renames does.
        while (isa<tile::ReshapeOp, tile::PermuteOp>(made)) {
          Operation *before = made->getOperand(0).getDefiningOp();
          if (!before || before->getBlock() != body || !before->hasOneUse())
            return false;
          made = before;
        }
        from.push_back(made);
      }
    tail.insert(from.begin(), from.end());
    addDependent(tail, from);
    tail.remove_if([&](Operation *op) { return late.contains(op); });
    return llvm::none_of(tail, [&](Operation *op) {
      return isa<tile::SharedMmaOp>(op) || isRingOp(op) || !isMemoryEffectFree(op);
    });
  }

  // The releases directly behind the loop, and the barriers before them, unless the second
  // multiplies read anything that is not of their iteration.
  void takeReleases() {
    const bool readsOwn = llvm::all_of(second, [&](Operation *op) {
      return llvm::all_of(op->getOperands(), [&](Value operand) {
        return !isa<tile::SharedType>(operand.getType()) || late.contains(operand.getDefiningOp());
      });
    });
    if (!readsOwn)
      return;
    for (Operation *op = loop->getNextNode();
         isa_and_present<tile::ConsumerReleaseOp, tile::BarrierOp>(op); op = op->getNextNode())
      releases.push_back(op);
    while (!releases.empty() && isa<tile::BarrierOp>(releases.back()))
      releases.pop_back();
  }

  // After a multiply, which all warps of a warpgroup take part in, they need not meet.
  void release(OpBuilder &b, bool isAfterMultiply) {
    for (Operation *behind : releases)
      if (!isAfterMultiply || !isa<tile::BarrierOp>(behind))
        b.clone(*behind);
  }

  bool isLate(Operation *op) const { return op && late.contains(op); }

  // Adds what depends on these ops in the same iteration.
  void addDependent(Ops &ops, ArrayRef<Operation *> from) {
    SmallVector<Operation *> next(from);
    while (!next.empty())
      for (Operation *user : next.pop_back_val()->getUsers())
        if (Operation *op = body->findAncestorOpInBlock(*user);
            op && op != body->getTerminator() && ops.insert(op))
          next.push_back(op);
  }

  SmallVector<std::pair<BlockArgument, Value>> carriedValues() {
    SmallVector<std::pair<BlockArgument, Value>> pairs;
    for (auto [argument, yielded] :
         llvm::zip_equal(loop.getRegionIterArgs(), loop.getYieldedValues()))
      pairs.emplace_back(argument, yielded);
    return pairs;
  }

  std::optional<int64_t> constantTrips() {
    auto lower = getConstantIntValue(loop.getLowerBound()),
         upper = getConstantIntValue(loop.getUpperBound());
    return lower && upper && *lower >= 0 && *upper >= 0 ? std::optional(*upper - *lower)
                                                        : std::nullopt;
  }

  // What the next iteration takes, and what the second half of the iteration takes over there.
  void collectCarried() {
    for (auto [argument, yielded] : carriedValues())
      (isLate(yielded.getDefiningOp()) ? lateArguments : arguments).push_back(argument);
    auto take = [&](Value value) {
      Operation *op = value.getDefiningOp();
      const bool isOfIteration = op ? op->getBlock() == body && !isLate(op)
                                    : cast<BlockArgument>(value).getOwner() == body;
      if (isOfIteration)
        taken.insert(value);
    };
    for (Operation *op : late)
      op->walk([&](Operation *inner) { llvm::for_each(inner->getOperands(), take); });
    for (BlockArgument argument : lateArguments)
      take(loop.getTiedLoopYieldedValue(argument)->get());
  }

  void clone(OpBuilder &b, IRMapping &map, function_ref<bool(Operation *)> isWanted) {
    for (Operation &op : body->without_terminator())
      if (isWanted(&op))
        b.clone(op, map);
  }

  bool isHead(Operation *op) const { return !late.contains(op) && !tail.contains(op); }

  // The first half of the first iteration, the loop of the others, and the second half of the last
  // one; returns the loop's results.
  SmallVector<Value> rotated(OpBuilder &b) {
    IRMapping map;
    map.map(loop.getInductionVar(), loop.getLowerBound());
    map.map(loop.getRegionIterArgs(), loop.getInitArgs());
    clone(b, map, [&](Operation *op) { return isHead(op); });
    clone(b, map, [&](Operation *op) { return tail.contains(op); });
    SmallVector<Value> inits = nextArguments(map);
    for (Value value : taken)
      inits.push_back(map.lookupOrDefault(value));
    Location loc = loop.getLoc();
    Value second = arith::AddIOp::create(b, loc, loop.getLowerBound(), loop.getStep());
    auto rest = scf::ForOp::create(b, loc, second, loop.getUpperBound(), loop.getStep(), inits);
    rest->setAttrs(loop->getAttrs());
    rest.getInductionVar().setLoc(loop.getInductionVar().getLoc());
    nameCarried(rest);
    {
      OpBuilder::InsertionGuard guard(b);
      b.setInsertionPointToStart(rest.getBody());
      scf::YieldOp::create(b, loc, iteration(b, rest));
    }
    release(b, /*isAfterMultiply=*/true);
    IRMapping last;
    last.map(taken.getArrayRef(), rest.getResults().drop_front(arguments.size()));
    clone(b, last, [&](Operation *op) { return late.contains(op); });
    SmallVector<Value> results;
    unsigned next = 0;
    for (BlockArgument argument : loop.getRegionIterArgs())
      results.push_back(llvm::is_contained(lateArguments, argument)
                            ? last.lookupOrDefault(loop.getTiedLoopYieldedValue(argument)->get())
                            : rest.getResult(next++));
    return results;
  }

  SmallVector<Value> nextArguments(const IRMapping &map) {
    return llvm::map_to_vector(arguments, [&](BlockArgument argument) {
      return map.lookupOrDefault(loop.getTiedLoopYieldedValue(argument)->get());
    });
  }

  void nameCarried(scf::ForOp rest) {
    auto own = rest.getRegionIterArgs();
    for (auto [argument, mine] : llvm::zip(arguments, own))
      mine.setLoc(argument.getLoc());
    for (auto [value, mine] : llvm::zip(taken, own.drop_front(arguments.size())))
      mine.setLoc(value.getLoc());
  }

  // Starts a group of multiplies and what comes before the last of them.
  void start(OpBuilder &b, IRMapping &map, const Ops &group,
             function_ref<bool(Operation *)> isPart) {
    clone(b, map, [&](Operation *op) {
      return isPart(op) && !isa<tile::ConsumerReleaseOp>(op) &&
             (op == group.back() || op->isBeforeInBlock(group.back()));
    });
    for (Operation *multiply : group)
      map.lookup(multiply->getResult(0)).getDefiningOp<tile::SharedMmaOp>().setInFlight(true);
  }

  // Waits until all but `pending` multiplies are complete, with those of the group; their operands
  // may be overwritten then.
  void finish(OpBuilder &b, IRMapping &map, const Ops &group, int64_t pending) {
    for (Operation *multiply : group) {
      Value result = multiply->getResult(0);
      const bool isTakenOn =
          llvm::any_of(multiply->getUsers(), [&](Operation *user) { return group.contains(user); });
      if (!isTakenOn)
        map.map(result,
                tile::MmaFinishOp::create(b, multiply->getLoc(), map.lookup(result), pending));
      if (Value a = multiply->getOperand(0); isa<RankedTensorType>(a.getType()))
        tile::MmaDoneOp::create(b, multiply->getLoc(), map.lookupOrDefault(a));
    }
    for (Operation *multiply : group)
      b.clone(*releaseOf(cast<tile::SharedMmaOp>(multiply)), map);
  }

  SmallVector<Value> iteration(OpBuilder &b, scf::ForOp rest) {
    auto own = rest.getRegionIterArgs();
    IRMapping here, before;
    here.map(loop.getInductionVar(), rest.getInductionVar());
    here.map(ArrayRef(arguments), own.take_front(arguments.size()));
    before.map(taken.getArrayRef(), own.drop_front(arguments.size()));
    auto isLater = [&](const Ops &group) {
      return [&group](Operation *op) {
        return group.back()->isBeforeInBlock(op) && !isa<tile::ConsumerReleaseOp>(op);
      };
    };
    start(b, here, first, [&](Operation *op) { return isHead(op); });
    start(b, before, second, [&](Operation *op) { return late.contains(op); });
    finish(b, here, first, /*pending=*/int64_t(second.size()));
    auto isAfterFirst = isLater(first), isAfterSecond = isLater(second);
    clone(b, here, [&](Operation *op) { return isHead(op) && isAfterFirst(op); });
    finish(b, before, second, /*pending=*/0);
    clone(b, before, [&](Operation *op) { return late.contains(op) && isAfterSecond(op); });
    for (BlockArgument argument : lateArguments)
      here.map(argument, before.lookupOrDefault(loop.getTiedLoopYieldedValue(argument)->get()));
    clone(b, here, [&](Operation *op) { return tail.contains(op); });
    SmallVector<Value> next = nextArguments(here);
    for (Value value : taken)
      next.push_back(here.lookupOrDefault(value));
    return next;
  }

  scf::ForOp loop;
  Block *body;
  Ops first, second; // multiplies
  Ops late, tail;
  SmallVector<BlockArgument> arguments, lateArguments; // computed in the first, the second half
  llvm::SetVector<Value> taken;                        // over to the second half
  SmallVector<Operation *> releases;                   // behind the loop, with their barriers
};

struct OverlapChains : impl::OverlapChainsBase<OverlapChains> {
  void runOnOperation() override {
    func::FuncOp kernel = getOperation();
    if (!kernel->hasAttr(tile::warpSpecializedAttr) || !policyOf(kernel).in_flight)
      return;
    for (scf::ForOp loop : loopsOfConsumers(kernel))
      if (Rotation rotation(loop); rotation.find())
        rotation.rewrite();
  }
};

} // namespace
} // namespace tessera::plan
