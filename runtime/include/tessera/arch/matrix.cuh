// Tensor core instructions of a warp (mma.sync, ldmatrix). All 32 lanes take part. Registers hold
// four 8-bit elements, two 16-bit elements or one tf32.
#pragma once

#include "shared.cuh"

namespace tessera::arch {

// Loads 8x8 matrices of 16-bit elements. Lane i passes the address of row i % 8 of matrix i / 8 (16
// bytes, aligned); d[j] of lane i holds elements 2 * (i % 4), 2 * (i % 4) + 1 of row i / 4 of
// matrix j. The x2 forms use the addresses of lanes 0 to 15. `trans` transposes each matrix.
TESSERA_DEVICE void ldmatrix_x4(unsigned *d, const void *base, int offset) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(d[0]), "=r"(d[1]), "=r"(d[2]), "=r"(d[3])
               : "r"(shared_address(base, offset))
               : "memory");
}

TESSERA_DEVICE void ldmatrix_x4_trans(unsigned *d, const void *base, int offset) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(d[0]), "=r"(d[1]), "=r"(d[2]), "=r"(d[3])
               : "r"(shared_address(base, offset))
               : "memory");
}

TESSERA_DEVICE void ldmatrix_x2(unsigned *d, const void *base, int offset) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0, %1}, [%2];"
               : "=r"(d[0]), "=r"(d[1])
               : "r"(shared_address(base, offset))
               : "memory");
}

TESSERA_DEVICE void ldmatrix_x2_trans(unsigned *d, const void *base, int offset) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0, %1}, [%2];"
               : "=r"(d[0]), "=r"(d[1])
               : "r"(shared_address(base, offset))
               : "memory");
}

// Stores 8x8 matrices of 16-bit elements (sm_90): addresses and elements are those of ldmatrix_x4.
TESSERA_DEVICE void stmatrix_x4(void *base, int offset, const unsigned *d) {
  asm volatile("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0], {%1, %2, %3, %4};" ::"r"(
                   shared_address(base, offset)),
               "r"(d[0]), "r"(d[1]), "r"(d[2]), "r"(d[3])
               : "memory");
}

// d[0..3] += a[0..3] * b[0..1]: 16x16 times 16x8. T = half or bf16; Acc = float, or half with T =
// half.
template <class T, class Acc>
TESSERA_DEVICE void mma_m16n8k16(Acc *d, const unsigned *a, const unsigned *b) {
  if constexpr (std::is_same_v<Acc, float> && std::is_same_v<T, bf16>) {
    asm("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, "
        "{%8, %9}, {%0, %1, %2, %3};"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
  } else if constexpr (std::is_same_v<Acc, float>) {
    static_assert(std::is_same_v<T, half>, "operands are half or bf16");
    asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, "
        "{%8, %9}, {%0, %1, %2, %3};"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
  } else {
    static_assert(std::is_same_v<T, half> && std::is_same_v<Acc, half>,
                  "half accumulators take half operands");
    unsigned c[2];
    memcpy(c, d, 8);
    asm("mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 {%0, %1}, {%2, %3, %4, %5}, {%6, %7}, "
        "{%0, %1};"
        : "+r"(c[0]), "+r"(c[1])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
    memcpy(d, c, 8);
  }
}

// d[0..3] += a[0..3] * b[0..1]: 16x8 times 8x8 in tf32.
TESSERA_DEVICE void mma_m16n8k8_tf32(float *d, const unsigned *a, const unsigned *b) {
  asm("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, "
      "%9}, {%0, %1, %2, %3};"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}

#define TESSERA_MMA_M16N8K32(TYPES, C)                                                             \
  asm("mma.sync.aligned.m16n8k32.row.col." TYPES " {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, " \
      "{%0, %1, %2, %3};"                                                                          \
      : "+" C(d[0]), "+" C(d[1]), "+" C(d[2]), "+" C(d[3])                                         \
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]))

// d[0..3] += a[0..3] * b[0..1]: 16x32 times 32x8. A and B = signed or unsigned char; an int that
// overflows wraps.
template <class A, class B>
TESSERA_DEVICE void mma_m16n8k32(int *d, const unsigned *a, const unsigned *b) {
  constexpr bool a_signed = std::is_same_v<A, signed char>,
                 b_signed = std::is_same_v<B, signed char>;
  static_assert((a_signed || std::is_same_v<A, unsigned char>) &&
                    (b_signed || std::is_same_v<B, unsigned char>),
                "operands of a product in integers");
  if constexpr (a_signed && b_signed)
    TESSERA_MMA_M16N8K32("s32.s8.s8.s32", "r");
  else if constexpr (a_signed)
    TESSERA_MMA_M16N8K32("s32.s8.u8.s32", "r");
  else if constexpr (b_signed)
    TESSERA_MMA_M16N8K32("s32.u8.s8.s32", "r");
  else
    TESSERA_MMA_M16N8K32("s32.u8.u8.s32", "r");
}

// The same in floats (sm_89). A and B: both fp8_e4m3, or both fp8_e5m2.
template <class A, class B>
TESSERA_DEVICE void mma_m16n8k32(float *d, const unsigned *a, const unsigned *b) {
  static_assert(std::is_same_v<A, B> &&
                    (std::is_same_v<A, fp8_e4m3> || std::is_same_v<A, fp8_e5m2>),
                "operands of a product in floats");
  if constexpr (std::is_same_v<A, fp8_e4m3>)
    TESSERA_MMA_M16N8K32("f32.e4m3.e4m3.f32", "f");
  else
    TESSERA_MMA_M16N8K32("f32.e5m2.e5m2.f32", "f");
}

#undef TESSERA_MMA_M16N8K32

// Four bytes out of the eight of a (0 to 3) and b (4 to 7): digit i of `which` selects byte i.
TESSERA_DEVICE unsigned select_bytes(unsigned a, unsigned b, unsigned which) {
  unsigned d;
  asm("prmt.b32 %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(which));
  return d;
}

} // namespace tessera::arch
