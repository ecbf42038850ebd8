// What a kernel is to find out about itself while it runs: the option --check of every tool.
#pragma once

#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>
#include <vector>

namespace tessera {

struct Checks {
#define TESSERA_CHECK(NAME, MACRO, FINDS) bool NAME = false;
#include "Checks.def"
#undef TESSERA_CHECK

  bool any() const;
  // "TESSERA_CHECK_BOUNDS" and so on, by which text for the CPU knows them.
  std::vector<std::string> macros() const;
};

// Of "bounds,nan". Nothing, and what is wrong in `message`, for another list.
std::optional<Checks> readChecks(llvm::StringRef list, std::string &message);

} // namespace tessera
