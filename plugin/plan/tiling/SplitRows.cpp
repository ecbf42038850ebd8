// A chain of multiplies keeps the accumulators of both, and what is computed between them. Of 256
// rows, as programs for larger register files have them, those exceed the registers of two
// warpgroups: threads would keep tiles in local memory. The rows of attention are computed
// independently, so that a block computes them in parts, one after the other:
//
//   %q = view_load [%row]; for { %s = mma %q, %k; ...; %o = mma %p, %v, %o' }; view_store %o, [%row]
// becomes
//   for %part { %q = view_load [%row + %part * 128]; for { ... }; view_store [%row + %part * 128] }
//
// So are rows that are computed without multiplies, as those of a softmax, where the tile of a
// block exceeds the registers of 16 warps:
//
//   %x = view_load [%row] : 2x32768; %s = reduce %x along 1; ...; view_store [%row]
// becomes
//   for %part { %x = view_load [%row + %part] : 1x32768; ... }
#include "plan/analysis/GridStride.h"
#include "plan/Passes.h"
#include "plan/Plan.h"
#include "plan/tiling/RowDivision.h"
#include "tile/TileDialect.h"

#include "mlir/Transforms/LoopInvariantCodeMotionUtils.h"

using namespace mlir;

namespace tessera::plan {

#define GEN_PASS_DEF_SPLITROWS
#include "plan/Passes.h.inc"

namespace {

// Elements that 16 warps hold without local memory: 64 for each thread. A softmax of 2x32768 bf16
// was 0.7 times as fast as one of 1x32768, a persistent layer_norm 0.13 times
// (bench/results/2026-11-28-rows-h200.txt).
constexpr int64_t elementsOfRows = 32768;

// Of rows that a grid-stride loop reads, fewer, so that a block that has its SM alone loads the
// next ones ahead: three stages of them are in shared memory.
constexpr int64_t elementsInLoops = 16384;

bool readsInGridStride(func::FuncOp kernel) {
  return kernel
      .walk([](tile::ViewLoadOp load) {
        return mayBeInGridStride(load) ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

struct SplitRows : impl::SplitRowsBase<SplitRows> {
  void runOnOperation() override {
    func::FuncOp kernel = getOperation();
    scf::ForOp loop = targetOf(kernel).has(GpuTarget::Wgmma) ? divideRowsOfChains(kernel) : nullptr;
    if (!loop)
      loop = divideRows(kernel, readsInGridStride(kernel) ? elementsInLoops : elementsOfRows);
    if (loop)
      moveLoopInvariantCode(loop);
  }
};

} // namespace
} // namespace tessera::plan
