// The next plan leaves out one technique that this plan used, the one that takes the most
// registers:
//   a kernel next to another one          its producer warp, else a bound as below, else its block
//                                         coarsening
//   registers bounded for several blocks  the bound, unless the program hints at it
//   a multiply in flight                  that it is left in flight
// The order is by what a kernel loses, least first.
#include "plan/memory/FewerRegisters.h"

#include "plan/Plan.h"
#include "plan/analysis/Matmuls.h"
#include "plan/analysis/Occupancy.h"
#include "plan/pipeline/PlannedLoops.h"
#include "tile/Attributes.h"
#include "tile/TileDialect.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

using namespace mlir;

namespace tessera::plan {

namespace {

bool hasLoopOfMultiplies(func::FuncOp kernel) {
  return hasMultiply(kernel, [](tile::SharedMmaOp op) {
    return bool(op->getParentOfType<LoopLikeOpInterface>());
  });
}

bool hasMultiplyInFlight(func::FuncOp kernel) {
  return hasMultiply(kernel, [](tile::SharedMmaOp op) { return op.getInFlight(); });
}

bool isBoundForBlocks(func::FuncOp kernel) {
  auto blocks = kernel->getAttrOfType<IntegerAttr>(tile::minBlocksAttr);
  return blocks && blocks.getInt() > 1 && !kernel->hasAttr(tile::occupancyAttr);
}

// Of a kernel next to another one.
std::optional<PlanPolicy> withoutWhatItIsFor(func::FuncOp kernel) {
  PlanPolicy policy = policyOf(kernel);
  (kernel->hasAttr(tile::warpSpecializedAttr) ? policy.specialize
   : isBoundForBlocks(kernel)                 ? policy.shared_sm
                                              : policy.coarsen) = false;
  return policy;
}

std::optional<PlanPolicy> policyAgainstSpills(func::FuncOp kernel) {
  if (!hasLoopOfMultiplies(kernel))
    return std::nullopt;
  if (kernel->hasAttr(tile::coarsenedFromAttr))
    return withoutWhatItIsFor(kernel);
  PlanPolicy policy = policyOf(kernel);
  if (isBoundForBlocks(kernel))
    policy.shared_sm = false;
  else if (hasMultiplyInFlight(kernel))
    policy.in_flight = false;
  else
    return std::nullopt;
  return policy;
}

std::optional<PlanPolicy> policyAgainstWaits(func::FuncOp kernel) {
  if (!hasMultiplyInFlight(kernel))
    return policyAgainstSpills(kernel);
  if (kernel->hasAttr(tile::coarsenedFromAttr))
    return withoutWhatItIsFor(kernel);
  PlanPolicy policy = policyOf(kernel);
  policy.in_flight = false;
  return policy;
}

// Of the loop of multiplies whose iteration takes the tensor cores the shortest time, bytes whose
// stores and loads in every iteration take an eighth of that time: as if all of the spill were in
// the loop, where ptxas puts the last of it. An instruction of a warp moves 4 bytes for each of its
// threads in a cycle of the L1 cache.
unsigned cheapSpillOf(func::FuncOp kernel) {
  constexpr int64_t share = 8, bytesOfAccess = 4;
  std::optional<int64_t> shortest;
  kernel.walk([&](scf::ForOp loop) {
    if (const int64_t cycles = costOfIteration(loop).tensorCore)
      shortest = std::min(shortest.value_or(cycles), cycles);
  });
  return unsigned(shortest.value_or(0) * bytesOfAccess / (share * computingWarps(kernel)));
}

} // namespace

SecondPlans secondPlansOf(func::FuncOp kernel) {
  return {policyAgainstSpills(kernel), policyAgainstWaits(kernel), cheapSpillOf(kernel)};
}

} // namespace tessera::plan
