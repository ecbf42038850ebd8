// Atomic operations on global memory, and relaxed ones on shared memory. Acquire and release are a
// relaxed operation and a fence, to which the hardware expands the qualified form.
#pragma once

#include "atomic_word.cuh"

namespace tessera::arch {

namespace detail {

// In place of a scope: the block's, and an address in shared memory.
constexpr scope in_shared_memory = static_cast<scope>(-1);

template <scope S> TESSERA_DEVICE void fence() {
  if constexpr (S == scope::block)
    asm volatile("fence.acq_rel.cta;" ::: "memory");
  else if constexpr (S == scope::device)
    asm volatile("fence.acq_rel.gpu;" ::: "memory");
  else
    asm volatile("fence.acq_rel.sys;" ::: "memory");
}

template <order O, scope S> TESSERA_DEVICE void fence_before() {
  if constexpr (O == order::release || O == order::acq_rel)
    fence<S>();
}

template <order O, scope S> TESSERA_DEVICE void fence_after() {
  if constexpr (O == order::acquire || O == order::acq_rel)
    fence<S>();
}

#define TESSERA_SCOPED(BEFORE, AFTER, OUTPUTS, INPUTS)                                             \
  if constexpr (S == in_shared_memory)                                                             \
    asm volatile(BEFORE ".cta.shared" AFTER : OUTPUTS : INPUTS : "memory");                        \
  else if constexpr (S == scope::block)                                                            \
    asm volatile(BEFORE ".cta.global" AFTER : OUTPUTS : INPUTS : "memory");                        \
  else if constexpr (S == scope::device)                                                           \
    asm volatile(BEFORE ".gpu.global" AFTER : OUTPUTS : INPUTS : "memory");                        \
  else                                                                                             \
    asm volatile(BEFORE ".sys.global" AFTER : OUTPUTS : INPUTS : "memory");
#define TESSERA_LIST(...) __VA_ARGS__
#define TESSERA_ATOM(OPERATION, C)                                                                 \
  TESSERA_SCOPED("atom.relaxed", "." OPERATION " %0, [%1], %2;", "=" C(d),                         \
                 TESSERA_LIST("l"(p), C(x)))

template <scope S, class W> TESSERA_DEVICE W compare_exchange(void *p, W expected, W x) {
  W d;
  if constexpr (sizeof(W) == 2) {
    TESSERA_SCOPED("atom.relaxed", ".cas.b16 %0, [%1], %2, %3;", "=h"(d),
                   TESSERA_LIST("l"(p), "h"(expected), "h"(x)))
  } else if constexpr (sizeof(W) == 4) {
    TESSERA_SCOPED("atom.relaxed", ".cas.b32 %0, [%1], %2, %3;", "=r"(d),
                   TESSERA_LIST("l"(p), "r"(expected), "r"(x)))
  } else {
    TESSERA_SCOPED("atom.relaxed", ".cas.b64 %0, [%1], %2, %3;", "=l"(d),
                   TESSERA_LIST("l"(p), "l"(expected), "l"(x)))
  }
  return d;
}

template <scope S, class W> TESSERA_DEVICE W load(const void *p) {
  W d;
  if constexpr (sizeof(W) == 1) {
    unsigned short byte; // asm has no one-byte operand
    TESSERA_SCOPED("ld.relaxed", ".u8 %0, [%1];", "=h"(byte), "l"(p))
    d = static_cast<W>(byte);
  } else if constexpr (sizeof(W) == 2) {
    TESSERA_SCOPED("ld.relaxed", ".u16 %0, [%1];", "=h"(d), "l"(p))
  } else if constexpr (sizeof(W) == 4) {
    TESSERA_SCOPED("ld.relaxed", ".u32 %0, [%1];", "=r"(d), "l"(p))
  } else {
    TESSERA_SCOPED("ld.relaxed", ".u64 %0, [%1];", "=l"(d), "l"(p))
  }
  return d;
}

template <scope S, class W> TESSERA_DEVICE void store(void *p, W x) {
  if constexpr (sizeof(W) == 1) {
    TESSERA_SCOPED("st.relaxed", ".u8 [%0], %1;", ,
                   TESSERA_LIST("l"(p), "h"(static_cast<unsigned short>(x))))
  } else if constexpr (sizeof(W) == 2) {
    TESSERA_SCOPED("st.relaxed", ".u16 [%0], %1;", , TESSERA_LIST("l"(p), "h"(x)))
  } else if constexpr (sizeof(W) == 4) {
    TESSERA_SCOPED("st.relaxed", ".u32 [%0], %1;", , TESSERA_LIST("l"(p), "r"(x)))
  } else {
    TESSERA_SCOPED("st.relaxed", ".u64 [%0], %1;", , TESSERA_LIST("l"(p), "l"(x)))
  }
}

// Integers: every operation is one instruction.
template <atomic Op, scope S> TESSERA_DEVICE unsigned rmw(unsigned *p, unsigned x) {
  unsigned d;
  if constexpr (Op == atomic::sub)
    x = 0u - x;
  if constexpr (Op == atomic::add || Op == atomic::sub) {
    TESSERA_ATOM("add.u32", "r")
  } else if constexpr (Op == atomic::bit_and) {
    TESSERA_ATOM("and.b32", "r")
  } else if constexpr (Op == atomic::bit_or) {
    TESSERA_ATOM("or.b32", "r")
  } else if constexpr (Op == atomic::bit_xor) {
    TESSERA_ATOM("xor.b32", "r")
  } else if constexpr (Op == atomic::max) {
    TESSERA_ATOM("max.s32", "r")
  } else if constexpr (Op == atomic::min) {
    TESSERA_ATOM("min.s32", "r")
  } else if constexpr (Op == atomic::max_unsigned) {
    TESSERA_ATOM("max.u32", "r")
  } else if constexpr (Op == atomic::min_unsigned) {
    TESSERA_ATOM("min.u32", "r")
  } else {
    TESSERA_ATOM("exch.b32", "r")
  }
  return d;
}

template <atomic Op, scope S>
TESSERA_DEVICE unsigned long long rmw(unsigned long long *p, unsigned long long x) {
  unsigned long long d;
  if constexpr (Op == atomic::sub)
    x = 0ull - x;
  if constexpr (Op == atomic::add || Op == atomic::sub) {
    TESSERA_ATOM("add.u64", "l")
  } else if constexpr (Op == atomic::bit_and) {
    TESSERA_ATOM("and.b64", "l")
  } else if constexpr (Op == atomic::bit_or) {
    TESSERA_ATOM("or.b64", "l")
  } else if constexpr (Op == atomic::bit_xor) {
    TESSERA_ATOM("xor.b64", "l")
  } else if constexpr (Op == atomic::max) {
    TESSERA_ATOM("max.s64", "l")
  } else if constexpr (Op == atomic::min) {
    TESSERA_ATOM("min.s64", "l")
  } else if constexpr (Op == atomic::max_unsigned) {
    TESSERA_ATOM("max.u64", "l")
  } else if constexpr (Op == atomic::min_unsigned) {
    TESSERA_ATOM("min.u64", "l")
  } else {
    TESSERA_ATOM("exch.b64", "l")
  }
  return d;
}

// Floats: the additions that are instructions.
template <scope S> TESSERA_DEVICE float add(float *p, float x) {
  float d;
  TESSERA_ATOM("add.f32", "f")
  return d;
}

template <scope S> TESSERA_DEVICE double add(double *p, double x) {
  double d;
  TESSERA_ATOM("add.f64", "d")
  return d;
}

template <scope S> TESSERA_DEVICE unsigned short add_half(void *p, unsigned short x) {
  unsigned short d;
  TESSERA_ATOM("add.noftz.f16", "h")
  return d;
}

#if TESSERA_SM >= 900
template <scope S> TESSERA_DEVICE unsigned short add_bf16(void *p, unsigned short x) {
  unsigned short d;
  TESSERA_ATOM("add.noftz.bf16", "h")
  return d;
}
#endif

#undef TESSERA_ATOM
#undef TESSERA_LIST
#undef TESSERA_SCOPED

// The new value of a float operation that has no instruction.
template <atomic Op> TESSERA_DEVICE float combine(float a, float b) {
  return Op == atomic::add   ? a + b
         : Op == atomic::sub ? a - b
         : Op == atomic::max ? fmaxf(a, b)
         : Op == atomic::min ? fminf(a, b)
                             : b;
}
template <atomic Op> TESSERA_DEVICE double combine(double a, double b) {
  return Op == atomic::add   ? a + b
         : Op == atomic::sub ? a - b
         : Op == atomic::max ? fmax(a, b)
         : Op == atomic::min ? fmin(a, b)
                             : b;
}
template <atomic Op> TESSERA_DEVICE half combine(half a, half b) {
  return __float2half_rn(combine<Op>(__half2float(a), __half2float(b)));
}
template <atomic Op> TESSERA_DEVICE bf16 combine(bf16 a, bf16 b) {
  return __float2bfloat16_rn(combine<Op>(__bfloat162float(a), __bfloat162float(b)));
}

template <atomic Op, scope S, class T> TESSERA_DEVICE T rmw_by_exchange(T *p, T x) {
  using W = word<sizeof(T)>;
  W seen = load<S, W>(p);
  for (;;) {
    const W before = compare_exchange<S, W>(p, seen, bits_as<W>(combine<Op>(bits_as<T>(seen), x)));
    if (before == seen)
      return bits_as<T>(before);
    seen = before;
  }
}

template <atomic Op, scope S, class T> TESSERA_DEVICE T rmw_any(T *p, T x) {
  using W = word<sizeof(T)>;
  if constexpr (std::is_integral_v<T> || (Op == atomic::xchg && sizeof(T) >= 4)) {
    static_assert(sizeof(T) >= 4, "integer atomics are 32 or 64 bits wide");
    return bits_as<T>(rmw<Op, S>(reinterpret_cast<W *>(p), bits_as<W>(x)));
  } else if constexpr (Op == atomic::add &&
                       (std::is_same_v<T, float> || std::is_same_v<T, double>)) {
    return add<S>(p, x);
  } else if constexpr (Op == atomic::add && std::is_same_v<T, half>) {
    return bits_as<T>(add_half<S>(p, bits_as<W>(x)));
#if TESSERA_SM >= 900
  } else if constexpr (Op == atomic::add && std::is_same_v<T, bf16>) {
    return bits_as<T>(add_bf16<S>(p, bits_as<W>(x)));
#endif
  } else {
    return rmw_by_exchange<Op, S>(p, x);
  }
}

} // namespace detail

// Returns the old value.
template <atomic Op, order O, scope S, class T> TESSERA_DEVICE T atomic_rmw(T *p, T x) {
  detail::fence_before<O, S>();
  const T before = detail::rmw_any<Op, S>(p, x);
  detail::fence_after<O, S>();
  return before;
}

// Of the block's shared memory, by a generic pointer.
template <atomic Op, class T> TESSERA_DEVICE T atomic_rmw_shared(T *p, T x) {
  const unsigned long long address = __cvta_generic_to_shared(p);
  return detail::rmw_any<Op, detail::in_shared_memory>(reinterpret_cast<T *>(address), x);
}

template <order O, scope S, class T>
TESSERA_DEVICE T atomic_compare_exchange(T *p, T expected, T x) {
  using W = detail::word<sizeof(T)>;
  detail::fence_before<O, S>();
  const W before =
      detail::compare_exchange<S, W>(p, detail::bits_as<W>(expected), detail::bits_as<W>(x));
  detail::fence_after<O, S>();
  return detail::bits_as<T>(before);
}

template <order O, scope S, class T> TESSERA_DEVICE T atomic_load(const T *p) {
  const auto w = detail::load<S, detail::word<sizeof(T)>>(p);
  detail::fence_after<O, S>();
  return detail::bits_as<T>(w);
}

template <order O, scope S, class T> TESSERA_DEVICE void atomic_store(T *p, T x) {
  detail::fence_before<O, S>();
  detail::store<S>(p, detail::bits_as<detail::word<sizeof(T)>>(x));
}

} // namespace tessera::arch
