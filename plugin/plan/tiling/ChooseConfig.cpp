// Chooses the configuration of a kernel: warps, K tile, stages, roles, and shares of shared memory.
//
//   func @k  ->  func @k {tile.config = #tile.config<warps = 8>}
//
// The candidates stand in a table, best first; each takes less shared memory than the one before
// it, from what only makes a kernel fast. First a ring of copies ahead gets fewer stages, then
// none; then each multiply stores its own operands; then conversions go in smaller parts, then the
// operands of multiplies. The remainder is the program's own. The kernel begins with the first one;
// how much shared memory it takes is known when all passes that allocate have run, and the pass
// fit-shared-memory takes the first that fits.
//
// Where a ring has fewer stages than hide the latency of a copy, a K tile as deep as one stage is
// no gain: such candidates keep the program's.
#include "plan/analysis/Chains.h"
#include "plan/analysis/Matmuls.h"
#include "plan/analysis/Occupancy.h"
#include "plan/analysis/Reductions.h"
#include "plan/Passes.h"
#include "plan/Plan.h"
#include "plan/Config.h"
#include "tile/Attributes.h"

#include "llvm/Support/MathExtras.h"

#include <limits>

using namespace mlir;

namespace tessera::plan {

#define GEN_PASS_DEF_CHOOSECONFIG
#include "plan/Passes.h.inc"

namespace {

// The instruction of a multiply, chosen or to be chosen; null for another op.
const MmaInstruction *instructionOf(Operation *op) {
  if (auto chosen = dyn_cast<tile::SharedMmaOp>(op))
    return &chosen.getInstruction();
  auto multiply = dyn_cast<tile::MmaOp>(op);
  return multiply ? &instructionFor(multiply) : nullptr;
}

// The program's hint, for a kernel that multiplies nothing, as far as a thread has one to 64
// elements of the largest tile.
int64_t hintedWarps(func::FuncOp kernel, int64_t chosen, int64_t largest) {
  constexpr int64_t limit = 16;
  auto hint = kernel->getAttrOfType<IntegerAttr>(tile::workerWarpsAttr);
  if (!hint)
    return chosen;
  const int64_t fewest = std::clamp<int64_t>(largest / (int64_t(32) * 64), 1, limit),
                most = std::clamp<int64_t>(largest / 32, fewest, limit);
  return int64_t(llvm::bit_floor(uint64_t(std::clamp(hint.getInt(), fewest, most))));
}

// The elements of accumulators that are live at a time in an iteration of a loop of multiplies by
// warpgroups: those that the loop carries, and the largest of the others.
int64_t liveAccumulators(scf::ForOp loop) {
  int64_t carried = 0, other = 0;
  for (Operation &op : *loop.getBody()) {
    const MmaInstruction *instruction = instructionOf(&op);
    if (!instruction || !instruction->isOfWarpgroups())
      continue;
    const int64_t elements = cast<RankedTensorType>(op.getResult(0).getType()).getNumElements();
    if (llvm::is_contained(loop.getYieldedValues(), op.getResult(0)))
      carried += elements;
    else
      other = std::max(other, elements);
  }
  return carried + other;
}

// The rows of attention's tiles in a loop: of a multiply by warpgroups, and of one that takes what
// is computed of its accumulator; else 0.
int64_t rowsOfAttention(scf::ForOp loop) {
  std::optional<Chain> chain = chainOf(loop);
  if (!chain || chain->first.size() != 1 || chain->second.size() != 1)
    return 0;
  int64_t rows = std::numeric_limits<int64_t>::max();
  for (Operation *op : {chain->first.front(), chain->second.front()}) {
    const MmaInstruction *instruction = instructionOf(op);
    if (!instruction || !instruction->isOfWarpgroups())
      return 0;
    rows = std::min(rows, tile::shapeOf(op->getResult(0).getType()).front());
  }
  return rows;
}

// Is a tile of the largest size read in a loop?
bool readsInLoops(func::FuncOp kernel, int64_t largest) {
  return kernel
      .walk([&](tile::ViewLoadOp load) {
        auto type = cast<RankedTensorType>(load.getType());
        return type.getNumElements() == largest && load->getParentOfType<LoopLikeOpInterface>()
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

// What threads hold of each element of the largest tile at a time, in bytes: what is read of it,
// what loops carry, and the float that is computed. late: what is needed behind the reductions
// alone is read there, a few elements at a time.
int64_t bytesHeld(func::FuncOp kernel, int64_t largest, bool late) {
  int64_t bytes = 4;
  auto add = [&](Value v) {
    auto type = dyn_cast<RankedTensorType>(v.getType());
    if (type && type.getNumElements() == largest)
      bytes += int64_t(llvm::divideCeil(tile::storageBits(type.getElementType()), 8));
  };
  kernel.walk([&](Operation *op) {
    if (isa<tile::ViewLoadOp, tile::LoadOp>(op)) {
      if (!late || isCombined(op->getResult(0)))
        add(op->getResult(0));
    } else if (auto loop = dyn_cast<LoopLikeOpInterface>(op))
      llvm::for_each(loop.getRegionIterArgs(), add);
  });
  return bytes;
}

// A reduction takes each thread as many instructions as some 8 elements of softmax do, however many
// elements the thread has, and a barrier where several warps share a row. So threads of rows have
// more elements than those of element-wise tiles, as far as they have registers for all that is
// read, and blocks are small enough that an SM has several. bf16 on an H200, GB/s of softmax and
// layer_norm, by 8 and by 32 elements of a thread: rows of 1024 3458 and 3924, 3674 and 3935; of
// 4096, by 16 and 32, 3769 and 3911, 3760 and 3856; of 16384, by 32 and 64, 3384 and 3536, 2343 and
// 3597 (bench/results/2026-11-30-rows-by-warps-h200.txt).
//
// Where 16 warps would be a block that has its SM alone, weights do not count that are read behind
// the reductions: layer_norm of 16384 floats has 3320 GB/s so, and 3536 by two blocks of 8 warps;
// of 4096, 4011 by 8 warps and 3957 by 4 (in the same file).
//
// A row in parts of its columns reads them in one loop for each reduction and one behind them,
// where each thread holds all that an element of its part needs: rms_norm of 32768 floats has 2929
// GB/s by 8 warps, and 3578 by 16.
std::optional<int64_t> warpsOfRows(func::FuncOp kernel, int64_t largest) {
  constexpr int64_t maxBytes = 12, elementsOfWarp = int64_t(32) * 32, alone = 16384, whole = 32768;
  const bool reduces =
      kernel.walk([](tile::ReduceOp) { return WalkResult::interrupt(); }).wasInterrupted();
  const bool late = largest >= alone && !readsInLoops(kernel, largest);
  if (!reduces || bytesHeld(kernel, largest, late) > maxBytes)
    return std::nullopt;
  return std::min<int64_t>(
      llvm::bit_floor(uint64_t(std::max(largest / elementsOfWarp, int64_t(1)))),
      largest >= whole ? 16 : 8);
}

// Enough warps that a thread holds few elements of an element-wise tile. A multiply wants the
// opposite: a warp with 64x64 elements of the accumulator reads each operand from shared memory
// half as often as one with 32x32, and mma.sync is bound by shared memory. wgmma takes whole
// warpgroups: a second one from 128 rows of 128 columns on, so that two blocks' accumulators leave
// registers for addresses; and where one's threads would hold more of several accumulators than
// leaves them registers for operands and addresses. Attention has one for each 64 rows, up to two:
// what a thread computes between the multiplies takes longer than they. 128x64 with D 64 takes 674
// us by one warpgroup and 428 by two, 1149 and 729 where all keys are seen (64 x 4096, H200,
// bench/results/2026-11-30-warpgroups-of-attention-h200.txt); gradients of queries, which multiply
// three times, have 373 TFLOP/s and 348.
int64_t chooseWarps(func::FuncOp kernel) {
  constexpr int64_t maxPerThread = 176;
  int64_t largest = 1, accumulator = 0, warpgroupElements = 0, live = 0, chained = 0;
  auto note = [&](Value v) {
    auto tensor = dyn_cast<RankedTensorType>(v.getType());
    if (!tensor)
      return;
    bool onlyPassesThrough =
        llvm::all_of(v.getUsers(), [](Operation *user) { return isa<tile::SharedStoreOp>(user); });
    if (!onlyPassesThrough)
      largest = std::max(largest, tensor.getNumElements());
  };
  kernel.walk([&](Operation *op) {
    llvm::for_each(op->getResults(), note);
    if (auto loop = dyn_cast<scf::ForOp>(op)) {
      live = std::max(live, liveAccumulators(loop));
      chained = std::max(chained, rowsOfAttention(loop));
    }
    const MmaInstruction *instruction = instructionOf(op);
    if (!instruction)
      return;
    auto type = cast<RankedTensorType>(op->getResult(0).getType());
    int64_t elements = type.getNumElements(),
            words = llvm::divideCeil(type.getElementTypeBitWidth(), 32);
    accumulator = std::max(accumulator, elements * words);
    if (instruction->isOfWarpgroups())
      warpgroupElements = std::max(warpgroupElements, elements);
  });
  int64_t wanted = std::max(largest / 256, int64_t(1)), limit = largest >= 16384 ? 16 : 8;
  if (accumulator) {
    wanted =
        std::max(accumulator / 4096, std::min<int64_t>(4, std::max<int64_t>(accumulator / 512, 1)));
    limit = 8;
  }
  if (warpgroupElements)
    wanted = std::max({wanted, warpsOfAccumulator(warpgroupElements),
                       live > int64_t(4) * 32 * maxPerThread ? int64_t(8) : 0,
                       chained >= 128 ? int64_t(8) : 0});
  if (kernel->hasAttr(tile::warpgroupBlocksAttr))
    return 4; // a warpgroup is a tile block
  const int64_t chosen = std::min<int64_t>(llvm::bit_floor(uint64_t(wanted)), limit);
  return accumulator ? chosen
                     : hintedWarps(kernel, warpsOfRows(kernel, largest).value_or(chosen), largest);
}

// What a candidate may take of shared memory.
struct Shares {
  int64_t stages, kBytes;
  bool sharesOperands;
  int64_t exchange; // KiB; half of a block's on sm_80, so that it rarely prevents two blocks
  int64_t operands; // the divisor of a block's shared memory
};
constexpr Shares candidates[] = {
    {4, bestKBytes, true, 80, 1}, {3, bestKBytes, true, 80, 1}, {2, 0, true, 80, 1},
    {1, 0, true, 80, 1},          {1, 0, false, 80, 1},         {1, 0, false, 32, 1},
    {1, 0, false, 8, 1},          {1, 0, false, 8, 2},          {1, 0, false, 8, 4},
    {1, 0, false, 8, 8},
};

struct ChooseConfig : impl::ChooseConfigBase<ChooseConfig> {
  void runOnOperation() override {
    setConfig(getOperation(), candidateConfigs(getOperation()).front());
  }
};

} // namespace

SmallVector<tile::ConfigAttr> candidateConfigs(func::FuncOp kernel) {
  const PlanPolicy policy = policyOf(kernel);
  const int64_t warps = chooseWarps(kernel);
  SmallVector<tile::ConfigAttr> configs;
  for (const Shares &row : candidates)
    if (policy.rings || row.stages == 1)
      configs.push_back(tile::ConfigAttr::get(
          kernel.getContext(), warps, row.kBytes, row.stages, policy.specialize, row.sharesOperands,
          row.exchange * 1024, targetOf(kernel).sharedOfBlock / row.operands));
  return configs;
}

tile::ConfigAttr withoutProducerWarp(tile::ConfigAttr config) {
  return tile::ConfigAttr::get(config.getContext(), config.getWarps(), config.getKBytes(),
                               config.getStages(), /*producerWarp=*/false,
                               config.getSharesOperands(), config.getExchangeBytes(),
                               config.getOperandBytes());
}

tile::ConfigAttr configOf(Operation *op) {
  auto kernel = dyn_cast<func::FuncOp>(op);
  if (!kernel)
    kernel = op->getParentOfType<func::FuncOp>();
  auto config = kernel->getAttrOfType<tile::ConfigAttr>(tile::configAttr);
  return config ? config : candidateConfigs(kernel).front();
}

void setConfig(func::FuncOp kernel, tile::ConfigAttr config) {
  kernel->setAttr(tile::configAttr, config);
}

} // namespace tessera::plan
