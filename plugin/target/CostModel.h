// What a matmul costs on an SM, in cycles: the maximum of its tensor core instructions, its traffic
// from the L2 cache, and its traffic through shared memory, by the rates of Machines.def.
//
// Measured with tiles of bf16, 64 deep, at 4096^3 on an H200
// (bench/results/2026-11-23-tile-sweep-h200.txt), the model ranks all tiles correctly,
// from 64x64 (412 TFLOP/s; the model's bound is 494) to 128x256 (762 to 789; 809).
#pragma once

#include "target/Matmul.h"

#include <algorithm>
#include <optional>

namespace tessera {

struct MatmulCost {
  int64_t tensorCore, l2, shared; // cycles of an SM

  int64_t cycles() const { return std::max({tensorCore, l2, shared}); }
};

// Warpgroups for an accumulator of this many elements: one or two.
int64_t warpgroupsOfAccumulator(int64_t elements);

// With operands that are copied from global to shared memory. Nothing where no tensor core takes
// the matmul.
std::optional<MatmulCost> costOf(const Matmul &matmul, const GpuTarget &target);

} // namespace tessera
