// Numbers that a kernel reads by relaxed atomics: once, whatever other blocks write meanwhile. No
// other role may read them again, and no part of the rows.
#include "run.h"

#include <cuda_bf16.h>
#include <cuda_tile.h>

namespace ct = cuda::tiles;
using bf16 = __nv_bfloat16;

template <int M, int N, int D>
__tile_global__ void counted(const bf16 *__restrict__ q, const bf16 *__restrict__ k,
                             float *__restrict__ out, int *__restrict__ count, int rows) {
  auto shape = ct::extents{rows, ct::integral_constant<D>{}};
  auto queries =
      ct::partition_view{ct::tensor_span{ct::assume_aligned<16>(q), shape}, ct::shape<M, D>{}};
  auto keys =
      ct::partition_view{ct::tensor_span{ct::assume_aligned<16>(k), shape}, ct::shape<N, D>{}};
  auto results =
      ct::partition_view{ct::tensor_span{ct::assume_aligned<16>(out), shape}, ct::shape<M, D>{}};
  const int block = ct::bid().x;
  const int end = ct::atomic_load(count, ct::memory_order_relaxed_t{}, ct::thread_scope_device_t{});
  auto query = queries.load_masked(block, 0);
  auto sum = ct::zeros<ct::tile<float, ct::shape<M, D>>>();
  for (int j = 0; j < end; ++j) {
    auto key = keys.load_masked(j, 0);
    auto s = ct::mma(query, ct::transpose(key), ct::zeros<ct::tile<float, ct::shape<M, N>>>());
    sum = ct::mma(ct::element_cast<bf16>(s * 0.25f), key, sum);
  }
  results.store_masked(sum, block, 0);
}

template <int M, int N, int D> void test(const char *name) {
  constexpr int rows = 512;
  auto number = [](std::size_t i) { return run::small(i + i / (64 * D) * 3) / 4; };
  const run::array<bf16> q(rows * D, [&](auto i) { return number(i); }),
      k(rows * D, [&](auto i) { return number(i + 5); });
  run::array<float> out(rows * D);
  run::array<int> count(1, [](auto) { return 2; });
  counted<M, N, D><<<rows / M, 1>>>(q, k, out, count, rows);
  std::vector<double> wanted(rows * D);
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < 2 * N; ++j) {
      double score = 0;
      for (int d = 0; d < D; ++d)
        score += q[i * D + d] * k[j * D + d];
      for (int d = 0; d < D; ++d)
        wanted[i * D + d] += score / 4 * k[j * D + d];
    }
  run::expect(name, out, [&](auto i) { return wanted[i]; }, 1.6e-2);
}

int main() {
  test<128, 128, 128>("count read once");
  test<256, 128, 128>("tall, count read once");
  return run::finish();
}
