// What the plan may do for speed alone: everything, but for what TESSERA_PLAN_WITHOUT forbids. A
// kernel computes the same without, so that tests can run what large grids and other GPUs hide.
#pragma once

#include "llvm/ADT/StringRef.h"

#include <map>
#include <optional>
#include <string>
#include <utility>

namespace tessera {

struct PlanPolicy {
#define TESSERA_TECHNIQUE(NAME, DOES) bool NAME = true;
#include "Techniques.def"
#undef TESSERA_TECHNIQUE

  // What is forbidden, "coarsen,bulk"; empty where all is allowed.
  std::string without() const;
  // What is forbidden that `other` allows, for people: "coarsen (one block does the work of ...)".
  std::string leavesOutOf(const PlanPolicy &other) const;
  // What neither of the two forbids is allowed.
  PlanPolicy with(const PlanPolicy &other) const;
  bool operator==(const PlanPolicy &) const = default;
};

// Of kernels that are planned otherwise than the rest of a program: by their symbols and the GPU's
// name.
using KernelPolicies = std::map<std::pair<std::string, std::string>, PlanPolicy>;

// Without what the list names. Nothing, and what is wrong in `message`, for another list.
std::optional<PlanPolicy> readPlanPolicy(llvm::StringRef without, std::string &message);

// As the environment says, which all doors ask.
std::optional<PlanPolicy> planPolicyOfEnvironment(std::string &message);

} // namespace tessera
