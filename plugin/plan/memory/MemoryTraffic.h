// What a kernel of rows or elements moves through global memory, and how busy that keeps memory.
#pragma once

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <cstdint>
#include <optional>

namespace tessera::plan {

struct MemoryTraffic {
  bool isOfIteration;    // of the loop that reads most, else of a block
  int64_t read, written; // bytes of whole tiles: with elements outside of views, or masked
  int64_t blocks;        // that are expected on an SM
  int64_t inFlight;      // bytes of an SM's reads that are on their way at a time
  int64_t percent;       // expected, of the peak of memory, where the grid fills the GPU
};

// Nothing where a kernel multiplies, or reads no tiles.
std::optional<MemoryTraffic> memoryTrafficOf(mlir::func::FuncOp kernel);

} // namespace tessera::plan
