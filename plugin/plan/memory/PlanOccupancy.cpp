// Chooses how many blocks of a kernel with multiplies should fit an SM at one time, where shared
// memory has room for them. The compiler of the generated code then gives a thread no more
// registers than that many blocks leave it, but uses all of those: without a bound it saves
// registers that no other block can use, and overlaps less. The bound must be within reach: values
// that do not fit are spilled to memory.
#include "plan/analysis/Layouts.h"
#include "plan/analysis/Occupancy.h"
#include "plan/Passes.h"
#include "plan/Plan.h"
#include "target/RegisterBudgets.h"
#include "tile/Attributes.h"
#include "tile/TileDialect.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace tessera::plan {

#define GEN_PASS_DEF_PLANOCCUPANCY
#include "plan/Passes.h.inc"

namespace {

// Blocks for which registers have room. The measurements behind these numbers are in
// docs/internals/design.md.
int64_t blocksOfRegisters(func::FuncOp kernel) {
  int64_t registers = std::min(
      int64_t(llvm::alignTo(expectedRegisters(kernel), registerGranularity)), registersOfThread);
  return targetOf(kernel).registersOfMultiprocessor / (registers * threadsOf(kernel));
}

// As many as hinted, as far as they are within reach. The registers of math library functions are
// unknown here: in a kernel without multiplies a thread gets twice its live registers.
int64_t blocksOfHint(func::FuncOp kernel, int64_t sharedBytes) {
  int64_t registers = std::min(2 * liveRegisters(kernel) + registersOfFunctions, registersOfThread);
  int64_t blocksByRegisters = blocksOfRegisters(kernel);
  if (!accumulatorRegisters(kernel))
    blocksByRegisters =
        targetOf(kernel).registersOfMultiprocessor / (registers * threadsOf(kernel));
  else if (isTwoBlocksWorth(kernel))
    blocksByRegisters = std::max<int64_t>(blocksByRegisters, 2);
  int64_t possible = std::min(
      blocksByRegisters, blocksOfMultiprocessor(targetOf(kernel), threadsOf(kernel), sharedBytes));
  return std::min(hintedBlocks(kernel), std::max<int64_t>(possible, 1));
}

// A large block that multiplies nothing waits for memory as a whole, unless a second one computes
// meanwhile. Compilers bound nothing by themselves: softmax of four rows of 4096 columns takes 81
// registers of 512 threads, and has them with 64, too. Where there is no room for a second one,
// ptxas has taken 64 or 32 registers of a thread, with thousands of bytes spilled, unless it was
// told that one is enough.
bool isLargeBlock(func::FuncOp kernel) { return threadsOf(kernel) >= 512; }

// A producer warp without a tensor map copies rows by addresses of its own, and its compiler keeps
// scalars that consumers read early: it spills in 24 registers, and not in 40. So it has more where
// the consumers of a chain do not need all that chains may have.
void divideRegisters(func::FuncOp kernel, int64_t expected) {
  if (expected > rolesOfMatmul.consumers)
    return;
  Builder b(kernel.getContext());
  kernel->setAttr(tile::warpSpecializedAttr, b.getI64IntegerAttr(rolesOfMatmul.consumers));
  kernel.walk([](tile::ProducerWarpOp producer) { producer.setRegisters(rolesOfMatmul.producer); });
}

// What a block reads through views, in bytes, as if once.
int64_t bytesRead(func::FuncOp kernel) {
  int64_t bytes = 0;
  kernel.walk([&](tile::ViewLoadOp load) {
    auto type = cast<RankedTensorType>(load.getType());
    bytes = std::max(bytes, type.getNumElements() * bytesOf(type.getElementType()));
  });
  return bytes;
}

template <class Op> bool has(func::FuncOp kernel) {
  return kernel.walk([](Op) { return WalkResult::interrupt(); }).wasInterrupted();
}

// Of a kernel with a version for aligned views, as many blocks as keep memory busy, with a third
// more since they also compute, twice as many if they also wait for each other, and as the
// registers of that version allow. ptxas takes what the
// other version needs, with all of its accesses in flight: 180 registers where the first needs 110.
// A single warp waits at no barrier, so that its reads are made early in either version.
int64_t blocksOfVersion(func::FuncOp kernel) {
  const GpuTarget &target = targetOf(kernel);
  const int64_t threads = threadsOf(kernel), bytes = bytesRead(kernel);
  if (!bytes)
    return 1;
  // As where one looks for the sum of those in front.
  const int64_t waiting = has<tile::AtomicLoadOp>(kernel) ? 2 : 1;
  const int64_t wanted =
      std::max<int64_t>(2, llvm::divideCeil(waiting * target.rates.bytesInFlight * 4 / 3, bytes));
  const int64_t registers = threads == 32
                                ? expectedRegisters(kernel)
                                : liveRegisters(kernel, Reads::late) + registersBesidesRows;
  return std::min(wanted, blocksOfMultiprocessor(target, threads, sharedBytesOf(kernel),
                                                 std::min(registers, registersOfThread)));
}

// Of a block of elements or rows without such versions, with few registers by all estimates; none
// if ptxas had better choose. It takes as few registers as let an SM have all of its threads, if it
// is not told otherwise, and reads what a thread needs piece by piece, each behind the computations
// of the one before: a thread of TileGym's swiglu with two tiles of 8 floats waits for memory three
// times in 32 registers, and once in 40. So it is told of half of these threads. Estimates of scans
// are too low: what they combine in a thread is in registers beside its results.
std::optional<int64_t> blocksWithReads(func::FuncOp kernel) {
  constexpr int64_t registers = 64; // of a thread
  if (has<tile::ScanOp>(kernel) || liveRegisters(kernel) + registersBesidesRows > registers)
    return std::nullopt;
  const int64_t blocks =
      blocksOfMultiprocessor(targetOf(kernel), threadsOf(kernel), sharedBytesOf(kernel), registers);
  return blocks > 0 ? std::optional(blocks) : std::nullopt;
}

struct PlanOccupancy : impl::PlanOccupancyBase<PlanOccupancy> {
  void runOnOperation() override {
    constexpr int64_t limit = 4;
    func::FuncOp kernel = getOperation();
    int64_t hinted = hintedBlocks(kernel);
    Builder b(&getContext());
    const int64_t expected = expectedRegisters(kernel);
    kernel->setAttr(tile::registersAttr, b.getI64IntegerAttr(expected));
    // The roles of a warp-specialized kernel share all registers of an SM.
    if (kernel->hasAttr(tile::warpSpecializedAttr)) {
      kernel->setAttr(tile::minBlocksAttr, b.getI64IntegerAttr(1));
      divideRegisters(kernel, expected);
      return;
    }
    const bool multiplies = accumulatorRegisters(kernel);
    const bool isRows = !multiplies && !hinted;
    if (isRows && kernel->hasAttr(tile::versionsAttr)) {
      if (const int64_t blocks = blocksOfVersion(kernel); blocks > 1 || isLargeBlock(kernel))
        kernel->setAttr(tile::minBlocksAttr, b.getI64IntegerAttr(std::max<int64_t>(blocks, 1)));
      return;
    }
    if (isRows && !isLargeBlock(kernel)) {
      if (const std::optional<int64_t> blocks = blocksWithReads(kernel))
        kernel->setAttr(tile::minBlocksAttr, b.getI64IntegerAttr(*blocks));
      return;
    }
    if (isRows && blocksOfRegisters(kernel) < 2) {
      kernel->setAttr(tile::minBlocksAttr, b.getI64IntegerAttr(1));
      return;
    }
    int64_t bytes = sharedBytesOf(kernel);
    int64_t blocks =
        hinted ? blocksOfHint(kernel, bytes)
               : std::min({multiplies ? limit : 2, blocksOfSharedMemory(targetOf(kernel), bytes),
                           std::max<int64_t>(blocksOfRegisters(kernel),
                                             isTwoBlocksWorth(kernel) ? 2 : 1)});
    const bool isShared = policyOf(kernel).shared_sm;
    if (!hinted && !isShared)
      blocks = 1;
    if (blocks > 1 || hinted == 1 || !isShared)
      kernel->setAttr(tile::minBlocksAttr, b.getI64IntegerAttr(blocks));
  }
};

} // namespace
} // namespace tessera::plan
