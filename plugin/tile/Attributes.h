// Names of facts that ops carry from one stage to another.
#pragma once

#include "llvm/ADT/StringRef.h"

namespace tessera::tile {

// On an llvm.load or llvm.store: the memory is the thread's own, every thread stores to its copy.
// Elsewhere one thread stores for the block.
inline constexpr llvm::StringLiteral localAttr = "tile.local";

} // namespace tessera::tile
