// What kernels are planned for and with: the attributes of modules and kernels by which the caller
// tells the plan.
#include "plan/Plan.h"

#include "tile/Attributes.h"
#include "tile/TileDialect.h"

#include "mlir/IR/BuiltinAttributes.h"

using namespace mlir;

namespace tessera::plan {

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

bool hasBulkRings(Operation *op) { return hasBulkCopies(targetOf(op)) && policyOf(op).bulk; }

} // namespace tessera::plan
