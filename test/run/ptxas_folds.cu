// Integer idioms that published versions of ptxas are known to fold wrongly, as tile code has them:
// on the elements of a tile, and on scalars in a branch and in a loop of a count that is not known.
// The numbers are those of the reduced cases of the public list SemiAnalysisAI/FuzzX.
#include <cuda_tile.h>

#include <cstdint>

#include "run.h"

namespace ct = cuda::tiles;

namespace {

constexpr int count = 256;

__host__ __tile__ int larger(int a, int b) { return a > b ? a : b; }
__host__ __tile__ unsigned larger(unsigned a, unsigned b) { return a > b ? a : b; }
__host__ __tile__ int smaller(int a, int b) { return a < b ? a : b; }
template <class E, class S> __tile__ auto larger(ct::tile<E, S> a, E b) { return ct::max(a, b); }
template <class E, class S> __tile__ auto smaller(ct::tile<E, S> a, E b) { return ct::min(a, b); }
template <class E, class S> __tile__ auto larger(ct::tile<E, S> a, ct::tile<E, S> b) {
  return ct::max(a, b);
}
__host__ __tile__ int magnitude(int a) { return a < 0 ? int(0u - unsigned(a)) : a; }
template <class E, class S> __tile__ auto magnitude(ct::tile<E, S> a) { return ct::abs(a); }
template <class To> __host__ __tile__ To as(int a) { return To(a); }
template <class To> __host__ __tile__ To as(unsigned a) { return To(a); }
template <class To> __host__ __tile__ To as(short a) { return To(a); }
template <class To> __host__ __tile__ To as(std::uint64_t a) { return To(a); }
template <class To> __host__ __tile__ To as(std::int64_t a) { return To(a); }
template <class To> __host__ __tile__ To as(bool a) { return To(a); }
template <class To, class E, class S> __tile__ auto as(ct::tile<E, S> a) {
  return ct::element_cast<To>(a);
}

// A function of the elements of a tile, and of a number.
#define ON_BOTH(...)                                                                               \
  template <class S> __tile__ static auto of(ct::tile<int, S> n)                                   \
      __VA_ARGS__ __host__ __tile__ static int of(int n) __VA_ARGS__

// m003: a chain of differences and signed maxima.
struct DifferenceChain {
  ON_BOTH({
    auto x = n - n;
    auto most = larger(x, 0);
    x = x - n, most = larger(most, x);
    x = x - n, most = larger(most, x);
    x = x - n;
    return larger(most, x);
  })
};
// m010: an arithmetic shift, compared as unsigned.
struct ShiftedSign {
  ON_BOTH({
    auto x = as<unsigned>((n | int(0xbb7dffd2u)) >> 3);
    return as<int>(as<unsigned>(x <= 0xc0000000u) * 863u + 123u);
  })
};
// m020: an unsigned maximum, a signed minimum.
struct MixedSigns {
  ON_BOTH({
    auto x = larger(as<unsigned>(n) << 26 | 24u, 0u);
    return smaller(as<int>(x), 0) & 0x7f000000;
  })
};
// m025, m041, m044: squares whose low bits are known.
struct Squares {
  ON_BOTH({
    auto x = as<unsigned>(n);
    auto first = ((x << 8) ^ 8u) << 14;
    auto second = (620912u - x * 33554432u * 16u - (x & 4278255360u)) * 524288u;
    return as<int>(((first * first) & 7u) + ((second * second) | 55244u));
  })
};
// m026: the negated magnitude, compared as unsigned.
struct NegatedMagnitude {
  ON_BOTH({
    auto x = 0u - as<unsigned>(magnitude(n));
    return as<int>(2u - as<unsigned>(x > 0u));
  })
};
// m031: a difference from the least number, twice.
struct TwoDifferences {
  ON_BOTH({
    auto x = as<unsigned>(n);
    return as<int>(x - (2147483648u - x));
  })
};
// m040, m049: the low word of a wide product, negated and shifted.
struct WideProduct {
  ON_BOTH({
    auto wide = as<std::uint64_t>(as<unsigned>(n));
    auto low = as<unsigned>(wide * wide);
    return as<int>(((0u - low) >> 17) + 1u);
  })
};
// m057, m060: the magnitude and the negation of the least number of 16 bits.
struct LeastShort {
  ON_BOTH({
    auto narrow = as<short>(n + 32768);
    auto below = as<short>(0 - as<int>(narrow));
    return as<int>(narrow) * 3 + as<int>(below);
  })
};
// m004, m036: high halves of signed products.
struct HighHalves {
  ON_BOTH({
    auto wide = as<std::int64_t>(n) * std::int64_t(-1640531527);
    auto high = as<int>(wide >> std::int64_t(32));
    return high + as<int>((as<std::int64_t>(high) * std::int64_t(1812433253)) >> std::int64_t(32));
  })
};

template <class Idiom>
__tile_global__ void elements(const int *__restrict__ in, int *__restrict__ out) {
  auto at = ct::iota<ct::tile<int, ct::shape<count>>>();
  ct::store(out + at, Idiom::of(ct::load(in + at)));
}

// On what a block's scalars are: its index, a word of memory, what a loop leaves.
template <class Idiom>
__tile_global__ void scalars(const int *__restrict__ in, int *__restrict__ out, int turns) {
  int block = int(ct::bid().x), value = in[block];
  if (block != 32)
    value = Idiom::of(value);
  for (int i = 0; i < turns; ++i)
    value = Idiom::of(value + i) ^ (value >> 1);
  out[block] = value;
}

template <class Idiom> void run_idiom(const char *name) {
  std::vector<int> in(count);
  for (int i = 0; i < count; ++i)
    in[i] = i < 64    ? i
            : i < 128 ? int(0x80000000u + unsigned(i - 64))
                      : int(unsigned(i) * 2654435761u);
  int *x, *y;
  run::require(cudaMallocManaged(&x, count * sizeof(int)));
  run::require(cudaMallocManaged(&y, count * sizeof(int)));
  std::copy(in.begin(), in.end(), x);
  auto verify = [&](const char *form, auto want) {
    run::require(cudaGetLastError());
    run::require(cudaDeviceSynchronize());
    int wrong = 0;
    for (int i = 0; i < count; ++i)
      wrong += y[i] != want(i);
    std::printf("%s, %s: %d wrong\n", name, form, wrong);
    run::failures += wrong != 0;
  };
  elements<Idiom><<<1, 1>>>(x, y);
  verify("elements", [&](int i) { return Idiom::of(in[i]); });
  for (int turns : {0, 1, 7}) {
    scalars<Idiom><<<count, 1>>>(x, y, turns);
    verify("scalars", [&](int i) {
      int value = i != 32 ? Idiom::of(in[i]) : in[i];
      for (int k = 0; k < turns; ++k)
        value = Idiom::of(value + k) ^ (value >> 1);
      return value;
    });
  }
  cudaFree(x);
  cudaFree(y);
}

} // namespace

int main() {
  run_idiom<DifferenceChain>("differences and maxima");
  run_idiom<ShiftedSign>("shifted sign");
  run_idiom<MixedSigns>("mixed signs");
  run_idiom<Squares>("squares");
  run_idiom<NegatedMagnitude>("negated magnitude");
  run_idiom<TwoDifferences>("two differences");
  run_idiom<WideProduct>("wide product");
  run_idiom<LeastShort>("least short");
  run_idiom<HighHalves>("high halves");
  return run::failures != 0;
}
