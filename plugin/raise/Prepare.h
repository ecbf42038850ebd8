// Small changes to a kernel's LLVM IR before it is translated.
#pragma once

#include "llvm/IR/Function.h"

namespace tessera::raising {

// Before: `if (!ok) { trap; unreachable }`. After: `if (!ok) { trap }` and on with the rest. A
// block that never returns would else be an exit of every loop around it and keep counted loops
// from being recognised; the trap stops the program all the same.
void letTrapsFallThrough(llvm::Function &function);

// Before: a pointer that walks over a local array (`for (auto &x : array)`) or is chosen among its
// elements or several variables of tiles. After: an index that does, and `array + index` where the
// pointer was used, so that accesses to local tiles have tile numbers.
void indexLocalArrays(llvm::Function &function);

// Before: an integer of a width that no C type has (LLVM counts modulo 4 in two bits, and copies a
// struct of three bytes as 24). After: the next wider one, with zeros above.
void widenOddIntegers(llvm::Function &function);

// Before: a local variable of a struct or array type that holds tiles, and copies of it. After: one
// array of tiles or scalars for each member, and a load and a store for each that is copied.
void splitLocalStructs(llvm::Function &function);

} // namespace tessera::raising
