// A crash of the compiler, as its tools report it.
#pragma once

#include "llvm/ADT/STLFunctionalExtras.h"

namespace tessera::driver {

// The exit status of a tool that crashed.
inline constexpr int crashed = 70;

// Does the work return? A crash prints its steps; partial files are removed.
bool survives(const char *tool, llvm::function_ref<void()> work);

} // namespace tessera::driver
