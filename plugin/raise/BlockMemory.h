// Local variables that several threads access are in memory of the block.
//
// The threads of a block share the work on a tile, and each has its own copy of a local variable,
// equal to every other's: that is right for scalars, and an array of tiles holds each thread's
// elements (LocalTiles.h). All other variables become global memory that the block allocates
// (tile.block_memory), in which every thread sees the others' writes, with the barriers of global
// memory: bytes of an object that is a tile, members of unions with one, local arrays under a view
// or a tile of pointers, targets of pointers to a local variable or elsewhere, variables whose
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
  // The byte offset of a variable in the block's memory; null for one that each thread has.
  std::optional<int64_t> offsetOf(const llvm::AllocaInst &variable) const;
  int64_t bytes() const { return bytes_; }

private:
  Variables variables_;
  llvm::MapVector<const llvm::AllocaInst *, int64_t> offsets;
  int64_t bytes_ = 0;
};

// Does a primitive read or write at a possibly local address, or make a tile of such addresses?
bool takesLocalAddress(const llvm::CallInst &call, const frontend::Primitive &primitive,
                       const MemorySpaces &spaces, mlir::MLIRContext *context);

} // namespace tessera::raising
