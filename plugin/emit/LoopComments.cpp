// What was decided of a loop that copies tiles ahead, as a comment in front of it.
#include "support/Counted.h"
#include "emit/KernelPrinter.h"

#include "plan/analysis/Layouts.h"
#include "plan/analysis/Matmuls.h"
#include "tile/Attributes.h"
#include "plan/analysis/Occupancy.h"
#include "plan/pipeline/PlannedLoops.h"
#include "target/CostModel.h"

using namespace mlir;

namespace tessera::emit {

namespace {

// "wgmma m64n256k16 x 2 warpgroups of 64 rows"
std::string instructionOf(tile::SharedMmaOp multiply, int64_t warps) {
  const MmaInstruction &instruction = multiply.getInstruction();
  if (!instruction.isOfWarpgroups())
    return "mma.sync " + stringifyMmaKind(multiply.getKind()).str() + " x " +
           counted(warps, "warp");
  const Matmul matmul = plan::matmulOf(multiply);
  int64_t groups = warps / 4;
  bool areColumnsDivided = matmul.m < instruction.m * groups;
  int64_t rows = areColumnsDivided ? matmul.m : matmul.m / groups,
          columns = areColumnsDivided ? matmul.n / groups : matmul.n;
  return nameOf(instruction) + " m" + std::to_string(instruction.m) + "n" +
         std::to_string(std::min(columns, instruction.maxN)) + "k" +
         std::to_string(instruction.depth(matmul.bytesOfElement())) + " x " +
         counted(groups, "warpgroup") + " of " +
         (areColumnsDivided ? counted(columns, "column") : counted(rows, "row"));
}

// "2", "up to 3", "3 K subtiles": how far in front of their use operands are loaded.
std::string distanceOf(const plan::PlannedRing &ring) {
  if (ring.isSingle())
    return "1, each operand as soon as its stage has been read";
  std::string distance = ring.isFilledByWarp ? "up to " : "";
  return distance +
         (ring.parts > 1 ? counted(ring.ahead, "K subtile") : std::to_string(ring.ahead));
}

StringRef loaderOf(const plan::PlannedRing &ring, bool isMapRequired) {
  return ring.isFilledByWarp ? "TMA by a producer warp"
         : !ring.isBulk      ? "cp.async by all threads"
         : isMapRequired     ? "TMA"
                             : "TMA where views are aligned";
}

StringRef awaitedWhen(tile::SharedMmaOp multiply) {
  if (multiply.getPromotes())
    return "in its iteration, which adds its sums of up to 128 of K to the accumulator";
  if (!multiply.getInFlight())
    return "in its iteration";
  if (tile::MmaWaitOp wait = multiply.getWait(); !wait)
    return "while the next matmul is in flight";
  return multiply.getWait().getPending() == 0 ? "in its iteration, after the next loads are issued"
                                              : "one iteration later";
}

} // namespace

void KernelPrinter::explainLoop(scf::ForOp loop) {
  if (loop->hasAttr(tile::workTilesAttr))
    return;
  std::optional<plan::PlannedRing> ring = plan::ringOf(loop);
  SmallVector<tile::SharedMmaOp> multiplies = plan::multipliesOfIteration(loop);
  if (!ring)
    return;
  const MatmulCost cost = plan::costOfIteration(loop);
  auto first = multiplies.empty() ? tile::SharedMmaOp() : multiplies.front();
  const int64_t tileBlocks = plan::tileBlocksOf(kernel);
  if (cost.tensorCore)
    line("// Per iteration" +
         (tileBlocks > 1 ? " of each of " + counted(tileBlocks, "tile block") : std::string()) +
         ": " +
         (multiplies.size() > 1 ? counted(multiplies.size(), "matmul") + " of " : std::string()) +
         instructionOf(first, warps / tileBlocks) + "; cycles: tensor core " +
         std::to_string(cost.tensorCore) + ", L2 " + std::to_string(cost.l2) + ", shared memory " +
         std::to_string(cost.shared) + ".");
  line("// Pipeline: " + counted(ring->stages, "stage") + " x " + withUnit(ring->bytes) +
       ", prefetch distance " + distanceOf(*ring) + ", " +
       loaderOf(*ring, requiredTensorMaps() != 0) + ".");
  int64_t blocks =
      plan::blocksOfMultiprocessor(plan::targetOf(kernel), plan::threadsOf(kernel), sharedBytes);
  if (!first)
    return;
  if (first.getInstruction().isAsync())
    line("// " + nameOf(first.getInstruction()) + " is awaited " + awaitedWhen(first) +
         "; shared memory allows " + counted(blocks, "block") + " per SM.");
  else if (first.getInFlight())
    line("// The last step of K is multiplied in the next iteration.");
}

} // namespace tessera::emit
