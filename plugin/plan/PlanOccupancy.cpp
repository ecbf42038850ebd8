// Decides how many blocks of a kernel with multiplies should fit an SM at one time, where shared
// memory has room for them. The compiler of the emitted text then gives a thread no more registers
// than so many blocks leave it, but takes those: without a wish it saves registers that nobody else
// can use, and overlaps less. What is wished for must be within reach: values that do not fit are
// spilled to memory.
#include "plan/Occupancy.h"
#include "plan/Passes.h"
#include "plan/Plan.h"

using namespace mlir;

namespace tessera::plan {

#define GEN_PASS_DEF_PLANOCCUPANCY
#include "plan/Passes.h.inc"

namespace {

// Blocks that registers have room for. A multiply's factors pass through about as many registers as
// its accumulator holds. What was measured for these numbers is in docs/design.md.
int64_t blocksOfRegisters(func::FuncOp kernel) {
  constexpr int64_t ofMultiply = 40, ofOthers = 16, most = 4; // addresses, indices, predicates
  int64_t registers =
      std::max(2 * accumulatorRegisters(kernel) + ofMultiply, liveRegisters(kernel) + ofOthers);
  int64_t blocks =
      registersOfMultiprocessor / (std::min(registers, registersOfThread) * threadsOf(kernel));
  return std::min(blocks, most);
}

struct PlanOccupancy : impl::PlanOccupancyBase<PlanOccupancy> {
  void runOnOperation() override {
    func::FuncOp kernel = getOperation();
    if (!accumulatorRegisters(kernel))
      return;
    int64_t bytes = kernel->getAttrOfType<IntegerAttr>(sharedBytesAttr).getInt();
    int64_t blocks =
        std::min(blocksOfSharedMemory(targetOf(kernel), bytes),
                 std::max<int64_t>(blocksOfRegisters(kernel), isTwoBlocksWorth(kernel) ? 2 : 1));
    if (blocks > 1)
      kernel->setAttr(minBlocksAttr, Builder(&getContext()).getI64IntegerAttr(blocks));
  }
};

} // namespace
} // namespace tessera::plan
