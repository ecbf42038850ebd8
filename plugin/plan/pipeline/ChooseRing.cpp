// How many stages a ring has, what fills it, and whether its multiplies stay in flight: all of the
// policy of software pipelining.
#include "plan/pipeline/ChooseRing.h"

#include "plan/analysis/KTile.h"
#include "plan/analysis/Matmuls.h"
#include "plan/analysis/Occupancy.h"
#include "plan/analysis/GridStride.h"
#include "plan/analysis/Layouts.h"
#include "plan/analysis/Accesses.h"
#include "plan/analysis/Chains.h"
#include "plan/mma/ComputedOperands.h"
#include "plan/pipeline/InFlight.h"
#include "plan/pipeline/ProducerWarp.h"
#include "plan/pipeline/ShiftedRows.h"
#include "plan/pipeline/SingleStages.h"
#include "plan/pipeline/WarpSpecialization.h"
#include "plan/Plan.h"
#include "plan/Config.h"
#include "target/RegisterBudgets.h"
#include "tile/Attributes.h"
#include "tile/Sources.h"

using namespace mlir;

namespace tessera::plan {

namespace {

// One is read, one is read by the previous multiply, one is being filled.
constexpr int64_t minStagesInFlight = 3;

// Of the views of a ring: an operand of each of two multiplies, and what they are computed from.
constexpr int64_t maxTensorMaps = 4;

// An operand A that will be in registers, and that nothing else reads (pass register-operands).
bool isInRegisters(tile::SharedMmaOp multiply, tile::SharedAllocOp operand) {
  return operand.getResult() == multiply.getA() && llvm::range_size(operand->getUsers()) == 2 &&
         registerOperandOf(multiply, configOf(multiply).getWarps());
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

// The pipelined loads of each multiply, where all of them take tiles of the same types, so that
// they share one ring in turn, and a ring of all loads would leave no room for another block. Else
// all pipelined loads together.
SmallVector<SmallVector<PipelinedLoad>> partsOf(func::FuncOp kernel,
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
  isInTurn &= blocksWithRing(kernel, bytesOfStage(pipelinedLoads)) < 2;
  if (isInTurn && count == pipelinedLoads.size())
    return parts;
  return {SmallVector<PipelinedLoad>(pipelinedLoads)};
}

// Do registers have room for so many blocks of this kernel, with these accumulators?
bool haveRegistersFor(int64_t blocks, func::FuncOp kernel, ArrayRef<tile::SharedMmaOp> multiplies) {
  int64_t elements = 0, promoted = 0;
  const int64_t threads = multiplies.empty() ? 0 : 32 * configOf(kernel).getWarps();
  for (tile::SharedMmaOp multiply : multiplies) {
    int64_t own = cast<RankedTensorType>(multiply.getType()).getNumElements();
    if (isa<BlockArgument>(multiply.getC())) // else in the chain of an accumulator that is counted
      elements += own;
    if (multiply.getPromotes())
      promoted = std::max(promoted, std::min(own, registersOfPromotion * threads));
  }
  return blocks * (elements + promoted + registersBesidesMultiply * threads) <=
         targetOf(kernel).registersOfMultiprocessor;
}

// Do two blocks of this kernel, with these wgmma accumulators and this many bytes in rings, fit an
// SM?
bool fitTwoBlocks(func::FuncOp kernel, ArrayRef<tile::SharedMmaOp> multiplies,
                  int64_t bytesOfRings) {
  return hintedBlocks(kernel) != 1 && haveRegistersFor(2, kernel, multiplies) &&
         blocksOfSharedMemory(targetOf(kernel), bytesOfRings) >= 2;
}

SmallVector<tile::SharedMmaOp> multipliesOf(scf::ForOp loop) {
  SmallVector<tile::SharedMmaOp> all;
  loop.walk([&](tile::SharedMmaOp op) { all.push_back(op); });
  return all;
}

// Does one of the loads become tf32 on its way?
bool areRounded(ArrayRef<PipelinedLoad> loads) {
  return llvm::any_of(loads,
                      [](const PipelinedLoad &pipelined) { return bool(pipelined.rounding); });
}

// As many stages as fit half of an SM's shared memory, so that two blocks can share an SM and hide
// each other's barriers; if these are too few, what one block may have. Where the program hints at
// several blocks, a ring may have the minimum length for as many of these as registers and shared
// memory have room for. bytes: of a stage; beside: of the other operands of the loop's multiplies.
int64_t stagesFor(int64_t bytes, int64_t beside, scf::ForOp loop) {
  auto kernel = loop->getParentOfType<func::FuncOp>();
  const int64_t sharedOfBlock = targetOf(kernel).sharedOfBlock,
                limit = configOf(kernel).getStages();
  constexpr int64_t minimum = 2;
  for (int64_t blocks = hintedBlocks(kernel); limit >= minimum && blocks >= 2; --blocks)
    if (int64_t stages = (sharedOfOneOf(blocks, targetOf(kernel)) - beside) / bytes;
        stages >= minimum && haveRegistersFor(blocks, kernel, multipliesOf(loop)))
      return std::min(limit, stages);
  int64_t sharedOfHalf = sharedOfBlock / 2, wanted = wantedStages;
  if (beside + wanted * bytes > sharedOfHalf && beside)
    wanted = 2; // an iteration of several multiplies is long enough for the next one's copies
  if (beside + wanted * bytes <= sharedOfHalf)
    return std::min(limit, std::max(wanted, (sharedOfHalf - beside) / bytes));
  return std::min(std::min(limit, wantedStages), (sharedOfBlock - beside) / bytes);
}

// Where a ring of all reads takes the room of another block: is the ring worth more? Of wgmma it
// is: a block that waits for memory in each iteration leaves the tensor cores idle, and a second
// one beside it waits as well. Not where the ring of the other reads has bulk copies that are lost
// by it, or room for several blocks that the program hints at.
bool isWorthBlock(scf::ForOp loop, ArrayRef<PipelinedLoad> known, ArrayRef<PipelinedLoad> all) {
  auto makerOf = [&](ArrayRef<PipelinedLoad> loads) {
    return makerOfTensorMaps(loop, {SmallVector<PipelinedLoad>(loads)});
  };
  const bool isWanted = known.empty() || (makerOf(all) == makerOf(known) &&
                                          hintedBlocks(loop->getParentOfType<func::FuncOp>()) < 2);
  return isWanted && llvm::all_of(multipliesOf(loop), [](tile::SharedMmaOp op) {
           return op.getInstruction().isOfWarpgroups();
         });
}

// Adds the reads that operands are computed from, unless a ring of all reads takes the room of
// another block and is not worth it; returns these. rounds: rounded in the copy where only copies
// have to do it.
SmallVector<PipelinedLoad> addComputed(scf::ForOp loop, SmallVector<PipelinedLoad> &pipelinedLoads,
                                       bool rounds) {
  auto kernel = loop->getParentOfType<func::FuncOp>();
  const GpuTarget &target = targetOf(kernel);
  auto blocksWithRingOf = [&](ArrayRef<PipelinedLoad> loads) {
    const int64_t bytes = bytesOfStage(loads), beside = bytesBeside(loop, loads);
    return blocksOfSharedMemory(target, beside + stagesFor(bytes, beside, loop) * bytes);
  };
  // Before operands that are computed from shared memory become some of registers.
  const bool hasOneBlock = !pipelinedLoads.empty() && blocksWithRingOf(pipelinedLoads) < 2;
  SmallVector<PipelinedLoad> computed = throughShared(loop, pipelinedLoads,
                                                      rounds && needsTensorMaps(kernel)),
                             all = pipelinedLoads;
  llvm::append_range(all, computed);
  if (computed.empty())
    return {};
  const bool hasStages = stagesFor(bytesOfStage(all), bytesBeside(loop, all), loop) >= 2;
  if (hasStages &&
      (hasOneBlock || blocksWithRingOf(all) >= 2 || !fitTwoBlocks(kernel, multipliesOf(loop), 0) ||
       isWorthBlock(loop, pipelinedLoads, all))) {
    pipelinedLoads = all;
    return computed;
  }
  llvm::for_each(computed, withoutShared);
  return {};
}

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
         (isInGridStride(loop->getParentOp()) ||
          (hasGathers && isImage && blocksOfSharedMemory(targetOf(kernel), moreStages) < 2));
}

// Is a block with these bytes of rings and other operands alone on its SM, with room for the tensor
// maps that the kernel makes of its views?
bool hasRoomForTensorMaps(const GpuTarget &target, int64_t bytes, int64_t stages) {
  const int64_t room = bytesOfBarriers(stages, maxTensorMaps) + maxTensorMaps * bytesOfTensorMap;
  return stages > 1 && blocksOfSharedMemory(target, bytes) < 2 &&
         blocksOfSharedMemory(target, bytes + room) > 0;
}

// Measured with tiles of bf16 on an H200: two blocks with three stages that wait are better than
// one with four in flight, and so are two blocks with two stages; but where two blocks with four
// stages fit, and a warpgroup has one instruction to start at a time, these are better in flight.
Ring ringFor(scf::ForOp loop, ArrayRef<tile::SharedMmaOp> accumulator, int64_t bytes,
             int64_t beside, TensorMapMaker maker, bool isDeep, bool rounds) {
  auto kernel = loop->getParentOfType<func::FuncOp>();
  const int64_t maxStages = configOf(kernel).getStages();
  // Tensor maps from the launch cost nothing: copies by them are always better. Those that the
  // kernel makes take time, which a block that is alone on its SM gains back; two blocks hide that
  // time no better than they hide the copies that threads start. But floats that become tf32 are
  // rounded on the way, for which threads would need a barrier and a pass over the stage: cuTile's
  // matmul of floats, 4096^3 on an H200, 128x128x32 329 TFLOP/s in place of 213, 64x128x64 218 in
  // place of 131.
  const bool isGiven =
      maker == TensorMapMaker::launch || (rounds && maker == TensorMapMaker::kernel);
  const int64_t ofMaps = maker == TensorMapMaker::launch ? 0 : maxTensorMaps * bytesOfTensorMap;
  int64_t besideStages = 0;
  if (isGiven)
    beside += besideStages = bytesOfBarriers(maxStages, maxTensorMaps) + ofMaps;
  int64_t shared = targetOf(kernel).sharedOfBlock, stages = stagesFor(bytes, beside, loop);
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
    SmallVector<tile::SharedMmaOp> all = multipliesOf(loop);
    const bool isOfChain = accumulator.empty() && areOfWarpgroups(all);
    // Shared memory that registers reserve for one block goes to its stages.
    if (isOfChain && !fitTwoBlocks(kernel, all, 0))
      stages = std::min(maxStages, (shared - beside) / bytes);
    const bool isBulk =
        isGiven || (isOfChain && maker == TensorMapMaker::kernel &&
                    hasRoomForTensorMaps(targetOf(kernel), beside + stages * bytes, stages));
    return {stages, false, isBulk,
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
  constexpr int64_t minimum = 2;
  if (!isAlone && maxStages >= minimum && isOneAccumulator &&
      fitTwoBlocks(kernel, accumulator, minimum * bytes + besideStages))
    return {minimum, false, isGiven};
  bool isWantedAlone = hintedBlocks(kernel) == 1 || isDeep,
       hasMore = (isWantedAlone || isAlone) && maxStages > wantedStages;
  int64_t limit = hasMore ? maxStagesAlone : maxStages,
          besideRing = bytesOfBarriers(limit, maxTensorMaps) + ofMaps,
          others = beside - besideStages,
          inFlight = std::min(limit, (shared - besideRing - others) / bytes);
  // There may be more blocks than SMs: more stages must not exclude one of them.
  auto blocksWith = [&](int64_t stages) {
    return blocksOfSharedMemory(targetOf(kernel), stages * bytes + besideRing + others);
  };
  while (!isWantedAlone && inFlight > maxStages && blocksWith(inFlight) < blocksWith(maxStages))
    --inFlight;
  return inFlight >= minStagesInFlight ? Ring{inFlight, true, maker != TensorMapMaker::none}
                                       : Ring{stages, false, isGiven};
}

// Does the kernel run only where the rows of its views are aligned?
bool areAligned(scf::ForOp loop, TensorMapMaker maker) {
  return maker == TensorMapMaker::launch && needsTensorMaps(loop->getParentOfType<func::FuncOp>());
}

int64_t bytesOfEnds(ArrayRef<SmallVector<PipelinedLoad>> parts) {
  int64_t bytes = 0;
  for (tile::SharedType ends : endsOf(parts))
    bytes += ends ? bytesOf(ends) : 0;
  return bytes;
}

// The same with room for the ends of rows, where that costs neither a stage nor another block:
// aligned rows are copied as fast as without. More than four blocks hide no more latency than four.
Ring ringWithEnds(scf::ForOp loop, ArrayRef<SmallVector<PipelinedLoad>> parts,
                  ArrayRef<tile::SharedMmaOp> accumulator, int64_t beside) {
  const GpuTarget &target = targetOf(loop->getParentOfType<func::FuncOp>());
  const int64_t bytes = bytesOfStage(parts.front()), ofEnds = bytesOfEnds(parts);
  TensorMapMaker maker = makerOfTensorMaps(loop, parts);
  const bool isDeep = wantsDeepRing(loop, parts), rounds = llvm::any_of(parts, areRounded);
  Ring without = ringFor(loop, accumulator, bytes, beside, maker, isDeep, rounds);
  if (!ofEnds || areAligned(loop, maker))
    return without;
  Ring with = ringFor(loop, accumulator, bytes + ofEnds, beside, maker, isDeep, rounds);
  auto blocks = [&](const Ring &ring, int64_t bytesOfOne) {
    constexpr int64_t enough = 4;
    return std::min(blocksOfSharedMemory(target, ring.stages * bytesOfOne + beside), enough);
  };
  with.hasEnds = with.isInFlight == without.isInFlight && with.isBulk == without.isBulk &&
                 with.stages >= without.stages &&
                 blocks(with, bytes + ofEnds) >= blocks(without, bytes);
  return with.hasEnds ? with : without;
}

// A plan of a loop's pipeline, and the loads that it has put through shared memory for it.
struct Candidate : PipelinedLoop {
  SmallVector<PipelinedLoad> computed;

  // rounds: f32 becomes tf32 in the copy.
  Candidate(scf::ForOp loop, ArrayRef<PipelinedLoad> found, bool rounds) {
    pipelinedLoads.assign(found.begin(), found.end());
    if (!rounds)
      llvm::erase_if(pipelinedLoads,
                     [](const PipelinedLoad &pipelined) { return bool(pipelined.rounding); });
    computed = addComputed(loop, pipelinedLoads, rounds);
    if (pipelinedLoads.empty())
      return;
    auto kernel = loop->getParentOfType<func::FuncOp>();
    accumulator = accumulatorOfLoop(loop, pipelinedLoads);
    parts = partsOf(kernel, accumulator, pipelinedLoads);
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
    if (configOf(kernel).getStages() >= 2 && !ring.isFilledByWarp)
      takeSingleStagesIfGood(loop);
  }

  // Where there is no room for a ring: one stage is better than none. And where a ring leaves no
  // room for another block, which multiplies while this one computes.
  //
  // TileGym's attention, bf16, 64x128, D 128, S 4096, launched on an H200, TFLOP/s, one block with
  // a ring of three stages and two blocks with single ones: full 400 and 514, causal 342 and 468.
  // Tensor maps that kernels make are no gain: cuTile's decoding of 1024 keys, 256 blocks of
  // 64x256, takes 50.4 us with them and 45.9 us without (53.1 where each operand is waited for).
  void takeSingleStagesIfGood(scf::ForOp loop) {
    auto kernel = loop->getParentOfType<func::FuncOp>();
    const GpuTarget &target = targetOf(kernel);
    const int64_t ofStage = bytesOfStage(pipelinedLoads),
                  beside = bytesBeside(loop, pipelinedLoads);
    SingleStages found = singleStagesOf(loop, pipelinedLoads, beside);
    const int64_t bytes = beside + found.bytes;
    if (found.parts.empty() ||
        (ring.stages >= 2 && !leavesBlock(loop, beside + ring.stages * ofStage, bytes)))
      return;
    const TensorMapMaker maker = makerOfTensorMaps(loop, found.parts);
    int64_t ofEnds = 0;
    for (const SmallVector<PipelinedLoad> &part : found.parts)
      ofEnds += bytesOfEnds(part);
    ring = {/*stages=*/1, /*isInFlight=*/false,
            /*isBulk=*/maker == TensorMapMaker::launch && !found.areShared()};
    ring.hasEnds = !areAligned(loop, maker) && blocksOfSharedMemory(target, bytes + ofEnds) >=
                                                   blocksOfSharedMemory(target, bytes);
    single = std::move(found);
  }

  // Do the bytes of a chain with a ring leave no room for another block, for which those of single
  // stages would leave some, and so do the chain's registers?
  static bool leavesBlock(scf::ForOp loop, int64_t ofRing, int64_t ofSingle) {
    auto kernel = loop->getParentOfType<func::FuncOp>();
    const GpuTarget &target = targetOf(kernel);
    std::optional<Chain> chain = chainOf(loop);
    return chain && hintedBlocks(kernel) != 1 && blocksOfSharedMemory(target, ofRing) < 2 &&
           blocksOfSharedMemory(target, ofSingle + bytesOfBarriers(2, maxTensorMaps)) >= 2 &&
           !fillsRegisters(*chain, 32 * configOf(kernel).getWarps(), target);
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
    const int64_t limit = configOf(kernel).getStages(),
                  beside = bytesOfBarriers(2 * limit, 0) + bytesOfStoredParts(kernel) +
                           bytesBeside(loop, pipelinedLoads),
                  stages = std::min(limit, (targetOf(kernel).sharedOfBlock - beside) /
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

  // Are floats rounded to tf32, if at all, on their way into a ring? Threads round what they
  // compute operands from anyway.
  bool roundsInBulk() const {
    return !areRounded(pipelinedLoads) || (ring.isBulk && ring.stages >= 2);
  }
};

} // namespace

PipelinedLoop chooseRing(scf::ForOp loop, ArrayRef<PipelinedLoad> found) {
  Candidate first(loop, found, /*rounds=*/true);
  if (first.roundsInBulk())
    return first;
  llvm::for_each(first.computed, withoutShared);
  return Candidate(loop, found, /*rounds=*/false);
}

} // namespace tessera::plan
