// Software pipelining of counted loops that read operands of a multiply from views: the reads of
// later iterations start before they are needed.
//
//   for i { %x = view_load(i); shared_store %x, %s; shared_mma %s }
// becomes, with S stages,
//   for s < S-1 { copy_async ring[s] <- view(s) when it exists; commit_group } for i { wait_group
//   S-2; copy_async ring[(i+S-1) % S] <- view(i+S-1) when it exists; commit_group; shared_mma
//   ring[i % S] } wait_group 0
// The copies of one iteration form one group, whether or not there is anything left to copy, so
// that counting groups is counting iterations. A copy overwrites the stage that the last iteration
// read: the barrier after wait_group (see InsertBarriers) lies in between.
//
// A wgmma that its own iteration waits for starts before the copies that threads make, which take
// time:
//   wait_group S-2; shared_mma {inFlight}; copy_async ...; commit_group; mma_wait 0
// If it is the only multiply of its loop, and its accumulator has no other use there, it may stay
// in flight while the next iteration waits for its copies:
//   ...  copies S-2 iterations ahead; shared_mma {inFlight}; mma_wait 1  } mma_finish
// That needs one more stage: the stage to overwrite was read by the iteration before the last,
// whose multiply all threads have waited for. Several multiplies in one accumulator chain, each
// with operands of its own of the same size, as the pass subtile-k leaves them, take turns in the
// ring:
//   for i { ...  shared_mma ring[j]; ...; shared_mma ring[j + 1] }
// Each has its own wait, and starts the copies for a multiply at the prefetch distance. Several
// multiplies with accumulators of their own, such as the two of a SwiGLU, are left in flight where
// only one block fits: the last multiply of an iteration is in flight while the next iteration
// begins.
//
// If the accumulator of an mma.sync has no other use, the next iteration multiplies the last K
// step: its operands are in registers, so the tensor cores have work while the first operands of
// the next stage are read after the barrier. That needs no extra stage.
//
// Where the kernel stands next to another one and its block is alone on an SM, a producer warp
// fills the ring instead (WarpSpecialization.h).
//
// Where the GPU has bulk copies for all of a ring, its stages have full barriers (mbarriers), at
// which the copies that one thread of a warp starts arrive; wait_group names the slot that it waits
// for. Where a view allows none when the kernel runs, the same ops copy as above.
//
// A read qualifies if its address depends only on the induction variable, on values from outside
// the loop and on loop-carried numbers and pointers with a constant stride, if its last dimension
// is contiguous in chunks of 16 bytes, if it pads with zeros, and if nothing in the loop may change
// what is read. A read by a tile of pointers qualifies in the same way if contiguous pointers are
// known and its mask, too, is known in another iteration: gather_async copies by that iteration's
// pointers. The multiply may take a reshape of the read, such as a tile without the dimensions of
// one element: its elements have the same order. What else the loop does with an operand, it does
// with what it reads again from its stage (RereadOperands.h).
#include "plan/analysis/Accesses.h"
#include "plan/mma/ComputedOperands.h"
#include "plan/pipeline/ChooseRing.h"
#include "plan/pipeline/InFlight.h"
#include "plan/pipeline/LoadRings.h"
#include "plan/pipeline/Prologue.h"
#include "plan/pipeline/RereadOperands.h"
#include "plan/analysis/Layouts.h"
#include "plan/analysis/Matmuls.h"
#include "plan/analysis/Occupancy.h"
#include "plan/Passes.h"
#include "plan/Plan.h"
#include "plan/pipeline/RingCopies.h"
#include "plan/pipeline/ShiftedRows.h"
#include "plan/pipeline/SingleStages.h"
#include "plan/pipeline/WarpSpecialization.h"
#include "tile/Attributes.h"
#include "tile/Sources.h"
#include "tile/TileDialect.h"

using namespace mlir;

namespace tessera::plan {

#define GEN_PASS_DEF_PIPELINELOOPS
#include "plan/Passes.h.inc"

namespace {

// Threads compute of the tiles that they have read while the multiply is in flight.
void awaitBehindComputations(Operation *wait) {
  Operation *last = wait;
  for (Operation *next = wait->getNextNode();
       !next->hasTrait<OpTrait::IsTerminator>() &&
       (isPure(next) || isa<tile::SharedLoadOp, tile::SharedSlotOp>(next));
       next = next->getNextNode())
    if (llvm::any_of(next->getResultTypes(), llvm::IsaPred<RankedTensorType>))
      last = next;
  if (last != wait)
    wait->moveAfter(last);
}

void pipeline(scf::ForOp loop, const PipelinedLoop &planned) {
  const Ring &ring = planned.ring;
  ArrayRef<SmallVector<PipelinedLoad>> parts = planned.parts;
  ArrayRef<tile::SharedMmaOp> accumulator = planned.accumulator;
  Location loc = loop.getLoc();
  auto count = int64_t(parts.size()), stages = ring.stages;
  int64_t ahead = ring.isInFlight ? stages - 2 : stages - 1; // parts
  const bool isLeft = ring.isInFlight || ring.isStepBehind || ring.startsFirst;
  Operation *finish = isLeft ? leaveInFlight(loop, accumulator) : nullptr;
  OpBuilder b(loop);
  auto constant = [&](Type t, int64_t v) -> Value {
    return arith::ConstantOp::create(b, loc, b.getIntegerAttr(t, v));
  };
  SmallVector<RingOfTiles> rings;
  for (auto [s, ends] : llvm::zip_equal(parts.front(), endsOf(parts))) {
    auto make = [&](Type type) -> Value {
      return tile::SharedAllocOp::create(b, loc, type, stages, IntegerAttr());
    };
    tile::SharedAllocOp buffer = s.buffer;
    rings.push_back({make(buffer.getType()), ring.hasEnds && ends ? make(ends) : Value()});
  }
  std::optional<BulkRing> bulk;
  if (ring.isBulk)
    bulk = beginBulkRing(loop, parts, stages);
  startPrologue(b, loop, parts, rings, bulk, ahead);

  // Two more loop-carried values: the slot that is read and the slot that is filled.
  auto slotAfter = [&](OpBuilder &at, Value slot, int64_t steps) {
    for (; steps; --steps)
      slot = nextSlot(at, loc, slot, stages);
    return slot;
  };
  SmallVector<Value> slots = {constant(b.getI32Type(), 0), constant(b.getI32Type(), ahead)};
  SmallVector<BlockArgument> carried;
  scf::ForOp newLoop =
      carryMore(loop, slots, [&](OpBuilder &inner, Location at, ArrayRef<BlockArgument> arguments) {
        carried.assign(arguments.begin(), arguments.end());
        carried[0].setLoc(NameLoc::get(b.getStringAttr("read"), at));
        carried[1].setLoc(NameLoc::get(b.getStringAttr("fill"), at));
        return SmallVector<Value>{slotAfter(inner, arguments[0], count),
                                  slotAfter(inner, arguments[1], count)};
      });
  b.setInsertionPointToStart(newLoop.getBody());
  for (int64_t part = 0; part < count; ++part) {
    if (part)
      b.setInsertionPoint(accumulator[part]);
    Value read = slotAfter(b, carried[0], part);
    waitForCopies(b, newLoop, parts[part], rings, bulk, ahead - 1, read);
    auto takeOperands = [&] {
      for (auto [pipelined, ring] : llvm::zip(parts[part], rings)) {
        tile::SharedAllocOp buffer = pipelined.buffer;
        Value slot = tile::SharedSlotOp::create(b, loc, buffer.getType(), ring.tiles, read);
        buffer.getResult().replaceAllUsesWith(slot);
      }
    };
    if (ring.startsFirst) {
      takeOperands();
      tile::SharedMmaOp multiply = accumulator[part];
      multiply.getWait().setPending(0);
      awaitBehindComputations(multiply.getWait());
      multiply->moveBefore(b.getInsertionBlock(), b.getInsertionPoint());
    }
    Value i = newLoop.getInductionVar();
    int64_t iterations = (part + ahead) / count;
    Value later = advance(b, newLoop, i, b.getIndexAttr(iterations));
    Value exists = iterationExists(b, newLoop, i, later, b.getIndexAttr(iterations));
    startCopies(b, newLoop, parts[(part + ahead) % count], rings, bulk,
                {later, exists, iterations, false}, slotAfter(b, carried[1], part));
    if (!ring.startsFirst)
      takeOperands();
  }
  // Only now: the builder may stand in front of the first of them. Their reads are dead with them.
  for (ArrayRef<PipelinedLoad> part : parts)
    for (PipelinedLoad pipelined : part) {
      pipelined.store.erase();
      pipelined.buffer.erase();
    }
  // The barrier after this wait guarantees that all threads have read the last stage.
  b.setInsertionPointAfter(finish ? finish : newLoop);
  tile::WaitGroupOp::create(b, loc, 0);
}

// Such a loop will be folded: there is nothing to copy ahead of it.
bool hasOneIteration(scf::ForOp loop) {
  auto lower = getConstantIntValue(loop.getLowerBound()),
       upper = getConstantIntValue(loop.getUpperBound()),
       step = getConstantIntValue(loop.getStep());
  return lower && upper && step && *lower >= 0 && *upper >= 0 && *upper - *lower <= *step;
}

struct PipelineLoops : impl::PipelineLoopsBase<PipelineLoops> {
  void runOnOperation() override {
    eraseDead(getOperation());
    const bool multiplies = hasMultiply(getOperation());
    SmallVector<scf::ForOp> loops;
    getOperation().walk([&](scf::ForOp loop) { loops.push_back(loop); });
    for (scf::ForOp loop : loops) {
      // What a work tile reads before its loops is read by the consumers of a ring alone.
      if (hasOneIteration(loop) || loop->hasAttr(tile::workTilesAttr))
        continue;
      if (loop->hasAttr(tile::fewIterationsAttr)) {
        for (const PipelinedLoad &pipelined : findPipelinedLoads(loop))
          markWaiting(pipelined.read(), tile::WaitReason::few);
        continue;
      }
      PipelinedLoop planned = multiplies ? planOperands(loop) : chooseLoadRing(loop);
      if (planned.pipelinedLoads.empty())
        continue;
      if (planned.ring.stages >= 2 || !planned.single.parts.empty()) {
        for (PipelinedLoad &pipelined : planned.pipelinedLoads)
          hoistInvariants(loop, sliceOf(pipelined.coordinates(), loop));
        if (!planned.single.parts.empty())
          copyIntoSingleStages(loop, planned.single, planned.ring);
        else if (planned.ring.isFilledByWarp)
          fillByWarp(loop, planned.parts, planned.accumulator, planned.ring.stages,
                     planned.ring.isInFlight);
        else
          pipeline(loop, planned);
      } else
        for (PipelinedLoad &pipelined : planned.pipelinedLoads)
          markWaiting(pipelined.read(),
                      policyOf(loop).rings ? tile::WaitReason::room : tile::WaitReason::forbidden);
    }
    eraseDead(getOperation()); // erases the addresses of the reads
    getOperation().walk(markOther);
  }

  static PipelinedLoop planOperands(scf::ForOp loop) {
    SmallVector<PipelinedLoad> reread;
    if (policyOf(loop).rings)
      reread = rereadOperands(loop);
    PipelinedLoop planned = chooseRing(loop, findPipelinedLoads(loop));
    const bool isCopied = planned.ring.stages >= 2 || !planned.single.parts.empty();
    for (PipelinedLoad each : reread)
      if (!isCopied || !pipelinedLoadInto(each.buffer, planned.pipelinedLoads))
        readFromRegisters(each);
    return planned;
  }

  // An operand in a loop that was not visited above: its read is not in the body of a loop that
  // could have a ring.
  static void markOther(tile::SharedStoreOp store) {
    auto buffer = store.getShared().getDefiningOp<tile::SharedAllocOp>();
    Operation *read = readOf(store.getValue());
    if (!read)
      read = store.getValue().getDefiningOp<tile::LoadOp>();
    bool isOperand = buffer && llvm::any_of(buffer->getUsers(), llvm::IsaPred<tile::SharedMmaOp>);
    if (!isOperand || !read || waitOf(read) || !read->getParentOfType<LoopLikeOpInterface>())
      return;
    auto loop = dyn_cast<scf::ForOp>(read->getParentOp());
    markWaiting(read, isa<scf::WhileOp>(read->getParentOp()) ? tile::WaitReason::uncounted
                      : !loop                                ? tile::WaitReason::branch
                      : hasOneIteration(loop)                ? tile::WaitReason::once
                                                             : tile::WaitReason::uses);
  }
};

} // namespace
} // namespace tessera::plan
