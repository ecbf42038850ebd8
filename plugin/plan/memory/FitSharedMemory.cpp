// One budget of shared memory for a kernel. How much its passes take is known when all have run: if
// that exceeds what a block has, they run again on the original kernel with a smaller allowance for
// what only makes it fast. First a ring of copies ahead gets fewer stages, then none; then each
// multiply stores its own operands; then conversions go in smaller parts, then the operands of
// multiplies. The remainder is the program's own.
//
// The registers that tiles take are known then, too: a kernel that would not have enough next to a
// producer warp is planned without one. A kernel that does the work of several blocks is dropped if
// it would spill.
#include "plan/analysis/Occupancy.h"
#include "plan/Passes.h"
#include "plan/Plan.h"
#include "support/Refusals.h"
#include "tile/Attributes.h"
#include "tile/Refuse.h"
#include "tile/TileDialect.h"

using namespace mlir;

namespace tessera::plan {

#define GEN_PASS_DEF_FITSHAREDMEMORY
#include "plan/Passes.h.inc"

namespace {

SmallVector<SharedAllowance> allowancesOf(func::FuncOp kernel) {
  SharedAllowance next = allowanceOf(kernel);
  SmallVector<SharedAllowance> result = {next};
  for (next.stages = 3; next.stages > 0; --next.stages)
    result.push_back(next);
  next.stages = 1;
  next.sharesOperands = false;
  result.push_back(next);
  for (int64_t part : {32, 8}) {
    next.exchange = part * 1024;
    result.push_back(next);
  }
  for (int halvings = 0; halvings < 3; ++halvings) {
    next.operands /= 2;
    result.push_back(next);
  }
  return result;
}

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
    bool isOther = blocks[0] * blocks[1] > 1 || kernel->hasAttr(tile::warpSpecializedAttr);
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
    if (failed(fitFrom(*original, kernel)))
      return failure();
    if (!kernel->hasAttr(tile::warpSpecializedAttr) ||
        neededRegisters(kernel) <= availableRegisters(kernel))
      return success();
    (*original)->setAttr(tile::noWarpSpecializationAttr, UnitAttr::get(kernel.getContext()));
    restore(*original, kernel);
    return fitFrom(*original, kernel);
  }

  static void restore(func::FuncOp original, func::FuncOp kernel) {
    OwningOpRef<func::FuncOp> again = original.clone();
    kernel.getBody().takeBody(again->getBody());
    kernel->setAttrs(again->getOperation()->getAttrDictionary());
  }

  LogicalResult fitFrom(func::FuncOp original, func::FuncOp kernel) {
    OpPassManager passes(func::FuncOp::getOperationName());
    buildSharedMemoryPasses(passes);
    int64_t bytes = 0, limit = targetOf(kernel).sharedOfBlock;
    for (const auto &[attempt, allowance] : llvm::enumerate(allowancesOf(kernel))) {
      if (attempt) {
        restore(original, kernel);
        setAllowance(kernel, allowance);
      }
      if (failed(runPipeline(passes, kernel)))
        return failure();
      kernel->removeAttr(tile::allowanceAttr);
      bytes = kernel->getAttrOfType<IntegerAttr>(tile::sharedBytesAttr).getInt();
      if (bytes <= limit)
        return success();
    }
    return tile::refuse(kernel.getLoc())
           << textOf(Refusal::SharedMemory, {std::to_string(bytes), std::to_string(limit)});
  }
};

} // namespace
} // namespace tessera::plan
