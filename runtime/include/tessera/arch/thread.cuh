// The indices of this thread, and the operations of a warp and of a block. Blocks are
// one-dimensional, of whole warps.
#pragma once

#include <cstdio>

#include "../types.cuh"

namespace tessera::arch {

TESSERA_DEVICE int thread_index() { return static_cast<int>(threadIdx.x); }
TESSERA_DEVICE int lane_index() { return static_cast<int>(threadIdx.x) & 31; }
TESSERA_DEVICE int warp_index() { return static_cast<int>(threadIdx.x) >> 5; }

// How many warps the launch of this block has: all of the plan, or those that hold columns of its
// rows (host/launched_warps.h).
TESSERA_DEVICE int launched_warps() { return static_cast<int>(blockDim.x) >> 5; }

// Has the block this many threads, along x?
TESSERA_DEVICE bool is_block_of(unsigned threads) {
  return blockDim.x == threads && blockDim.y == 1 && blockDim.z == 1;
}

// Axis 0, 1, 2 = x, y, z.
template <int Axis> TESSERA_DEVICE int block_index() {
  return static_cast<int>(Axis == 0 ? blockIdx.x : Axis == 1 ? blockIdx.y : blockIdx.z);
}

// Number of blocks along the axis.
template <int Axis> TESSERA_DEVICE int grid_size() {
  return static_cast<int>(Axis == 0 ? gridDim.x : Axis == 1 ? gridDim.y : gridDim.z);
}

TESSERA_DEVICE void barrier() { __syncthreads(); }
TESSERA_DEVICE void warp_barrier() { __syncwarp(); }

// Ends the program with an error; in the second form the first thread prints the reason.
TESSERA_DEVICE void stop() { __trap(); }
TESSERA_DEVICE void trap(const char *why) {
  if (threadIdx.x == 0)
    printf("%s\n", why);
  stop();
}

TESSERA_DEVICE int count_ones(unsigned long long x) { return __popcll(x); }
TESSERA_DEVICE int count_leading_zeros(unsigned long long x) { return __clzll(x); }

// 32 bits of `high` and `low` beside each other: from bit `by` % 32 on; those that so many bits up
// lie in `high`.
TESSERA_DEVICE unsigned funnel_down(unsigned low, unsigned high, unsigned by) {
  return __funnelshift_r(low, high, by);
}
TESSERA_DEVICE unsigned funnel_up(unsigned low, unsigned high, unsigned by) {
  return __funnelshift_l(low, high, by);
}

// x, with its origin hidden from the compiler: what is computed from the result is computed after
// this point.
template <class T> TESSERA_DEVICE T opaque(T x) {
  if constexpr (sizeof(T) == 8)
    asm volatile("" : "+l"(x));
  else
    asm volatile("" : "+r"(x));
  return x;
}

// The same value, of which compilers know nothing but that equal ones stay equal.
TESSERA_DEVICE unsigned unknown(unsigned x) {
  asm("" : "+r"(x));
  return x;
}

// All 32 lanes take part.
TESSERA_DEVICE unsigned shuffle_xor(unsigned value, int mask) {
  return __shfl_xor_sync(0xffffffffu, value, mask);
}
TESSERA_DEVICE unsigned shuffle(unsigned value, int lane) {
  return __shfl_sync(0xffffffffu, value, lane);
}

// Does the condition hold in all 32 lanes?
TESSERA_DEVICE bool all_lanes(bool condition) {
  return __all_sync(0xffffffffu, static_cast<int>(condition)) != 0;
}

// The words of lane `lane` from `First` on; those in front are zero.
template <int First, int Bytes>
TESSERA_DEVICE words<Bytes> shuffle_words(const words<Bytes> &x, int lane) {
  words<Bytes> result{};
  TESSERA_UNROLL
  for (int i = First; i < Bytes / 4; ++i)
    result.w[i] = shuffle(x.w[i], lane);
  return result;
}

} // namespace tessera::arch
