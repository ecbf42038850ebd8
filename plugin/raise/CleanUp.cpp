// MLIR's own clean-ups in a fixed order, and three small ones for what this stage produces; see
// CleanUp.h.
#include "raise/CleanUp.h"

#include "tile/TileDialect.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

namespace tessera::raising {

void simplifyConditions(ModuleOp module) {
  RewritePatternSet patterns(module.getContext());
  arith::CmpIOp::getCanonicalizationPatterns(patterns, module.getContext());
  arith::XOrIOp::getCanonicalizationPatterns(patterns, module.getContext());
  arith::SelectOp::getCanonicalizationPatterns(patterns, module.getContext());
  GreedyRewriteConfig config;
  config.setRegionSimplificationLevel(GreedySimplifyRegionLevel::Disabled);
  (void)applyPatternsGreedily(module, std::move(patterns), config);
}

namespace {

// Collects what writes to the memory behind `pointer` and the addresses it goes through; false if
// anything else is done with it.
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

// Local memory that nobody reads, such as the buffer of a printf, is dead.
void eraseDeadMemory(ModuleOp module) {
  SmallVector<Operation *> memories;
  module.walk([&](Operation *op) {
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

// Folding turns branches that only choose between two tiles into arith.select; the tile dialect has
// its own word for that.
void useTileSelect(ModuleOp module) {
  module.walk([](arith::SelectOp select) {
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

LogicalResult simplifyExits(ModuleOp module) {
  RewritePatternSet patterns(module.getContext());
  populateExitFlagPatterns(patterns);
  arith::CmpIOp::getCanonicalizationPatterns(patterns, module.getContext());
  arith::TruncIOp::getCanonicalizationPatterns(patterns, module.getContext());
  arith::XOrIOp::getCanonicalizationPatterns(patterns, module.getContext());
  arith::SelectOp::getCanonicalizationPatterns(patterns, module.getContext());
  scf::IfOp::getCanonicalizationPatterns(patterns, module.getContext());
  return applyPatternsGreedily(module, std::move(patterns));
}

} // namespace

LogicalResult cleanUp(ModuleOp module) {
  eraseDeadMemory(module);
  if (failed(simplifyExits(module)))
    return failure();
  PassManager passes(module.getContext());
  passes.enableVerifier(false); // the caller verifies once
  OpPassManager &perKernel = passes.nest<func::FuncOp>();
  for (int round = 0; round < 2; ++round) {
    perKernel.addPass(createCanonicalizerPass());
    perKernel.addPass(createCSEPass());
    perKernel.addPass(createLoopInvariantCodeMotionPass());
  }
  perKernel.addPass(createCanonicalizerPass());
  perKernel.addPass(createCSEPass());
  if (failed(passes.run(module)))
    return failure();
  useTileSelect(module);
  return success();
}

} // namespace tessera::raising
