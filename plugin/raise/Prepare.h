// Small changes to a kernel's LLVM IR before it is translated.
#pragma once

#include "llvm/IR/Function.h"

namespace tessera::raising {

// Before: `if (!ok) { trap; unreachable }`. After: `if (!ok) { trap }` and control continues. A
// block that never returns would otherwise be an exit of every loop around it and keep counted
// loops from being recognised; the trap stops the program all the same.
void letTrapsFallThrough(llvm::Function &function);

// Before: a pointer that walks over a local array (`for (auto &x : array)`) or is selected among
// its elements or several variables of tiles. After: an index, and `array + index` where the
// pointer was used, so that accesses to local tiles have tile numbers.
void indexLocalArrays(llvm::Function &function);

// Before: an integer of a width that no C type has (LLVM counts modulo 4 in two bits, and copies a
// struct of three bytes as 24). After: the next wider one, with zeros above.
void widenOddIntegers(llvm::Function &function);

// Before: a local variable of a struct or array type that holds tiles, and copies of it. After: one
// array of tiles or scalars for each member, and a load and a store for each copied member.
void splitLocalStructs(llvm::Function &function);

// The size in bytes beyond which expanding a copy or a fill would be too much code.
inline constexpr uint64_t longestCopy = 256;
// Before: a longer one, or one whose length or value is known only at run time. After: a loop.
void expandLongCopies(llvm::Function &function);

// Before: a single lane of a tile is read or written, lanes are shuffled, or a tile's bits are read
// as another number of lanes (`reinterpret_cast<float *>(&tile)[3]` of a tile in a register).
// After: the tile is stored to a local variable, and the lanes are loaded from there.
void putLanesInMemory(llvm::Function &function);

} // namespace tessera::raising
