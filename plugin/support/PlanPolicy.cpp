#include "support/PlanPolicy.h"

#include "support/Messages.h"
#include "support/Switches.h"

#include "llvm/ADT/SmallVector.h"

#include <cstdlib>

namespace tessera {

namespace {

struct Row {
  llvm::StringLiteral name, does;
  bool PlanPolicy::*field;
};
constexpr Row rows[] = {
#define TESSERA_TECHNIQUE(NAME, DOES) {#NAME, DOES, &PlanPolicy::NAME},
#include "support/Techniques.def"
#undef TESSERA_TECHNIQUE
};

} // namespace

std::string PlanPolicy::without() const {
  std::string list;
  for (const Row &row : rows)
    if (!(this->*row.field))
      list += (list.empty() ? "" : ",") + row.name.str();
  return list;
}

std::string PlanPolicy::leavesOutOf(const PlanPolicy &other) const {
  std::string list;
  for (const Row &row : rows)
    if (!(this->*row.field) && other.*row.field)
      list += (list.empty() ? "" : ", ") + row.name.str() + " (" + row.does.str() + ")";
  return list;
}

PlanPolicy PlanPolicy::with(const PlanPolicy &other) const {
  PlanPolicy both = *this;
  for (const Row &row : rows)
    both.*row.field &= other.*row.field;
  return both;
}

std::optional<PlanPolicy> readPlanPolicy(llvm::StringRef without, std::string &message) {
  PlanPolicy policy;
  llvm::SmallVector<llvm::StringRef> words;
  without.split(words, ',', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  auto unknown = setSwitches(policy, llvm::ArrayRef(rows), words, false);
  if (!unknown)
    return policy;
  message = llvm::formatv(message::UnknownTechnique, without, unknown->name, unknown->known);
  return std::nullopt;
}

std::optional<PlanPolicy> planPolicyOfEnvironment(std::string &message) {
  const char *without = std::getenv("TESSERA_PLAN_WITHOUT");
  return readPlanPolicy(without ? without : "", message);
}

} // namespace tessera
