// Loops of a few iterations, whose number is constant, become straight code where they read tiles
// and multiply nothing:
//
//   for %i = 0 to 4 { %x = load P(%i) ... }  ->  %x0 = load P(0) ... %x1 = load P(1) ...
//
// The reads of all iterations are in flight together, and a read that a loop before made, too, can
// be found again (pass merge-reads): a row that is summed in pieces, and then scaled. Only as far
// as the tiles of all iterations fit the registers together.
#include "plan/analysis/ReadRegisters.h"
#include "plan/analysis/Matmuls.h"
#include "plan/Passes.h"
#include "plan/Plan.h"

#include "mlir/Dialect/SCF/Utils/Utils.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;

namespace tessera::plan {

#define GEN_PASS_DEF_UNROLLLOOPS
#include "plan/Passes.h.inc"

namespace {

constexpr int64_t maxIterations = 8;

// Of a body, so that unrolled code stays readable, and compilers fast.
constexpr int64_t maxOps = 100;

// 0: not known, or none.
int64_t constantIterations(scf::ForOp loop) {
  auto lower = getConstantIntValue(loop.getLowerBound()),
       upper = getConstantIntValue(loop.getUpperBound()),
       step = getConstantIntValue(loop.getStep());
  if (!lower || !upper || !step || *lower < 0 || *step <= 0 || *upper <= *lower)
    return 0;
  return llvm::divideCeil(uint64_t(*upper - *lower), uint64_t(*step));
}

bool isShort(scf::ForOp loop) {
  const int64_t iterations = constantIterations(loop);
  if (iterations < 2 || iterations > maxIterations)
    return false;
  ReadRegisters registers;
  int64_t ops = 0;
  for (Operation &op : loop.getBody()->without_terminator()) {
    if (op.getNumRegions())
      return false;
    ++ops;
    if (isTileRead(&op))
      registers.add(&op);
  }
  return ops <= maxOps && !registers.isEmpty() && registers.fit(iterations);
}

struct UnrollLoops : impl::UnrollLoopsBase<UnrollLoops> {
  void runOnOperation() override {
    func::FuncOp kernel = getOperation();
    if (!policyOf(kernel).unroll_loops || hasMma(kernel))
      return;
    SmallVector<scf::ForOp> loops;
    kernel.walk([&](scf::ForOp loop) {
      if (isShort(loop))
        loops.push_back(loop);
    });
    if (loops.empty())
      return;
    for (scf::ForOp loop : loops)
      (void)loopUnrollFull(loop); // else it stays a loop
    // Folds what is constant now.
    (void)applyPatternsGreedily(kernel, RewritePatternSet(&getContext()));
  }
};

} // namespace
} // namespace tessera::plan
