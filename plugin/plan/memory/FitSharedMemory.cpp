// One budget of shared memory for a kernel. How much its passes take is known when all have run: if
// that exceeds what a block has, they run again on the original kernel with the next configuration
// (pass choose-config), which takes less.
//
// The registers that tiles take are known then, too: a kernel that would not have enough next to a
// producer warp is planned without one. A kernel that does the work of several blocks is dropped if
// it would spill.
#include "plan/analysis/Occupancy.h"
#include "plan/Passes.h"
#include "plan/Plan.h"
#include "plan/Config.h"
#include "support/Refusals.h"
#include "tile/Attributes.h"
#include "tile/Refuse.h"
#include "tile/TileDialect.h"

using namespace mlir;

namespace tessera::plan {

#define GEN_PASS_DEF_FITSHAREDMEMORY
#include "plan/Passes.h.inc"

namespace {

struct FitSharedMemory : impl::FitSharedMemoryBase<FitSharedMemory> {
  // Coarsened kernels first: one that has no work tiles and coarsens no blocks equals the other
  // kernel.
  void runOnOperation() override {
    auto kernels = llvm::to_vector(llvm::make_filter_range(
        getOperation().getOps<func::FuncOp>(), [](func::FuncOp f) { return !f.isExternal(); }));
    llvm::stable_sort(kernels, [](func::FuncOp x, func::FuncOp y) {
      return x->hasAttr(tile::coarsenedFromAttr) > y->hasAttr(tile::coarsenedFromAttr);
    });
    SmallVector<StringAttr> names =
        llvm::map_to_vector(kernels, [](func::FuncOp kernel) { return kernel.getNameAttr(); });
    for (StringAttr name : names) {
      auto kernel = getOperation().lookupSymbol<func::FuncOp>(name);
      if (!kernel)
        continue; // the list of tiles of a dismissed kernel
      if (failed(fit(kernel)))
        return signalPassFailure();
      if (kernel->hasAttr(tile::coarseningAttr) && !isWorthIt(kernel))
        dismiss(kernel);
    }
  }

  // Does a kernel next to another one differ from it, and spill nothing?
  static bool isWorthIt(func::FuncOp kernel) {
    auto blocks = kernel->getAttrOfType<DenseI64ArrayAttr>(tile::coarseningAttr);
    const bool isSpecialized = kernel->hasAttr(tile::warpSpecializedAttr);
    bool isOther =
        kernel->hasAttr(tile::warpgroupBlocksAttr)
            ? isSpecialized
            : blocks[0] * blocks[1] > 1 || isSpecialized || kernel->hasAttr(tile::blockPartsAttr);
    return isOther && neededRegisters(kernel) <= availableRegisters(kernel);
  }

  void dismiss(func::FuncOp kernel) {
    auto other = getOperation().lookupSymbol<func::FuncOp>(
        kernel->getAttrOfType<StringAttr>(tile::coarsenedFromAttr).getValue());
    other->removeAttr(tile::cyclesAttr);
    for (auto list : llvm::make_early_inc_range(getOperation().getOps<func::FuncOp>()))
      if (auto of = list->getAttrOfType<StringAttr>(tile::tilesOfAttr);
          of && of == kernel.getName())
        list.erase();
    kernel.erase();
  }

  LogicalResult fit(func::FuncOp kernel) {
    OwningOpRef<func::FuncOp> original = kernel.clone();
    SmallVector<tile::ConfigAttr> configs = candidateConfigs(kernel);
    if (failed(fit(kernel, *original, configs)))
      return failure();
    const bool isSpecialized = kernel->hasAttr(tile::warpSpecializedAttr),
               spills = neededRegisters(kernel) > availableRegisters(kernel);
    if (kernel->hasAttr(tile::warpgroupBlocksAttr) && !kernel->hasAttr(tile::coarseningAttr) &&
        (!isSpecialized || spills)) { // a block is one tile block after all
      restore(*original, kernel);
      kernel->removeAttr(tile::warpgroupBlocksAttr);
      return fit(kernel);
    }
    if (!isSpecialized || !spills)
      return success();
    restore(*original, kernel);
    return fit(kernel, *original, llvm::map_to_vector(configs, withoutProducerWarp));
  }

  // Plans the kernel, which equals the original, with the first of these configurations that fits.
  LogicalResult fit(func::FuncOp kernel, func::FuncOp original,
                    ArrayRef<tile::ConfigAttr> configs) {
    OpPassManager passes(func::FuncOp::getOperationName());
    buildSharedMemoryPasses(passes);
    int64_t bytes = 0, limit = targetOf(kernel).sharedOfBlock;
    for (tile::ConfigAttr config : configs) {
      setConfig(kernel, config);
      if (failed(runPipeline(passes, kernel)))
        return failure();
      bytes = sharedBytesOf(kernel);
      if (bytes <= limit)
        return success();
      restore(original, kernel);
    }
    return tile::refuse(kernel.getLoc())
           << textOf(Refusal::SharedMemory, {std::to_string(bytes), std::to_string(limit)});
  }

  static void restore(func::FuncOp original, func::FuncOp kernel) {
    OwningOpRef<func::FuncOp> again = original.clone();
    kernel.getBody().takeBody(again->getBody());
    kernel->setAttrs(again->getOperation()->getAttrDictionary());
  }
};

} // namespace
} // namespace tessera::plan
