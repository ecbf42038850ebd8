// The run-time checks of a kernel: the option --check of every tool.
#pragma once

#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>
#include <vector>

namespace tessera {

struct Checks {
#define TESSERA_CHECK(NAME, MACRO, FINDS) bool NAME = false;
#include "support/Checks.def"
#undef TESSERA_CHECK

  bool any() const;
  // "TESSERA_CHECK_BOUNDS" and so on: the macros of generated code for the CPU.
  std::vector<std::string> macros() const;
};

// Parses "bounds,nan". For an invalid list, nothing, and an error in `message`.
std::optional<Checks> readChecks(llvm::StringRef list, std::string &message);

// The description of --check, with a line for each check.
inline constexpr char checkDescription[] =
    "build kernels that stop at the first operation that fails a check:"
#define TESSERA_CHECK(NAME, MACRO, FINDS) "\n" #NAME ": " FINDS
#include "support/Checks.def"
#undef TESSERA_CHECK
    ;

} // namespace tessera
