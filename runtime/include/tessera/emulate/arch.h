// Tier arch under the emulator: the functions of arch/thread.cuh, global.cuh, shared.cuh, async.cuh
// and matrix.cuh with the same signatures. Included by arch/arch.cuh, after types.cuh.
#pragma once

#include <cstdio>

#include <tessera/emulate/engine.h>
#include <tessera/emulate/matrix.h>
#include <tessera/emulate/memory.h>
#include <tessera/emulate/warp.h>

#include <cstring>
#include <type_traits>

#include "../types.cuh"

namespace tessera::arch {

// Inlined at every optimisation level, so that the emulator sees the caller as the location of an
// access.
#define TESSERA_EMULATED [[gnu::always_inline]] inline

// Threads

TESSERA_EMULATED int thread_index() { return static_cast<int>(emulate::current->number); }
TESSERA_EMULATED int lane_index() { return static_cast<int>(emulate::current->lane()); }
TESSERA_EMULATED int warp_index() { return static_cast<int>(emulate::current->warp()); }

TESSERA_EMULATED int launched_warps() {
  return static_cast<int>(emulate::current->block->size.x / emulate::warp_size);
}

template <int Axis> TESSERA_EMULATED int along(const dim3 &v) {
  return static_cast<int>(Axis == 0 ? v.x : Axis == 1 ? v.y : v.z);
}

template <int Axis> TESSERA_EMULATED int block_index() {
  return along<Axis>(emulate::current->block->index);
}
template <int Axis> TESSERA_EMULATED int grid_size() {
  return along<Axis>(emulate::current->block->grid);
}

TESSERA_EMULATED void barrier() {
  emulate::block_barrier("barrier", emulate::attendance::every_thread);
}
TESSERA_EMULATED void trap(const char *why) { emulate::trap(why); }

template <class T> TESSERA_EMULATED T opaque(T x) { return x; }
TESSERA_EMULATED unsigned unknown(unsigned x) { return x; }

TESSERA_EMULATED int count_ones(unsigned long long x) { return __builtin_popcountll(x); }
TESSERA_EMULATED int count_leading_zeros(unsigned long long x) {
  return x ? __builtin_clzll(x) : 64;
}

TESSERA_EMULATED unsigned funnel_down(unsigned low, unsigned high, unsigned by) {
  return static_cast<unsigned>(((static_cast<unsigned long long>(high) << 32) | low) >> by % 32);
}
TESSERA_EMULATED unsigned funnel_up(unsigned low, unsigned high, unsigned by) {
  const unsigned long long both = (static_cast<unsigned long long>(high) << 32) | low;
  return static_cast<unsigned>(both << by % 32 >> 32);
}

TESSERA_EMULATED void warp_barrier() { emulate::warp_barrier("warp_barrier"); }

TESSERA_EMULATED unsigned shuffle_xor(unsigned value, int mask) {
  return emulate::exchange("shuffle_xor", emulate::whole_warp, value,
                           emulate::current->lane() ^ static_cast<unsigned>(mask));
}

TESSERA_EMULATED unsigned shuffle(unsigned value, int lane) {
  return emulate::exchange("shuffle", emulate::whole_warp, value, static_cast<unsigned>(lane));
}

TESSERA_EMULATED bool all_lanes(bool condition) {
  return emulate::vote("all_lanes", emulate::whole_warp, !condition) == 0;
}

// One meeting of the warp, whatever the number of words.
template <int First, int Bytes>
TESSERA_EMULATED words<Bytes> shuffle_words(const words<Bytes> &x, int lane) {
  words<Bytes> result =
      emulate::exchange("shuffle", emulate::whole_warp, x, static_cast<unsigned>(lane));
  for (int i = 0; i < First; ++i)
    result.w[i] = 0;
  return result;
}

// Global memory

template <int Bytes> TESSERA_EMULATED words<Bytes> load_global(const void *address) {
  words<Bytes> v{};
  emulate::read_global(address, v.w, Bytes);
  return v;
}

template <int Bytes> TESSERA_EMULATED words<Bytes> load_global_if(const void *address, bool inside,
                                                                  words<Bytes> otherwise) {
  return inside ? load_global<Bytes>(address) : otherwise;
}

// Neighbours of the chunk are not read: another thread may be writing them.
template <int Bytes, int Element> TESSERA_EMULATED split_chunk<Bytes>
load_split(const void *address, unsigned before, int count, words<Bytes> otherwise) {
  if (count <= 0)
    return {otherwise, {}, 0};
  char groups[2 * Bytes] = {};
  for (int i = 0; i < Bytes && i < count * Element; i += Element)
    emulate::read_global(static_cast<const char *>(address) + i, groups + before + i, Element);
  split_chunk<Bytes> x{{}, {}, before};
  std::memcpy(x.low.w, groups, Bytes);
  std::memcpy(x.high.w, groups + Bytes, Bytes);
  return x;
}

template <int Bytes, int Element> TESSERA_EMULATED words<Bytes>
load_part(const void *group, int first, int end, words<Bytes> otherwise) {
  char bytes[Bytes];
  std::memcpy(bytes, otherwise.w, Bytes);
  for (int i = first * Element; i < end * Element; i += Element)
    emulate::read_global(static_cast<const char *>(group) + i, bytes + i, Element);
  std::memcpy(otherwise.w, bytes, Bytes);
  return otherwise;
}

template <int Bytes> TESSERA_EMULATED void store_global(void *address, words<Bytes> v) {
  emulate::write_global(address, v.w, Bytes);
}

template <int Bytes>
TESSERA_EMULATED void store_global_if(void *address, words<Bytes> v, bool inside) {
  if (inside)
    store_global<Bytes>(address, v);
}

template <class T> TESSERA_EMULATED std::remove_cv_t<T> load_scalar(T *address) {
  std::remove_cv_t<T> x;
  emulate::read_global(const_cast<const std::remove_cv_t<T> *>(address), &x, sizeof x);
  return x;
}

TESSERA_EMULATED void *allocate(std::size_t bytes) { return emulate::allocate_for_block(bytes); }
// Freed with the launch: blocks of one launch do not share addresses, and so cannot race for them.
TESSERA_EMULATED void deallocate(void *) {}

TESSERA_EMULATED void next_store() { emulate::next_store(); }

// Shared memory

TESSERA_EMULATED unsigned char *shared_memory() {
  return reinterpret_cast<unsigned char *>(emulate::current->block->shared);
}

TESSERA_EMULATED int shared_offset(const void *pointer) {
  return static_cast<int>(static_cast<const unsigned char *>(pointer) - shared_memory());
}

template <int Bytes> TESSERA_EMULATED words<Bytes> load_shared(const void *base, int offset) {
  words<Bytes> v{};
  emulate::read_shared(static_cast<const char *>(base) + offset, v.w, Bytes);
  return v;
}

template <int Bytes> TESSERA_EMULATED void store_shared(void *base, int offset, words<Bytes> v) {
  emulate::write_shared(static_cast<char *>(base) + offset, v.w, Bytes);
}

// Asynchronous copies

template <int Bytes>
TESSERA_EMULATED void cp_async(void *base, int offset, const void *global, bool valid) {
  static_assert(Bytes == 4 || Bytes == 8 || Bytes == 16, "cp.async copies 4, 8 or 16 bytes");
  emulate::copy_async(static_cast<char *>(base) + offset, global, Bytes, valid ? Bytes : 0);
}

// Bytes in front of them are not read, as in load_split.
TESSERA_EMULATED void cp_async_part(void *base, int offset, const void *group, int first, int end,
                                    bool valid) {
  char *to = static_cast<char *>(base) + offset;
  for (int i = 0; i < 16; ++i)
    emulate::copy_async(to + i, static_cast<const char *>(group) + i, 1,
                        valid && i >= first && i < end);
}

template <int Bytes> TESSERA_EMULATED void cp_async_if(bool when, void *base, int offset,
                                                       const void *global, bool valid) {
  if (when)
    cp_async<Bytes>(base, offset, global, valid);
}

TESSERA_EMULATED void cp_async_commit() { emulate::commit_async(); }

template <int N> TESSERA_EMULATED void cp_async_wait() { emulate::wait_async(N); }

// Tensor core

TESSERA_EMULATED const void *row_at(const void *base, int offset) {
  return static_cast<const char *>(base) + offset;
}

TESSERA_EMULATED void ldmatrix_x4(unsigned *d, const void *base, int offset) {
  emulate::load_matrices(d, row_at(base, offset), 4, false);
}
TESSERA_EMULATED void ldmatrix_x4_trans(unsigned *d, const void *base, int offset) {
  emulate::load_matrices(d, row_at(base, offset), 4, true);
}
TESSERA_EMULATED void ldmatrix_x2(unsigned *d, const void *base, int offset) {
  emulate::load_matrices(d, row_at(base, offset), 2, false);
}
TESSERA_EMULATED void ldmatrix_x2_trans(unsigned *d, const void *base, int offset) {
  emulate::load_matrices(d, row_at(base, offset), 2, true);
}

TESSERA_EMULATED void stmatrix_x4(void *base, int offset, const unsigned *d) {
  emulate::store_matrices(static_cast<char *>(base) + offset, d);
}

template <class T, class Acc>
TESSERA_EMULATED void mma_m16n8k16(Acc *d, const unsigned *a, const unsigned *b) {
  if constexpr (std::is_same_v<Acc, float>) {
    static_assert(std::is_same_v<T, half> || std::is_same_v<T, bf16>, "operands are half or bf16");
    emulate::multiply_m16n8k16(
        d, a, b, std::is_same_v<T, half> ? emulate::operand::half : emulate::operand::bf16);
  } else {
    static_assert(std::is_same_v<T, half> && std::is_same_v<Acc, half>,
                  "half accumulators take half operands");
    unsigned c[2];
    memcpy(c, d, sizeof c);
    emulate::multiply_m16n8k16_half(c, a, b);
    memcpy(static_cast<void *>(d), c, sizeof c);
  }
}

TESSERA_EMULATED void mma_m16n8k8_tf32(float *d, const unsigned *a, const unsigned *b) {
  emulate::multiply_m16n8k8_tf32(d, a, b);
}

template <class A, class B>
TESSERA_EMULATED void mma_m16n8k32(int *d, const unsigned *a, const unsigned *b) {
  emulate::multiply_m16n8k32(d, a, b, std::is_same_v<A, signed char>,
                             std::is_same_v<B, signed char>);
}

template <class A, class B>
TESSERA_EMULATED void mma_m16n8k32(float *d, const unsigned *a, const unsigned *b) {
  static_assert(std::is_same_v<A, B> &&
                    (std::is_same_v<A, fp8_e4m3> || std::is_same_v<A, fp8_e5m2>),
                "operands of a product in floats");
  emulate::multiply_m16n8k32(
      d, a, b, std::is_same_v<A, fp8_e4m3> ? emulate::operand::e4m3 : emulate::operand::e5m2);
}

TESSERA_EMULATED unsigned select_bytes(unsigned a, unsigned b, unsigned which) {
  const unsigned long long bytes = static_cast<unsigned long long>(b) << 32 | a;
  unsigned d = 0;
  for (int i = 0; i < 4; ++i)
    d |= static_cast<unsigned>(bytes >> 8 * (which >> 4 * i & 7) & 0xFF) << 8 * i;
  return d;
}

#undef TESSERA_EMULATED

} // namespace tessera::arch
