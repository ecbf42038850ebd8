// Rings of one block on an SM, which bulk copies fill where the views allow them (sm_90a), by maps
// of the launch or of the kernel: ragged edges, bases and rows that are not aligned to 16 bytes, no
// steps at all, transposed factors, boxes of views of three dimensions, loops that go from tile to
// tile, several blocks and streams.
#include "run.h"
#include <cuda_fp8.h>
#include <cuda_tile.h>
namespace ct = cuda::tiles;
using bf16 = __nv_bfloat16;

constexpr int tile_m = 128, tile_n = 256;
using shape_of_c = ct::shape<tile_m, tile_n>;

template <class T, class Out, bool Transposed>
__tile__ void product_at(const T *a, const T *b, Out *c, int m, int n, int k, int row, int column) {
  constexpr int depth = 128 / sizeof(T);
  auto a_tiles =
      ct::partition_view{ct::tensor_span{a, ct::extents{m, k}}, ct::shape<tile_m, depth>{}};
  auto c_tiles = ct::partition_view{ct::tensor_span{c, ct::extents{m, n}}, shape_of_c{}};
  auto sum = ct::zeros<ct::tile<Out, shape_of_c>>();
  if constexpr (Transposed) {
    auto b_tiles =
        ct::partition_view{ct::tensor_span{b, ct::extents{n, k}}, ct::shape<tile_n, depth>{}};
    for (auto i : ct::irange(0, (k + depth - 1) / depth))
      sum =
          ct::mma(a_tiles.load_masked(row, i), ct::transpose(b_tiles.load_masked(column, i)), sum);
  } else {
    auto b_tiles =
        ct::partition_view{ct::tensor_span{b, ct::extents{k, n}}, ct::shape<depth, tile_n>{}};
    for (auto i : ct::irange(0, (k + depth - 1) / depth))
      sum = ct::mma(a_tiles.load_masked(row, i), b_tiles.load_masked(i, column), sum);
  }
  c_tiles.store_masked(sum, row, column);
}

template <class T, class Out, bool Transposed>
__tile_global__ void product(const T *__restrict__ a, const T *__restrict__ b, Out *__restrict__ c,
                             int m, int n, int k) {
  product_at<T, Out, Transposed>(a, b, c, m, n, k, ct::bid().y, ct::bid().x);
}

// A block takes tile after tile; its maps and phases last.
__tile_global__ void persistent(const bf16 *__restrict__ a, const bf16 *__restrict__ b,
                                float *__restrict__ c, int m, int n, int k) {
  int columns = (n + tile_n - 1) / tile_n, tiles = (m + tile_m - 1) / tile_m * columns;
  for (int tile = ct::bid().x; tile < tiles; tile += ct::num_blocks().x)
    product_at<bf16, float, false>(a, b, c, m, n, k, tile / columns, tile % columns);
}

// A batch for each block, from views of three dimensions.
__tile_global__ void batched(const bf16 *__restrict__ a, const bf16 *__restrict__ b,
                             float *__restrict__ c, int batches, int m, int n, int k) {
  auto a_tiles = ct::partition_view{ct::tensor_span{a, ct::extents{batches, m, k}},
                                    ct::shape<1, tile_m, 64>{}};
  auto b_tiles = ct::partition_view{ct::tensor_span{b, ct::extents{batches, k, n}},
                                    ct::shape<1, 64, tile_n>{}};
  auto c_tiles = ct::partition_view{ct::tensor_span{c, ct::extents{batches, m, n}},
                                    ct::shape<1, tile_m, tile_n>{}};
  int batch = ct::bid().x;
  auto sum = ct::zeros<ct::tile<float, shape_of_c>>();
  for (auto i : ct::irange(0, (k + 63) / 64))
    sum = ct::mma(ct::reshape(a_tiles.load_masked(batch, 0, i), ct::shape<tile_m, 64>{}),
                  ct::reshape(b_tiles.load_masked(batch, i, 0), ct::shape<64, tile_n>{}), sum);
  c_tiles.store_masked(ct::reshape(sum, ct::shape<1, tile_m, tile_n>{}), batch, 0, 0);
}

// A batch for each block, from views that begin elsewhere in each: the kernel makes their maps.
__tile_global__ void moved(const bf16 *__restrict__ a, const bf16 *__restrict__ b,
                           float *__restrict__ c, int m, int n, int k) {
  const long long batch = ct::bid().x;
  product_at<bf16, float, false>(a + batch * m * k, b + batch * k * n, c + batch * m * n, m, n, k,
                                 0, 0);
}

double element(std::size_t i) { return double(i * 11 % 15) - 7; }

// `skipped` elements lie before a's first.
template <class T, class Out, bool Transposed>
void check(const char *name, int m, int n, int k, int skipped = 0) {
  run::array<T> a(m * k + skipped + 1, [&](auto i) { return element(i + 15 * 8 - skipped); });
  run::array<T> b(k * n + 1, [](auto i) { return element(i + 5); });
  run::array<Out> c(m * n);
  dim3 grid((n + tile_n - 1) / tile_n, (m + tile_m - 1) / tile_m);
  product<T, Out, Transposed><<<grid, 1>>>(a.device + skipped, b.device, c.device, m, n, k);
  run::expect(name, c, [&](std::size_t i) {
    double wanted = 0;
    for (int j = 0; j < k; ++j)
      wanted += element(i / n * k + j + 15 * 8) *
                element((Transposed ? i % n * k + j : j * n + i % n) + 5);
    return wanted;
  });
}

int main() {
  check<bf16, float, false>("edges", 130, 264, 264);
  check<bf16, float, true>("transposed", 130, 264, 328);
  check<signed char, int, true>("bytes", 70, 272, 272);
  check<bf16, float, false>("base", 130, 264, 264, 1);
  check<bf16, float, false>("rows of a", 70, 264, 131);
  check<bf16, float, false>("rows of b", 70, 260, 136);
  check<bf16, float, false>("nothing", 70, 264, 0);
  check<bf16, float, false>("one row", 1, 8, 8);

  const int m = 200, n = 520, k = 200;
  run::array<bf16> a(2 * m * k, element), b(2 * k * n, [](auto i) { return element(i + 5); });
  auto wanted = [&](std::size_t i) {
    std::size_t row = i / n, column = i % n, batch = row / m;
    double sum = 0;
    for (int j = 0; j < k; ++j)
      sum += element(row * k + j) * element((batch * k + j) * n + column + 5);
    return sum;
  };
  cudaStream_t streams[2];
  run::array<float> first(m * n), second(m * n);
  for (cudaStream_t &stream : streams)
    run::require(cudaStreamCreate(&stream));
  persistent<<<1, 1, 0, streams[0]>>>(a, b, first, m, n, k);
  persistent<<<4, 1, 0, streams[1]>>>(a, b, second, m, n, k);
  run::expect("one block", first, wanted);
  run::expect("four blocks", second, wanted);
  for (cudaStream_t stream : streams)
    run::require(cudaStreamDestroy(stream));

  const int narrow = 256, few = 100;
  run::array<float> of_batches(2 * few * narrow);
  auto of_batch = [&](std::size_t i) {
    std::size_t row = i / narrow, column = i % narrow, batch = row / few;
    double sum = 0;
    for (int j = 0; j < k; ++j)
      sum += element(row * k + j) * element((batch * k + j) * narrow + column + 5);
    return sum;
  };
  batched<<<2, 1>>>(a, b, of_batches, 2, few, narrow, k);
  run::expect("batches", of_batches, of_batch);
  run::require(cudaMemset(of_batches, 0, of_batches.size * sizeof(float)));
  moved<<<2, 1>>>(a, b, of_batches, few, narrow, k);
  run::expect("batches that move the views", of_batches, of_batch);
  return run::finish();
}
