// wgmma (sm_90a), the tensor core multiply of a warpgroup: four warps, the first of them a multiple
// of four. A multiply is asynchronous: until it has been waited for, its accumulators and its
// operands in shared memory belong to it. It reads shared memory through the asynchronous proxy, so
// threads must fence their writes first.
#pragma once

#include "arch.cuh"

#if defined(TESSERA_EMULATE)
#include <tessera/emulate/warpgroup.h>
#else

namespace tessera::arch {

// Generated code that was planned for this GPU alone is compiled for another one.
#if !TESSERA_HAS_WGMMA && TESSERA_SM != 0
template <class T> constexpr bool has_wgmma = sizeof(T) == 0;
#else
template <class T> constexpr bool has_wgmma = true;
#endif

// The first warp of this thread's warpgroup; the shuffle shows the compiler that all lanes agree.
TESSERA_DEVICE int warpgroup_start() {
  return __shfl_sync(0xffffffffu, static_cast<int>(threadIdx.x) >> 5, 0) & ~3;
}

// Makes this thread's view of writes to shared memory visible to the asynchronous proxy.
TESSERA_DEVICE void fence_async_memory() { asm volatile("fence.proxy.async;" ::: "memory"); }
TESSERA_DEVICE void fence_async() { asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); }

// Before the first multiply, and after other uses of accumulator registers.
TESSERA_DEVICE void wgmma_fence() { asm volatile("wgmma.fence.sync.aligned;" ::: "memory"); }
TESSERA_DEVICE void wgmma_commit() {
  asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
}

// All but the N youngest groups of this warpgroup are complete.
template <int N> TESSERA_DEVICE void wgmma_wait() {
  asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(N) : "memory");
}

// The descriptor of an operand in shared memory, with rows of 128, 64 or 32 bytes: `groups` is the
// byte distance from one group of eight rows to the next, `panels` from 128 bytes of a longer row
// to the next 128. The address is that of the operand's first element without the swizzle: the
// hardware swizzles by address bits.
TESSERA_DEVICE unsigned long long operand_at(const void *base, int offset, int rows, int groups,
                                             int panels) {
  const unsigned address = shared_address(base, offset);
  const unsigned long long exchange = rows == 128 ? 1 : rows == 64 ? 2 : 3;
  return exchange << 62 | static_cast<unsigned long long>(groups >> 4) << 32 |
         static_cast<unsigned long long>(panels >> 4) << 16 | ((address & 0x3ffff) >> 4);
}

// The descriptor so many bytes further on, a multiple of 16. Only its low word changes: it has the
// address, which does not wrap.
TESSERA_DEVICE unsigned long long operand_beyond(unsigned long long operand, int bytes) {
  const unsigned low = static_cast<unsigned>(operand) + static_cast<unsigned>(bytes >> 4);
  return (operand >> 32 << 32) | low;
}

// A compiler fence for x: computed before what follows, and read after what precedes.
template <int Count> TESSERA_DEVICE void pin(float *x) {
#pragma unroll
  for (int i = 0; i < Count; ++i)
    asm volatile("" : "+f"(x[i])::"memory");
}
template <int Count> TESSERA_DEVICE void pin(int *x) {
#pragma unroll
  for (int i = 0; i < Count; ++i)
    asm volatile("" : "+r"(x[i])::"memory");
}

// x stays live until here.
TESSERA_DEVICE void hold(unsigned x) { asm volatile("" ::"r"(x) : "memory"); }

// Groups of ten operand numbers, and runs of registers.
#define TESSERA_TEN(T)                                                                             \
  "%" #T "0, %" #T "1, %" #T "2, %" #T "3, %" #T "4, %" #T "5, %" #T "6, %" #T "7, %" #T "8, %" #T \
  "9, "
#define TESSERA_LIST_4 "%0, %1, %2, %3"
#define TESSERA_LIST_8 TESSERA_LIST_4 ", %4, %5, %6, %7"
#define TESSERA_LIST_16 TESSERA_TEN() "%10, %11, %12, %13, %14, %15"
#define TESSERA_LIST_32 TESSERA_TEN() TESSERA_TEN(1) TESSERA_TEN(2) "%30, %31"
#define TESSERA_LIST_64                                                                            \
  TESSERA_TEN()                                                                                    \
  TESSERA_TEN(1)                                                                                   \
  TESSERA_TEN(2) TESSERA_TEN(3) TESSERA_TEN(4) TESSERA_TEN(5) "%60, %61, %62, %63"
#define TESSERA_LIST_128                                                                           \
  TESSERA_TEN()                                                                                    \
  TESSERA_TEN(1)                                                                                   \
  TESSERA_TEN(2)                                                                                   \
  TESSERA_TEN(3)                                                                                   \
  TESSERA_TEN(4)                                                                                   \
  TESSERA_TEN(5)                                                                                   \
  TESSERA_TEN(6)                                                                                   \
  TESSERA_TEN(7)                                                                                   \
  TESSERA_TEN(8)                                                                                   \
  TESSERA_TEN(9) TESSERA_TEN(10) TESSERA_TEN(11) "%120, %121, %122, %123, %124, %125, %126, %127"

// C: the constraint of a register, f or r.
#define TESSERA_RUN_4(C, I) "+" C(d[I]), "+" C(d[I + 1]), "+" C(d[I + 2]), "+" C(d[I + 3])
#define TESSERA_RUN_8(C, I) TESSERA_RUN_4(C, I), TESSERA_RUN_4(C, I + 4)
#define TESSERA_RUN_16(C, I) TESSERA_RUN_8(C, I), TESSERA_RUN_8(C, I + 8)
#define TESSERA_RUN_32(C, I) TESSERA_RUN_16(C, I), TESSERA_RUN_16(C, I + 16)
#define TESSERA_RUN_64(C, I) TESSERA_RUN_32(C, I), TESSERA_RUN_32(C, I + 32)
#define TESSERA_RUN_128(C, I) TESSERA_RUN_64(C, I), TESSERA_RUN_64(C, I + 64)

// The memory order of operands applies to 16-bit elements; the others run along k.
#define TESSERA_MODES_16(TRANS_A, TRANS_B) ", 1, 1, %" #TRANS_A ", %" #TRANS_B
#define TESSERA_MODES_FLOAT(TRANS_A, TRANS_B) ", 1, 1"
#define TESSERA_MODES_INTEGER(TRANS_A, TRANS_B) ""

// Without optimisation, compilers keep accumulators in memory: there each multiply is waited for at
// once.
#if defined(__CUDACC_DEBUG__) || (defined(__clang__) && !defined(__OPTIMIZE__))
#define TESSERA_BEFORE_WGMMA "wgmma.fence.sync.aligned; "
#define TESSERA_BEHIND_WGMMA "wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0; "
#else
#define TESSERA_BEFORE_WGMMA ""
#define TESSERA_BEHIND_WGMMA ""
#endif

// The operands follow the registers: A, B, their memory order, and whether to add.
#define TESSERA_WGMMA(TYPES, C, MODES, N, COUNT, A, B, TRANS_A, TRANS_B, ADD)                      \
  asm volatile("{ .reg .pred add; setp.ne.u32 add, %" #ADD ", 0; " TESSERA_BEFORE_WGMMA            \
               "wgmma.mma_async.sync.aligned.m64n" #N TYPES " {" TESSERA_LIST_##COUNT              \
               "}, %" #A ", %" #B ", add" MODES(TRANS_A, TRANS_B) "; " TESSERA_BEHIND_WGMMA "}"    \
               : TESSERA_RUN_##COUNT(C, 0)                                                         \
               : "l"(a), "l"(b), "n"(ColumnsOfA ? 1 : 0), "n"(RowsOfB ? 1 : 0), "n"(Adds ? 1 : 0)  \
               : "memory")
#define TESSERA_WGMMA_OF(TYPES, C, MODES)                                                          \
  if constexpr (N == 8)                                                                            \
    TESSERA_WGMMA(TYPES, C, MODES, 8, 4, 4, 5, 6, 7, 8);                                           \
  else if constexpr (N == 16)                                                                      \
    TESSERA_WGMMA(TYPES, C, MODES, 16, 8, 8, 9, 10, 11, 12);                                       \
  else if constexpr (N == 32)                                                                      \
    TESSERA_WGMMA(TYPES, C, MODES, 32, 16, 16, 17, 18, 19, 20);                                    \
  else if constexpr (N == 64)                                                                      \
    TESSERA_WGMMA(TYPES, C, MODES, 64, 32, 32, 33, 34, 35, 36);                                    \
  else if constexpr (N == 128)                                                                     \
    TESSERA_WGMMA(TYPES, C, MODES, 128, 64, 64, 65, 66, 67, 68);                                   \
  else                                                                                             \
    TESSERA_WGMMA(TYPES, C, MODES, 256, 128, 128, 129, 130, 131, 132)

// The same with A in four registers: R, R1, R2 and R3.
#define TESSERA_MODES_OF_B_16(TRANS_B) ", 1, 1, %" #TRANS_B
#define TESSERA_MODES_OF_B_FLOAT(TRANS_B) ", 1, 1"
#define TESSERA_WGMMA_WORDS(TYPES, MODES, N, COUNT, R, R1, R2, R3, B, TRANS_B, ADD)                \
  asm volatile("{ .reg .pred add; setp.ne.u32 add, %" #ADD ", 0; " TESSERA_BEFORE_WGMMA            \
               "wgmma.mma_async.sync.aligned.m64n" #N TYPES " {" TESSERA_LIST_##COUNT              \
               "}, {%" #R ", %" #R1 ", %" #R2 ", %" #R3 "}, %" #B                                  \
               ", add" MODES(TRANS_B) "; " TESSERA_BEHIND_WGMMA "}"                                \
               : TESSERA_RUN_##COUNT("f", 0)                                                       \
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b), "n"(RowsOfB ? 1 : 0),         \
                 "n"(Adds ? 1 : 0)                                                                 \
               : "memory")
#define TESSERA_WGMMA_WORDS_OF(TYPES, MODES)                                                       \
  if constexpr (N == 8)                                                                            \
    TESSERA_WGMMA_WORDS(TYPES, MODES, 8, 4, 4, 5, 6, 7, 8, 9, 10);                                 \
  else if constexpr (N == 16)                                                                      \
    TESSERA_WGMMA_WORDS(TYPES, MODES, 16, 8, 8, 9, 10, 11, 12, 13, 14);                            \
  else if constexpr (N == 32)                                                                      \
    TESSERA_WGMMA_WORDS(TYPES, MODES, 32, 16, 16, 17, 18, 19, 20, 21, 22);                         \
  else if constexpr (N == 64)                                                                      \
    TESSERA_WGMMA_WORDS(TYPES, MODES, 64, 32, 32, 33, 34, 35, 36, 37, 38);                         \
  else if constexpr (N == 128)                                                                     \
    TESSERA_WGMMA_WORDS(TYPES, MODES, 128, 64, 64, 65, 66, 67, 68, 69, 70);                        \
  else                                                                                             \
    TESSERA_WGMMA_WORDS(TYPES, MODES, 256, 128, 128, 129, 130, 131, 132, 133, 134)

// One multiply takes a step of k of 32 bytes: 16 halves, 8 tf32, 32 fp8 or 8-bit integers.

// d[0 .. N / 2) += a * b, both in shared memory: 64 rows, N columns. T = half or bf16. ColumnsOfA:
// a is contiguous along its columns; RowsOfB: b along its rows. Without Adds, d = a * b.
template <class T, int N, bool ColumnsOfA, bool RowsOfB, bool Adds = true>
TESSERA_DEVICE void wgmma_m64(float *d, unsigned long long a, unsigned long long b) {
  static_assert(has_wgmma<T>, "this text is for sm_90a: translate it for this architecture, too");
  static_assert(sizeof(T) == 2 || (!ColumnsOfA && !RowsOfB), "only 16-bit operands are transposed");
  if constexpr (std::is_same_v<T, bf16>) {
    TESSERA_WGMMA_OF("k16.f32.bf16.bf16", "f", TESSERA_MODES_16);
  } else if constexpr (std::is_same_v<T, half>) {
    TESSERA_WGMMA_OF("k16.f32.f16.f16", "f", TESSERA_MODES_16);
  } else if constexpr (std::is_same_v<T, tf32>) {
    TESSERA_WGMMA_OF("k8.f32.tf32.tf32", "f", TESSERA_MODES_FLOAT);
  } else if constexpr (std::is_same_v<T, fp8_e4m3>) {
    TESSERA_WGMMA_OF("k32.f32.e4m3.e4m3", "f", TESSERA_MODES_FLOAT);
  } else {
    static_assert(std::is_same_v<T, fp8_e5m2>, "operands of a product in floats");
    TESSERA_WGMMA_OF("k32.f32.e5m2.e5m2", "f", TESSERA_MODES_FLOAT);
  }
}

// The same with a in registers: 16 rows of each warp, of 32 bytes each, which must not change
// before the wait. The first word of lane 4 i + j holds row i from byte 4 j on, the second the row
// eight below, the third and fourth the bytes 16 further on.
template <class T, int N, bool RowsOfB, bool Adds = true>
TESSERA_DEVICE void wgmma_m64(float *d, const unsigned (&a)[4], unsigned long long b) {
  static_assert(has_wgmma<T>, "this text is for sm_90a: translate it for this architecture, too");
  static_assert(sizeof(T) == 2 || !RowsOfB, "only 16-bit operands are transposed");
  if constexpr (std::is_same_v<T, bf16>) {
    TESSERA_WGMMA_WORDS_OF("k16.f32.bf16.bf16", TESSERA_MODES_OF_B_16);
  } else if constexpr (std::is_same_v<T, half>) {
    TESSERA_WGMMA_WORDS_OF("k16.f32.f16.f16", TESSERA_MODES_OF_B_16);
  } else if constexpr (std::is_same_v<T, tf32>) {
    TESSERA_WGMMA_WORDS_OF("k8.f32.tf32.tf32", TESSERA_MODES_OF_B_FLOAT);
  } else if constexpr (std::is_same_v<T, fp8_e4m3>) {
    TESSERA_WGMMA_WORDS_OF("k32.f32.e4m3.e4m3", TESSERA_MODES_OF_B_FLOAT);
  } else {
    static_assert(std::is_same_v<T, fp8_e5m2>, "an operand in registers is of floats");
    TESSERA_WGMMA_WORDS_OF("k32.f32.e5m2.e5m2", TESSERA_MODES_OF_B_FLOAT);
  }
}

// The same in integers. T = signed or unsigned char.
template <class T, int N, bool ColumnsOfA, bool RowsOfB, bool Adds = true>
TESSERA_DEVICE void wgmma_m64(int *d, unsigned long long a, unsigned long long b) {
  static_assert(has_wgmma<T>, "this text is for sm_90a: translate it for this architecture, too");
  static_assert(!ColumnsOfA && !RowsOfB, "only 16-bit operands are transposed");
  if constexpr (std::is_same_v<T, signed char>) {
    TESSERA_WGMMA_OF("k32.s32.s8.s8", "r", TESSERA_MODES_INTEGER);
  } else {
    static_assert(std::is_same_v<T, unsigned char>, "operands of a product in integers");
    TESSERA_WGMMA_OF("k32.s32.u8.u8", "r", TESSERA_MODES_INTEGER);
  }
}

#undef TESSERA_BEHIND_WGMMA
#undef TESSERA_BEFORE_WGMMA
#undef TESSERA_WGMMA_WORDS_OF
#undef TESSERA_WGMMA_WORDS
#undef TESSERA_WGMMA_OF
#undef TESSERA_WGMMA
#undef TESSERA_MODES_OF_B_FLOAT
#undef TESSERA_MODES_OF_B_16
#undef TESSERA_MODES_INTEGER
#undef TESSERA_MODES_FLOAT
#undef TESSERA_MODES_16
#undef TESSERA_RUN_128
#undef TESSERA_RUN_64
#undef TESSERA_RUN_32
#undef TESSERA_RUN_16
#undef TESSERA_RUN_8
#undef TESSERA_RUN_4
#undef TESSERA_LIST_128
#undef TESSERA_LIST_64
#undef TESSERA_LIST_32
#undef TESSERA_LIST_16
#undef TESSERA_LIST_8
#undef TESSERA_LIST_4
#undef TESSERA_TEN

} // namespace tessera::arch

#endif
