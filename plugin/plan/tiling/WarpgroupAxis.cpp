#include "plan/tiling/WarpgroupAxis.h"

#include "plan/analysis/BlockIndices.h"
#include "plan/analysis/Chains.h"
#include "plan/analysis/Facts.h"
#include "plan/analysis/MatmulForms.h"
#include "plan/Plan.h"
#include "target/RegisterBudgets.h"

#include "mlir/Interfaces/LoopLikeInterface.h"

using namespace mlir;

namespace tessera::plan {

namespace {

constexpr int64_t threadsOfWarpgroup = 128;

// Has a warpgroup the rows of all multiplies, and the registers for their accumulators?
bool fitsWarpgroup(const Chain &chain) {
  const bool areRows = llvm::all_of(
      llvm::concat<Operation *const>(chain.first, chain.second), [](Operation *multiply) {
        auto type = cast<RankedTensorType>(multiply->getResult(0).getType());
        return type.getRank() == 2 && type.getDimSize(0) == tile::StorePartsOp::rowsOfWarpgroup;
      });
  return areRows && wordsInRegisters(chain) <=
                        threadsOfWarpgroup * (rolesOfChain.consumers - registersBesidesChain);
}

} // namespace

std::optional<int64_t> axisOfWarpgroupBlocks(func::FuncOp kernel) {
  const PlanPolicy policy = policyOf(kernel);
  if (!policy.specialize || !policy.coarsen || !targetOf(kernel).has(GpuTarget::Wgmma) ||
      !hasBulkRings(kernel))
    return std::nullopt;
  bool areChains = true;
  SmallVector<Value> read, written;
  kernel.walk([&](Operation *op) {
    const bool isInLoop = loopAround(op) != nullptr;
    if (auto loop = dyn_cast<scf::ForOp>(op)) {
      std::optional<Chain> chain = chainOf(loop);
      areChains &=
          loop->getParentOp() == kernel && chain && fitsWarpgroup(*chain) && multipliesMost(*chain);
    } else if (isa<LoopLikeOpInterface>(op)) {
      areChains = false;
    } else if (auto multiply = dyn_cast<tile::MmaOp>(op)) {
      areChains &= isInLoop;
    } else if (auto load = dyn_cast<tile::ViewLoadOp>(op); load && isInLoop) {
      llvm::append_range(read, load->getOperands());
    } else if (isa<tile::ViewStoreOp, tile::StoreOp>(op)) {
      llvm::append_range(written, op->getOperands());
    }
  });
  if (!areChains || read.empty())
    return std::nullopt;
  for (int64_t axis : {0, 1})
    if (dependOnAxis(written, axis) && !dependOnAxis(read, axis))
      return axis;
  return std::nullopt;
}

} // namespace tessera::plan
