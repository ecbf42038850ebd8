// The kernels of a module, with what launches, plans and tests ask about them.
#include "emit/Emit.h"

#include "plan/Plan.h"
#include "plan/memory/FewerRegisters.h"
#include "support/Report.h"
#include "tile/Attributes.h"

using namespace mlir;

namespace tessera::emit {

namespace {

// The cost of a kernel's block, by its symbol; 0 where a launch does not compare costs.
uint64_t cyclesOf(ModuleOp module, StringRef symbol) {
  auto kernel = module.lookupSymbol<func::FuncOp>(symbol);
  auto cycles = kernel->getAttrOfType<IntegerAttr>(tile::cyclesAttr);
  return cycles ? uint64_t(cycles.getInt()) : 0;
}

// What a launch that chooses between a coarsened kernel and the other one asks.
void addChoice(EmittedKernel &kernel, ModuleOp module, const Options &options) {
  kernel.cyclesOfOther = cyclesOf(module, kernel.coarsenedFrom);
  for (auto list : module.getOps<func::FuncOp>())
    if (auto of = list->getAttrOfType<StringAttr>(tile::tilesOfAttr); of && of == kernel.symbol)
      kernel.tiles = listTiles(list, options);
}

} // namespace

DenseMap<Operation *, unsigned> Listing::lineOfOp() const {
  DenseMap<Operation *, unsigned> result;
  for (auto [i, line] : llvm::enumerate(lines))
    for (Operation *op : line.ops)
      result.try_emplace(op, i);
  return result;
}

Emission emitKernels(ModuleOp module, const Options &options) {
  Emission emission;
  for (auto kernel : module.getOps<func::FuncOp>()) {
    if (kernel->hasAttr(tile::tilesOfAttr))
      continue;
    Step step("emit", kernel->getAttrOfType<StringAttr>(tile::kernelAttr).getValue());
    Listing &listing = emission.listings.emplace_back();
    EmittedKernel emitted = emit(kernel, options, options.isListed ? &listing : nullptr);
    emitted.policy = plan::policyOf(kernel);
    emitted.again = plan::secondPlansOf(kernel);
    if (!emitted.coarsenedFrom.empty())
      addChoice(emitted, module, options);
    emission.kernels.push_back(std::move(emitted));
  }
  return emission;
}

} // namespace tessera::emit
