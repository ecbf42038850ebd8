// A plan expects so many registers; what a kernel takes is ptxas's decision. Where it spills some
// in a kernel with a loop of multiplies, or makes asynchronous multiplies wait for each other, that
// kernel is planned once more with less, and the better of the two is kept. What nobody complains
// of is compiled once.
#pragma once

#include "driver/Session.h"

#include "llvm/ADT/STLFunctionalExtras.h"

namespace tessera::driver {

// An emitted kernel of a text.
struct PlannedKernel {
  std::string symbol, displayName; // of the program's kernel
  frontend::Location place;
  std::string target, reportedName; // by which ptxas has it
  PlanPolicy policy;
  std::optional<PlanPolicy> againstSpills, againstWaits; // what a second plan would obey
};

std::vector<PlannedKernel> plannedKernelsOf(const Portion &portion, Product product);

// Is there anything that a report of ptxas could change?
bool mayPlanAgain(llvm::ArrayRef<PlannedKernel> kernels);

// A text that has been compiled: what is in it, and what the compilers said.
struct CompiledPlan {
  std::vector<PlannedKernel> kernels;
  std::string report;
};

// `compile` makes the product once more, with kernels planned by these policies; nothing if that
// does not work. With no policies it makes, or brings back, the first product, which is the one to
// keep where nothing else is better. What was done goes to `remarks`. Gives the plan of the product
// that is there behind it, or nothing if there is none.
std::optional<CompiledPlan>
planAgain(CompiledPlan first,
          llvm::function_ref<std::optional<CompiledPlan>(const KernelPolicies &)> compile,
          llvm::raw_ostream &remarks);

} // namespace tessera::driver
