// The table of GPUs that tile code is compiled for: an architecture is one row of Targets.def.
//
// Everything that depends on an architecture asks its row. Neither Clang nor MLIR: command lines,
// passes and emitted text speak of the same rows.
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <cstdint>

namespace tessera {

struct GpuTarget {
  // Bits of `features`.
  enum Feature : unsigned { Tma = 1, Wgmma = 2 };

  llvm::StringLiteral name;       // "sm_90a"
  unsigned number;                // 90
  int64_t sharedOfBlock;          // dynamic shared memory that a block may have, bytes
  int64_t sharedOfMultiprocessor; // with a kilobyte of the system's for each block, bytes
  int64_t threadsOfMultiprocessor, blocksOfMultiprocessor; // the most at one time
  unsigned features;

  bool has(Feature feature) const { return features & feature; }
};

llvm::ArrayRef<GpuTarget> gpuTargets();

// The row of a name, or null.
const GpuTarget *findGpuTarget(llvm::StringRef name);

// The row that a number means where nothing says more: the one that is for this GPU alone, if there
// is one, since code is made for it. Null if there is no such row.
const GpuTarget *findGpuTarget(unsigned number);

// "sm_90a": where nobody names another.
const GpuTarget &defaultGpuTarget();

} // namespace tessera
