// What the tests of numbers share: inputs dense in special values, results as bits, and one line
// per operation that must be the same on every target.
//
// A result goes out as 64 bits, every NaN as the same ones. A line is `NAME: HASH`; with the name
// as argument the program also prints the operands and the bits, to see where targets part.
#pragma once
#include "run.h"

#include <cuda_fp4.h>
#include <cuda_fp8.h>
#include <cuda_tf32.h>
#include <cuda_tile.h>

#include <cstdint>
#include <cstring>
#include <limits>
#include <random>
#include <string>

namespace numerics {
namespace ct = cuda::tiles;

using bits = unsigned long long;

inline constexpr int width = 128; // elements of a tile

// In tile code: the elements of a tile as bits, and the way of results to their place.
template <class V> __tile__ auto as_bits(V v) {
  using E = ct::tile_element_t<V>;
  using wide = ct::tile_with_element_t<V, bits>;
  if constexpr (std::is_integral_v<E>)
    return ct::element_cast<bits>(v);
  else if constexpr (std::is_same_v<E, double>)
    return ct::select(ct::isnan(v), ct::full<wide>(~0ull), ct::element_bitcast<bits>(v));
  else // every other one is a float exactly
    return ct::select(
        ct::isnan(v), ct::full<wide>(~0ull),
        ct::element_cast<bits>(ct::element_bitcast<unsigned>(ct::element_cast<float>(v))));
}

struct results {
  bits *out;
  int count;

  template <class V> __tile__ void keep(V v) {
    auto lane = ct::iota<ct::tile<int, ct::shape<width>>>();
    ct::store(out + int(ct::bid().x) * width + lane, as_bits(v));
    out += count;
  }
};

template <class T> T from_bits(bits b) {
  T x;
  std::memcpy(&x, &b, sizeof x);
  return x;
}

// Zeros, ones, neighbours of powers of two, ties, the ends of the range, then anything.
template <class T, int Mantissa, int Exponent> T special_float(std::size_t i, std::mt19937_64 &g) {
  constexpr bits one = ((bits(1) << (Exponent - 1)) - 1) << Mantissa, unit = 1,
                 inf = ((bits(1) << Exponent) - 1) << Mantissa, step = bits(1) << Mantissa;
  const bits list[] = {0,
                       unit,
                       2 * unit,
                       step / 2,
                       step - 1,
                       step,
                       step + 1,
                       one - step,
                       one - 1,
                       one,
                       one + 1,
                       one + step / 2,
                       one + step,
                       one + step + step / 2,
                       one + 2 * step + 3,
                       one + Mantissa * step,
                       one + Mantissa * step + 1,
                       one - Mantissa * step - 1,
                       one - (Mantissa + 1) * step,
                       one - (Mantissa + 1) * step + 1,
                       one / 2,
                       one / 2 + step,
                       inf - step,
                       inf - 1,
                       inf,
                       inf + step / 2};
  constexpr std::size_t known = sizeof list / sizeof *list;
  const bits sign = bits(1) << (Mantissa + Exponent);
  if (i < 2 * known)
    return from_bits<T>(list[i / 2] | (i % 2 ? sign : 0));
  bits any = g() & (2 * sign - 1);
  if (i % 4) // of ordinary size
    any = (any & (sign | (step - 1))) | (one + (g() % 9 - 4) * step);
  return from_bits<T>(any);
}

template <class T> T special(std::size_t i, std::mt19937_64 &g) {
  if constexpr (std::is_same_v<T, bool>) {
    return g() & 1;
  } else if constexpr (std::is_integral_v<T>) {
    using limits = std::numeric_limits<T>;
    const T list[] = {0, 1, 2, 3, T(-1), T(-2), limits::max(), limits::min(), T(limits::max() / 2)};
    return i < 9 ? list[i] : i % 3 ? T(g()) : T(g() % 100 - 50);
  } else if constexpr (std::is_same_v<T, double>) {
    return special_float<T, 52, 11>(i, g);
  } else if constexpr (std::is_same_v<T, float>) {
    return special_float<T, 23, 8>(i, g);
  } else if constexpr (std::is_same_v<T, __nv_bfloat16>) {
    return special_float<T, 7, 8>(i, g);
  } else if constexpr (std::is_same_v<T, __half>) {
    return special_float<T, 10, 5>(i, g);
  } else { // a code
    return from_bits<T>(i & 255);
  }
}

// Every special value against every other, in three arrays of `count` elements.
template <class T> struct operands {
  static constexpr int values = 64, count = values * values;
  run::array<T> x{count}, y{count}, z{count};

  operands() {
    std::mt19937_64 g(7);
    T list[values];
    for (int i = 0; i < values; ++i)
      list[i] = special<T>(i, g);
    for (int i = 0; i < count; ++i) {
      x.host[i] = list[i % values];
      y.host[i] = list[i / values];
      // For a product of x and y: what nearly cancels it, or any value.
      z.host[i] = list[(i * 7 + i / values * 3) % values];
    }
    for (auto *a : {&x, &y, &z})
      run::require(cudaMemcpy(a->device, a->host.get(), count * sizeof(T), cudaMemcpyHostToDevice));
  }
};

// Fetches, and prints a line per operation.
template <class T, std::size_t N> void report(const std::string &type,
                                              const char *const (&names)[N], run::array<bits> &out,
                                              const operands<T> *in, const char *chosen) {
  out.fetch();
  const std::size_t count = out.size / N;
  for (std::size_t k = 0; k < N; ++k) {
    bits hash = 14695981039346656037ull;
    for (std::size_t i = 0; i < count; ++i)
      hash = (hash ^ out.host[k * count + i]) * 1099511628211ull;
    const std::string name = type + " " + names[k];
    std::printf("%s: %016llx\n", name.c_str(), hash);
    if (!chosen || name != chosen)
      continue;
    for (std::size_t i = 0; i < count; ++i)
      std::printf("%zu: %.17g %.17g %.17g -> %llx\n", i, in ? in->x[i] : 0., in ? in->y[i] : 0.,
                  in ? in->z[i] : 0., out.host[k * count + i]);
  }
}

inline const char *chosen; // the name of the line to show
inline constexpr int scalar_count = 256;

#define LOAD(NAME)                                                                                 \
  ct::load(NAME + int(ct::bid().x) * width + ct::iota<ct::tile<int, ct::shape<width>>>())
#define KEEP(NAME, ...) keep.keep(__VA_ARGS__);
#define NAME_OF(NAME, ...) NAME,
#define REPORT(TYPE, LIST, COUNT, IN, ...)                                                         \
  {                                                                                                \
    const char *const names[] = {LIST(NAME_OF)};                                                   \
    constexpr int count = COUNT;                                                                   \
    run::array<bits> out(std::size_t(count) * (sizeof names / sizeof *names));                     \
    __VA_ARGS__;                                                                                   \
    report(TYPE, names, out, IN, chosen);                                                          \
  }

template <class T> using scalar = ct::tile<T, ct::shape<>>;
#define KEEP_SCALAR(NAME, ...)                                                                     \
  out[k++ * n + i] = bits(scalar<bits>(as_bits(scalar<T>(__VA_ARGS__))));

// Conversions of all numbers to every floating-point type; two are for newer GPUs only.
#ifdef NUMERICS_OF_NEWER
#define TO_NEWER(X)                                                                                \
  X("to e8m0", ct::element_cast<__nv_fp8_e8m0>(a))                                                 \
  X("to e2m1", ct::element_cast<__nv_fp4_e2m1>(a))
#else
#define TO_NEWER(X)
#endif
#define TO_FLOATS(X)                                                                               \
  X("to half", ct::element_cast<__half>(a))                                                        \
  X("to bf16", ct::element_cast<__nv_bfloat16>(a))                                                 \
  X("to tf32", ct::element_cast<__nv_tf32>(a))                                                     \
  X("to float", ct::element_cast<float>(a))                                                        \
  X("to double", ct::element_cast<double>(a))                                                      \
  X("to e4m3", ct::element_cast<__nv_fp8_e4m3>(a))                                                 \
  X("to e5m2", ct::element_cast<__nv_fp8_e5m2>(a))                                                 \
  TO_NEWER(X)
template <class T> __tile_global__ void from_others(const T *x, bits *out, int n) {
  auto a = LOAD(x);
  results keep{out, n};
  TO_FLOATS(KEEP)
}

// Of every code.
template <class T> void check_codes(const std::string &type, int codes) {
  constexpr int n = 256;
  run::array<T> x(n);
  for (int i = 0; i < n; ++i)
    x.host[i] = from_bits<T>(i % codes);
  run::require(cudaMemcpy(x.device, x.host.get(), n, cudaMemcpyHostToDevice));
  REPORT(type, TO_FLOATS, n, static_cast<const operands<int> *>(nullptr),
         (from_others<T><<<n / width, 1>>>(x, out, n)))
}

} // namespace numerics
