// Tiles that stay in local memory: an array of tiles that is indexed at run time, or a tile whose
// address is kept.
//
// Such an alloca becomes a tile.local_alloc of several tiles of one type, and an address within it
// a tile number. That requires that every access is to a whole tile with the same number of lanes;
// an alloca without tiles stays memory of scalars, and any other becomes memory of the block
// (BlockMemory.h).
#pragma once

#include "raise/MemorySpaces.h"
#include "raise/TileTypes.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/IR/Instructions.h"

namespace tessera::raising {

// Tile number `constant + sum of index * factor` of the array at `base`.
struct LocalAccess {
  const llvm::AllocaInst *base = nullptr;
  int64_t constant = 0;
  llvm::SmallVector<std::pair<const llvm::Value *, int64_t>> terms;
};

struct LocalArray {
  mlir::Type tile;
  int64_t count = 0; // 0: the accesses do not fit an array of tiles
};

class LocalTiles {
public:
  // blockMemory: variables in memory of the block, whatever they hold.
  LocalTiles(const llvm::Function &function, const TileTypes &tileTypes,
             const Variables &blockMemory);

  // The array of tiles of an alloca; null for memory of scalars.
  const LocalArray *array(const llvm::AllocaInst &alloca) const;
  // The tile that `pointer` addresses, if it points into an array of tiles.
  std::optional<LocalAccess> access(const llvm::Value &pointer) const;

private:
  void classify(const llvm::AllocaInst &alloca, const TileTypes &tileTypes);

  const llvm::DataLayout &layout;
  llvm::DenseMap<const llvm::AllocaInst *, LocalArray> arrays;
};

} // namespace tessera::raising
