// targets: cpu,emulate
// arch: sm_100a
// Factors of 8 and 4 bits with a scale for each run of elements along K.
#include "run.h"

#include <cuda_fp4.h>
#include <cuda_fp8.h>
#include <cuda_tile.h>

namespace ct = cuda::tiles;

template <class E, class S, int Run, int B>
__tile_global__ void k(const float *a, const float *as, const float *b, const float *bs, float *c) {
  constexpr int M = 16, K = 64, N = 32, R = K / Run;
  auto load = []<size_t... D>(const float *p, ct::shape<D...>) {
    return ct::load(p + ct::iota<ct::tile<int, ct::shape<D...>>>());
  };
  auto x = ct::element_cast<E>(load(a, ct::shape<B, M, K>()));
  auto y = ct::element_cast<E>(load(b, ct::shape<1, K, N>()));
  auto xs = ct::element_cast<S>(load(as, ct::shape<1, M, R>()));
  auto ys = ct::element_cast<S>(load(bs, ct::shape<1, R, N>()));
  auto acc = ct::full<ct::tile<float, ct::shape<B, M, N>>>(1);
  auto r = ct::scaled_mma(x, xs, y, ys, acc);
  ct::store(c + ct::iota<ct::tile<int, ct::shape<B, M, N>>>(), r);
  if constexpr (B == 1) {
    auto flat = ct::scaled_mma(ct::reshape<ct::shape<M, K>>(x), ct::reshape<ct::shape<M, R>>(xs),
                               ct::reshape<ct::shape<K, N>>(y), ct::reshape<ct::shape<R, N>>(ys),
                               ct::full<ct::tile<float, ct::shape<M, N>>>(2));
    ct::store(c + M * N + ct::iota<ct::tile<int, ct::shape<M, N>>>(), flat);
  }
}

template <class E, class S, int Run, int B> void check(const char *name) {
  constexpr int M = 16, K = 64, N = 32, R = K / Run;
  auto factor = [](auto i) { return double((i * 7) % 5) - 2; };
  auto scale = [](auto i) { return std::ldexp(1, int((i * 3) % 5) - 2); };
  run::array<float> a(B * M * K, factor), b(K * N, factor), as(M * R, scale), bs(R * N, scale);
  run::array<float> c(2 * M * N);
  k<E, S, Run, B><<<1, 1>>>(a, as, b, bs, c);
  run::expect(name, c, [&](std::size_t i) {
    std::size_t batch = B == 1 ? 0 : i / (M * N), m = i / N % M, n = i % N;
    double sum = B == 1 ? 1 + i / (M * N) : 1;
    for (std::size_t j = 0; j < K; ++j)
      sum += a[(batch * M + m) * K + j] * as[m * R + j / Run] * b[j * N + n] * bs[j / Run * N + n];
    return sum;
  });
}

int main() {
  check<__nv_fp8_e4m3, __nv_fp8_e8m0, 32, 1>("e4m3");
  check<__nv_fp8_e5m2, __nv_fp8_e8m0, 32, 2>("e5m2");
  check<__nv_fp4_e2m1, __nv_fp8_e8m0, 16, 1>("e2m1");
  check<__nv_fp4_e2m1, __nv_fp8_e8m0, 32, 2>("e2m1, runs of 32");
  check<__nv_fp4_e2m1, __nv_fp8_e4m3, 16, 1>("e2m1, e4m3");
  return run::finish();
}
