// Where a producer warp fills the rings, a multiply of a chain is a wgmma that its warpgroup
// starts and awaits. What a program has behind it waits, whether it takes the accumulator or not.
// So the multiplies of an iteration start as early as their operands are there, and each is
// awaited where its accumulator is read:
//
//   for { %s = mma %k, %q; %p = f(%s); %dv = mma %p, %do, %dv'
//         %dp = mma %v, %do; %ds = g(%p, %dp); %dk = mma %ds, %q, %dk' }
// becomes
//   for { %s = mma_start %k, %q; %dp = mma_start %v, %do
//         mma_finish %s, all but one; %p = f(%s); %dv = mma_start %p, %do, %dv'
//         mma_finish %dp, all but one; %ds = g(%p, %dp); %dk = mma_start %ds, %q, %dk'
//         mma_finish %dv, all but one; mma_finish %dk }
//
// which are gradients of attention: threads compute f while the multiply into %dp is in flight,
// and g while the one into %dv is. A stage is released when all multiplies that read it are
// complete.
//
// What is in flight keeps its registers: a kernel that would spill stays as it is.
//
// The pass overlap-chains does more for two multiplies with operands of their own: theirs are in
// flight from one iteration to the next. Here that would take registers for the operands and
// accumulators of four.
#include "plan/analysis/Chains.h"
#include "plan/analysis/Occupancy.h"
#include "plan/Passes.h"
#include "plan/pipeline/InFlight.h"
#include "plan/Plan.h"
#include "tile/Attributes.h"

using namespace mlir;

namespace tessera::plan {

#define GEN_PASS_DEF_DEFERWAITS
#include "plan/Passes.h.inc"

namespace {

using Ops = llvm::SetVector<Operation *>;

class Deferral {
public:
  explicit Deferral(scf::ForOp loop) : loop(loop), body(loop.getBody()) {}

  // Finds the multiplies; false if they cannot be started early.
  bool find() {
    std::optional<Chain> chain = chainOf(loop);
    if (!chain)
      return false;
    for (Operation &op : body->without_terminator())
      if (auto multiply = dyn_cast<tile::SharedMmaOp>(op))
        multiplies.push_back(multiply);
    return llvm::all_of(multiplies, canStart) && findWaits() && areReleasesKnown() &&
           areOthersMovable();
  }

  void rewrite() {
    SmallVector<Operation *> order = orderOfOps();
    Operation *end = body->getTerminator();
    for (Operation *op : order)
      op->moveBefore(end);
    for (tile::SharedMmaOp multiply : multiplies)
      multiply.setInFlight(true);
    llvm::sort(multiplies, [](Operation *x, Operation *y) { return x->isBeforeInBlock(y); });
    for (Operation *op : order)
      finishWhatIsReadBy(op);
    for (tile::SharedMmaOp multiply : SmallVector<tile::SharedMmaOp>(multiplies))
      if (!isContinued(multiply))
        finish(multiply, end);
  }

private:
  // A warpgroup multiply that is complete before the op after it, with an operand A that nothing
  // else takes from its registers.
  static bool canStart(tile::SharedMmaOp multiply) {
    Operation *a = multiply.getA().getDefiningOp();
    return multiply.getInstruction().isOfWarpgroups() && !multiply.getInFlight() &&
           !multiply.getPromotes() &&
           (!multiply.hasAInRegisters() ||
            (a && a->getBlock() == multiply->getBlock() && a->hasOneUse()));
  }

  // The consumer wait for each slot of the iteration is the op before it, or before the slots of
  // the same stage: multiplies read them, and threads load rows from them.
  bool findWaits() {
    for (auto slot : body->getOps<tile::SharedSlotOp>()) {
      Operation *before = slot->getPrevNode();
      while (isa_and_present<tile::SharedSlotOp>(before))
        before = before->getPrevNode();
      auto wait = dyn_cast_or_null<tile::WaitGroupOp>(before);
      if (wait && wait.isFilledByProducerWarp() && wait.getSlot() == slot.getIndex())
        waits[slot] = wait;
      else if (llvm::any_of(slot->getUsers(), llvm::IsaPred<tile::SharedMmaOp>) ||
               isOfStage(slot.getIndex()))
        return false;
    }
    return !waits.empty();
  }

  // Is it the index of a stage that the iteration waits for?
  bool isOfStage(Value index) const {
    return llvm::any_of(body->getOps<tile::WaitGroupOp>(), [&](tile::WaitGroupOp wait) {
      return wait.isFilledByProducerWarp() && wait.getSlot() == index;
    });
  }

  // Is the load one of a row from which the operand of a multiply is computed? The multiply, and
  // with it the last one of its stage, is complete only after all threads have loaded it.
  static bool isReadFor(Operation *load, const Ops &readers) {
    return llvm::any_of(readers, [&](Operation *reader) {
      return isa<tile::SharedMmaOp>(reader) && opsBehind(reader).contains(load);
    });
  }

  // Is each release one of a slot that is waited for, behind all that reads it?
  bool areReleasesKnown() {
    for (auto release : body->getOps<tile::ConsumerReleaseOp>()) {
      Ops readers;
      for (auto [slot, wait] : waits)
        if (wait.getBarriers() == release.getBarriers() && wait.getSlot() == release.getSlot())
          for (Operation *user : slot->getUsers())
            readers.insert(user);
      if (readers.empty() || !llvm::all_of(readers, [&](Operation *reader) {
            return reader->isBeforeInBlock(release) &&
                   (isa<tile::SharedMmaOp>(reader) ||
                    (isa<tile::SharedLoadOp>(reader) && isReadFor(reader, readers)));
          }))
        return false;
      readers.remove_if([](Operation *reader) { return !isa<tile::SharedMmaOp>(reader); });
      releases.emplace_back(release, readers);
    }
    return true;
  }

  // May all ops from the first wait on come after multiplies that the program has behind them?
  bool areOthersMovable() {
    Operation *first = nullptr;
    for (auto [slot, wait] : waits)
      if (!first || wait->isBeforeInBlock(first))
        first = wait;
    for (Operation *op = first; op != body->getTerminator(); op = op->getNextNode()) {
      if (isa<tile::SharedMmaOp, tile::ConsumerReleaseOp>(op)) {
      } else if (auto wait = dyn_cast<tile::WaitGroupOp>(op)) {
        if (!wait.isFilledByProducerWarp() ||
            llvm::none_of(waits, [&](auto known) { return known.second == wait; }))
          return false;
      } else if (!isMemoryEffectFree(op) && !isa<tile::SharedLoadOp>(op)) {
        return false;
      }
      if (!isa<tile::ConsumerReleaseOp>(op))
        movable.insert(op);
    }
    return llvm::all_of(multiplies,
                        [&](Operation *multiply) { return movable.contains(multiply); });
  }

  // Adds the op and what it takes in its iteration, but for other multiplies, which it counts.
  int64_t collect(Operation *op, Ops &slice) const {
    int64_t level = 0;
    slice.insert(op);
    for (size_t i = 0; i < slice.size(); ++i) {
      Operation *user = slice[i];
      auto add = [&](Operation *made) {
        if (!made || !movable.contains(made))
          return;
        if (auto other = dyn_cast<tile::SharedMmaOp>(made); !other)
          slice.insert(made);
        else if (auto mine = dyn_cast<tile::SharedMmaOp>(user);
                 mine && mine.getC() == other.getResult())
          level = std::max(level, levels.lookup(other)); // one accumulator
        else
          level = std::max(level, levels.lookup(other) + 1);
      };
      if (auto slot = dyn_cast<tile::SharedSlotOp>(user); slot && waits.contains(slot))
        add(waits.lookup(slot));
      user->walk([&](Operation *inner) {
        for (Value operand : inner->getOperands())
          if (Operation *made = operand.getDefiningOp())
            add(body->findAncestorOpInBlock(*made));
      });
    }
    return level;
  }

  // The multiplies by how many others they wait for, each behind what it takes; then what is left.
  SmallVector<Operation *> orderOfOps() {
    SmallVector<Ops> slices;
    for (tile::SharedMmaOp multiply : multiplies) {
      Ops slice;
      levels[multiply] = collect(multiply, slice);
      slices.push_back(std::move(slice));
    }
    SmallVector<std::pair<int64_t, size_t>> byLevel;
    for (auto [i, multiply] : llvm::enumerate(multiplies))
      byLevel.emplace_back(levels.lookup(multiply), i);
    llvm::sort(byLevel);
    Ops order;
    for (auto [level, i] : byLevel) {
      SmallVector<Operation *> slice = slices[i].takeVector();
      llvm::sort(slice, [](Operation *x, Operation *y) { return x->isBeforeInBlock(y); });
      order.insert(slice.begin(), slice.end());
    }
    order.insert(movable.begin(), movable.end());
    return order.takeVector();
  }

  // Is the accumulator only the next multiply's?
  static bool isContinued(tile::SharedMmaOp multiply) {
    auto next = multiply->hasOneUse() ? dyn_cast<tile::SharedMmaOp>(*multiply->user_begin())
                                      : tile::SharedMmaOp();
    return next && next.getC() == multiply.getResult();
  }

  void finishWhatIsReadBy(Operation *op) {
    Ops read;
    op->walk([&](Operation *inner) {
      for (Value operand : inner->getOperands())
        if (auto multiply = operand.getDefiningOp<tile::SharedMmaOp>();
            multiply && !(inner == op && isContinued(multiply)))
          read.insert(multiply);
    });
    for (tile::SharedMmaOp multiply : SmallVector<tile::SharedMmaOp>(multiplies))
      if (read.contains(multiply))
        finish(multiply, op);
  }

  // Waits for the multiply in front of an op, and with it for those that started earlier. What the
  // op reads of shared memory is read after that: it needs registers.
  void finish(tile::SharedMmaOp multiply, Operation *before) {
    while (isa<tile::SharedLoadOp, tile::ReshapeOp, tile::BroadcastOp>(before->getPrevNode()))
      before = before->getPrevNode();
    OpBuilder b(before);
    Location loc = multiply.getLoc();
    const int64_t pending = llvm::count_if(allStarted(), [&](Operation *other) {
      return multiply->isBeforeInBlock(other) && other->isBeforeInBlock(before);
    });
    auto finished = tile::MmaFinishOp::create(b, loc, multiply.getResult(), pending);
    multiply.getResult().replaceAllUsesExcept(finished, finished);
    while (true) {
      if (multiply.hasAInRegisters())
        tile::MmaDoneOp::create(b, loc, multiply.getA());
      complete.insert(multiply);
      llvm::erase(multiplies, multiply);
      auto earlier = multiply.getC().getDefiningOp<tile::SharedMmaOp>();
      if (!earlier || !llvm::is_contained(multiplies, earlier))
        break;
      multiply = earlier;
    }
    for (auto &[release, readers] : releases)
      if (release &&
          llvm::all_of(readers, [&](Operation *reader) { return complete.contains(reader); })) {
        release->moveBefore(before);
        release = nullptr;
      }
  }

  SmallVector<Operation *> allStarted() {
    SmallVector<Operation *> started(multiplies.begin(), multiplies.end());
    llvm::append_range(started, complete);
    return started;
  }

  scf::ForOp loop;
  Block *body;
  SmallVector<tile::SharedMmaOp> multiplies; // that are not finished yet, in order
  llvm::MapVector<tile::SharedSlotOp, tile::WaitGroupOp> waits;
  // And the multiplies that read what they release.
  SmallVector<std::pair<tile::ConsumerReleaseOp, Ops>> releases;
  Ops movable, complete;
  llvm::DenseMap<Operation *, int64_t> levels;
};

struct DeferWaits : impl::DeferWaitsBase<DeferWaits> {
  void runOnOperation() override {
    func::FuncOp kernel = getOperation();
    if (!kernel->hasAttr(tile::warpSpecializedAttr) || !policyOf(kernel).in_flight)
      return;
    OwningOpRef<func::FuncOp> original;
    for (scf::ForOp loop : loopsOfConsumers(kernel)) {
      Deferral deferral(loop);
      if (!deferral.find())
        continue;
      if (!original)
        original = kernel.clone();
      deferral.rewrite();
    }
    if (original && neededRegisters(kernel) > availableRegisters(kernel))
      kernel.getBody().takeBody(original->getBody());
  }
};

} // namespace
} // namespace tessera::plan
