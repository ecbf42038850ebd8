#include "driver/PlanAgain.h"

#include "support/Messages.h"
#include "driver/PtxasReport.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <set>
#include <tuple>

using namespace llvm;

namespace tessera::driver {
namespace {

// ptxas's results for all generated code of one kernel of the program and one GPU.
struct Verdict {
  unsigned spilled = 0, serialised = 0;
  unsigned costly = 0; // of the bytes spilled, those of code that spills more than is cheap

  bool isGood() const { return !spilled && !serialised; }
  bool operator<(const Verdict &other) const {
    return std::tuple(costly, serialised, spilled) <
           std::tuple(other.costly, other.serialised, other.spilled);
  }
  std::string text() const {
    std::string words;
    if (spilled)
      words = formatv(message::PtxasSpills, spilled);
    if (serialised)
      words += StringRef(spilled ? ", " : "").str() + message::PtxasSerialises;
    return isGood() ? message::PtxasIsContent : words;
  }
};

using Key = KernelPolicies::key_type;

Key keyOf(const PlannedKernel &kernel) { return {kernel.symbol, kernel.target}; }

unsigned numberOf(StringRef architecture) {
  unsigned number = 0;
  architecture.drop_front(architecture.find_first_of("0123456789")).consumeInteger(10, number);
  return number;
}

// By the GPUs that kernels are planned for: another GPU's code is that of the last one before it.
PtxasReport reportOf(const CompiledPlan &plan) {
  PtxasReport result;
  for (const auto &[name, use] : readPtxasReport(plan.report)) {
    const PlannedKernel *planned = nullptr;
    for (const PlannedKernel &kernel : plan.kernels)
      if (numberOf(kernel.target) <= numberOf(name.second) &&
          (!planned || numberOf(planned->target) < numberOf(kernel.target)))
        planned = &kernel;
    if (!planned)
      continue;
    RegisterUse &whole = result[{name.first, planned->target}];
    whole.spilled += use.spilled;
    whole.isSerialised |= use.isSerialised;
  }
  return result;
}

std::map<Key, Verdict> verdictsOf(const CompiledPlan &plan) {
  PtxasReport report = reportOf(plan);
  std::map<Key, Verdict> verdicts;
  for (const PlannedKernel &kernel : plan.kernels)
    if (auto use = report.find({kernel.reportedName, kernel.target}); use != report.end()) {
      Verdict &verdict = verdicts[keyOf(kernel)];
      verdict.spilled += use->second.spilled;
      if (use->second.spilled > kernel.again.cheapSpill)
        verdict.costly += use->second.spilled;
      verdict.serialised += use->second.isSerialised;
    }
  return verdicts;
}

// The policies for kernels about which ptxas complains, to plan them again.
KernelPolicies policiesOfLess(const CompiledPlan &plan) {
  PtxasReport report = reportOf(plan);
  KernelPolicies policies;
  for (const PlannedKernel &kernel : plan.kernels) {
    auto use = report.find({kernel.reportedName, kernel.target});
    if (use == report.end())
      continue;
    const auto less = kernel.again.forUse(use->second.spilled, use->second.isSerialised);
    if (!less)
      continue;
    auto [known, isNew] = policies.insert({keyOf(kernel), *less});
    if (!isNew)
      known->second = known->second.with(*less);
  }
  return policies;
}

void say(const PlannedKernel &kernel, const PlanPolicy &less, const Verdict &before,
         const Verdict &behind, raw_ostream &remarks) {
  const FileLocation &loc = kernel.location;
  const std::string without = less.leavesOutOf(kernel.policy),
                    result = behind < before
                                 ? behind.text()
                                 : formatv(message::FirstPlanStays, behind.text()).str();
  remarks << loc.file << ':' << loc.line << ':' << loc.column << ": remark: "
          << formatv(message::PlannedAgain, kernel.displayName, kernel.target, before.text(),
                     without, result)
          << '\n';
}

} // namespace

std::vector<PlannedKernel> plannedKernelsOf(const Portion &portion, Product product) {
  std::vector<PlannedKernel> kernels;
  for (const EmittedKernel &emitted : portion.emitted) {
    StringRef symbol = emitted.coarsenedFrom.empty() ? emitted.symbol : emitted.coarsenedFrom;
    auto kernel = find_if(portion.kernels, [&](const auto &one) { return one.symbol == symbol; });
    if (kernel == portion.kernels.end())
      continue;
    kernels.push_back({symbol.str(), kernel->displayName, kernel->location,
                       portion.target->name.str(),
                       product == Product::Program ? emitted.name : reportedName(emitted.symbol),
                       emitted.policy, emitted.again});
  }
  return kernels;
}

bool mayPlanAgain(ArrayRef<PlannedKernel> kernels) {
  return any_of(kernels, [](const PlannedKernel &kernel) { return kernel.again.areThere(); });
}

std::optional<CompiledPlan>
planAgain(CompiledPlan first,
          function_ref<std::optional<CompiledPlan>(const KernelPolicies &)> compile,
          raw_ostream &remarks) {
  KernelPolicies tried = policiesOfLess(first);
  if (tried.empty())
    return first;
  std::optional<CompiledPlan> second = compile(tried);
  if (!second)
    return compile({});
  std::map<Key, Verdict> before = verdictsOf(first), behind = verdictsOf(*second);
  KernelPolicies better;
  for (const auto &[key, less] : tried)
    if (behind[key] < before[key])
      better.insert({key, less});
  std::set<Key> told;
  for (const PlannedKernel &kernel : first.kernels)
    if (Key key = keyOf(kernel); tried.count(key) && told.insert(key).second)
      say(kernel, tried[key], before[key], behind[key], remarks);
  return better.size() == tried.size() ? std::move(second) : compile(better);
}

} // namespace tessera::driver
