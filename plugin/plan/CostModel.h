// What a multiply takes of an SM, in cycles: by what its own unit does, what comes from the L2
// cache, and what passes through shared memory. The slowest of the three is what it costs.
//
// The constants are those of an H200. Measured with tiles of bf16, 64 deep, at 4096^3
// (docs/results/2026-11-23-tile-sweep-h200.txt), the model ranks all tiles as they are, from 64x64
// (412 TFLOP/s; the model's bound is 494) to 128x256 (762 to 789; 809).
#pragma once

#include "plan/MatrixUnits.h"

namespace tessera::plan {

struct MultiplyCost {
  int64_t unit, cache, shared; // cycles of an SM

  int64_t cycles() const { return std::max({unit, cache, shared}); }
};

// C (M, N) += A (M, K) * B (K, N) by wgmma or by mma.sync, its operands copied from global to
// shared memory. Nothing where no matrix unit takes it.
std::optional<MultiplyCost> costOf(const Product &product, const GpuTarget &target);

} // namespace tessera::plan
