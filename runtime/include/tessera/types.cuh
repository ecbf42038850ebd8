// Element types, and the names that select forms of an operation. Only trivial functions.
#pragma once

#include "classes.h"
#include "config.cuh"

namespace tessera {

// Lets any type be written in front of the name that it declares.
template <class T> using as_type = T;

// T as a part of an object of any other type (may_alias). nvcc ignores the attribute on classes:
// objects of a class are accessed as integers of their size.
namespace detail {
template <class T, bool IsClass = __is_class(T)> struct aliasing {
  typedef T __attribute__((may_alias)) type;
};

template <class T> class raw_object {
  using integer = std::conditional_t<sizeof(T) == 1, unsigned char,
                                     std::conditional_t<sizeof(T) == 2, unsigned short, unsigned>>;
  using raw_integer = typename aliasing<integer>::type;
  static_assert(sizeof(T) == sizeof(integer), "elements have 1, 2 or 4 bytes");

public:
  TESSERA_DEVICE operator T() const {
    return __builtin_bit_cast(T, *reinterpret_cast<const raw_integer *>(&bits));
  }
  TESSERA_DEVICE void operator=(T x) {
    *reinterpret_cast<raw_integer *>(&bits) = __builtin_bit_cast(integer, x);
  }

private:
  integer bits; // never accessed as a member: that would access this class only
};

template <class T> struct aliasing<T, true> {
  using type = raw_object<T>;
};
template <class T> struct aliasing<const T, true> {
  using type = const raw_object<T>;
};
} // namespace detail
template <class T> using raw = typename detail::aliasing<T>::type;

using int64 = long long;
using uint64 = unsigned long long;
using half = __half;
using bf16 = __nv_bfloat16;
using fp8_e4m3 = __nv_fp8_e4m3;
using fp8_e5m2 = __nv_fp8_e5m2;
using fp8_e8m0 = __nv_fp8_e8m0;
using fp4_e2m1 = __nv_fp4_e2m1;

// A float; tensor cores ignore the low 13 bits of its significand.
struct tf32 {
  float value;
};

enum class rounding { nearest, toward_zero, toward_negative, toward_positive, approximate, full };

struct flush_subnormals_t {};
inline constexpr flush_subnormals_t flush_subnormals{};

enum class order { relaxed, acquire, release, acq_rel };
enum class scope { block, device, system };
enum class atomic {
  add,
  sub,
  bit_and,
  bit_or,
  bit_xor,
  max,
  min,
  max_unsigned,
  min_unsigned,
  xchg
};

// The registers of one memory access. Bytes is 1, 2, 4, 8 or 16; below 4, only the low bits of the
// one word are used.
template <int Bytes> struct words {
  static_assert(Bytes == 1 || Bytes == 2 || Bytes == 4 || Bytes == 8 || Bytes == 16,
                "an access is 1 to 16 bytes");
  unsigned w[(Bytes + 3) / 4];
};

// So many bytes at any address: the two aligned groups that contain them, and the number of bytes
// in front of them in the first.
template <int Bytes> struct split_chunk {
  words<Bytes> low, high;
  unsigned before;
};

} // namespace tessera
