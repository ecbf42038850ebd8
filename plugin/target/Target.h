// The table of GPUs that tile code is compiled for: Machines.def.
//
// All architecture dependence is in its rows. Independent of Clang and MLIR: command lines, passes
// and generated code use the same rows.
#pragma once

#include "target/Limits.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <cstdint>

namespace tessera {

// What an SM does in a cycle, while all SMs work.
struct MachineRates {
  enum Source { Measured, Documented, Assumed };

  int64_t multiplyAdds;     // of the tensor cores, of 16-bit elements
  int64_t percentOfMmaSync; // the share of them that mma.sync reaches
  int64_t bytesOfL2, bytesOfShared;
  int64_t bytesInFlight; // that an SM has to load at a time to keep memory busy
  Source source;
};

struct GpuTarget {
  // Bits of `features`.
  enum Feature : unsigned { Tma = 1, Wgmma = 2 };

  llvm::StringLiteral name;       // "sm_90a"
  unsigned number;                // 90
  int64_t sharedOfBlock;          // maximum dynamic shared memory of a block, bytes
  int64_t sharedOfMultiprocessor; // including a kilobyte of the system's for each block, bytes
  int64_t threadsOfMultiprocessor, blocksOfMultiprocessor; // maximum resident
  int64_t registersOfMultiprocessor;
  MachineRates rates;
  unsigned features;

  bool has(Feature feature) const { return features & feature; }
};

llvm::ArrayRef<GpuTarget> gpuTargets();

// The row of a name, or null.
const GpuTarget *findGpuTarget(llvm::StringRef name);

// The default row of a number: the architecture-specific one, if there is one, since code is
// generated for it. Null if there is no such row.
const GpuTarget *findGpuTarget(unsigned number);

// "sm_90a": the default.
const GpuTarget &defaultGpuTarget();

} // namespace tessera
