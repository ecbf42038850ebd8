#include <cuda_tile.h>
#include <cuda_bf16.h>
namespace ct = cuda::tiles;
using bf16 = __nv_bfloat16;

#define VIEWS                                                                                      \
  a = ct::assume_aligned<16>(a);                                                                   \
  b = ct::assume_aligned<16>(b);                                                                   \
  c = ct::assume_aligned<16>(c);                                                                   \
  n = ct::assume_divisible<8>(n);                                                                  \
  k = ct::assume_divisible<8>(k);                                                                  \
  m = ct::assume_divisible<8>(m);                                                                  \
  auto a_tiles = ct::partition_view{ct::tensor_span{a, ct::extents{m, k}}, ct::shape<M, K>{}};     \
  auto b_tiles = ct::partition_view{ct::tensor_span{b, ct::extents{k, n}}, ct::shape<K, N>{}};     \
  int row = ct::bid().y, column = ct::bid().x;                                                     \
  int steps = (k + K - 1) / K;
#define LOOP                                                                                       \
  auto sum = ct::zeros<ct::tile<float, ct::shape<M, N>>>();                                        \
  for (auto i : ct::irange(0, steps))                                                              \
    sum = ct::mma(a_tiles.load_masked(row, i), b_tiles.load_masked(i, column), sum);

template <int M, int N, int K>
__tile_global__ void two_level(const bf16 *__restrict__ a, const bf16 *__restrict__ b,
                               float *__restrict__ c, unsigned m, unsigned n, unsigned k) {
  VIEWS
  auto c_tiles = ct::partition_view{ct::tensor_span{c, ct::extents{m, n}}, ct::shape<M, N>{}};
  using acc = ct::tile<float, ct::shape<M, N>>;
  auto outer = ct::zeros<acc>();
  auto inner = ct::zeros<acc>();
  for (auto i : ct::irange(0, steps)) {
    inner = ct::mma(a_tiles.load_masked(row, i), b_tiles.load_masked(i, column), inner);
    if (i % 4 == 3) {
      outer = outer + inner;
      inner = ct::zeros<acc>();
    }
  }
  c_tiles.store_masked(outer + inner, row, column);
}
template <int M, int N, int K>
__tile_global__ void two_level_scaled(const bf16 *__restrict__ a, const bf16 *__restrict__ b,
                                      float *__restrict__ c, const float *__restrict__ scale,
                                      unsigned m, unsigned n, unsigned k) {
  VIEWS
  auto c_tiles = ct::partition_view{ct::tensor_span{c, ct::extents{m, n}}, ct::shape<M, N>{}};
  using acc = ct::tile<float, ct::shape<M, N>>;
  auto outer = ct::zeros<acc>();
  for (auto i : ct::irange(0, steps)) {
    auto inner =
        ct::mma(a_tiles.load_masked(row, i), b_tiles.load_masked(i, column), ct::zeros<acc>());
    outer = outer + inner * scale[i];
  }
  c_tiles.store_masked(outer, row, column);
}
template <int M, int N, int K>
__tile_global__ void stored_twice(const bf16 *__restrict__ a, const bf16 *__restrict__ b,
                                  float *__restrict__ c, bf16 *__restrict__ d, unsigned m,
                                  unsigned n, unsigned k) {
  VIEWS LOOP auto c_tiles =
      ct::partition_view{ct::tensor_span{c, ct::extents{m, n}}, ct::shape<M, N>{}};
  auto d_tiles = ct::partition_view{ct::tensor_span{d, ct::extents{m, n}}, ct::shape<M, N>{}};
  c_tiles.store_masked(sum, row, column);
  d_tiles.store_masked(ct::element_cast<bf16>(sum), row, column);
}
template <int M, int N, int K>
__tile_global__ void residual(const bf16 *__restrict__ a, const bf16 *__restrict__ b,
                              float *__restrict__ c, const float *__restrict__ r, unsigned m,
                              unsigned n, unsigned k) {
  VIEWS LOOP auto c_tiles =
      ct::partition_view{ct::tensor_span{c, ct::extents{m, n}}, ct::shape<M, N>{}};
  auto r_tiles = ct::partition_view{ct::tensor_span{r, ct::extents{m, n}}, ct::shape<M, N>{}};
  c_tiles.store_masked(sum + r_tiles.load_masked(row, column), row, column);
}
template <int M, int N, int K>
__tile_global__ void scatter(const bf16 *__restrict__ a, const bf16 *__restrict__ b,
                             float *__restrict__ c, unsigned m, unsigned n, unsigned k) {
  VIEWS LOOP auto rows = ct::iota<ct::tile<int, ct::shape<M, 1>>>() + int(row * M);
  auto columns =
      ct::reshape(ct::iota<ct::tile<int, ct::shape<N>>>() + int(column * N), ct::shape<1, N>{});
  auto ptrs = c + (rows * int(n) + columns);
  auto mask = (rows < int(m)) && (columns < int(n));
  ct::store_masked(ptrs, sum, mask);
}
template <int M, int N, int K>
__tile_global__ void scan(const bf16 *__restrict__ a, const bf16 *__restrict__ b,
                          float *__restrict__ c, unsigned m, unsigned n, unsigned k) {
  VIEWS LOOP auto c_tiles =
      ct::partition_view{ct::tensor_span{c, ct::extents{m, n}}, ct::shape<M, N>{}};
  c_tiles.store_masked(ct::partial_sum<1>(sum), row, column);
}
template <int M, int N, int K>
__tile_global__ void glu(const bf16 *__restrict__ a, const bf16 *__restrict__ b,
                         const bf16 *__restrict__ b2, bf16 *__restrict__ c, unsigned m, unsigned n,
                         unsigned k) {
  VIEWS
  auto b2_tiles = ct::partition_view{ct::tensor_span{ct::assume_aligned<16>(b2), ct::extents{k, n}},
                                     ct::shape<K, N>{}};
  using acc = ct::tile<float, ct::shape<M, N>>;
  auto x = ct::zeros<acc>(), y = ct::zeros<acc>();
  for (auto i : ct::irange(0, steps)) {
    auto at = a_tiles.load_masked(row, i);
    x = ct::mma(at, b_tiles.load_masked(i, column), x);
    y = ct::mma(at, b2_tiles.load_masked(i, column), y);
  }
  auto c_tiles = ct::partition_view{ct::tensor_span{c, ct::extents{m, n}}, ct::shape<M, N>{}};
  c_tiles.store_masked(ct::element_cast<bf16>(x * y / (1.0f + ct::exp(-y))), row, column);
}
template <int M, int N, int K>
__tile_global__ void row_sums(const bf16 *__restrict__ a, const bf16 *__restrict__ b,
                              float *__restrict__ c, unsigned m, unsigned n, unsigned k) {
  VIEWS LOOP auto c_tiles =
      ct::partition_view{ct::tensor_span{c, ct::extents{m, n}}, ct::shape<M, N>{}};
  auto top = ct::reduce_max<1>(sum);
  auto e = ct::exp(sum - top);
  c_tiles.store_masked(e / ct::sum<1>(e), row, column);
}
#define I(M, N, K)                                                                                 \
  template __tile_global__ void two_level<M, N, K>(const bf16 *__restrict__,                       \
                                                   const bf16 *__restrict__, float *__restrict__,  \
                                                   unsigned, unsigned, unsigned);                  \
  template __tile_global__ void two_level_scaled<M, N, K>(                                         \
      const bf16 *__restrict__, const bf16 *__restrict__, float *__restrict__,                     \
      const float *__restrict__, unsigned, unsigned, unsigned);                                    \
  template __tile_global__ void stored_twice<M, N, K>(                                             \
      const bf16 *__restrict__, const bf16 *__restrict__, float *__restrict__, bf16 *__restrict__, \
      unsigned, unsigned, unsigned);                                                               \
  template __tile_global__ void residual<M, N, K>(                                                 \
      const bf16 *__restrict__, const bf16 *__restrict__, float *__restrict__,                     \
      const float *__restrict__, unsigned, unsigned, unsigned);                                    \
  template __tile_global__ void scatter<M, N, K>(const bf16 *__restrict__,                         \
                                                 const bf16 *__restrict__, float *__restrict__,    \
                                                 unsigned, unsigned, unsigned);                    \
  template __tile_global__ void scan<M, N, K>(const bf16 *__restrict__, const bf16 *__restrict__,  \
                                              float *__restrict__, unsigned, unsigned, unsigned);  \
  template __tile_global__ void glu<M, N, K>(const bf16 *__restrict__, const bf16 *__restrict__,   \
                                             const bf16 *__restrict__, bf16 *__restrict__,         \
                                             unsigned, unsigned, unsigned);                        \
  template __tile_global__ void row_sums<M, N, K>(const bf16 *__restrict__,                        \
                                                  const bf16 *__restrict__, float *__restrict__,   \
                                                  unsigned, unsigned, unsigned);
I(128, 128, 64)
I(128, 256, 64)
I(64, 128, 64)
