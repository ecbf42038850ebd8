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
// one element: its elements have the same order.
#include "plan/memory/Accesses.h"
#include "plan/mma/ComputedOperands.h"
#include "plan/pipeline/InFlight.h"
#include "plan/layout/Layouts.h"
#include "plan/analysis/Matmuls.h"
#include "plan/analysis/Occupancy.h"
#include "plan/Passes.h"
#include "plan/Plan.h"
#include "plan/pipeline/RingCopies.h"
#include "plan/pipeline/ShiftedRows.h"
#include "plan/pipeline/WarpSpecialization.h"
#include "tile/Attributes.h"
#include "tile/Sources.h"
#include "tile/TileDialect.h"

using namespace mlir;

namespace tessera::plan {

#define GEN_PASS_DEF_PIPELINELOOPS
#include "plan/Passes.h.inc"

namespace {

// One is read, one is read by the previous multiply, one is being filled.
constexpr int64_t minStagesInFlight = 3;

// Of a block that is alone on its SM, by the program's hint or because there are few blocks: as
// many as hide the latency of a copy where nothing else does.
constexpr int64_t maxStagesAlone = 8;

// An operand A that will be in registers, and that nothing else reads (pass register-operands).
bool isInRegisters(tile::SharedMmaOp multiply, tile::SharedAllocOp operand) {
  int64_t warps = warpsOfAccumulator(cast<RankedTensorType>(multiply.getType()).getNumElements());
  return operand.getResult() == multiply.getA() && llvm::range_size(operand->getUsers()) == 2 &&
         registerOperandOf(multiply, warps);
}

// Of the other operands that a loop's multiplies read: they live as long as the rings.
int64_t bytesBeside(scf::ForOp loop, ArrayRef<PipelinedLoad> pipelinedLoads) {
  llvm::SmallPtrSet<Operation *, 4> others;
  loop.walk([&](tile::SharedMmaOp op) {
    for (Value operand : {op.getA(), Value(op.getB())})
      if (auto buffer = operand.getDefiningOp<tile::SharedAllocOp>();
          buffer && !pipelinedLoadInto(operand, pipelinedLoads) && !isInRegisters(op, buffer))
        others.insert(buffer);
  });
  int64_t bytes = 0;
  for (Operation *buffer : others)
    bytes += bytesOf(cast<tile::SharedType>(buffer->getResult(0).getType()));
  return bytes;
}

// As many stages as fit half of an SM's shared memory, so that two blocks can share an SM and hide
// each other's barriers; if these are too few, what one block may have. Where the program hints at
// more blocks, a ring may have the minimum length. bytes: of a stage; beside: of the other operands
// of the loop's multiplies.
int64_t stagesFor(int64_t bytes, int64_t beside, func::FuncOp kernel) {
  const int64_t sharedOfBlock = targetOf(kernel).sharedOfBlock, most = allowanceOf(kernel).stages;
  if (const int64_t blocks = hintedBlocks(kernel), least = 2; blocks > 2 && most >= least)
    if (int64_t stages = (sharedOfOneOf(blocks, targetOf(kernel)) - beside) / bytes;
        stages >= least)
      return std::min(most, stages);
  int64_t sharedOfHalf = sharedOfBlock / 2, wanted = wantedStages;
  if (beside + wanted * bytes > sharedOfHalf && beside)
    wanted = 2; // an iteration of several multiplies is long enough for the next one's copies
  if (beside + wanted * bytes <= sharedOfHalf)
    return std::min(most, std::max(wanted, (sharedOfHalf - beside) / bytes));
  return std::min(std::min(most, wantedStages), (sharedOfBlock - beside) / bytes);
}

// The pipelined loads of each multiply, where all of them take tiles of the same types, so that
// they share one ring in turn, and a ring of all loads would leave no room for another block. Else
// all pipelined loads together.
SmallVector<SmallVector<PipelinedLoad>> partsOf(const GpuTarget &target,
                                                ArrayRef<tile::SharedMmaOp> accumulator,
                                                ArrayRef<PipelinedLoad> pipelinedLoads) {
  SmallVector<SmallVector<PipelinedLoad>> parts;
  for (tile::SharedMmaOp op : accumulator)
    parts.push_back({*pipelinedLoadInto(op.getA(), pipelinedLoads),
                     *pipelinedLoadInto(op.getB(), pipelinedLoads)});
  size_t count = 0;
  bool isInTurn = !parts.empty();
  for (ArrayRef<PipelinedLoad> part : parts) {
    count += part.size();
    for (auto [pipelined, first] : llvm::zip_equal(part, parts.front())) {
      tile::SharedAllocOp buffer = pipelined.buffer, firstBuffer = first.buffer;
      isInTurn &= buffer.getType() == firstBuffer.getType() &&
                  llvm::range_size(buffer->getUsers()) == 2; // the store and the multiply
    }
  }
  isInTurn &= blocksOfSharedMemory(target, wantedStages * bytesOfStage(pipelinedLoads)) < 2;
  if (isInTurn && count == pipelinedLoads.size())
    return parts;
  return {SmallVector<PipelinedLoad>(pipelinedLoads)};
}

// Do two blocks of this kernel, with these wgmma accumulators and this many bytes in rings, fit an
// SM?
bool fitTwoBlocks(func::FuncOp kernel, ArrayRef<tile::SharedMmaOp> multiplies,
                  int64_t bytesOfRings) {
  int64_t elements = 0, threads = 0;
  for (tile::SharedMmaOp multiply : multiplies) {
    if (!isa<BlockArgument>(multiply.getC()))
      continue; // in the chain of an accumulator that is counted
    int64_t ofAccumulator = cast<RankedTensorType>(multiply.getType()).getNumElements();
    elements += ofAccumulator;
    threads = std::max(threads, 32 * warpsOfAccumulator(ofAccumulator));
  }
  bool hasRegisters = 2 * (elements + registersBesidesMultiply * threads) <=
                      targetOf(kernel).registersOfMultiprocessor;
  return hintedBlocks(kernel) != 1 && hasRegisters &&
         blocksOfSharedMemory(targetOf(kernel), bytesOfRings) >= 2;
}

SmallVector<tile::SharedMmaOp> multipliesOf(scf::ForOp loop) {
  SmallVector<tile::SharedMmaOp> all;
  loop.walk([&](tile::SharedMmaOp op) { all.push_back(op); });
  return all;
}

// Adds the reads that operands are computed from, unless a ring of all reads takes the room of
// another block; returns these. rounds: rounded in the copy where only copies have to do it.
SmallVector<PipelinedLoad> addComputed(scf::ForOp loop, SmallVector<PipelinedLoad> &pipelinedLoads,
                                       bool rounds) {
  auto kernel = loop->getParentOfType<func::FuncOp>();
  SmallVector<PipelinedLoad> computed = throughShared(loop, pipelinedLoads,
                                                      rounds && needsTensorMaps(kernel)),
                             all = pipelinedLoads;
  llvm::append_range(all, computed);
  if (computed.empty())
    return {};
  const GpuTarget &target = targetOf(kernel);
  int64_t bytes = bytesOfStage(all), beside = bytesBeside(loop, all),
          stages = stagesFor(bytes, beside, kernel);
  bool leavesBlock = blocksOfSharedMemory(target, beside + stages * bytes) >= 2 ||
                     !fitTwoBlocks(kernel, multipliesOf(loop), 0);
  if (stages >= 2 && leavesBlock) {
    pipelinedLoads = all;
    return computed;
  }
  llvm::for_each(computed, withoutShared);
  return {};
}

// Each warpgroup has 64 rows of the accumulator, as many as one instruction.
bool isOneInstructionHigh(tile::SharedMmaOp multiply) {
  auto accumulator = cast<RankedTensorType>(multiply.getType());
  return accumulator.getDimSize(0) / 64 <= warpsOfAccumulator(accumulator.getNumElements()) / 4;
}

// Have threads registers for the operands of a K step that waits over the iterations of this loop?
// Not next to an accumulator that takes more than 128 registers of each of 256 threads, nor where
// an accumulator of that size is next to other tiles that are needed in the loop or after it, such
// as split accumulators that wait to be stored.
bool hasRegistersForStep(scf::ForOp loop, tile::SharedMmaOp multiply) {
  constexpr int64_t maxOfAccumulator = int64_t(256) * 128,
                    accumulatorOfManyRegisters = int64_t(128) * 128;
  int64_t elements = cast<RankedTensorType>(multiply.getType()).getNumElements(), beside = 0;
  auto count = [&](Value v) {
    auto type = dyn_cast<RankedTensorType>(v.getType());
    if (type && !v.getDefiningOp<tile::SplatOp>())
      beside += type.getNumElements();
  };
  BlockArgument accumulator;
  for (BlockArgument carried : loop.getRegionIterArgs())
    if (carried == multiply.getC())
      accumulator = carried;
    else
      count(carried);
  Value first = accumulator ? loop.getTiedLoopInit(accumulator)->get() : Value();
  loop->getParentOfType<func::FuncOp>().walk([&](Operation *op) {
    if (loop->isAncestor(op) || op->getBlock() != loop->getBlock() || loop->isBeforeInBlock(op))
      return;
    for (Value result : op->getResults())
      if (!(result == first && result.hasOneUse()) &&
          llvm::any_of(result.getUsers(), [&](Operation *user) {
            Operation *here = loop->getBlock()->findAncestorOpInBlock(*user);
            return loop->isAncestor(user) || (here && loop->isBeforeInBlock(here));
          }))
        count(result);
  });
  return elements <= maxOfAccumulator &&
         (elements < accumulatorOfManyRegisters || beside * 8 <= elements);
}

// Is it in a loop in which a block takes tile after tile, with the number of blocks as its step?
// Launches give such a kernel a block for each SM, or fewer.
bool isForTileAfterTile(scf::ForOp loop) {
  auto isOfGrid = [](Value step) {
    return !tile::areAllRight(step, [](Value v) -> std::optional<bool> {
      Operation *op = v.getDefiningOp();
      bool isLeaf = !op || op->getNumOperands() == 0;
      return isLeaf ? std::optional(!isa_and_present<tile::GridSizeOp>(op)) : std::nullopt;
    });
  };
  for (auto around = loop->getParentOfType<scf::ForOp>(); around;
       around = around->getParentOfType<scf::ForOp>())
    if (isOfGrid(around.getStep()))
      return true;
  return false;
}

struct Ring {
  int64_t stages;
  bool isInFlight, isBulk = false;
  bool isStepBehind = false; // of mma.sync
  bool hasEnds = false;      // of rows that are shifted when they are due
  bool isFilledByWarp = false;
  bool startsFirst = false; // the multiply starts before the copies, and is waited for after them
};

// Should a block have an SM, and all stages that fit it, for itself, unless the program hints at
// other blocks? Where it takes tile after tile there are no others. And copies by pointers have a
// long latency and little locality: where two blocks would have three stages each, a few blocks
// always wait for them. The number of blocks is not known for an image. TileGym's experts,
// 128x128x64, on an H100: 16 of them, 128 blocks, take 10.0 us instead of 15.6, 8 experts 5.3
// instead of 5.9, 32 and 64, of many blocks, 143 and 276 instead of 141 and 281. Matmuls of
// gathered rows have 199 TFLOP/s instead of 192 at 1024^3, but 557 instead of 587 at 4096^3.
bool wantsDeepRing(scf::ForOp loop, ArrayRef<SmallVector<PipelinedLoad>> parts) {
  auto kernel = loop->getParentOfType<func::FuncOp>();
  const bool hasGathers = llvm::any_of(parts, [](ArrayRef<PipelinedLoad> part) {
    return llvm::any_of(part,
                        [](const PipelinedLoad &pipelined) { return bool(pipelined.byPointers); });
  });
  const bool isImage = !kernel->getParentOfType<ModuleOp>()->hasAttr(tile::launchedAttr);
  const int64_t moreStages = (wantedStages + 1) * bytesOfStage(parts.front());
  return hintedBlocks(kernel) <= 1 &&
         (isForTileAfterTile(loop) ||
          (hasGathers && isImage && blocksOfSharedMemory(targetOf(kernel), moreStages) < 2));
}

// Measured with tiles of bf16 on an H200: two blocks with three stages that wait are better than
// one with four in flight, and so are two blocks with two stages; but where two blocks with four
// stages fit, and a warpgroup has one instruction to start at a time, these are better in flight.
Ring ringFor(scf::ForOp loop, ArrayRef<tile::SharedMmaOp> accumulator, int64_t bytes,
             int64_t beside, TensorMapMaker maker, bool isDeep) {
  auto kernel = loop->getParentOfType<func::FuncOp>();
  const SharedAllowance allowance = allowanceOf(kernel);
  // Tensor maps from the launch cost nothing: copies by them are always better. Those that the
  // kernel makes take time, which a block that is alone on its SM gains back; two blocks hide that
  // time no better than they hide the copies that threads start.
  bool isGiven = maker == TensorMapMaker::launch;
  int64_t besideStages = 0;
  if (isGiven)
    beside += besideStages = bytesOfBarriers(allowance.stages, 4);
  int64_t shared = targetOf(kernel).sharedOfBlock, stages = stagesFor(bytes, beside, kernel);
  auto areAll = [](ArrayRef<tile::SharedMmaOp> ops, auto isOf) {
    return !ops.empty() &&
           llvm::all_of(ops, [&](tile::SharedMmaOp op) { return isOf(op.getInstruction()); });
  };
  auto areOfWarpgroups = [&](ArrayRef<tile::SharedMmaOp> ops) {
    return areAll(ops, [](const MmaInstruction &one) { return one.isOfWarpgroups(); });
  };
  auto areOfWarps = [&](ArrayRef<tile::SharedMmaOp> ops) {
    return areAll(ops, [](const MmaInstruction &one) { return one.isOfWarps(); });
  };
  if (!areOfWarpgroups(accumulator)) {
    // Shared memory that registers reserve for one block goes to its stages.
    SmallVector<tile::SharedMmaOp> all = multipliesOf(loop);
    if (accumulator.empty() && areOfWarpgroups(all) && !fitTwoBlocks(kernel, all, 0))
      stages = std::min(allowance.stages, (shared - beside) / bytes);
    return {stages, false, isGiven,
            areOfWarps(accumulator) && hasRegistersForStep(loop, accumulator.front())};
  }
  bool isOneAccumulator = llvm::all_of(accumulator.drop_front(), [](tile::SharedMmaOp op) {
    return !isa<BlockArgument>(op.getC());
  });
  bool isAlone = isForFewBlocks(kernel) || isDeep;
  if (!isAlone && fitTwoBlocks(kernel, accumulator, wantedStages * bytes + besideStages))
    return {stages,
            stages > wantedStages && isOneAccumulator && isOneInstructionHigh(accumulator.front()),
            isGiven};
  constexpr int64_t least = 2;
  if (!isAlone && allowance.stages >= least && isOneAccumulator &&
      fitTwoBlocks(kernel, accumulator, least * bytes + besideStages))
    return {least, false, isGiven};
  bool isWantedAlone = hintedBlocks(kernel) == 1 || isDeep,
       hasMore = (isWantedAlone || isAlone) && allowance.stages > wantedStages;
  int64_t most = hasMore ? maxStagesAlone : allowance.stages,
          besideRing = bytesOfBarriers(most, 4) + (isGiven ? 0 : 4 * bytesOfTensorMap),
          others = beside - besideStages,
          inFlight = std::min(most, (shared - besideRing - others) / bytes);
  // There may be more blocks than SMs: more stages must not exclude one of them.
  auto blocksWith = [&](int64_t stages) {
    return blocksOfSharedMemory(targetOf(kernel), stages * bytes + besideRing + others);
  };
  while (!isWantedAlone && inFlight > allowance.stages &&
         blocksWith(inFlight) < blocksWith(allowance.stages))
    --inFlight;
  return inFlight >= minStagesInFlight ? Ring{inFlight, true, maker != TensorMapMaker::none}
                                       : Ring{stages, false, isGiven};
}

// The same with room for the ends of rows, where that costs neither a stage nor another block:
// aligned rows are copied as fast as without. More than four blocks hide no more latency than four.
Ring ringWithEnds(scf::ForOp loop, ArrayRef<SmallVector<PipelinedLoad>> parts,
                  ArrayRef<tile::SharedMmaOp> accumulator, int64_t beside) {
  const GpuTarget &target = targetOf(loop->getParentOfType<func::FuncOp>());
  int64_t bytes = bytesOfStage(parts.front()), bytesOfEnds = 0;
  for (tile::SharedType ends : endsOf(parts))
    bytesOfEnds += ends ? bytesOf(ends) : 0;
  TensorMapMaker maker = makerOfTensorMaps(loop, parts);
  const bool isDeep = wantsDeepRing(loop, parts);
  Ring without = ringFor(loop, accumulator, bytes, beside, maker, isDeep);
  bool areAligned =
      maker == TensorMapMaker::launch && needsTensorMaps(loop->getParentOfType<func::FuncOp>());
  if (!bytesOfEnds || areAligned)
    return without;
  Ring with = ringFor(loop, accumulator, bytes + bytesOfEnds, beside, maker, isDeep);
  auto blocks = [&](const Ring &ring, int64_t bytesOfOne) {
    constexpr int64_t enough = 4;
    return std::min(blocksOfSharedMemory(target, ring.stages * bytesOfOne + beside), enough);
  };
  with.hasEnds = with.isInFlight == without.isInFlight && with.isBulk == without.isBulk &&
                 with.stages >= without.stages &&
                 blocks(with, bytes + bytesOfEnds) >= blocks(without, bytes);
  return with.hasEnds ? with : without;
}

// The prologue: the copies of a loop's first iterations, in front of it.
class Prologue {
public:
  Prologue(OpBuilder &b, scf::ForOp loop, ArrayRef<SmallVector<PipelinedLoad>> parts,
           ArrayRef<RingOfTiles> rings, const std::optional<BulkRing> &bulk)
      : b(b), loop(loop), loc(loop.getLoc()), parts(parts), rings(rings), bulk(bulk) {}

  // Starts `count` parts. Whole iterations become a loop: compilers take long for the code of a
  // copy, and unrolling gains nothing where nothing is multiplied yet.
  void start(int64_t count) {
    auto ofIteration = int64_t(parts.size()), part = int64_t(0);
    whole = count / ofIteration;
    if (whole > 1 && canTestByCount(loop, whole - 1)) {
      startIterations();
      part = whole * ofIteration;
    }
    for (; part < count; ++part)
      startPart(iterationAt(b.getIndexAttr(part / ofIteration), part / ofIteration),
                part % ofIteration, number(part));
  }

private:
  Value number(int64_t n) {
    return arith::ConstantOp::create(b, loc, b.getI32IntegerAttr(int32_t(n)));
  }

  // Is the loop known to have more than `iteration` iterations?
  bool surelyHas(int64_t iteration) {
    auto lower = getConstantIntValue(loop.getLowerBound()),
         upper = getConstantIntValue(loop.getUpperBound()),
         step = getConstantIntValue(loop.getStep());
    return lower && upper && step && *lower >= 0 && *lower + iteration * *step < *upper;
  }

  // grown: how often to advance what the loop carries.
  OtherIteration iterationAt(OpFoldResult iteration, int64_t grown) {
    Value lower = loop.getLowerBound(), variable = advance(b, loop, lower, iteration);
    Value exists = surelyHas(getConstantIntValue(iteration).value_or(whole - 1))
                       ? arith::ConstantOp::create(b, loc, b.getBoolAttr(true)).getResult()
                       : iterationExists(b, loop, lower, variable, iteration);
    return {variable, exists, grown, /*isBeforeLoop=*/true};
  }

  void startPart(const OtherIteration &iteration, int64_t part, Value slot,
                 const IRMapping &map = {}) {
    startCopies(b, loop, parts[part], rings, bulk, iteration, slot, map);
  }

  void startIterations() {
    SmallVector<Value> coordinates;
    for (ArrayRef<PipelinedLoad> part : parts)
      for (const PipelinedLoad &pipelined : part)
        llvm::append_range(coordinates, pipelined.coordinates());
    Slice slice = sliceOf(coordinates, loop);
    SmallVector<Value> inits = llvm::map_to_vector(
        slice.carried, [&](BlockArgument carried) { return loop.getTiedLoopInit(carried)->get(); });
    auto starts = scf::ForOp::create(b, loc, number(0), number(whole), number(1), inits);
    starts->setAttr(tile::prologueAttr, b.getUnitAttr());
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(starts.getBody());
    Value iteration = starts.getInductionVar();
    iteration.setLoc(NameLoc::get(b.getStringAttr(parts.size() == 1 ? "stage" : "iteration"), loc));
    IRMapping map;
    for (auto [carried, ours] : llvm::zip_equal(slice.carried, starts.getRegionIterArgs())) {
      ours.setLoc(carried.getLoc());
      map.map(carried, ours);
    }
    auto ofIteration = int64_t(parts.size());
    OtherIteration here = iterationAt(iteration, /*grown=*/0); // the map has what is carried
    Value first = b.createOrFold<arith::MulIOp>(loc, iteration, number(ofIteration));
    for (int64_t part = 0; part < ofIteration; ++part)
      startPart(here, part, b.createOrFold<arith::AddIOp>(loc, first, number(part)), map);
    if (inits.empty())
      return; // the builder has terminated the body
    SmallVector<Value> next;
    for (auto [carried, ours] : llvm::zip_equal(slice.carried, starts.getRegionIterArgs()))
      next.push_back(nextOf(b, loop, carried, ours));
    scf::YieldOp::create(b, loc, next);
  }

  OpBuilder &b;
  scf::ForOp loop;
  Location loc;
  ArrayRef<SmallVector<PipelinedLoad>> parts;
  ArrayRef<RingOfTiles> rings;
  const std::optional<BulkRing> &bulk;
  int64_t whole = 0; // iterations
};

// `parts`: what is copied at a time, in the order in which an iteration uses it. `accumulator`: the
// multiplies that use the parts, where there are several parts; or several accumulators of one
// part.
void pipeline(scf::ForOp loop, ArrayRef<SmallVector<PipelinedLoad>> parts,
              ArrayRef<tile::SharedMmaOp> accumulator, Ring ring) {
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
  Prologue(b, loop, parts, rings, bulk).start(ahead);

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

// What is copied ahead for a loop, and how.
struct Pipeline {
  SmallVector<PipelinedLoad> pipelinedLoads, computed;
  SmallVector<tile::SharedMmaOp> accumulator;
  SmallVector<SmallVector<PipelinedLoad>> parts;
  Ring ring{0, false};

  // rounds: f32 becomes tf32 in the copy.
  Pipeline(scf::ForOp loop, ArrayRef<PipelinedLoad> found, bool rounds) : pipelinedLoads(found) {
    if (!rounds)
      llvm::erase_if(pipelinedLoads,
                     [](const PipelinedLoad &pipelined) { return bool(pipelined.rounding); });
    computed = addComputed(loop, pipelinedLoads, rounds);
    if (pipelinedLoads.empty())
      return;
    auto kernel = loop->getParentOfType<func::FuncOp>();
    accumulator = accumulatorOfLoop(loop, pipelinedLoads);
    parts = partsOf(targetOf(kernel), accumulator, pipelinedLoads);
    if (parts.size() != accumulator.size())
      accumulator = accumulatorsOfLoop(
          loop, pipelinedLoads); // else they share what is copied, and are waited for
    ring = ringWithEnds(loop, parts, accumulator, bytesBeside(loop, pipelinedLoads));
    const bool mayBeInFlight = !callsFunctions(kernel) && policyOf(kernel).in_flight;
    ring.isInFlight &= mayBeInFlight;
    ring.isStepBehind &= policyOf(kernel).in_flight;
    // Every cycle counts for copies that are due in the next iteration.
    ring.startsFirst = !ring.isInFlight && !ring.isBulk && ring.stages >= wantedStages &&
                       parts.size() == 1 && accumulator.size() == 1 &&
                       accumulator.front().getInstruction().isAsync() && mayBeInFlight;
    fillByWarpIfGood(loop);
  }

  // Uses a producer warp where the accumulator leaves no room for another block's: for multiplies
  // in flight, or for one that pass prefetch-operands leaves so.
  void fillByWarpIfGood(scf::ForOp loop) {
    auto kernel = loop->getParentOfType<func::FuncOp>();
    const bool isFromRegisters = !computed.empty();
    SmallVector<tile::SharedMmaOp> fed = isFromRegisters ? multiplyOfRegisters(loop) : accumulator;
    if ((!isFromRegisters && !ring.isInFlight) || fed.empty() || !ring.isBulk ||
        callsFunctions(kernel) || fitTwoBlocks(kernel, fed, 0) ||
        makerOfTensorMaps(loop, parts) != TensorMapMaker::launch ||
        !canFillByWarp(loop, parts, fed))
      return;
    const int64_t most = allowanceOf(kernel).stages,
                  beside = bytesOfBarriers(2 * most, 0) + bytesOfStoredParts(kernel) +
                           bytesBeside(loop, pipelinedLoads),
                  stages = std::min(most, (targetOf(kernel).sharedOfBlock - beside) /
                                              bytesOfStage(parts.front()));
    if (stages < minStagesInFlight)
      return;
    accumulator = fed;
    ring.stages = stages;
    ring.isFilledByWarp = true;
  }

  // The only multiply of the loop, if it takes operand A from registers that are computed from the
  // pipelined loads, and operand B from one of these.
  SmallVector<tile::SharedMmaOp> multiplyOfRegisters(scf::ForOp loop) const {
    SmallVector<tile::SharedMmaOp> all = multipliesOf(loop);
    if (all.size() != 1 || all.front()->getParentOp() != loop ||
        !pipelinedLoadInto(all.front().getB(), pipelinedLoads))
      return {};
    auto operand = all.front().getA().getDefiningOp<tile::SharedAllocOp>();
    return operand && isInRegisters(all.front(), operand) ? all : SmallVector<tile::SharedMmaOp>();
  }

  // Rounding by tensor maps that kernels make is untested.
  bool isOfWhatBulkCopiesDo(scf::ForOp loop) const {
    return llvm::none_of(pipelinedLoads,
                         [](const PipelinedLoad &pipelined) { return bool(pipelined.rounding); }) ||
           (ring.isBulk && ring.stages >= 2 &&
            makerOfTensorMaps(loop, parts) == TensorMapMaker::launch);
  }
};

Pipeline pipelineOf(scf::ForOp loop, ArrayRef<PipelinedLoad> found) {
  Pipeline first(loop, found, /*rounds=*/true);
  if (first.isOfWhatBulkCopiesDo(loop))
    return first;
  llvm::for_each(first.computed, withoutShared);
  return Pipeline(loop, found, /*rounds=*/false);
}

struct PipelineLoops : impl::PipelineLoopsBase<PipelineLoops> {
  void runOnOperation() override {
    eraseDead(getOperation());
    SmallVector<scf::ForOp> loops;
    getOperation().walk([&](scf::ForOp loop) { loops.push_back(loop); });
    for (scf::ForOp loop : loops) {
      if (hasOneIteration(loop))
        continue;
      SmallVector<PipelinedLoad> pipelinedLoads = findPipelinedLoads(loop);
      if (loop->hasAttr(tile::fewIterationsAttr)) {
        for (PipelinedLoad &pipelined : pipelinedLoads)
          markWaiting(pipelined.read(), tile::WaitReason::few);
        continue;
      }
      Pipeline planned = pipelineOf(loop, pipelinedLoads);
      if (planned.pipelinedLoads.empty())
        continue;
      if (planned.ring.stages >= 2) {
        for (PipelinedLoad &pipelined : planned.pipelinedLoads)
          hoistInvariants(loop, sliceOf(pipelined.coordinates(), loop));
        if (planned.ring.isFilledByWarp)
          fillByWarp(loop, planned.parts, planned.accumulator, planned.ring.stages,
                     planned.ring.isInFlight);
        else
          pipeline(loop, planned.parts, planned.accumulator, planned.ring);
      } else
        for (PipelinedLoad &pipelined : planned.pipelinedLoads)
          markWaiting(pipelined.read(),
                      policyOf(loop).rings ? tile::WaitReason::room : tile::WaitReason::forbidden);
    }
    eraseDead(getOperation()); // erases the addresses of the reads
    getOperation().walk(markOther);
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
