// What generated programs share: buffers filled the same way on every target, results as a hash or
// in full, one line each, and a main that runs the kernels asked for.
//
//   program [--dump] [KERNEL...]
//
// prints `KERNEL BUFFER HASH`, with --dump the bits of every element, and `KERNEL done` after each.
// NaNs and zeros are printed as one: their sign and payload are not promised. Of functions that
// targets compute each their own way, `KERNEL BUFFER ~TOLERANCE VALUES...`.
#pragma once
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#if __has_include(<cuda_fp4.h>)
#include <cuda_fp4.h>
#endif
#include <cuda_fp8.h>
#include <cuda_runtime.h>
#if __has_include(<cuda_tf32.h>)
#include <cuda_tf32.h>
#endif

#include <cassert>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

// A pointer and a count that are carried by one loop.
template <class P> struct walk {
  P pointer;
  int steps;
};

namespace fuzz {

struct format {
  int bytes, mantissa, exponent; // exponent 0: an integer; mantissa 1: bool
};
template <class T> inline constexpr format format_of{sizeof(T), 0, 0};
template <> inline constexpr format format_of<bool>{1, 1, 0};
template <> inline constexpr format format_of<__half>{2, 10, 5};
template <> inline constexpr format format_of<__nv_bfloat16>{2, 7, 8};
template <> inline constexpr format format_of<float>{4, 23, 8};
template <> inline constexpr format format_of<double>{8, 52, 11};
template <> inline constexpr format format_of<__nv_fp8_e4m3>{1, 3, 4};
template <> inline constexpr format format_of<__nv_fp8_e5m2>{1, 2, 5};
template <> inline constexpr format format_of<__nv_tf32>{4, 23, 8};

struct storage {
  void *device;
  std::size_t count;
  format kind;
  template <class T> operator T *() const { return static_cast<T *>(device); }
};

// True, and nothing that a compiler knows.
inline bool yes() { return std::getenv("FUZZ_NO") == nullptr; }

template <class F> void call(F &&f) { f(); }

struct kernel {
  const char *name;
  void (*run)();
};

inline bool is_dumped = false;
inline std::uint64_t state = 1;

inline std::uint64_t next() {
  state = state * 6364136223846793005u + 1442695040888963407u;
  return state >> 31 ^ state << 17;
}

inline void require(cudaError_t status) {
  if (status == cudaSuccess)
    return;
  std::printf("error: %s\n", cudaGetErrorString(status));
  std::fflush(stdout);
  std::_Exit(3);
}

// The bits of a number that the format holds exactly.
inline std::uint64_t encode(double x, format f) {
  if (x == 0)
    return 0;
  int exponent;
  const double part = std::frexp(std::fabs(x), &exponent);
  const std::uint64_t mantissa =
      std::uint64_t(std::ldexp(part, f.mantissa + 1)) & ((1ull << f.mantissa) - 1);
  const std::uint64_t biased = std::uint64_t(exponent - 2 + (1 << (f.exponent - 1)));
  return std::uint64_t(x < 0) << (f.mantissa + f.exponent) | biased << f.mantissa | mantissa;
}

// count numbers (lo + below(span)) / 2^frac; span 0: all 64 bits.
inline storage make(format f, std::size_t count, long long lo, unsigned long long span, int frac) {
  auto *host = static_cast<unsigned char *>(std::malloc(count * f.bytes));
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint64_t whole =
        std::uint64_t(lo) + (span ? next() % span : next() * 0x9e3779b97f4a7c15u);
    const std::uint64_t bits =
        f.exponent ? encode(std::ldexp(double(std::int64_t(whole)), -frac), f) : whole;
    std::memcpy(host + i * f.bytes, &bits, f.bytes);
  }
  storage result{nullptr, count, f};
  require(cudaMalloc(&result.device, count * f.bytes));
  require(cudaMemcpy(result.device, host, count * f.bytes, cudaMemcpyHostToDevice));
  std::free(host);
  return result;
}

template <class T>
storage buffer(std::size_t count, long long lo, unsigned long long span, int frac) {
  return make(format_of<T>, count, lo, span, frac);
}

inline std::uint64_t canonical(std::uint64_t bits, format f) {
  if (!f.exponent)
    return bits;
  const std::uint64_t sign = 1ull << (f.mantissa + f.exponent), magnitude = bits & (sign - 1);
  const std::uint64_t infinity = ((1ull << f.exponent) - 1) << f.mantissa;
  return magnitude == 0 ? 0 : magnitude > infinity ? infinity + 1 : bits;
}

// A copy of what kernels have computed, for the host.
struct elements {
  storage source;
  unsigned char *bytes;

  explicit elements(const storage &source) : source(source) {
    require(cudaGetLastError());
    require(cudaDeviceSynchronize());
    const std::size_t size = source.count * source.kind.bytes;
    bytes = static_cast<unsigned char *>(std::malloc(size));
    require(cudaMemcpy(bytes, source.device, size, cudaMemcpyDeviceToHost));
  }
  elements(const elements &) = delete;
  ~elements() { std::free(bytes); }

  std::uint64_t operator[](std::size_t i) const {
    std::uint64_t bits = 0;
    std::memcpy(&bits, bytes + i * source.kind.bytes, source.kind.bytes);
    return bits;
  }
};

inline void show(const char *kernel, const char *name, const storage &result) {
  const elements computed(result);
  const format f = result.kind;
  std::uint64_t hash = 14695981039346656037u;
  std::printf("%s %s", kernel, name);
  for (std::size_t i = 0; i < result.count; ++i) {
    const std::uint64_t bits = canonical(computed[i], f);
    hash = (hash ^ bits) * 1099511628211u;
    if (is_dumped)
      std::printf(" %0*llx", 2 * f.bytes, static_cast<unsigned long long>(bits));
  }
  if (!is_dumped)
    std::printf(" %016llx", static_cast<unsigned long long>(hash));
  std::printf("\n");
}

// The number of these bits.
inline double decode(std::uint64_t bits, format f) {
  const int bias = (1 << (f.exponent - 1)) - 1, most = (1 << f.exponent) - 1;
  const int exponent = int(bits >> f.mantissa) & most;
  const std::uint64_t mantissa = bits & ((1ull << f.mantissa) - 1);
  const double sign = bits >> (f.mantissa + f.exponent) & 1 ? -1 : 1;
  if (exponent == most)
    return mantissa ? NAN : sign * INFINITY;
  const std::uint64_t whole = exponent ? mantissa | 1ull << f.mantissa : mantissa;
  return sign * std::ldexp(double(whole), (exponent ? exponent : 1) - bias - f.mantissa);
}

// What the values of functions may differ by from one target to another: relative where they are
// large, absolute where they are small. The numbers are those of test/run/run.h.
inline double tolerance(format f) {
  return f.mantissa == 52 ? 1e-12 : f.mantissa == 23 ? 1e-5 : f.mantissa == 10 ? 2e-3 : 1.6e-2;
}

// All the values, behind their tolerance.
inline void show_near(const char *kernel, const char *name, const storage &result) {
  const elements computed(result);
  const format f = result.kind;
  std::printf("%s %s ~%g", kernel, name, tolerance(f));
  for (std::size_t i = 0; i < result.count; ++i)
    std::printf(f.mantissa > 23 ? " %.15g" : " %.9g", decode(computed[i], f));
  std::printf("\n");
}

template <std::size_t N> int run(int argc, char **argv, const kernel (&kernels)[N]) {
  int first = 1;
  if (argc > 1 && !std::strcmp(argv[1], "--dump"))
    is_dumped = true, first = 2;
  for (const kernel &k : kernels) {
    bool is_wanted = first >= argc;
    for (int i = first; i < argc; ++i)
      is_wanted |= !std::strcmp(argv[i], k.name);
    if (!is_wanted)
      continue;
    state = 1;
    k.run();
    std::printf("%s done\n", k.name);
    std::fflush(stdout);
  }
  return 0;
}

} // namespace fuzz
