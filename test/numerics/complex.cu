// The largest error of each operation on complex numbers, as sweep.cu's lines are: |got - exact| in
// units of the last place of |exact|.
//
//     tessera run --target=cpu test/numerics/complex.cu -- [COUNT]
//
// Half of the arguments have parts of -128 to 128, half of them parts of any size at which no
// intermediate result leaves the type's normal numbers; every sixteenth nearly cancels in the real
// part of its product. The reference is computed in 113 bits. Operations on the parts are correctly
// rounded, so that BOUND of a product and a quotient follows from their formulas: sqrt(5) and 8.24
// times half a unit of each part. abs is hypot, whose bound is CUDA's.
#include <cuda_runtime.h>
#include <cuda_tile.h>
#include <tessera/math.h>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace ct = cuda::tiles;
namespace tmath = tessera::math;

constexpr int width = 1024;
using wide = __float128;

template <class T> struct format;
template <> struct format<float> {
  static constexpr int precision = 24, least = -126, spread = 30;
  static constexpr const char *name = "complex64";
};
template <> struct format<double> {
  static constexpr int precision = 53, least = -1022, spread = 250;
  static constexpr const char *name = "complex128";
};

// EXACT_REAL and EXACT_IMAG are in a, b (of x) and c, d (of y).
#define OPERATION(NAME, RESULT, EXACT_REAL, EXACT_IMAG)                                            \
  struct NAME {                                                                                    \
    template <class C> static __tile__ auto compute(C x, [[maybe_unused]] C y) { return RESULT; }  \
    static void exact([[maybe_unused]] wide a, [[maybe_unused]] wide b, [[maybe_unused]] wide c,   \
                      [[maybe_unused]] wide d, wide &real, wide &imag) {                           \
      real = EXACT_REAL, imag = EXACT_IMAG;                                                        \
    }                                                                                              \
  };
OPERATION(do_add, x + y, a + c, b + d)
OPERATION(do_sub, x - y, a - c, b - d)
OPERATION(do_mul, x *y, a *c - b * d, a *d + b * c)
OPERATION(do_div, x / y, (a * c + b * d) / (c * c + d * d), (b * c - a * d) / (c * c + d * d))
OPERATION(do_mul_real, x *y.real, a *c, b *c)
OPERATION(do_div_real, x / y.real, a / c, b / c)

// The root by Newton's step from the rounded one.
wide root(wide square) {
  const wide first = std::sqrt(static_cast<long double>(square));
  return first == 0 ? first : (first + square / first) / 2;
}
struct do_abs {
  template <class C> static __tile__ auto compute(C x, C) {
    return tmath::complex{tmath::abs(x), x.real - x.real};
  }
  static void exact(wide a, wide b, wide, wide, wide &real, wide &imag) {
    real = root(a * a + b * b), imag = 0;
  }
};

template <class F, class T>
__tile_global__ void sweep(const T *a, const T *b, const T *c, const T *d, T *real, T *imag) {
  auto i = int(ct::bid().x) * width + ct::iota<ct::tile<int, ct::shape<width>>>();
  auto z = F::compute(tmath::complex{ct::load(a + i), ct::load(b + i)},
                      tmath::complex{ct::load(c + i), ct::load(d + i)});
  ct::store(real + i, z.real);
  ct::store(imag + i, z.imag);
}

std::uint64_t mixed(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

template <class T> struct arguments {
  std::vector<T> parts[4];
  T *device[6];

  explicit arguments(std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
      for (std::size_t part = 0; part < 4; ++part)
        parts[part].push_back(pick(i, 4 * i + part));
      if (i % 16 == 5) // a c - b d of numbers that are nearly equal
        parts[3][i] = T(double(parts[0][i]) * double(parts[2][i]) / double(parts[1][i]));
    }
    for (int part = 0; part < 6; ++part) {
      cudaMalloc(reinterpret_cast<void **>(&device[part]), count * sizeof(T));
      if (part < 4)
        cudaMemcpy(device[part], parts[part].data(), count * sizeof(T), cudaMemcpyHostToDevice);
    }
  }
  ~arguments() {
    for (T *p : device)
      cudaFree(p);
  }

private:
  static T pick(std::size_t i, std::uint64_t seed) {
    const std::uint64_t bits = mixed(seed);
    const double fraction = double(static_cast<std::int64_t>(bits)) * 0x1p-56; // -128 to 128
    if (i % 2)
      return T(fraction);
    constexpr int spread = format<T>::spread;
    return T(std::ldexp(fraction, int(mixed(bits) % (2 * spread)) - spread));
  }
};

double error_of(wide real, wide imag, wide exactReal, wide exactImag, int precision, int least) {
  const wide distance =
      root((real - exactReal) * (real - exactReal) + (imag - exactImag) * (imag - exactImag));
  const double size = double(root(exactReal * exactReal + exactImag * exactImag));
  const int exponent = size == 0 ? least : std::max(std::ilogb(size), least);
  return std::isfinite(double(real)) && std::isfinite(double(imag))
             ? double(distance / wide(std::ldexp(1.0L, exponent - precision + 1)))
             : INFINITY;
}

int failures = 0;

template <class F, class T>
void check(const char *name, double bound, const arguments<T> &in, std::size_t count) {
  std::vector<T> real(count), imag(count);
  const auto &[a, b, c, d] = in.parts;
  sweep<F, T><<<unsigned(count / width), 1>>>(in.device[0], in.device[1], in.device[2],
                                              in.device[3], in.device[4], in.device[5]);
  cudaMemcpy(real.data(), in.device[4], count * sizeof(T), cudaMemcpyDeviceToHost);
  cudaMemcpy(imag.data(), in.device[5], count * sizeof(T), cudaMemcpyDeviceToHost);
  double worst = 0;
  std::size_t at = 0;
  for (std::size_t i = 0; i < count; ++i) {
    wide exactReal, exactImag;
    F::exact(a[i], b[i], c[i], d[i], exactReal, exactImag);
    const double error =
        error_of(real[i], imag[i], exactReal, exactImag, format<T>::precision, format<T>::least);
    if (error > worst)
      worst = error, at = i;
  }
  const bool isWithin = worst <= bound + 0.5;
  failures += !isWithin;
  std::printf("%s %s -: %.3f of %g at %a, %a, %a, %a%s\n", name, format<T>::name, worst, bound,
              double(a[at]), double(b[at]), double(c[at]), double(d[at]),
              isWithin ? "" : ", too much");
}

template <class T> void check_all(std::size_t count) {
  arguments<T> in(count);
  check<do_add>("add", 0.5, in, count);
  check<do_sub>("sub", 0.5, in, count);
  check<do_mul>("mul", 2, in, count);
  check<do_div>("div", 8, in, count);
  check<do_mul_real>("mul-real", 0.5, in, count);
  check<do_div_real>("div-real", 0.5, in, count);
  check<do_abs>("abs", sizeof(T) == 4 ? 3 : 2, in, count);
}

int main(int argc, char **argv) {
  std::size_t count = argc > 1 ? std::strtoull(argv[1], nullptr, 0) : 1u << 20;
  count = (count + width - 1) / width * width;
  check_all<float>(count);
  check_all<double>(count);
  return failures != 0;
}
