// What a multiply costs on an SM, in cycles: the maximum of its tensor core instructions, its
// traffic from the L2 cache, and its traffic through shared memory.
//
// The constants are those of an H200. Measured with tiles of bf16, 64 deep, at 4096^3
// (bench/results/2026-11-23-tile-sweep-h200.txt), the model ranks all tiles correctly, from 64x64
// (412 TFLOP/s; the model's bound is 494) to 128x256 (762 to 789; 809).
#pragma once

#include "plan/MatrixUnits.h"

namespace tessera::plan {

struct MultiplyCost {
  int64_t unit, cache, shared; // cycles of an SM

  int64_t cycles() const { return std::max({unit, cache, shared}); }
};

// C (M, N) += A (M, K) * B (K, N) by wgmma or by mma.sync, with operands copied from global to
// shared memory. Nothing where no tensor core takes it.
std::optional<MultiplyCost> costOf(const Product &product, const GpuTarget &target);

} // namespace tessera::plan
