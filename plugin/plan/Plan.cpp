// The order of the plan's passes, and why.
#include "plan/Plan.h"

#include "mlir/Transforms/Passes.h"
#include "plan/Passes.h"
#include "tile/TileDialect.h"

#include "mlir/IR/BuiltinAttributes.h"
#include <cstdlib>

using namespace mlir;

namespace tessera::plan {

namespace {

// A conversion may take this much shared memory; half of a block's on sm_80, so that it seldom is
// what keeps two blocks from sharing an SM.
constexpr int64_t mostOfExchange = int64_t(80) * 1024;
constexpr int64_t mostStages = 4;

// In debug builds, and where the environment says so, as the tests do.
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
  auto attr = module ? module->getAttrOfType<tile::TargetAttr>(targetAttr) : tile::TargetAttr();
  return attr ? *findGpuTarget(attr.getName()) : defaultGpuTarget();
}

PlanPolicy policyOf(Operation *op) {
  StringAttr without;
  for (; op && !without; op = op->getParentOp())
    without = op->getAttrOfType<StringAttr>(withoutAttr);
  std::string message; // setPolicy names what there is
  return without ? readPlanPolicy(without, message).value_or(PlanPolicy()) : PlanPolicy();
}

void setPolicy(Operation *op, const PlanPolicy &policy) {
  if (std::string without = policy.without(); !without.empty())
    op->setAttr(withoutAttr, StringAttr::get(op->getContext(), without));
}

SharedAllowance allowanceOf(Operation *kernel) {
  if (auto attr = kernel->getAttrOfType<DenseI64ArrayAttr>(allowanceAttr))
    return {attr[0], attr[1], attr[2], attr[3] != 0};
  return {policyOf(kernel).rings ? mostStages : 1, targetOf(kernel).sharedOfBlock, mostOfExchange};
}

void setAllowance(Operation *kernel, const SharedAllowance &allowance) {
  kernel->setAttr(
      allowanceAttr,
      DenseI64ArrayAttr::get(kernel->getContext(), {allowance.stages, allowance.operands,
                                                    allowance.exchange, allowance.sharesOperands}));
}

void buildSharedMemoryPasses(OpPassManager &kernel) {
  // Before all that looks at a multiply: it is one of a program that takes as much of K.
  kernel.addPass(createMergeSteps());
  verify(kernel, "contiguous");
  // Operands of a multiply get their place in shared memory before layouts are given out: they need
  // none in registers.
  kernel.addPass(createSelectMatrixUnits());
  verify(kernel, "matrix");
  // Before copies ahead are planned: smaller ones.
  kernel.addPass(createSplitDepth());
  kernel.addPass(createPipelineLoops());
  // Behind the rings, in whose bytes results lie; before layouts, which would convert them.
  kernel.addPass(createBulkStores());
  verify(kernel, "matrix");
  kernel.addPass(createCanonicalizerPass());
  kernel.addPass(createCSEPass());
  kernel.addPass(createAssignLayouts());
  verify(kernel, "layouts");
  kernel.addPass(createCSEPass());
  kernel.addPass(createRegisterOperands());
  // Behind it, which says what is in registers, and before whatever asks how long tiles live.
  kernel.addPass(createPrefetchOperands());
  kernel.addPass(createLowerToShared());
  verify(kernel, "lowered");
  kernel.addPass(createCanonicalizerPass());
  // Behind smem, which gives out what is needed: what is left over pays for this.
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
  // Before whatever asks what a loop counts and where its reads are.
  first.addPass(createCountLoops());
  // Before whatever asks what becomes of a read.
  first.addPass(createLateTransposes());
  first.addPass(createCutOperands());
  first.addPass(createLateReads());
  first.addPass(createDivideSteps());
  // Before whatever asks how large tiles are, and on operations of the program; checks say where a
  // block is in the grid.
  if (!checks.any())
    manager.addPass(createMergeBlocks());
  OpPassManager &second = manager.nest<func::FuncOp>();
  if (!checks.any())
    second.addPass(createBandBlocks());
  // Everything behind this pass may take it that memory runs along the last dimension.
  second.addPass(createContiguousLast());
  second.addPass(createLateTransposes()); // of what was read through a permuted view
  // Behind it, which says of operands whether they are transposed.
  second.addPass(createSplitBatches());
  second.addPass(createSplitSums());
  // Behind it, which looks for sums that are stored as they are.
  second.addPass(createSwapOperands());
  // Behind it, too, and behind the division of the loops themselves.
  second.addPass(createSplitEpilogue());
  // Before layouts are given out: what is chosen here has wishes like everything else.
  second.addPass(createSelectLargeParts());
  verify(second, "contiguous");
  // What its passes take of shared memory together is known behind them.
  manager.addPass(createFitSharedMemory());
  OpPassManager &last = manager.nest<func::FuncOp>();
  last.addPass(createPlanAccesses());
  // Behind it, which says what is proven of copies.
  last.addPass(createStraightenCopies());
  last.addPass(createGroupLoads());
  // Behind everything that changes how long tiles live and what shared memory they take.
  last.addPass(createPlanOccupancy());
  // Last, since only now is every access of memory visible.
  last.addPass(createInsertBarriers({forgottenBarrier}));
  verify(last, "final");
}

namespace {

// The passes of a pipeline in textual form: names and operations' names, options in braces, and
// what runs on an operation in parentheses behind its name.
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
