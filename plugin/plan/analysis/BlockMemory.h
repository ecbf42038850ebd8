// Memory for local variables that several threads of a block access (tile.block_memory): on the
// device's heap, or where pass lower-to-shared has put it, at the start of the block's shared
// memory. Its accesses say where it is.
#pragma once

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "tile/Attributes.h"
#include "tile/TileDialect.h"

namespace tessera::plan {

// Of tile.block_memory and of its accesses.
inline bool isBlockMemoryInShared(mlir::Operation *op) { return op->hasAttr(tile::inSharedAttr); }

// The block memory of a kernel, of which it has one at most.
inline tile::BlockMemoryOp blockMemoryOf(mlir::func::FuncOp kernel) {
  tile::BlockMemoryOp found;
  kernel.walk([&](tile::BlockMemoryOp memory) {
    found = memory;
    return mlir::WalkResult::interrupt();
  });
  return found;
}

// The bytes of shared memory that it takes, from offset 0.
inline int64_t sharedBytesOfBlockMemory(mlir::func::FuncOp kernel) {
  tile::BlockMemoryOp memory = blockMemoryOf(kernel);
  return memory && isBlockMemoryInShared(memory) ? int64_t(memory.getBytes()) : 0;
}

} // namespace tessera::plan
