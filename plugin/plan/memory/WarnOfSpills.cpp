// Warns where a tile of the program does not fit the registers of a thread: it lies in local
// memory. Once for a kernel, for its largest such tile. A coarsened kernel has other tiles than the
// program and is dropped where it would spill.
#include "layout/LinearLayout.h"
#include "plan/analysis/Layouts.h"
#include "plan/Passes.h"
#include "support/Refusals.h"
#include "target/RegisterBudgets.h"
#include "tile/Attributes.h"
#include "tile/TileDialect.h"

using namespace mlir;

namespace tessera::plan {

#define GEN_PASS_DEF_WARNOFSPILLS
#include "plan/Passes.h.inc"

namespace {

// Does a result never lie in registers as a whole? What is read for shared memory goes there, and
// the partial results of warps are reduced as they are read.
bool passesThrough(Operation *op) {
  auto areUsers = [&](auto isOf) { return llvm::all_of(op->getUsers(), isOf); };
  return (isa<tile::ViewLoadOp>(op) && areUsers(llvm::IsaPred<tile::SharedStoreOp>)) ||
         (isa<tile::SharedLoadOp>(op) && areUsers(llvm::IsaPred<tile::ReduceOp, tile::FoldOp>));
}

void warnOfSpills(func::FuncOp kernel) {
  Value worst;
  int64_t maximum = maxRegistersOfTile;
  kernel.walk([&](Operation *op) {
    if (passesThrough(op))
      return;
    for (Value v : op->getResults())
      if (auto tensor = dyn_cast<RankedTensorType>(v.getType())) {
        int64_t registers = toLinear(tensor).registerCount() *
                            std::max<int64_t>(bytesOf(tensor.getElementType()), 4) / 4;
        if (registers > maximum) {
          maximum = registers;
          worst = v;
        }
      }
  });
  if (!worst)
    return;
  auto tensor = cast<RankedTensorType>(worst.getType());
  std::string shape = llvm::join(
      llvm::map_range(tensor.getShape(), [](int64_t n) { return std::to_string(n); }), "x");
  int64_t threads = int64_t{32} << tile::layoutOf(tensor).getWarps().size();
  mlir::emitWarning(worst.getLoc()) << textOf(
      Refusal::TileInLocalMemory, {shape, std::to_string(maximum), std::to_string(threads)});
}

struct WarnOfSpills : impl::WarnOfSpillsBase<WarnOfSpills> {
  void runOnOperation() override {
    if (!getOperation()->hasAttr(tile::coarsenedFromAttr))
      warnOfSpills(getOperation());
  }
};

} // namespace
} // namespace tessera::plan
