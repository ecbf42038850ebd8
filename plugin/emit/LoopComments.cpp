// What was decided of a loop that multiplies, as a comment in front of it.
#include "Counted.h"
#include "emit/KernelPrinter.h"

#include "plan/CostModel.h"
#include "plan/Layouts.h"
#include "plan/Occupancy.h"
#include "plan/PlannedLoops.h"

using namespace mlir;

namespace tessera::emit {

namespace {

// "wgmma m64n256k16, 2 warpgroups of 64 rows"
std::string unitOf(tile::SharedMmaOp multiply, int64_t warps) {
  if (multiply.getKind() != tile::MmaKind::wgmma)
    return "mma." + stringifyMmaKind(multiply.getKind()).str() + ", " + counted(warps, "warp");
  constexpr int64_t rowsOfInstruction = 64, columnsOfInstruction = 256, bytesOfStep = 32;
  const plan::Product product = plan::productOf(multiply);
  int64_t groups = warps / 4;
  bool areColumnsDivided = product.m < rowsOfInstruction * groups;
  int64_t rows = areColumnsDivided ? product.m : product.m / groups,
          columns = areColumnsDivided ? product.n / groups : product.n;
  return "wgmma m64n" + std::to_string(std::min(columns, columnsOfInstruction)) + "k" +
         std::to_string(bytesOfStep / plan::bytesOf(product.a)) + ", " +
         counted(groups, "warpgroup") + " of " +
         (areColumnsDivided ? counted(columns, "column") : counted(rows, "row"));
}

} // namespace

void KernelPrinter::explainLoop(scf::ForOp loop) {
  std::optional<plan::PlannedRing> ring = plan::ringOf(loop);
  SmallVector<tile::SharedMmaOp> multiplies = plan::multipliesOfTurn(loop);
  if (!ring || multiplies.empty())
    return;
  plan::MultiplyCost cost{0, 0, 0};
  for (tile::SharedMmaOp multiply : multiplies)
    if (auto one = plan::costOf(plan::productOf(multiply), plan::targetOf(multiply)))
      cost = {cost.unit + one->unit, cost.cache + one->cache, cost.shared + one->shared};
  tile::SharedMmaOp first = multiplies.front();
  if (cost.unit)
    line("// A turn: " + unitOf(first, warps) +
         (multiplies.size() > 1 ? ", " + std::to_string(multiplies.size()) + " multiplies" : "") +
         ". Cycles of the unit " + std::to_string(cost.unit) + ", of L2 " +
         std::to_string(cost.cache) + ", of shared memory " + std::to_string(cost.shared) + ".");
  line("// Copied " + std::string(ring->isFilledByWarp ? "up to " : "") +
       (ring->parts > 1 ? counted(ring->ahead, "part") + " of a turn"
                        : counted(ring->ahead, "turn")) +
       " ahead, " +
       (ring->isFilledByWarp ? "in bulk by a warp of its own"
        : !ring->isBulk      ? "by all threads"
        : neededMaps()       ? "in bulk"
                             : "in bulk where views are aligned") +
       ", into " + counted(ring->stages, "stage") + " of " + std::to_string(ring->bytes) +
       " bytes.");
  int64_t blocks =
      plan::blocksOfMultiprocessor(plan::targetOf(kernel), plan::threadsOf(kernel), sharedBytes);
  if (first.getKind() == tile::MmaKind::wgmma)
    line("// A multiply is waited for " +
         std::string(!first.getInFlight()                ? "in its turn"
                     : first.getWait().getPending() == 0 ? "in its turn, behind the copies"
                                                         : "a turn later") +
         "; by shared memory an SM has " + counted(blocks, "block") + ".");
  else if (first.getInFlight())
    line("// The last step of K is left to the next turn.");
}

} // namespace tessera::emit
