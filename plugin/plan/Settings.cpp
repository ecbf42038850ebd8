// What kernels are planned for and with: the attributes of modules and kernels by which the caller
// tells the plan.
#include "plan/Plan.h"

#include "tile/Attributes.h"
#include "tile/TileDialect.h"

#include "mlir/IR/BuiltinAttributes.h"

using namespace mlir;

namespace tessera::plan {

namespace {

// Shared memory that a conversion may take; half of a block's on sm_80, so that it rarely prevents
// two blocks from sharing an SM.
constexpr int64_t maxOfExchange = int64_t(80) * 1024;
constexpr int64_t maxStages = 4;

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

} // namespace tessera::plan
