// Bytes of a struct that LLVM's type has no member for. They may hold data: the type of a union is
// that of one of its members, and another may have data there.
#pragma once

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/IR/DerivedTypes.h"

namespace tessera::frontend {

// Splits the bytes from `begin` up to `end` into integers of 1, 2, 4 and 8 bytes, each at a
// multiple of its size.
inline void takeGapApart(llvm::LLVMContext &context, uint64_t begin, uint64_t end,
                         llvm::function_ref<void(llvm::Type *, uint64_t offset)> addPiece) {
  while (begin < end) {
    uint64_t size = 8;
    while (begin % size || begin + size > end)
      size /= 2;
    addPiece(llvm::IntegerType::get(context, unsigned(size * 8)), begin);
    begin += size;
  }
}

} // namespace tessera::frontend
