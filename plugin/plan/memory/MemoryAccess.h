// The accesses of shared and global memory, and which of them must not meet.
#pragma once

#include "mlir/IR/Operation.h"

namespace tessera::plan {

struct MemoryAccess {
  bool writes = false, shared = false;
  int64_t begin = 0, end = 0; // shared: bytes
  mlir::Value slot;           // shared: within those bytes, in this iteration of a loop; null = all
  mlir::Value base;           // global: null = anywhere
  bool orders = false;        // global: conflicts whatever the base
  bool isByFirst = false;     // global: only the first thread makes it
  int reduction = 0;          // global: atomics of one kind, whose order nobody sees; 0 = none
  mlir::Operation *op = nullptr; // global: where it matters which one
  bool isForProxy = false;       // shared: a write of what wgmma reads, or where bulk copies write
  bool isInFlight = false;       // shared: a read by a bulk store that has not been waited for

  bool conflictsWith(const MemoryAccess &other) const;
  bool operator==(const MemoryAccess &other) const = default;

private:
  bool isInOtherSlot(const MemoryAccess &other) const;
  bool isOfOtherBox(const MemoryAccess &other) const;
};

// Of a shared tile, or of a slot of a ring.
MemoryAccess sharedAccess(mlir::Value shared, bool writes);

// What wgmma reads and bulk copies write.
bool isInPanels(mlir::Value shared);

// Those of one op, without what is nested in it.
llvm::SmallVector<MemoryAccess, 3> memoryAccessesOf(mlir::Operation *op);

} // namespace tessera::plan
