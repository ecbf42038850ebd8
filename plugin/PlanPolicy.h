// What the plan may do for speed alone: everything, but for what TESSERA_PLAN_WITHOUT forbids. A
// kernel computes the same without, so that tests can run what large grids and other GPUs hide.
#pragma once

#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>

namespace tessera {

struct PlanPolicy {
#define TESSERA_TECHNIQUE(NAME, DOES) bool NAME = true;
#include "Techniques.def"
#undef TESSERA_TECHNIQUE

  // What is forbidden, "coarsen,bulk"; empty where all is allowed.
  std::string without() const;
};

// Without what the list names. Nothing, and what is wrong in `message`, for another list.
std::optional<PlanPolicy> readPlanPolicy(llvm::StringRef without, std::string &message);

// As the environment says, which all doors ask.
std::optional<PlanPolicy> planPolicyOfEnvironment(std::string &message);

} // namespace tessera
