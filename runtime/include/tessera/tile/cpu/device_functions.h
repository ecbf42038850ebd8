// CUDA's device functions that tile code may call, for a CPU: functions of __half and
// __nv_bfloat16, which compute in float as on a GPU, and upper halves of products.
//
// They are templates, so that overload resolution prefers a newer toolkit's or the program's own.
#pragma once

#include "../traits.h"

#include <cmath>

namespace cuda::tiles::__detail {
template <class T>
concept half_class = is_float<T> && __is_class(T) && sizeof(T) == 2;
}

#define TESSERA_HALF_FUNCTION(name, value)                                                         \
  template <::cuda::tiles::__detail::half_class T> inline T name(T a) {                            \
    const float x = static_cast<float>(a);                                                         \
    return static_cast<T>(value);                                                                  \
  }
TESSERA_HALF_FUNCTION(hsqrt, std::sqrt(x))
TESSERA_HALF_FUNCTION(hrsqrt, 1 / std::sqrt(x))
TESSERA_HALF_FUNCTION(hrcp, 1 / x)
TESSERA_HALF_FUNCTION(hexp, std::exp(x))
TESSERA_HALF_FUNCTION(hexp2, std::exp2(x))
TESSERA_HALF_FUNCTION(hlog, std::log(x))
TESSERA_HALF_FUNCTION(hlog2, std::log2(x))
TESSERA_HALF_FUNCTION(hsin, std::sin(x))
TESSERA_HALF_FUNCTION(hcos, std::cos(x))
TESSERA_HALF_FUNCTION(htanh, std::tanh(x))
TESSERA_HALF_FUNCTION(htanh_approx, std::tanh(x))
TESSERA_HALF_FUNCTION(hceil, std::ceil(x))
TESSERA_HALF_FUNCTION(hfloor, std::floor(x))
#undef TESSERA_HALF_FUNCTION

template <class = void> inline int __mulhi(int a, int b) {
  return static_cast<int>((static_cast<long long>(a) * b) >> 32);
}
template <class = void> inline unsigned __umulhi(unsigned a, unsigned b) {
  return static_cast<unsigned>((static_cast<unsigned long long>(a) * b) >> 32);
}
template <class = void>
inline unsigned long long __umul64hi(unsigned long long a, unsigned long long b) {
  return static_cast<unsigned long long>((static_cast<unsigned __int128>(a) * b) >> 64);
}
