// Local variables that several threads access: they lie in memory of the block.
//
// The threads of a block share the work on a tile, and each has its own copy of a local variable,
// which holds the same as every other's: that is right for scalars, and an array of tiles is one of
// each thread's elements (LocalTiles.h). What fits neither is global memory that the block asks for
// (tile.block_memory), where every thread sees what the others write, with the barriers that global
// memory gets: bytes of an object that is a tile, members of unions with one, local arrays under a
// view or a tile of pointers, pointers that lead to a local variable or elsewhere, variables whose
// address other threads may read.
#pragma once

#include "raise/MemorySpaces.h"
#include "raise/TileTypes.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/IR/Instructions.h"

namespace tessera::raising {

class BlockMemory {
public:
  BlockMemory(const llvm::Function &function, const frontend::TileProgram &program,
              const TileTypes &tileTypes);

  const Variables &variables() const { return variables_; }
  // Where a variable lies in the block's memory, in bytes; null for one that each thread has.
  std::optional<int64_t> offsetOf(const llvm::AllocaInst &variable) const;
  int64_t bytes() const { return bytes_; }

private:
  Variables variables_;
  llvm::MapVector<const llvm::AllocaInst *, int64_t> offsets;
  int64_t bytes_ = 0;
};

// Does a primitive read or write at an address that may be of a local variable, or make a tile of
// such addresses?
bool takesLocalAddress(const llvm::CallInst &call, const frontend::Primitive &primitive,
                       const MemorySpaces &spaces, mlir::MLIRContext *context);

} // namespace tessera::raising
