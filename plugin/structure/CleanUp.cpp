// MLIR's own clean-ups in a fixed order, and three small ones for the output of this stage; see
// CleanUp.h.
#include "structure/CleanUp.h"

#include "tile/Speculation.h"
#include "tile/TileDialect.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "mlir/Transforms/LoopInvariantCodeMotionUtils.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

namespace tessera::structuring {

namespace {

// Rewrites as long as a pattern applies, at any nesting depth. The bound stops patterns that undo
// each other. Reaching it is no error: each rewrite is correct by itself.
void simplify(func::FuncOp kernel, RewritePatternSet patterns) {
  int64_t operations = 0;
  kernel.walk([&](Operation *) { ++operations; });
  GreedyRewriteConfig config;
  config.setRegionSimplificationLevel(GreedySimplifyRegionLevel::Disabled);
  config.setMaxIterations(64);
  config.setMaxNumRewrites(256 + 64 * operations);
  (void)applyPatternsGreedily(kernel, std::move(patterns), config);
}

} // namespace

void simplifyConditions(func::FuncOp kernel) {
  RewritePatternSet patterns(kernel.getContext());
  arith::CmpIOp::getCanonicalizationPatterns(patterns, kernel.getContext());
  arith::XOrIOp::getCanonicalizationPatterns(patterns, kernel.getContext());
  arith::SelectOp::getCanonicalizationPatterns(patterns, kernel.getContext());
  simplify(kernel, std::move(patterns));
}

namespace {

// Collects the writes to the memory of `pointer` and its address computations; false if it has any
// other use.
bool isOnlyWritten(Value pointer, SmallVectorImpl<Operation *> &users) {
  return llvm::all_of(pointer.getUsers(), [&](Operation *user) {
    users.push_back(user);
    if (auto step = dyn_cast<LLVM::GEPOp>(user))
      return isOnlyWritten(step, users);
    if (auto store = dyn_cast<LLVM::StoreOp>(user))
      return store.getValue() != pointer && !store.getVolatile_();
    return isa<tile::LocalStoreOp>(user);
  });
}

// Local memory without reads, such as the buffer of a printf, is dead.
void eraseDeadMemory(func::FuncOp kernel) {
  SmallVector<Operation *> memories;
  kernel.walk([&](Operation *op) {
    if (isa<LLVM::AllocaOp, tile::LocalAllocOp>(op))
      memories.push_back(op);
  });
  for (Operation *memory : memories) {
    SmallVector<Operation *> users;
    if (!isOnlyWritten(memory->getResult(0), users))
      continue;
    for (Operation *user : llvm::reverse(users))
      user->erase();
    memory->erase();
  }
}

// Folding turns branches that only select one of two tiles into arith.select; the tile dialect has
// its own op for that.
void useTileSelect(func::FuncOp kernel) {
  kernel.walk([](arith::SelectOp select) {
    auto type = dyn_cast<RankedTensorType>(select.getType());
    if (!type || isa<RankedTensorType>(select.getCondition().getType()))
      return;
    OpBuilder builder(select);
    Value mask = tile::SplatOp::create(builder, select.getLoc(),
                                       tile::withElementType(type, builder.getI1Type()),
                                       select.getCondition());
    select.replaceAllUsesWith(tile::SelectOp::create(builder, select.getLoc(), mask,
                                                     select.getTrueValue(), select.getFalseValue())
                                  .getResult());
    select.erase();
  });
}

void simplifyExits(func::FuncOp kernel) {
  RewritePatternSet patterns(kernel.getContext());
  populateExitFlagPatterns(patterns);
  arith::CmpIOp::getCanonicalizationPatterns(patterns, kernel.getContext());
  arith::TruncIOp::getCanonicalizationPatterns(patterns, kernel.getContext());
  arith::XOrIOp::getCanonicalizationPatterns(patterns, kernel.getContext());
  arith::SelectOp::getCanonicalizationPatterns(patterns, kernel.getContext());
  scf::IfOp::getCanonicalizationPatterns(patterns, kernel.getContext());
  simplify(kernel, std::move(patterns));
}

// MLIR's pass, with a different test for speculatable ops.
void hoistInvariants(func::FuncOp kernel) {
  kernel.walk([](LoopLikeOpInterface loop) {
    moveLoopInvariantCode(
        loop.getLoopRegions(),
        [&](Value value, Region *) { return loop.isDefinedOutsideOfLoop(value); },
        [](Operation *op, Region *) { return tile::isSpeculatable(op); },
        [&](Operation *op, Region *) { loop.moveOutOfLoop(op); });
  });
}

} // namespace

LogicalResult cleanUp(func::FuncOp kernel) {
  eraseDeadMemory(kernel);
  simplifyExits(kernel);
  PassManager passes(kernel.getContext(), func::FuncOp::getOperationName());
  passes.enableVerifier(false); // the caller verifies once
  passes.addPass(createCanonicalizerPass());
  passes.addPass(createCSEPass());
  for (int round = 0; round < 2; ++round) {
    if (failed(passes.run(kernel)))
      return failure();
    hoistInvariants(kernel);
  }
  if (failed(passes.run(kernel)))
    return failure();
  useTileSelect(kernel);
  return success();
}

} // namespace tessera::structuring
