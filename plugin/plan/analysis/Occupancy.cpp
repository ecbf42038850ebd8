#include "plan/analysis/Occupancy.h"

#include "plan/analysis/Layouts.h"
#include "plan/analysis/Matmuls.h"
#include "plan/Plan.h"
#include "plan/Config.h"
#include "target/CostModel.h"
#include "tile/Attributes.h"

#include "llvm/Support/MathExtras.h"
#include "tile/TileDialect.h"

using namespace mlir;

namespace tessera::plan {

namespace {

int64_t registersOfResult(tile::SharedMmaOp multiply) {
  return toLinear(cast<RankedTensorType>(multiply.getType())).registerCount();
}

// For the sums that a multiply promotes.
int64_t registersToPromote(tile::SharedMmaOp multiply) {
  return multiply.getPromotes() ? std::min(registersOfResult(multiply), registersOfPromotion) : 0;
}

// Of the most expensive multiply; 0 without one.
int64_t maxOfMultiplies(func::FuncOp kernel,
                        llvm::function_ref<int64_t(tile::SharedMmaOp)> registers) {
  int64_t maximum = 0;
  kernel.walk([&](tile::SharedMmaOp op) { maximum = std::max(maximum, registers(op)); });
  return maximum;
}

// The remainder iterations of the pass unroll-along-k read their operands through registers, at
// coordinates that are computed before the preceding loop.
int64_t registersOfFewIterations(func::FuncOp kernel) {
  bool areThere = kernel
                      .walk([](scf::ForOp loop) {
                        return loop->hasAttr(tile::fewIterationsAttr) ? WalkResult::interrupt()
                                                                      : WalkResult::advance();
                      })
                      .wasInterrupted();
  return areThere ? registersOfRemainder : 0;
}

} // namespace

int64_t accumulatorRegisters(func::FuncOp kernel) {
  return maxOfMultiplies(kernel, registersOfResult);
}

int64_t multiplyRegisters(func::FuncOp kernel) {
  return maxOfMultiplies(kernel, [](tile::SharedMmaOp op) {
    int64_t accumulator = registersOfResult(op);
    return op.getInstruction().readsPanels() ? accumulator + registersToPromote(op)
                                             : 2 * accumulator;
  });
}

int64_t neededRegisters(func::FuncOp kernel) {
  const int64_t besides = kernel->hasAttr(tile::warpSpecializedAttr)
                              ? registersBesidesTilesOfConsumers
                              : registersBesidesTiles;
  return liveRegisters(kernel) + maxOfMultiplies(kernel, registersToPromote) + besides +
         registersOfFewIterations(kernel);
}

int64_t expectedRegisters(func::FuncOp kernel) {
  int64_t multiply = multiplyRegisters(kernel);
  return std::max(multiply ? multiply + registersBesidesMultiply : 0, neededRegisters(kernel));
}

int64_t availableRegisters(func::FuncOp kernel) {
  constexpr int64_t limit = registersOfThread - 1; // an instruction can name this many
  if (auto consumers = kernel->getAttrOfType<IntegerAttr>(tile::warpSpecializedAttr))
    return consumers.getInt();
  int64_t shared = targetOf(kernel).registersOfMultiprocessor / threadsOf(kernel);
  return std::min(limit, int64_t(llvm::alignDown(shared, registerGranularity)));
}

int64_t warpsOfAccumulator(int64_t elements) { return 4 * warpgroupsOfAccumulator(elements); }

bool isForFewBlocks(func::FuncOp kernel) {
  return kernel->hasAttr(tile::cyclesAttr) && !kernel->hasAttr(tile::coarsenedFromAttr);
}

int64_t tileBlocksOf(func::FuncOp kernel) {
  const bool areSideBySide =
      kernel->hasAttr(tile::warpgroupBlocksAttr) && kernel->hasAttr(tile::warpSpecializedAttr);
  return areSideBySide ? warpgroupsOfConsumers : 1;
}

int64_t computingWarps(func::FuncOp kernel) {
  return tileBlocksOf(kernel) * configOf(kernel).getWarps();
}

int64_t threadsOf(func::FuncOp kernel) {
  const int64_t warps = computingWarps(kernel);
  return 32 * (kernel->hasAttr(tile::warpSpecializedAttr) ? warps + warpsForCopies : warps);
}

int64_t sharedBytesOf(func::FuncOp kernel) {
  return kernel->getAttrOfType<IntegerAttr>(tile::sharedBytesAttr).getInt();
}

int64_t blocksOfSharedMemory(const GpuTarget &target, int64_t bytes) {
  return bytes > target.sharedOfBlock ? 0
                                      : target.sharedOfMultiprocessor / (bytes + sharedOfSystem);
}

int64_t sharedOfOneOf(int64_t blocks, const GpuTarget &target) {
  return target.sharedOfMultiprocessor / blocks - sharedOfSystem;
}

int64_t blocksOfMultiprocessor(const GpuTarget &target, int64_t threads, int64_t sharedBytes,
                               int64_t registers) {
  int64_t blocks =
      std::min({blocksOfSharedMemory(target, sharedBytes), target.threadsOfMultiprocessor / threads,
                target.blocksOfMultiprocessor});
  if (registers)
    blocks =
        std::min(blocks, target.registersOfMultiprocessor /
                             (int64_t(llvm::alignTo(registers, registerGranularity)) * threads));
  return blocks;
}

int64_t hintedBlocks(func::FuncOp kernel) {
  auto hint = kernel->getAttrOfType<IntegerAttr>(tile::occupancyAttr);
  return hint ? hint.getInt() : 0;
}

bool isTwoBlocksWorth(func::FuncOp kernel) {
  int64_t accumulator = accumulatorRegisters(kernel), multiply = multiplyRegisters(kernel);
  const bool isOfWarpgroups = hasMultiply(
      kernel, [](tile::SharedMmaOp op) { return op.getInstruction().isOfWarpgroups(); });
  int64_t needed = isOfWarpgroups ? std::max(multiply + registersBesidesMultiply,
                                             liveRegisters(kernel) +
                                                 maxOfMultiplies(kernel, registersToPromote) +
                                                 registersBesidesTiles)
                                  : multiply;
  return accumulator &&
         needed * threadsOf(kernel) <= targetOf(kernel).registersOfMultiprocessor / 2;
}

} // namespace tessera::plan
