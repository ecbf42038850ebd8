// Counted loops that read operands of a multiply from views: the reads of later iterations are
// started before they are needed.
//
//   for i { %x = view_load(i); shared_store %x, %s; shared_mma %s }
// becomes, with S stages,
//   for s < S-1 { copy_async ring[s] <- view(s) when it exists; commit_group } for i { wait_group
//   S-2; copy_async ring[(i+S-1) % S] <- view(i+S-1) when it exists; commit_group; shared_mma
//   ring[i % S] } wait_group 0
// The copies of one iteration form one group, whether or not there is anything left to copy, so
// that counting groups is counting iterations. A copy overwrites the stage that the last iteration
// read: the barrier behind wait_group (see InsertBarriers) lies between.
//
// A multiply of warpgroups that is waited for in its iteration is started before the copies that
// threads make, which take them their time:
//   wait_group S-2; shared_mma {inFlight}; copy_async ...; commit_group; mma_wait 0
// One that is the only one of its loop, and whose sum nothing else touches there, may be left in
// flight while the next iteration waits for its copies:
//   ...  copies S-2 iterations ahead; shared_mma {inFlight}; mma_wait 1  } mma_finish
// That needs a stage more: the one that is overwritten was read by the iteration before the last,
// whose multiply all have waited for. Several multiplies whose sums are one chain, each with
// operands of its own of the same size, as the pass split-depth leaves them, take their turns in
// the ring:
//   for i { ...  shared_mma ring[j]; ...; shared_mma ring[j + 1] }
// Every one has its wait, and starts the copies for the multiply so many turns later. Several sums
// of their own, as the two of a swiglu, are left in flight where one block alone fits: the last
// multiply of an iteration is at work while the next iteration begins.
//
// Of a sum of mma.sync that nothing else touches, the last step of K is multiplied by the next
// iteration: its operands are in registers, so that the units have work while the first of the next
// stage are read behind the barrier. No stage more is needed for that.
//
// Where the kernel stands beside another one and its block is alone on an SM, a warp of its own
// fills the ring instead (CopyingWarp.h).
//
// Where the GPU has bulk copies for all of a ring, its stages have phase barriers, at which what
// one thread of a warp copies arrives; wait_group names the slot that it waits for. Where a view
// allows none when the kernel runs, the same ops copy as above.
//
// A read qualifies if its address depends only on the induction variable, on values from outside
// the loop and on numbers and pointers that the loop carries and adds the same to in every
// iteration, if memory runs along its last dimension in chunks of 16 bytes, if it pads with zeros,
// and if nothing in the loop may change what is read. A read by a tile of pointers qualifies in the
// same way if neighbours are known to lie side by side and its mask, too, is known in another
// iteration: gather_async copies by the pointers as they are there. What is multiplied may be what
// was read in another shape, as a tile without the dimensions of one element: its elements have the
// same order.
#include "plan/Accesses.h"
#include "plan/ComputedOperands.h"
#include "plan/CopyingWarp.h"
#include "plan/InFlight.h"
#include "plan/Layouts.h"
#include "plan/MatrixUnits.h"
#include "plan/Occupancy.h"
#include "plan/Passes.h"
#include "plan/Plan.h"
#include "plan/RingCopies.h"
#include "plan/ShiftedRows.h"
#include "tile/Sources.h"
#include "tile/TileDialect.h"

using namespace mlir;

namespace tessera::plan {

#define GEN_PASS_DEF_PIPELINELOOPS
#include "plan/Passes.h.inc"

namespace {

// One is read, one is read by the multiply before, one fills.
constexpr int64_t leastStagesInFlight = 3;

// Of a block that is alone on its SM, by the program's wish or since there are few: as many as hide
// the latency of a copy where nothing else does.
constexpr int64_t mostStagesAlone = 8;

// A first operand that will be in registers, which nothing else reads (pass register-operands).
bool isInRegisters(tile::SharedMmaOp multiply, tile::SharedAllocOp operand) {
  int64_t warps = warpsOfAccumulator(cast<RankedTensorType>(multiply.getType()).getNumElements());
  return operand.getResult() == multiply.getA() && llvm::range_size(operand->getUsers()) == 2 &&
         registerOperandOf(multiply, warps);
}

// Of the other operands that a loop's multiplies read: they are there as long as the rings are.
int64_t bytesBeside(scf::ForOp loop, ArrayRef<Stream> streams) {
  llvm::SmallPtrSet<Operation *, 4> others;
  loop.walk([&](tile::SharedMmaOp op) {
    for (Value operand : {op.getA(), Value(op.getB())})
      if (auto buffer = operand.getDefiningOp<tile::SharedAllocOp>();
          buffer && !streamInto(operand, streams) && !isInRegisters(op, buffer))
        others.insert(buffer);
  });
  int64_t bytes = 0;
  for (Operation *buffer : others)
    bytes += bytesOf(cast<tile::SharedType>(buffer->getResult(0).getType()));
  return bytes;
}

// As many as fit half of an SM's shared memory, so that two blocks can share an SM and hide each
// other's barriers; if these are too few, what one block may have. Where the program hints at more
// blocks, a ring may be as short as it can. bytes: of a stage; beside: of what else the loop's
// multiplies read.
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

// The streams of each multiply, where all of them take tiles of the same kind and one ring for them
// all leaves room for another block, as several do not. Else all streams together.
SmallVector<SmallVector<Stream>> partsOf(const GpuTarget &target, ArrayRef<tile::SharedMmaOp> sum,
                                         ArrayRef<Stream> streams) {
  SmallVector<SmallVector<Stream>> parts;
  for (tile::SharedMmaOp op : sum)
    parts.push_back({*streamInto(op.getA(), streams), *streamInto(op.getB(), streams)});
  size_t count = 0;
  bool isInTurn = !parts.empty();
  for (ArrayRef<Stream> part : parts) {
    count += part.size();
    for (auto [stream, first] : llvm::zip_equal(part, parts.front())) {
      tile::SharedAllocOp buffer = stream.buffer, firstBuffer = first.buffer;
      isInTurn &= buffer.getType() == firstBuffer.getType() &&
                  llvm::range_size(buffer->getUsers()) == 2; // the store and the multiply
    }
  }
  isInTurn &= blocksOfSharedMemory(target, wantedStages * bytesOfStage(streams)) < 2;
  if (isInTurn && count == streams.size())
    return parts;
  return {SmallVector<Stream>(streams)};
}

// Two blocks of this kernel, with these sums of wgmma and so many bytes in rings, fit an SM.
bool fitTwoBlocks(func::FuncOp kernel, ArrayRef<tile::SharedMmaOp> multiplies,
                  int64_t bytesOfRings) {
  int64_t elements = 0, threads = 0;
  for (tile::SharedMmaOp multiply : multiplies) {
    if (!isa<BlockArgument>(multiply.getC()))
      continue; // of a sum that is counted
    int64_t ofSum = cast<RankedTensorType>(multiply.getType()).getNumElements();
    elements += ofSum;
    threads = std::max(threads, 32 * warpsOfAccumulator(ofSum));
  }
  bool hasRegisters =
      2 * (elements + registersBesidesMultiply * threads) <= registersOfMultiprocessor;
  return hintedBlocks(kernel) != 1 && hasRegisters &&
         blocksOfSharedMemory(targetOf(kernel), bytesOfRings) >= 2;
}

SmallVector<tile::SharedMmaOp> multipliesOf(scf::ForOp loop) {
  SmallVector<tile::SharedMmaOp> all;
  loop.walk([&](tile::SharedMmaOp op) { all.push_back(op); });
  return all;
}

// Adds the reads that operands are computed of, as long as a ring of them all does not take the
// place of another block; gives these.
// Rounded on their way where nobody but copies has to do it.
SmallVector<Stream> addComputed(scf::ForOp loop, SmallVector<Stream> &streams, bool rounds) {
  auto kernel = loop->getParentOfType<func::FuncOp>();
  SmallVector<Stream> computed = throughShared(loop, streams, rounds && needsMaps(kernel)),
                      all = streams;
  llvm::append_range(all, computed);
  if (computed.empty())
    return {};
  const GpuTarget &target = targetOf(kernel);
  int64_t bytes = bytesOfStage(all), beside = bytesBeside(loop, all),
          stages = stagesFor(bytes, beside, kernel);
  bool leavesBlock = blocksOfSharedMemory(target, beside + stages * bytes) >= 2 ||
                     !fitTwoBlocks(kernel, multipliesOf(loop), 0);
  if (stages >= 2 && leavesBlock) {
    streams = all;
    return computed;
  }
  llvm::for_each(computed, withoutShared);
  return {};
}

// Each warpgroup has 64 rows of the sum, as many as one instruction.
bool isOneInstructionHigh(tile::SharedMmaOp multiply) {
  auto sum = cast<RankedTensorType>(multiply.getType());
  return sum.getDimSize(0) / 64 <= warpsOfAccumulator(sum.getNumElements()) / 4;
}

// Have threads registers for the operands of a step over the turns of this loop? Not beside a sum
// that takes more than 128 of each of 256 threads, nor where a sum that takes so many is beside
// other tiles that are needed in the loop or behind it, as the parts of a sum that wait to be
// stored.
bool hasRegistersForStep(scf::ForOp loop, tile::SharedMmaOp multiply) {
  constexpr int64_t mostOfSum = int64_t(256) * 128, sumOfManyRegisters = int64_t(128) * 128;
  int64_t elements = cast<RankedTensorType>(multiply.getType()).getNumElements(), beside = 0;
  auto count = [&](Value v) {
    auto type = dyn_cast<RankedTensorType>(v.getType());
    if (type && !v.getDefiningOp<tile::SplatOp>())
      beside += type.getNumElements();
  };
  BlockArgument sum;
  for (BlockArgument carried : loop.getRegionIterArgs())
    if (carried == multiply.getC())
      sum = carried;
    else
      count(carried);
  Value first = sum ? loop.getTiedLoopInit(sum)->get() : Value();
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
  return elements <= mostOfSum && (elements < sumOfManyRegisters || beside * 8 <= elements);
}

// Does it stand in a loop in which a block takes tile after tile, as many on as there are blocks?
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
  bool startsFirst = false; // the multiply, before the copies that it is waited for behind
};

// Should a block have an SM, and all stages that fit it, for itself, unless the program hints at
// other blocks? Where it takes tile after tile there are no others. And copies by pointers come
// late and from far apart: where two blocks would have three stages each, few blocks wait for them
// all the time. How many there are is not known of an image. TileGym's experts, 128x128x64, on an
// H100: 16 of them, 128 blocks, take 10.0 us instead of 15.6, 8 experts 5.3 instead of 5.9, 32 and
// 64, of many blocks, 143 and 276 instead of 141 and 281. Products of gathered rows have 199
// TFLOP/s instead of 192 at 1024^3, but 557 instead of 587 at 4096^3.
bool wantsDeepRing(scf::ForOp loop, ArrayRef<SmallVector<Stream>> parts) {
  auto kernel = loop->getParentOfType<func::FuncOp>();
  const bool hasGathers = llvm::any_of(parts, [](ArrayRef<Stream> part) {
    return llvm::any_of(part, [](const Stream &stream) { return bool(stream.byPointers); });
  });
  const bool isImage = !kernel->getParentOfType<ModuleOp>()->hasAttr(launchedAttr);
  const int64_t moreStages = (wantedStages + 1) * bytesOfStage(parts.front());
  return hintedBlocks(kernel) <= 1 &&
         (isForTileAfterTile(loop) ||
          (hasGathers && isImage && blocksOfSharedMemory(targetOf(kernel), moreStages) < 2));
}

// Measured with tiles of bf16 on an H200: two blocks with three stages that wait are better than
// one with four in flight, and so are two blocks with two stages; but where four stages of two
// blocks fit, and a warpgroup has one instruction to start at a time, these are better in flight.
Ring ringFor(scf::ForOp loop, ArrayRef<tile::SharedMmaOp> sum, int64_t bytes, int64_t beside,
             MapMaker maker, bool isDeep) {
  auto kernel = loop->getParentOfType<func::FuncOp>();
  const SharedAllowance allowance = allowanceOf(kernel);
  // Maps that the launch gives cost nothing: copies by them are better wherever there are any.
  // Those that are made in the kernel take time, which a block that is alone on its SM gains back;
  // two hide it from one another no better than the copies that threads start.
  bool isGiven = maker == MapMaker::launch;
  int64_t besideStages = 0;
  if (isGiven)
    beside += besideStages = bytesOfArrivals(allowance.stages, 4);
  int64_t shared = targetOf(kernel).sharedOfBlock, stages = stagesFor(bytes, beside, kernel);
  auto areAll = [](ArrayRef<tile::SharedMmaOp> ops, auto isOf) {
    return !ops.empty() &&
           llvm::all_of(ops, [&](tile::SharedMmaOp op) { return isOf(op.getKind()); });
  };
  auto areOfWarpgroups = [&](ArrayRef<tile::SharedMmaOp> ops) {
    return areAll(ops, [](tile::MmaKind kind) { return kind == tile::MmaKind::wgmma; });
  };
  auto areOfWarps = [&](ArrayRef<tile::SharedMmaOp> ops) {
    return areAll(ops, [](tile::MmaKind kind) { return isOfWarps(kind); });
  };
  if (!areOfWarpgroups(sum)) {
    // What registers leave to one block alone is there for its stages.
    SmallVector<tile::SharedMmaOp> all = multipliesOf(loop);
    if (sum.empty() && areOfWarpgroups(all) && !fitTwoBlocks(kernel, all, 0))
      stages = std::min(allowance.stages, (shared - beside) / bytes);
    return {stages, false, isGiven, areOfWarps(sum) && hasRegistersForStep(loop, sum.front())};
  }
  bool isOneSum = llvm::all_of(sum.drop_front(),
                               [](tile::SharedMmaOp op) { return !isa<BlockArgument>(op.getC()); });
  bool isAlone = isForFewBlocks(kernel) || isDeep;
  if (!isAlone && fitTwoBlocks(kernel, sum, wantedStages * bytes + besideStages))
    return {stages, stages > wantedStages && isOneSum && isOneInstructionHigh(sum.front()),
            isGiven};
  constexpr int64_t least = 2;
  if (!isAlone && allowance.stages >= least && isOneSum &&
      fitTwoBlocks(kernel, sum, least * bytes + besideStages))
    return {least, false, isGiven};
  bool isWantedAlone = hintedBlocks(kernel) == 1 || isDeep,
       hasMore = (isWantedAlone || isAlone) && allowance.stages > wantedStages;
  int64_t most = hasMore ? mostStagesAlone : allowance.stages,
          besideRing = bytesOfArrivals(most, 4) + (isGiven ? 0 : 4 * bytesOfMap),
          others = beside - besideStages,
          inFlight = std::min(most, (shared - besideRing - others) / bytes);
  // Few blocks may be more than there are SMs: more stages take none of them its place.
  auto blocksWith = [&](int64_t stages) {
    return blocksOfSharedMemory(targetOf(kernel), stages * bytes + besideRing + others);
  };
  while (!isWantedAlone && inFlight > allowance.stages &&
         blocksWith(inFlight) < blocksWith(allowance.stages))
    --inFlight;
  return inFlight >= leastStagesInFlight ? Ring{inFlight, true, maker != MapMaker::none}
                                         : Ring{stages, false, isGiven};
}

// The same with room for the ends of rows, where that takes neither a stage nor another block its
// place: rows that are aligned are copied as fast as without. More than four blocks hide nothing
// that four do not.
Ring ringWithEnds(scf::ForOp loop, ArrayRef<SmallVector<Stream>> parts,
                  ArrayRef<tile::SharedMmaOp> sum, int64_t beside) {
  const GpuTarget &target = targetOf(loop->getParentOfType<func::FuncOp>());
  int64_t bytes = bytesOfStage(parts.front()), bytesOfEnds = 0;
  for (tile::SharedType ends : endsOf(parts))
    bytesOfEnds += ends ? bytesOf(ends) : 0;
  MapMaker maker = makerOfMaps(loop, parts);
  const bool isDeep = wantsDeepRing(loop, parts);
  Ring without = ringFor(loop, sum, bytes, beside, maker, isDeep);
  bool areAligned = maker == MapMaker::launch && needsMaps(loop->getParentOfType<func::FuncOp>());
  if (!bytesOfEnds || areAligned)
    return without;
  Ring with = ringFor(loop, sum, bytes + bytesOfEnds, beside, maker, isDeep);
  auto blocks = [&](const Ring &ring, int64_t bytesOfOne) {
    constexpr int64_t enough = 4;
    return std::min(blocksOfSharedMemory(target, ring.stages * bytesOfOne + beside), enough);
  };
  with.hasEnds = with.isInFlight == without.isInFlight && with.isBulk == without.isBulk &&
                 with.stages >= without.stages &&
                 blocks(with, bytes + bytesOfEnds) >= blocks(without, bytes);
  return with.hasEnds ? with : without;
}

// The copies of a loop's first turns, before it.
class FirstCopies {
public:
  FirstCopies(OpBuilder &b, scf::ForOp loop, ArrayRef<SmallVector<Stream>> parts,
              ArrayRef<RingOfTiles> rings, const std::optional<BulkRing> &bulk)
      : b(b), loop(loop), loc(loop.getLoc()), parts(parts), rings(rings), bulk(bulk) {}

  // So many parts. Whole turns are a loop: compilers take their time for the text of a copy, and
  // there is nothing to gain by repeating it where nothing is multiplied yet.
  void start(int64_t count) {
    auto ofTurn = int64_t(parts.size()), part = int64_t(0);
    whole = count / ofTurn;
    if (whole > 1 && takesPlaceByCount(loop, whole - 1)) {
      startTurns();
      part = whole * ofTurn;
    }
    for (; part < count; ++part)
      startPart(turnAt(b.getIndexAttr(part / ofTurn), part / ofTurn), part % ofTurn, number(part));
  }

private:
  Value number(int64_t n) {
    return arith::ConstantOp::create(b, loc, b.getI32IntegerAttr(int32_t(n)));
  }

  // Does the loop have more turns than `turn`, as far as is known?
  bool surelyHas(int64_t turn) {
    auto lower = getConstantIntValue(loop.getLowerBound()),
         upper = getConstantIntValue(loop.getUpperBound()),
         step = getConstantIntValue(loop.getStep());
    return lower && upper && step && *lower >= 0 && *lower + turn * *step < *upper;
  }

  // grown: how often what the loop carries is to grow for it.
  OtherIteration turnAt(OpFoldResult turn, int64_t grown) {
    Value lower = loop.getLowerBound(), variable = advance(b, loop, lower, turn);
    Value exists = surelyHas(getConstantIntValue(turn).value_or(whole - 1))
                       ? arith::ConstantOp::create(b, loc, b.getBoolAttr(true)).getResult()
                       : takesPlace(b, loop, lower, variable, turn);
    return {variable, exists, grown, /*isBeforeLoop=*/true};
  }

  void startPart(const OtherIteration &turn, int64_t part, Value slot, const IRMapping &map = {}) {
    startCopies(b, loop, parts[part], rings, bulk, turn, slot, map);
  }

  void startTurns() {
    SmallVector<Value> places;
    for (ArrayRef<Stream> part : parts)
      for (const Stream &stream : part)
        llvm::append_range(places, stream.place());
    Slice slice = sliceOf(places, loop);
    SmallVector<Value> inits = llvm::map_to_vector(
        slice.carried, [&](BlockArgument carried) { return loop.getTiedLoopInit(carried)->get(); });
    auto starts = scf::ForOp::create(b, loc, number(0), number(whole), number(1), inits);
    starts->setAttr(firstCopiesAttr, b.getUnitAttr());
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(starts.getBody());
    Value turn = starts.getInductionVar();
    turn.setLoc(NameLoc::get(b.getStringAttr(parts.size() == 1 ? "stage" : "turn"), loc));
    IRMapping map;
    for (auto [carried, ours] : llvm::zip_equal(slice.carried, starts.getRegionIterArgs())) {
      ours.setLoc(carried.getLoc());
      map.map(carried, ours);
    }
    auto ofTurn = int64_t(parts.size());
    OtherIteration here = turnAt(turn, /*grown=*/0); // the map has what is carried
    Value first = b.createOrFold<arith::MulIOp>(loc, turn, number(ofTurn));
    for (int64_t part = 0; part < ofTurn; ++part)
      startPart(here, part, b.createOrFold<arith::AddIOp>(loc, first, number(part)), map);
    if (inits.empty())
      return; // the builder has ended the body
    SmallVector<Value> next;
    for (auto [carried, ours] : llvm::zip_equal(slice.carried, starts.getRegionIterArgs()))
      next.push_back(nextOf(b, loop, carried, ours));
    scf::YieldOp::create(b, loc, next);
  }

  OpBuilder &b;
  scf::ForOp loop;
  Location loc;
  ArrayRef<SmallVector<Stream>> parts;
  ArrayRef<RingOfTiles> rings;
  const std::optional<BulkRing> &bulk;
  int64_t whole = 0; // turns
};

// `parts`: what is copied at a time, in the order in which an iteration takes it; `sum`: the
// multiplies that take them, where there are several parts; or several sums of one part.
void pipeline(scf::ForOp loop, ArrayRef<SmallVector<Stream>> parts, ArrayRef<tile::SharedMmaOp> sum,
              Ring ring) {
  Location loc = loop.getLoc();
  auto count = int64_t(parts.size()), stages = ring.stages;
  int64_t ahead = ring.isInFlight ? stages - 2 : stages - 1; // parts
  const bool isLeft = ring.isInFlight || ring.isStepBehind || ring.startsFirst;
  Operation *finish = isLeft ? leaveInFlight(loop, sum) : nullptr;
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
  FirstCopies(b, loop, parts, rings, bulk).start(ahead);

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
      b.setInsertionPoint(sum[part]);
    Value read = slotAfter(b, carried[0], part);
    waitForCopies(b, newLoop, parts[part], rings, bulk, ahead - 1, read);
    auto takeOperands = [&] {
      for (auto [stream, ring] : llvm::zip(parts[part], rings)) {
        tile::SharedAllocOp buffer = stream.buffer;
        Value slot = tile::SharedSlotOp::create(b, loc, buffer.getType(), ring.tiles, read);
        buffer.getResult().replaceAllUsesWith(slot);
      }
    };
    if (ring.startsFirst) {
      takeOperands();
      tile::SharedMmaOp multiply = sum[part];
      multiply.getWait().setPending(0);
      multiply->moveBefore(b.getInsertionBlock(), b.getInsertionPoint());
    }
    Value i = newLoop.getInductionVar();
    int64_t turns = (part + ahead) / count;
    Value later = advance(b, newLoop, i, b.getIndexAttr(turns));
    Value exists = takesPlace(b, newLoop, i, later, b.getIndexAttr(turns));
    startCopies(b, newLoop, parts[(part + ahead) % count], rings, bulk,
                {later, exists, turns, false}, slotAfter(b, carried[1], part));
    if (!ring.startsFirst)
      takeOperands();
  }
  // Only now: the builder may stand before the first of them. What was read is dead with them.
  for (ArrayRef<Stream> part : parts)
    for (Stream stream : part) {
      stream.store.erase();
      stream.buffer.erase();
    }
  // The barrier behind this wait says that all have read the last stage.
  b.setInsertionPointAfter(finish ? finish : newLoop);
  tile::WaitGroupOp::create(b, loc, 0);
}

// Such a loop is none for long: there is nothing to copy ahead of it.
bool hasOneTurn(scf::ForOp loop) {
  auto lower = getConstantIntValue(loop.getLowerBound()),
       upper = getConstantIntValue(loop.getUpperBound()),
       step = getConstantIntValue(loop.getStep());
  return lower && upper && step && *lower >= 0 && *upper >= 0 && *upper - *lower <= *step;
}

// What is copied ahead for a loop, and how.
struct Pipeline {
  SmallVector<Stream> streams, computed;
  SmallVector<tile::SharedMmaOp> sum;
  SmallVector<SmallVector<Stream>> parts;
  Ring ring{0, false};

  // rounds: floats become tf32 on their way.
  Pipeline(scf::ForOp loop, ArrayRef<Stream> found, bool rounds) : streams(found) {
    if (!rounds)
      llvm::erase_if(streams, [](const Stream &stream) { return bool(stream.rounding); });
    computed = addComputed(loop, streams, rounds);
    if (streams.empty())
      return;
    auto kernel = loop->getParentOfType<func::FuncOp>();
    sum = sumOfLoop(loop, streams);
    parts = partsOf(targetOf(kernel), sum, streams);
    if (parts.size() != sum.size())
      sum = sumsOfLoop(loop, streams); // else they share what is copied, and are waited for
    ring = ringWithEnds(loop, parts, sum, bytesBeside(loop, streams));
    const bool mayBeInFlight = !callsFunctions(kernel) && policyOf(kernel).in_flight;
    ring.isInFlight &= mayBeInFlight;
    ring.isStepBehind &= policyOf(kernel).in_flight;
    // Of copies that are due in the next turn each cycle counts.
    ring.startsFirst = !ring.isInFlight && !ring.isBulk && ring.stages >= wantedStages &&
                       parts.size() == 1 && sum.size() == 1 &&
                       sum.front().getKind() == tile::MmaKind::wgmma && mayBeInFlight;
    fillByWarpIfGood(loop);
  }

  // A warp of its own for the copies, where the sum leaves no room for another block's: of
  // multiplies in flight, or of one that pass prefetch-operands leaves so.
  void fillByWarpIfGood(scf::ForOp loop) {
    auto kernel = loop->getParentOfType<func::FuncOp>();
    const bool isFromRegisters = !computed.empty();
    SmallVector<tile::SharedMmaOp> fed = isFromRegisters ? multiplyOfRegisters(loop) : sum;
    if ((!isFromRegisters && !ring.isInFlight) || fed.empty() || !ring.isBulk ||
        callsFunctions(kernel) || fitTwoBlocks(kernel, fed, 0) ||
        makerOfMaps(loop, parts) != MapMaker::launch || !canFillByWarp(loop, parts, fed))
      return;
    const int64_t most = allowanceOf(kernel).stages,
                  beside = bytesOfArrivals(2 * most, 0) + bytesOfStoredParts(kernel) +
                           bytesBeside(loop, streams),
                  stages = std::min(most, (targetOf(kernel).sharedOfBlock - beside) /
                                              bytesOfStage(parts.front()));
    if (stages < leastStagesInFlight)
      return;
    sum = fed;
    ring.stages = stages;
    ring.isFilledByWarp = true;
  }

  // The only multiply of the loop, if it takes its first operand from registers that are computed
  // of the streams, and its second from one.
  SmallVector<tile::SharedMmaOp> multiplyOfRegisters(scf::ForOp loop) const {
    SmallVector<tile::SharedMmaOp> all = multipliesOf(loop);
    if (all.size() != 1 || all.front()->getParentOp() != loop ||
        !streamInto(all.front().getB(), streams))
      return {};
    auto operand = all.front().getA().getDefiningOp<tile::SharedAllocOp>();
    return operand && isInRegisters(all.front(), operand) ? all : SmallVector<tile::SharedMmaOp>();
  }

  // Of maps that kernels make it has not been tried whether they round.
  bool isOfWhatBulkCopiesDo(scf::ForOp loop) const {
    return llvm::none_of(streams, [](const Stream &stream) { return bool(stream.rounding); }) ||
           (ring.isBulk && ring.stages >= 2 && makerOfMaps(loop, parts) == MapMaker::launch);
  }
};

Pipeline pipelineOf(scf::ForOp loop, ArrayRef<Stream> found) {
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
      if (hasOneTurn(loop))
        continue;
      SmallVector<Stream> streams = findStreams(loop);
      if (loop->hasAttr(fewTurnsAttr)) {
        for (Stream &stream : streams)
          markWaiting(stream.read(), tile::WaitReason::few);
        continue;
      }
      Pipeline planned = pipelineOf(loop, streams);
      if (planned.streams.empty())
        continue;
      if (planned.ring.stages >= 2) {
        for (Stream &stream : planned.streams)
          hoistInvariants(loop, sliceOf(stream.place(), loop));
        if (planned.ring.isFilledByWarp)
          fillByWarp(loop, planned.parts, planned.sum, planned.ring.stages,
                     planned.ring.isInFlight);
        else
          pipeline(loop, planned.parts, planned.sum, planned.ring);
      } else
        for (Stream &stream : planned.streams)
          markWaiting(stream.read(),
                      policyOf(loop).rings ? tile::WaitReason::room : tile::WaitReason::forbidden);
    }
    eraseDead(getOperation()); // the addresses of the reads
    getOperation().walk(markOther);
  }

  // An operand in a loop that was not looked at above: it is read elsewhere than in the body of one
  // that could have a ring.
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
                      : hasOneTurn(loop)                     ? tile::WaitReason::once
                                                             : tile::WaitReason::uses);
  }
};

} // namespace
} // namespace tessera::plan
