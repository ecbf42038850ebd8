// targets: cpu,emulate,gpu
// arch: sm_80
// Sums of mma.sync whose last step of K waits in registers for the next turn: halves, half sums,
// floats as tf32; B as it is and transposed; views that are aligned and views that are not; loops
// of no turn, of one and of several; sums that begin with something.
#include "run.h"
#include <cuda_tile.h>
namespace ct = cuda::tiles;

template <int Rows, int Columns, class T> __tile__ auto tiles_of(T *p, int height, int width) {
  return ct::partition_view{ct::tensor_span{p, ct::extents{height, width}},
                            ct::shape<Rows, Columns>{}};
}

template <int M, int N, int K, bool Transposed, class T, class Sum>
__tile_global__ void product(const T *__restrict__ a, const T *__restrict__ b, Sum *__restrict__ c,
                             int m, int n, int k, float first) {
  auto as = tiles_of<M, K>(a, m, k);
  auto sum = ct::full<ct::tile<Sum, ct::shape<M, N>>>(Sum(first));
  const int row = ct::bid().y, column = ct::bid().x;
  for (int i = 0; i < ct::ceildiv(k, K); ++i) {
    if constexpr (Transposed)
      sum = ct::mma(as.load_masked(row, i),
                    ct::transpose(tiles_of<N, K>(b, n, k).load_masked(column, i)), sum);
    else
      sum = ct::mma(as.load_masked(row, i), tiles_of<K, N>(b, k, n).load_masked(i, column), sum);
  }
  tiles_of<M, N>(c, m, n).store_masked(sum, row, column);
}

template <int M, int N, int K, bool Transposed, class T, class Sum>
void check(const char *name, int m, int n, int k, float first) {
  run::array<T> a(m * k + 1, [](std::size_t i) { return run::small(i); }),
      b(n * k + 1, [](std::size_t i) { return run::small(i + 5); });
  run::array<Sum> c(std::size_t(m) * n);
  product<M, N, K, Transposed, T, Sum><<<dim3((n + N - 1) / N, (m + M - 1) / M), 1>>>(
      a.device, b.device, c.device, m, n, k, first);
  run::expect(
      name, c,
      [&](auto i) {
        double sum = first;
        for (int j = 0; j < k; ++j)
          sum += a[i / n * k + j] * b[Transposed ? i % n * k + j : std::size_t(j) * n + i % n];
        return sum;
      },
      sizeof(Sum) == 2 ? 2e-2 : run::tolerance<Sum>);
}

int main() {
  for (int k : {0, 32, 96, 160}) {
    check<64, 64, 32, false, __half, float>("half", 128, 64, k, 0.5f);
    check<64, 64, 32, true, __nv_bfloat16, float>("bf16, transposed", 64, 128, k, -0.0f);
    check<64, 64, 32, false, __half, __half>("half sums", 64, 64, k, 1.0f);
  }
  // Rows at addresses that no chunk has, tiles that are cut.
  check<64, 64, 32, false, __half, float>("odd rows", 67, 75, 101, 0.5f);
  check<64, 64, 32, true, __half, float>("odd rows, transposed", 67, 75, 101, 0.5f);
  check<32, 64, 64, true, __nv_bfloat16, float>("rows of 8", 40, 72, 136, 0);
  return run::finish();
}
