// A plan estimates registers; ptxas decides them. If it spills registers in a kernel with a loop of
// multiplies, or serialises asynchronous multiplies, that kernel is planned again with less, and
// the better of the two is kept. Other kernels are compiled once, and so are those whose spills
// cost less than what the second plan would leave out.
#pragma once

#include "driver/Session.h"

#include "llvm/ADT/STLFunctionalExtras.h"

namespace tessera::driver {

// A generated kernel of an output.
struct PlannedKernel {
  std::string symbol, displayName; // of the program's kernel
  FileLocation location;
  std::string target, reportedName; // ptxas's names
  PlanPolicy policy;
  SecondPlans again;
};

std::vector<PlannedKernel> plannedKernelsOf(const Portion &portion, Product product);

// Could a report of ptxas change anything?
bool mayPlanAgain(llvm::ArrayRef<PlannedKernel> kernels);

// A compiled output: its kernels, and the compilers' messages.
struct CompiledPlan {
  std::vector<PlannedKernel> kernels;
  std::string report;
};

// `compile` makes the product again, with kernels planned by these policies; nothing if that fails.
// Without policies it makes, or restores, the first product, which is kept if nothing else is
// better. `remarks` receives a record. Returns the plan of the final product, or nothing if there
// is none.
std::optional<CompiledPlan>
planAgain(CompiledPlan first,
          llvm::function_ref<std::optional<CompiledPlan>(const KernelPolicies &)> compile,
          llvm::raw_ostream &remarks);

} // namespace tessera::driver
