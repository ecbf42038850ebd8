// Functions of double that are computed in the x87's 64 bits, and are therefore correctly rounded
// except for very few numbers.
//
// The threads that run blocks round long double to the precision of double (src/cpu/grid.cpp):
// these functions raise the precision while they run.
#pragma once

namespace cuda::tiles::__prim::cpu {

#ifdef __x86_64__
inline unsigned short x87_control() {
  unsigned short word;
  __asm__ volatile("fnstcw %0" : "=m"(word));
  return word;
}
inline void set_x87_control(unsigned short word) { __asm__ volatile("fldcw %0" : : "m"(word)); }
inline unsigned short in_64_bits(unsigned short word) { return word | 0x300; }
inline unsigned short in_53_bits(unsigned short word) { return (word & ~0x300) | 0x200; }
#endif

// Keeps the compiler from moving the computation of x across a change of precision.
inline void pin(long double &x) { __asm__ volatile("" : "+m"(x)); }

// f of `x`, which it gets as long double.
template <class F, class... Wide> double compute_extended(F f, Wide... x) {
#ifdef __x86_64__
  const unsigned short before = x87_control();
  set_x87_control(in_64_bits(before));
  (pin(x), ...);
  long double result = f(x...);
  pin(result);
  set_x87_control(before);
  return double(result);
#else
  return double(f(x...));
#endif
}
template <class F, class... T> double in_extended_precision(F f, T... x) {
  return compute_extended(f, static_cast<long double>(x)...);
}

} // namespace cuda::tiles::__prim::cpu
