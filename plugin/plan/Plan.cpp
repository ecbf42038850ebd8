// The order of the plan's passes, and why.
#include "plan/Plan.h"

#include "mlir/Transforms/Passes.h"
#include "plan/Passes.h"
#include "tile/Attributes.h"
#include "tile/TileDialect.h"

#include "mlir/IR/BuiltinAttributes.h"
#include <cstdlib>

using namespace mlir;

namespace tessera::plan {

namespace {

// Shared memory that a conversion may take; half of a block's on sm_80, so that it rarely prevents
// two blocks from sharing an SM.
constexpr int64_t maxOfExchange = int64_t(80) * 1024;
constexpr int64_t maxStages = 4;

// In debug builds, and where the environment asks for it, as the tests do.
bool verifiesStages() {
  if (const char *wish = std::getenv("TESSERA_VERIFY"))
    return StringRef(wish) != "0";
#ifdef NDEBUG
  return false;
#else
  return true;
#endif
}

void verify(OpPassManager &kernel, const char *stage) {
  if (verifiesStages())
    kernel.addPass(createVerifyPlan({stage}));
}

} // namespace

const GpuTarget &targetOf(Operation *kernel) {
  auto module = kernel->getParentOfType<ModuleOp>();
  auto attr =
      module ? module->getAttrOfType<tile::TargetAttr>(tile::targetAttr) : tile::TargetAttr();
  return attr ? *findGpuTarget(attr.getName()) : defaultGpuTarget();
}

PlanPolicy policyOf(Operation *op) {
  StringAttr without;
  for (; op && !without; op = op->getParentOp())
    without = op->getAttrOfType<StringAttr>(tile::withoutAttr);
  std::string message; // setPolicy writes only known names
  return without ? readPlanPolicy(without, message).value_or(PlanPolicy()) : PlanPolicy();
}

void setPolicy(Operation *op, const PlanPolicy &policy) {
  if (std::string without = policy.without(); !without.empty())
    op->setAttr(tile::withoutAttr, StringAttr::get(op->getContext(), without));
}

SharedAllowance allowanceOf(Operation *kernel) {
  if (auto attr = kernel->getAttrOfType<DenseI64ArrayAttr>(tile::allowanceAttr))
    return {attr[0], attr[1], attr[2], attr[3] != 0};
  return {policyOf(kernel).rings ? maxStages : 1, targetOf(kernel).sharedOfBlock, maxOfExchange};
}

void setAllowance(Operation *kernel, const SharedAllowance &allowance) {
  kernel->setAttr(
      tile::allowanceAttr,
      DenseI64ArrayAttr::get(kernel->getContext(), {allowance.stages, allowance.operands,
                                                    allowance.exchange, allowance.sharesOperands}));
}

void buildSharedMemoryPasses(OpPassManager &kernel) {
  // Before all passes that look at a multiply: they see a larger K tile as if the program had it.
  kernel.addPass(createUnrollAlongK());
  verify(kernel, "contiguous");
  // Operands of a multiply move to shared memory before layouts are assigned: they need none in
  // registers.
  kernel.addPass(createSelectMmaInstructions());
  verify(kernel, "matrix");
  // Before the pipeline is planned: it plans smaller loads.
  kernel.addPass(createSubtileK());
  kernel.addPass(createPipelineLoops());
  // After the rings, in whose bytes results lie; before layouts, which would convert them.
  kernel.addPass(createBulkStores());
  verify(kernel, "matrix");
  kernel.addPass(createCanonicalizerPass());
  kernel.addPass(createCSEPass());
  kernel.addPass(createAssignLayouts());
  verify(kernel, "layouts");
  kernel.addPass(createCSEPass());
  kernel.addPass(createRegisterOperands());
  // After register-operands, which decides what is in registers, and before all passes that need
  // lifetimes of tiles.
  kernel.addPass(createPrefetchOperands());
  kernel.addPass(createLowerToShared());
  verify(kernel, "lowered");
  kernel.addPass(createCanonicalizerPass());
  // After lower-to-shared, which allocates what is needed: the rest pays for this.
  kernel.addPass(createHoistSharedStores());
  verify(kernel, "lowered");
}

void buildPipeline(OpPassManager &manager, const Checks &checks, int64_t forgottenBarrier) {
  OpPassManager &first = manager.nest<func::FuncOp>();
  verify(first, "raised");
  // Before all others: operations are still those of the program, and what checks compute is
  // planned like everything else.
  if (checks.bounds)
    first.addPass(createCheckBounds());
  if (checks.nan || checks.inf)
    first.addPass(createCheckNumbers({checks.nan, checks.inf}));
  if (checks.any()) {
    first.addPass(createCanonicalizerPass());
    first.addPass(createCSEPass());
  }
  // Before all passes that need a loop's counter and its reads.
  first.addPass(createCountLoops());
  // Before all passes that look at the uses of a read.
  first.addPass(createLateTransposes());
  first.addPass(createCutOperands());
  first.addPass(createLateReads());
  first.addPass(createShrinkKTile());
  // Before all passes that look at the size of tiles, and on operations of the program; checks
  // report a block's index in the grid.
  if (!checks.any())
    manager.addPass(createCoarsenBlocks());
  OpPassManager &second = manager.nest<func::FuncOp>();
  if (!checks.any())
    second.addPass(createSwizzleBlocks());
  // All passes after this one may assume that the last dimension is contiguous.
  second.addPass(createContiguousLast());
  second.addPass(createLateTransposes()); // of reads through a permuted view
  // After contiguous-last, which determines whether operands are transposed.
  second.addPass(createSplitBatches());
  second.addPass(createSplitAccumulators());
  // After split-accumulators, which looks for accumulators that are stored as they are.
  second.addPass(createSwapOperands());
  // After split-accumulators, too, which divides the loops themselves.
  second.addPass(createSplitEpilogue());
  // Before layouts are assigned: the selects have preferences like everything else.
  second.addPass(createSelectLargeParts());
  verify(second, "contiguous");
  // The total shared memory of its passes is known after them.
  manager.addPass(createFitSharedMemory());
  OpPassManager &last = manager.nest<func::FuncOp>();
  last.addPass(createPlanAccesses());
  // After plan-accesses, which says what is proven of copies.
  last.addPass(createVersionLoops());
  last.addPass(createGroupLoads());
  // After all passes that change lifetimes of tiles and the shared memory that they take.
  last.addPass(createPlanOccupancy());
  // Last, since only now every access of memory is visible.
  last.addPass(createInsertBarriers({forgottenBarrier}));
  verify(last, "final");
}

namespace {

// The passes of a pipeline in textual form: names of passes and operations, options in braces, and
// the passes on an operation in parentheses after its name.
void addNames(const OpPassManager &pipeline, std::vector<std::string> &names) {
  std::string text;
  llvm::raw_string_ostream out(text);
  pipeline.printAsTextualPipeline(out);
  int braces = 0;
  for (StringRef rest = text; !rest.empty();) {
    StringRef name = rest.take_until([](char c) { return StringRef("(){},").contains(c); });
    rest = rest.drop_front(name.size());
    bool isPass = braces == 0 && !name.empty() && !rest.starts_with("(");
    if (isPass && !llvm::is_contained(names, name))
      names.push_back(name.str());
    braces += rest.starts_with("{") - rest.starts_with("}");
    rest = rest.drop_front(rest.empty() ? 0 : 1);
  }
}

} // namespace

std::vector<std::string> passNames() {
  std::vector<std::string> names;
  for (bool areChecked : {true, false}) {
    Checks checks;
    checks.bounds = checks.nan = areChecked;
    OpPassManager all(ModuleOp::getOperationName());
    buildPipeline(all, checks, 0);
    addNames(all, names);
  }
  OpPassManager ofShared(func::FuncOp::getOperationName());
  buildSharedMemoryPasses(ofShared);
  addNames(ofShared, names);
  return names;
}

void registerPasses() { registerPlanPasses(); }

} // namespace tessera::plan
