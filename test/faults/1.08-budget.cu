// The compiler's own rings made a kernel too large for shared memory: attention over 128x128x256.
#include "../run/run.h"
#include <cuda_tile.h>
namespace ct = cuda::tiles;
using namespace ct::literals;

template <int R, int C> __tile__ auto parts(const __half *p, int rows) {
  return ct::partition_view{ct::tensor_span{p, ct::extents{rows, ct::integral_constant<C>{}}},
                            ct::shape<R, C>{}};
}

__tile_global__ void attention(const __half *q, const __half *k, const __half *v, float *o, int n) {
  auto queries = parts<128, 256>(q, 128).load(0, 0);
  auto sum = ct::zeros<ct::tile<float, ct::shape<128, 256>>>();
  for (auto i : ct::irange(0, n / 128)) {
    auto zero = ct::zeros<ct::tile<float, ct::shape<128, 128>>>();
    auto scores = ct::mma(queries, ct::transpose(parts<128, 256>(k, n).load(i, 0)), zero);
    sum = ct::mma(ct::element_cast<__half>(scores), parts<128, 256>(v, n).load(i, 0), sum);
  }
  auto row = ct::iota<ct::tile<int, ct::shape<128, 1>>>();
  auto column = ct::iota<ct::tile<int, ct::shape<256>>>();
  ct::store(o + (row * 256 + column), sum);
}

int main() {
  const int n = 256;
  auto few = [](auto i) { return i % 61 == 0 ? 0.5 : i % 97 == 0 ? -1 : 0; };
  run::array<__half> q(128 * 256, few), k(n * 256, few), v(n * 256, few);
  run::array<float> o(128 * 256);
  attention<<<1, 1>>>(q, k, v, o, n);
  std::vector<double> scores(128 * n), wanted(128 * 256);
  for (int i = 0; i < 128; ++i)
    for (int j = 0; j < n; ++j) {
      for (int d = 0; d < 256; ++d)
        scores[i * n + j] += q[i * 256 + d] * k[j * 256 + d];
      for (int d = 0; d < 256; ++d)
        wanted[i * 256 + d] += scores[i * n + j] * v[j * 256 + d];
    }
  run::expect("o", o, [&](auto i) { return wanted[i]; });
  return run::finish();
}
