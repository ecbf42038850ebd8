// The optimisations that the plan may apply: all, except those that TESSERA_PLAN_WITHOUT forbids. A
// kernel computes the same without them, so that tests can run what large grids and other GPUs
// hide.
#pragma once

#include "llvm/ADT/StringRef.h"

#include <map>
#include <optional>
#include <string>
#include <utility>

namespace tessera {

struct PlanPolicy {
#define TESSERA_TECHNIQUE(NAME, DOES) bool NAME = true;
#include "support/Techniques.def"
#undef TESSERA_TECHNIQUE

  // The forbidden ones, "coarsen,bulk"; empty if all are allowed.
  std::string without() const;
  // Those that `other` allows and this forbids, for people: "coarsen (one block does the work of
  // ...)".
  std::string leavesOutOf(const PlanPolicy &other) const;
  // Allows what both allow.
  PlanPolicy with(const PlanPolicy &other) const;
  bool operator==(const PlanPolicy &) const = default;
};

// For planning a kernel again, where ptxas spills registers of the first plan or serializes its
// asynchronous multiplies; nothing where the plan has nothing to leave out.
struct SecondPlans {
  std::optional<PlanPolicy> againstSpills, againstWaits;
  // Bytes of a thread that may be spilled: they cost less than what a second plan leaves out.
  unsigned cheapSpill = 0;

  bool areThere() const { return againstSpills || againstWaits; }
  std::optional<PlanPolicy> forUse(unsigned spilled, bool isSerialised) const {
    return spilled > cheapSpill ? againstSpills : isSerialised ? againstWaits : std::nullopt;
  }
};

// For kernels with a different policy than the rest of a program: by their symbols and the GPU's
// name.
using KernelPolicies = std::map<std::pair<std::string, std::string>, PlanPolicy>;

// All except the listed ones. For an invalid list, nothing, and an error in `message`.
std::optional<PlanPolicy> readPlanPolicy(llvm::StringRef without, std::string &message);

// From the environment, for all entry points.
std::optional<PlanPolicy> planPolicyOfEnvironment(std::string &message);

} // namespace tessera
