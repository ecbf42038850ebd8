// Arithmetic rounded toward zero, down or up: whole arrays of float or double under the processor's
// rounding mode.
//
// The loops are in functions that are not inlined and that declare the mode to the compiler, so
// nothing is folded or moved across the change of mode. They do not vectorise; programs use these
// modes where exactness matters more than speed.
#pragma once

#include "element.h"

#include <cfenv>

namespace cuda::tiles::__prim::cpu {

constexpr int processor_mode(rounding_mode m) {
  return m == rounding_mode::round_toward_zero       ? FE_TOWARDZERO
         : m == rounding_mode::round_toward_negative ? FE_DOWNWARD
                                                     : FE_UPWARD;
}

template <binary_op Op, class T> [[gnu::noinline]] void
directed_binary(int mode, const T *x, const T *y, T *r, unsigned long long n) {
#pragma STDC FENV_ACCESS ON
  const int before = ::std::fegetround();
  ::std::fesetround(mode);
  for (unsigned long long i = 0; i < n; i++) {
    if constexpr (Op == binary_op::add)
      r[i] = x[i] + y[i];
    else if constexpr (Op == binary_op::sub)
      r[i] = x[i] - y[i];
    else if constexpr (Op == binary_op::mul)
      r[i] = x[i] * y[i];
    else
      r[i] = x[i] / y[i];
  }
  ::std::fesetround(before);
}

template <class T> [[gnu::noinline]] void directed_fma(int mode, const T *x, const T *y, const T *z,
                                                       T *r, unsigned long long n) {
#pragma STDC FENV_ACCESS ON
  const int before = ::std::fegetround();
  ::std::fesetround(mode);
  for (unsigned long long i = 0; i < n; i++) {
    if constexpr (sizeof(T) == 4)
      r[i] = __builtin_fmaf(x[i], y[i], z[i]);
    else
      r[i] = __builtin_fma(x[i], y[i], z[i]);
  }
  ::std::fesetround(before);
}

template <class T>
[[gnu::noinline]] void directed_sqrt(int mode, const T *x, T *r, unsigned long long n) {
#pragma STDC FENV_ACCESS ON
  const int before = ::std::fegetround();
  ::std::fesetround(mode);
  for (unsigned long long i = 0; i < n; i++) {
    if constexpr (sizeof(T) == 4)
      r[i] = __builtin_sqrtf(x[i]);
    else
      r[i] = __builtin_sqrt(x[i]);
  }
  ::std::fesetround(before);
}

} // namespace cuda::tiles::__prim::cpu
