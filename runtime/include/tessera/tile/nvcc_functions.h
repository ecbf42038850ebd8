// Device functions of nvcc that Clang lacks: loads and stores of global memory with a caching mode,
// __tanhf, arithmetic on pairs of floats.
#pragma once

#include <vector_types.h>

namespace tessera {

template <int Bytes> struct store_words;
#define TESSERA_STORE(mode)                                                                        \
  static __device__ __forceinline__ void mode(void *to, const void *from) {                        \
    TESSERA_STORE_WORDS(#mode);                                                                    \
  }
#define TESSERA_STORES TESSERA_STORE(wb) TESSERA_STORE(cg) TESSERA_STORE(cs) TESSERA_STORE(wt)

#define TESSERA_STORE_WORDS(mode)                                                                  \
  asm volatile("st.global." mode ".u8 [%0], %1;"                                                   \
               :                                                                                   \
               : "l"(to), "h"((short)*(const unsigned char *)from)                                 \
               : "memory")
template <> struct store_words<1> {
  TESSERA_STORES
};
#undef TESSERA_STORE_WORDS
#define TESSERA_STORE_WORDS(mode)                                                                  \
  asm volatile("st.global." mode ".u16 [%0], %1;"                                                  \
               :                                                                                   \
               : "l"(to), "h"(*(const short *)from)                                                \
               : "memor"                                                                           \
                 "y")
template <> struct store_words<2> {
  TESSERA_STORES
};
#undef TESSERA_STORE_WORDS
#define TESSERA_STORE_WORDS(mode)                                                                  \
  asm volatile("st.global." mode ".u32 [%0], %1;" : : "l"(to), "r"(*(const int *)from) : "memory")
template <> struct store_words<4> {
  TESSERA_STORES
};
#undef TESSERA_STORE_WORDS
#define TESSERA_STORE_WORDS(mode)                                                                  \
  asm volatile("st.global." mode ".u64 [%0], %1;"                                                  \
               :                                                                                   \
               : "l"(to), "l"(*(const long long *)from)                                            \
               : "memory")
template <> struct store_words<8> {
  TESSERA_STORES
};
#undef TESSERA_STORE_WORDS
#define TESSERA_STORE_WORDS(mode)                                                                  \
  asm volatile("st.global." mode ".v2.u64 [%0], {%1, %2};"                                         \
               :                                                                                   \
               : "l"(to), "l"(((const long long *)from)[0]), "l"(((const long long *)from)[1])     \
               : "memory")
template <> struct store_words<16> {
  TESSERA_STORES
};
#undef TESSERA_STORE_WORDS
#undef TESSERA_STORES
#undef TESSERA_STORE

template <int Bytes> struct load_words;
#define TESSERA_LOAD(mode)                                                                         \
  static __device__ __forceinline__ void mode(void *to, const void *from) {                        \
    TESSERA_LOAD_WORDS(#mode);                                                                     \
  }
#define TESSERA_LOADS                                                                              \
  TESSERA_LOAD(ca) TESSERA_LOAD(lu) TESSERA_LOAD(cg) TESSERA_LOAD(cs) TESSERA_LOAD(cv)

#define TESSERA_LOAD_WORDS(mode)                                                                   \
  short word;                                                                                      \
  asm volatile("ld.global." mode ".u8 %0, [%1];" : "=h"(word) : "l"(from) : "memory");             \
  *(char *)to = char(word)
template <> struct load_words<1> {
  TESSERA_LOADS
};
#undef TESSERA_LOAD_WORDS
#define TESSERA_LOAD_WORDS(mode)                                                                   \
  asm volatile("ld.global." mode ".u16 %0, [%1];" : "=h"(*(short *)to) : "l"(from) : "memory")
template <> struct load_words<2> {
  TESSERA_LOADS
};
#undef TESSERA_LOAD_WORDS
#define TESSERA_LOAD_WORDS(mode)                                                                   \
  asm volatile("ld.global." mode ".u32 %0, [%1];" : "=r"(*(int *)to) : "l"(from) : "memory")
template <> struct load_words<4> {
  TESSERA_LOADS
};
#undef TESSERA_LOAD_WORDS
#define TESSERA_LOAD_WORDS(mode)                                                                   \
  asm volatile("ld.global." mode ".u64 %0, [%1];" : "=l"(*(long long *)to) : "l"(from) : "memory")
template <> struct load_words<8> {
  TESSERA_LOADS
};
#undef TESSERA_LOAD_WORDS
#define TESSERA_LOAD_WORDS(mode)                                                                   \
  asm volatile("ld.global." mode ".v2.u64 {%0, %1}, [%2];"                                         \
               : "=l"(((long long *)to)[0]), "=l"(((long long *)to)[1])                            \
               : "l"(from)                                                                         \
               : "memory")
template <> struct load_words<16> {
  TESSERA_LOADS
};
#undef TESSERA_LOAD_WORDS
#undef TESSERA_LOADS
#undef TESSERA_LOAD

} // namespace tessera

#define TESSERA_STORE(type, mode)                                                                  \
  static __device__ __forceinline__ void __st##mode(type *to, type value) {                        \
    tessera::store_words<sizeof(type)>::mode(to, &value);                                          \
  }
#define TESSERA_LOAD(type, mode)                                                                   \
  static __device__ __forceinline__ type __ld##mode(const type *from) {                            \
    type value;                                                                                    \
    tessera::load_words<sizeof(type)>::mode(&value, from);                                         \
    return value;                                                                                  \
  }
#define TESSERA_ACCESSES(type)                                                                     \
  TESSERA_STORE(type, wb)                                                                          \
  TESSERA_STORE(type, cg) TESSERA_STORE(type, cs) TESSERA_LOAD(type, ca) TESSERA_LOAD(type, lu)

TESSERA_ACCESSES(char)
TESSERA_ACCESSES(signed char)
TESSERA_ACCESSES(short)
TESSERA_ACCESSES(int)
TESSERA_ACCESSES(long)
TESSERA_ACCESSES(long long)
TESSERA_ACCESSES(unsigned char)
TESSERA_ACCESSES(unsigned short)
TESSERA_ACCESSES(unsigned int)
TESSERA_ACCESSES(unsigned long)
TESSERA_ACCESSES(unsigned long long)
TESSERA_ACCESSES(float)
TESSERA_ACCESSES(double)
TESSERA_ACCESSES(char2)
TESSERA_ACCESSES(char4)
TESSERA_ACCESSES(short2)
TESSERA_ACCESSES(short4)
TESSERA_ACCESSES(int2)
TESSERA_ACCESSES(int4)
TESSERA_ACCESSES(longlong2)
TESSERA_ACCESSES(uchar2)
TESSERA_ACCESSES(uchar4)
TESSERA_ACCESSES(ushort2)
TESSERA_ACCESSES(ushort4)
TESSERA_ACCESSES(uint2)
TESSERA_ACCESSES(uint4)
TESSERA_ACCESSES(ulonglong2)
TESSERA_ACCESSES(float2)
TESSERA_ACCESSES(float4)
TESSERA_ACCESSES(double2)
TESSERA_STORE(long, wt)
TESSERA_STORE(unsigned long, wt)
TESSERA_LOAD(unsigned long, cg)
TESSERA_LOAD(unsigned long, cs)
TESSERA_LOAD(unsigned long, cv)

#undef TESSERA_ACCESSES
#undef TESSERA_STORE
#undef TESSERA_LOAD

// The host's C library may have a function of this name.
static __device__ __forceinline__ float __tanhf(float x) {
  float result;
  asm("tanh.approx.f32 %0, %1;" : "=f"(result) : "f"(x));
  return result;
}

#define TESSERA_PAIRS(mode)                                                                        \
  static __device__ __forceinline__ float2 __fadd2_##mode(float2 a, float2 b) {                    \
    return {__fadd_##mode(a.x, b.x), __fadd_##mode(a.y, b.y)};                                     \
  }                                                                                                \
  static __device__ __forceinline__ float2 __fmul2_##mode(float2 a, float2 b) {                    \
    return {__fmul_##mode(a.x, b.x), __fmul_##mode(a.y, b.y)};                                     \
  }                                                                                                \
  static __device__ __forceinline__ float2 __ffma2_##mode(float2 a, float2 b, float2 c) {          \
    return {__fmaf_##mode(a.x, b.x, c.x), __fmaf_##mode(a.y, b.y, c.y)};                           \
  }
TESSERA_PAIRS(rn)
TESSERA_PAIRS(rz)
TESSERA_PAIRS(rd)
TESSERA_PAIRS(ru)
#undef TESSERA_PAIRS
