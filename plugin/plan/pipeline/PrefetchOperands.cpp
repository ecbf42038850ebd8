// A multiply that takes operand A from registers leaves the tensor core idle while threads fill
// them from a stage of a ring. Where a block has an SM for itself, threads fill them for the next
// iteration while the multiply of this one is in flight:
//
//   for { wait_group N; copies; %x = shared_load A[read]; mma %x, B[read] }
// becomes
//   %x = shared_load A[first], if there is an iteration
//   for (%x, %before) { mma_start %x, B[read]; mma_wait 1; mma_done %before
//     %next = if there is a next iteration { wait_group N - 1; copies; shared_load A[next] } else %before
//   } (%next, %x)
//
// The tensor core reads %x until mma_wait of the next iteration: only then may the registers be
// filled again, now those of %before. The two swap in each iteration; the emitted loop is written
// for two iterations, so that no register is moved. Copies go to the stage that the previous
// multiply read; all threads have waited for that multiply at the barrier after wait_group.
//
// tf32, row-major, 4096^3, on an H200: 404 TFLOP/s instead of 267, tiles of 256x128x32 (cuBLAS 416;
// bench/results/2026-11-24-tf32-h200.txt). Two blocks that share an SM fill their registers while
// the other one multiplies: 128x128x32 has 316 without the prefetch, 297 with it.
//
// Where a producer warp fills the ring (WarpSpecialization.h) there is nothing to copy; the
// consumer release of a stage follows the wait for the multiply that read it.
#include "plan/pipeline/InFlight.h"
#include "plan/analysis/Layouts.h"
#include "plan/analysis/MatmulForms.h"
#include "plan/analysis/Occupancy.h"
#include "plan/analysis/OtherIterations.h"
#include "plan/Passes.h"
#include "plan/Plan.h"
#include "target/RegisterBudgets.h"

#include "mlir/Dialect/UB/IR/UBOps.h"

using namespace mlir;

namespace tessera::plan {

#define GEN_PASS_DEF_PREFETCHOPERANDS
#include "plan/Passes.h.inc"

namespace {

int64_t wordsOf(Value tile) {
  auto type = cast<RankedTensorType>(tile.getType());
  return toLinear(type).registerCount() * tile::storageBits(type.getElementType()) / 32;
}

// Does the accumulator leave an SM's registers to one block, with room for two operands?
bool hasRoom(tile::SharedMmaOp multiply) {
  int64_t accumulator = wordsOf(multiply.getResult()), operand = wordsOf(multiply.getA()),
          threads =
              int64_t(32) << toLinear(cast<RankedTensorType>(multiply.getType())).warps().size();
  return accumulator + 2 * operand <= registersOfOperandsAhead &&
         2 * threads * (accumulator + registersBesidesMultiply) >
             targetOf(multiply).registersOfMultiprocessor;
}

class OperandAhead {
public:
  explicit OperandAhead(scf::ForOp loop) : loop(loop) {}

  // Finds what an iteration does; false if the loop has another form.
  bool find() {
    return findMultiply() && findOperand(multiply.getA()) && findRest() && isNextOfSlotAlone();
  }

  void rewrite() {
    OpBuilder b(loop);
    Location loc = NameLoc::get(b.getStringAttr("operand"), multiply.getLoc());
    Value first = readFirst(b, loc), none = ub::PoisonOp::create(b, loc, multiply.getA().getType());
    scf::ForOp newLoop = carryMore(
        loop, {first, none}, [&](OpBuilder &inner, Location, ArrayRef<BlockArgument> operands) {
          return rewriteBody(inner, loc, operands[0], operands[1]);
        });
    leaveInFlight(newLoop, multiply);
    b.setInsertionPointAfter(
        newLoop.getTiedLoopResult(cast<BlockArgument>(multiply.getC())).use_begin()->getOwner());
    tile::MmaDoneOp::create(b, loc, newLoop.getResults().take_back(2));
    // After the wait for the previous multiply.
    b.setInsertionPointAfter(multiply->getNextNode());
    auto done = tile::MmaDoneOp::create(b, loc, ValueRange(newLoop.getRegionIterArgs().back()));
    if (release)
      release->moveAfter(done);
  }

private:
  bool isInBody(Operation *op) { return op && op->getBlock() == loop.getBody(); }

  // The only multiply of the loop, whose accumulator has no other use.
  bool findMultiply() {
    int64_t multiplies = 0;
    loop.walk([&](tile::SharedMmaOp op) {
      multiply = op;
      ++multiplies;
    });
    if (multiplies != 1 || !isInBody(multiply) || !multiply.getInstruction().isAsync() ||
        !multiply.hasAInRegisters() || multiply.getInFlight())
      return false;
    auto slot = multiply.getB().getDefiningOp<tile::SharedSlotOp>();
    if (loopOfAccumulator(multiply) != loop || !isInBody(slot))
      return false;
    read = dyn_cast<BlockArgument>(slot.getIndex());
    return read && read.getOwner() == loop.getBody() && read != loop.getInductionVar() &&
           hasRoom(multiply) && !callsFunctions(loop->getParentOfType<func::FuncOp>());
  }

  // Collects the ops that the operand is computed from: tiles in the stage that this iteration
  // reads, and loop invariants, by ops that leave each element to its thread.
  bool findOperand(Value value) {
    Operation *op = value.getDefiningOp();
    if (!isInBody(op))
      return value == read || value.getParentBlock() != loop.getBody();
    if (operandOps.contains(op))
      return true;
    auto load = dyn_cast<tile::SharedLoadOp>(op);
    bool isOfThread =
        isa<tile::SharedSlotOp, tile::PermuteOp, tile::ReshapeOp, tile::SplatOp>(op) ||
        (load && load.getStarts().empty()) ||
        (isPure(op) && !op->getNumRegions() && !isa<tile::ScanOp>(op) &&
         !tilesInOneLayout(op).empty());
    if (!isOfThread || !llvm::all_of(op->getOperands(), [&](Value v) { return findOperand(v); }))
      return false;
    operandOps.insert(op);
    return true;
  }

  // The wait, the ops on copied tiles after it, the copies of a later iteration, and everything
  // that needs none of these.
  bool findRest() {
    for (Operation &op : loop.getBody()->without_terminator()) {
      if (auto group = dyn_cast<tile::WaitGroupOp>(op)) {
        if (wait || (group.getPending() < 1 && !group.isFilledByProducerWarp()))
          return false;
        wait = group;
      } else if (auto other = dyn_cast<tile::ConsumerReleaseOp>(op)) {
        release = other; // a loop has one ring that a producer warp fills
      } else if (auto round = dyn_cast<tile::RoundCopiedOp>(op)) {
        if (!round.getShared().getDefiningOp<tile::SharedSlotOp>())
          return false;
        rounds.push_back(round);
      } else if (isa<tile::CopyAsyncOp, tile::GatherAsyncOp, tile::CommitGroupOp>(op)) {
        copies.push_back(&op);
      } else if (!operandOps.contains(&op) && &op != multiply.getOperation() &&
                 (op.getNumRegions() || !(isPure(&op) || isa<tile::SharedSlotOp>(op)))) {
        return false;
      }
    }
    // The multiply is the only use of what becomes the operand.
    bool isOperandAlone = llvm::all_of(operandOps, [&](Operation *op) {
      return isa<tile::SharedSlotOp>(op) || llvm::all_of(op->getUsers(), [&](Operation *user) {
               return operandOps.contains(user) || user == multiply;
             });
    });
    return wait && isOperandAlone && isFilledBehind();
  }

  // Copies go to the stage of the previous iteration: all others are in flight or being read.
  bool isFilledBehind() {
    if (wait.isFilledByProducerWarp())
      return copies.empty() && release;
    auto slot = multiply.getB().getDefiningOp<tile::SharedSlotOp>();
    auto ring = slot.getRing().getDefiningOp<tile::SharedAllocOp>();
    return ring && int64_t(ring.getStages()) == int64_t(wait.getPending()) + 2;
  }

  // The slot of the next iteration depends only on the slot of this one.
  bool isNextOfSlotAlone() {
    SmallVector<Value> work = {loop.getTiedLoopYieldedValue(read)->get()};
    while (!work.empty()) {
      Value value = work.pop_back_val();
      Operation *op = value.getDefiningOp();
      if (!isInBody(op)) {
        if (value != read && value.getParentBlock() == loop.getBody())
          return false;
        continue;
      }
      if (!isPure(op))
        return false;
      llvm::append_range(work, op->getOperands());
    }
    return true;
  }

  // Waits for the copies of an iteration, whose slot `map` gives, and reads its operand.
  Value readOperand(OpBuilder &b, IRMapping &map, int64_t pending, bool withCopies) {
    auto cloneAll = [&](auto &&ops) {
      for (Operation *op : ops)
        b.clone(*op, map);
    };
    for (tile::RoundCopiedOp round : rounds)
      if (Operation *slot = round.getShared().getDefiningOp(); !map.contains(round.getShared()))
        b.clone(*slot, map);
    auto group = cast<tile::WaitGroupOp>(b.clone(*wait, map));
    group.setPending(pending);
    cloneAll(llvm::map_range(rounds, [](tile::RoundCopiedOp op) { return op.getOperation(); }));
    if (withCopies)
      for (Operation *copy : copies)
        copy->moveBefore(b.getInsertionBlock(), b.getInsertionPoint());
    cloneAll(operandOps);
    return map.lookup(multiply.getA());
  }

  Value ifThereIs(OpBuilder &b, Location loc, Value exists, Value otherwise,
                  function_ref<Value(OpBuilder &)> make) {
    auto choice = scf::IfOp::create(b, loc, multiply.getA().getType(), exists, true);
    OpBuilder then = choice.getThenBodyBuilder(), other = choice.getElseBodyBuilder();
    scf::YieldOp::create(then, loc, make(then));
    if (!otherwise)
      otherwise = ub::PoisonOp::create(other, loc, multiply.getA().getType());
    scf::YieldOp::create(other, loc, otherwise);
    return choice.getResult(0);
  }

  Value readFirst(OpBuilder &b, Location loc) {
    Value lower = loop.getLowerBound(),
          exists = iterationExists(b, loop, lower, lower, b.getIndexAttr(0));
    return ifThereIs(b, loc, exists, Value(), [&](OpBuilder &then) {
      IRMapping map;
      map.map(read, loop.getTiedLoopInit(read)->get());
      return readOperand(then, map, int64_t(wait.getPending()), false);
    });
  }

  SmallVector<Value> rewriteBody(OpBuilder &b, Location loc, BlockArgument operand,
                                 BlockArgument before) {
    operand.setLoc(loc);
    before.setLoc(loc);
    Block *body = b.getInsertionBlock();
    Value nextSlot = loop.getTiedLoopYieldedValue(read)->get();
    Value i = body->getArgument(0), later = advance(b, loop, i, b.getIndexAttr(1)),
          exists = iterationExists(b, loop, i, later, b.getIndexAttr(1));
    Value next = ifThereIs(b, loc, exists, before, [&](OpBuilder &then) {
      IRMapping map;
      map.map(read, nextSlot);
      return readOperand(then, map, std::max<int64_t>(int64_t(wait.getPending()) - 1, 0), true);
    });
    // The multiply first: it needs only the operand and a slot.
    Operation *slot = multiply.getB().getDefiningOp();
    slot->moveBefore(&body->front());
    multiply->moveAfter(slot);
    multiply.getAMutable().assign(operand);
    wait.erase();
    for (tile::RoundCopiedOp round : rounds)
      round.erase();
    for (Operation *op : llvm::reverse(operandOps))
      if (op->use_empty())
        op->erase();
    return {next, operand};
  }

  scf::ForOp loop;
  tile::SharedMmaOp multiply;
  BlockArgument read;
  tile::WaitGroupOp wait;
  tile::ConsumerReleaseOp release; // of a stage that a producer warp fills; or null
  SmallVector<tile::RoundCopiedOp> rounds;
  SmallVector<Operation *> copies;
  llvm::SetVector<Operation *> operandOps;
};

struct PrefetchOperands : impl::PrefetchOperandsBase<PrefetchOperands> {
  void runOnOperation() override {
    if (!policyOf(getOperation()).in_flight)
      return;
    SmallVector<scf::ForOp> loops;
    getOperation().walk([&](scf::ForOp loop) { loops.push_back(loop); });
    for (scf::ForOp loop : loops)
      if (OperandAhead ahead(loop); ahead.find())
        ahead.rewrite();
  }
};

} // namespace
} // namespace tessera::plan
