// __stwb, __stcg and __stcs: stores to global memory with a caching mode, for the types that nvcc
// has them for. Clang has the loads, and __stwt.
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

} // namespace tessera

#define TESSERA_STORE(type, mode)                                                                  \
  static __device__ __forceinline__ void __st##mode(type *to, type value) {                        \
    tessera::store_words<sizeof(type)>::mode(to, &value);                                          \
  }
#define TESSERA_STORES(type) TESSERA_STORE(type, wb) TESSERA_STORE(type, cg) TESSERA_STORE(type, cs)

TESSERA_STORES(char)
TESSERA_STORES(signed char)
TESSERA_STORES(short)
TESSERA_STORES(int)
TESSERA_STORES(long)
TESSERA_STORES(long long)
TESSERA_STORES(unsigned char)
TESSERA_STORES(unsigned short)
TESSERA_STORES(unsigned int)
TESSERA_STORES(unsigned long)
TESSERA_STORES(unsigned long long)
TESSERA_STORES(float)
TESSERA_STORES(double)
TESSERA_STORES(char2)
TESSERA_STORES(char4)
TESSERA_STORES(short2)
TESSERA_STORES(short4)
TESSERA_STORES(int2)
TESSERA_STORES(int4)
TESSERA_STORES(longlong2)
TESSERA_STORES(uchar2)
TESSERA_STORES(uchar4)
TESSERA_STORES(ushort2)
TESSERA_STORES(ushort4)
TESSERA_STORES(uint2)
TESSERA_STORES(uint4)
TESSERA_STORES(ulonglong2)
TESSERA_STORES(float2)
TESSERA_STORES(float4)
TESSERA_STORES(double2)
TESSERA_STORE(long, wt)
TESSERA_STORE(unsigned long, wt)

#undef TESSERA_STORES
#undef TESSERA_STORE
