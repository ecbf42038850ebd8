// __nv_tf32 for toolkits that do not have this header yet: float with 10 bits of mantissa, kept in
// the upper bits of 32.
//
// Conversions from float and double are explicit and round to nearest, ties away from zero, as the
// hardware does (cvt.rna.tf32.f32).
#pragma once

#if __has_include_next(<cuda_tf32.h>)
#include_next <cuda_tf32.h>
#else

#if defined(__CUDACC__)
#define TESSERA_TF32 __attribute__((host, device)) inline
#else
#define TESSERA_TF32 inline
#endif

struct __nv_tf32 {
  unsigned __x;

  __nv_tf32() = default;
  TESSERA_TF32 explicit __nv_tf32(float value) : __x(__builtin_bit_cast(unsigned, value)) {
    if ((__x & 0x7f800000u) != 0x7f800000u)
      __x += 0x1000u;
    __x &= ~0x1fffu;
  }
  TESSERA_TF32 explicit __nv_tf32(double value) : __nv_tf32(static_cast<float>(value)) {}
  TESSERA_TF32 explicit operator float() const { return __builtin_bit_cast(float, __x); }
};

#undef TESSERA_TF32
#endif
