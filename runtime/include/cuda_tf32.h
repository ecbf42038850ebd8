// __nv_tf32 for toolkits that do not have this header yet: float with 10 bits of mantissa, kept in
// the upper bits of 32.
//
// Conversions from and to numbers are explicit, through float, and round to nearest, ties away from
// zero, as the hardware does (cvt.rna.tf32.f32).
//
// A command line may name this folder twice; then the next header of the name is this one: so the
// guard is on the class, not on the file.

#include "tessera/macros_begin.h"

#if __has_include_next(<cuda_tf32.h>)
#include_next <cuda_tf32.h>
#elif !defined(TESSERA_CUDA_TF32_H)
#define TESSERA_CUDA_TF32_H

#if defined(__CUDACC__)
#define TESSERA_TF32 __attribute__((host, device)) inline
#else
#define TESSERA_TF32 inline
#endif

struct __half;
struct __nv_bfloat16;

namespace tessera {
// Classes that a tf32 converts from and to.
template <class T> struct half_class {};
template <> struct half_class<::__half> {
  using type = ::__half;
};
template <> struct half_class<::__nv_bfloat16> {
  using type = ::__nv_bfloat16;
};
} // namespace tessera

struct __nv_tf32 {
  unsigned __x;

  __nv_tf32() = default;
  TESSERA_TF32 explicit __nv_tf32(float value) : __x(__builtin_bit_cast(unsigned, value)) {
    if ((__x & 0x7f800000u) != 0x7f800000u)
      __x += 0x1000u;
    __x &= ~0x1fffu;
  }
  TESSERA_TF32 explicit __nv_tf32(double value) : __nv_tf32(static_cast<float>(value)) {}
  TESSERA_TF32 explicit operator double() const { return static_cast<float>(*this); }
  TESSERA_TF32 explicit operator float() const { return __builtin_bit_cast(float, __x); }
  template <class T, class = typename tessera::half_class<T>::type>
  TESSERA_TF32 explicit __nv_tf32(const T &value) : __nv_tf32(static_cast<float>(value)) {}
  template <class T, class = typename tessera::half_class<T>::type>
  TESSERA_TF32 explicit operator T() const {
    return T(static_cast<float>(*this));
  }

#define TESSERA_TF32_NUMBER(...)                                                                   \
  TESSERA_TF32 explicit __nv_tf32(__VA_ARGS__ value) : __nv_tf32(static_cast<float>(value)) {}     \
  TESSERA_TF32 explicit operator __VA_ARGS__() const {                                             \
    return static_cast<__VA_ARGS__>(static_cast<float>(*this));                                    \
  }
  TESSERA_TF32_NUMBER(bool)
  TESSERA_TF32_NUMBER(char)
  TESSERA_TF32_NUMBER(signed char)
  TESSERA_TF32_NUMBER(unsigned char)
  TESSERA_TF32_NUMBER(short)
  TESSERA_TF32_NUMBER(unsigned short)
  TESSERA_TF32_NUMBER(int)
  TESSERA_TF32_NUMBER(unsigned)
  TESSERA_TF32_NUMBER(long)
  TESSERA_TF32_NUMBER(unsigned long)
  TESSERA_TF32_NUMBER(long long)
  TESSERA_TF32_NUMBER(unsigned long long)
};

#undef TESSERA_TF32_NUMBER
#undef TESSERA_TF32
#endif

#include "tessera/macros_end.h"
