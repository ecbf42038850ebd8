// Products by blocks that are alone on their multiprocessor, whose rings have more stages: more
// than the loop has turns, as many, and fewer; rows by bulk copies, by copies of 16 bytes, and at
// any address, where chunks are joined.
#include "run.h"

#include <cuda_tile.h>

namespace ct = cuda::tiles;
using bf16 = __nv_bfloat16;

template <int M, int N, int K> [[using cutile: hint(0, occupancy = 1)]]
__tile_global__ void alone(const bf16 *__restrict__ a, const bf16 *__restrict__ b,
                           float *__restrict__ c, int m, int n, int k, int pitch) {
  auto rows_of_a = ct::layout_strided_mapping{ct::extents{m, k}, ct::strides{pitch, 1}};
  auto as = ct::partition_view{ct::tensor_span{a, rows_of_a}, ct::shape<M, K>{}};
  auto bs = ct::partition_view{ct::tensor_span{b, ct::extents{k, n}}, ct::shape<K, N>{}};
  auto cs = ct::partition_view{ct::tensor_span{c, ct::extents{m, n}}, ct::shape<M, N>{}};
  const int row = ct::bid().y, column = ct::bid().x;
  auto sum = ct::zeros<ct::tile<float, ct::shape<M, N>>>();
  for (int i = 0; i < ct::ceildiv(k, K); ++i)
    sum = ct::mma(as.load_masked(row, i), bs.load_masked(i, column), sum);
  cs.store_masked(sum, row, column);
}

template <int M, int N, int K> void expect(int m, int n, int k, int pitch, int from) {
  run::array<bf16> a(std::size_t(m) * pitch + from + 1, run::small),
      b(std::size_t(k) * n + 1, [](std::size_t i) { return run::small(i + 77); });
  run::array<float> c(std::size_t(m) * n, [](std::size_t) { return -1; });
  std::vector<float> wanted(c.size);
  for (int i = 0; i < m; ++i)
    for (int l = 0; l < k; ++l)
      for (int j = 0; j < n; ++j)
        wanted[i * n + j] += float(a[from + i * pitch + l] * b[l * n + j]);
  const dim3 grid((n + N - 1) / N, (m + M - 1) / M);
  alone<M, N, K><<<grid, 1>>>(a.device + from, b.device, c.device, m, n, k, pitch);
  char name[80];
  std::snprintf(name, sizeof name, "%dx%dx%d of %dx%dx%d, %d", M, N, K, m, n, k, pitch);
  run::expect(name, c, [&](std::size_t i) { return wanted[i]; });
}

int main() {
  for (int turns : {0, 1, 5, 6, 7, 8, 9, 17})
    expect<64, 64, 64>(65, 72, 64 * turns, 64 * turns + 8, 0);
  expect<64, 128, 64>(64, 136, 500, 504, 0);
  expect<128, 128, 64>(130, 136, 600, 600, 0);
  expect<64, 64, 64>(70, 64, 640, 641, 3);
  expect<64, 64, 64>(70, 67, 583, 583, 0);
  return run::finish();
}
