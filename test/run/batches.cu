// [mma] Products of batches: of one, of several, a factor that is the same for the whole batch,
// transposed ones, sums that loops and branches carry, in while loops, computed factors, batches
// that reach beyond the array or begin below it.
#include "run.h"
#include <cuda_fp16.h>
#include <cuda_tile.h>
namespace ct = cuda::tiles;

#define TILE(T, ...) ct::tile<T, ct::shape<__VA_ARGS__>>

constexpr int batch = 3, m = 70, n = 72, k = 48;

/// B matrices at a time; memory may hold the transposes of the second factors.
template <int B, int M, int N, int K, bool TransposedB, class T>
__tile_global__ void products(const T *a, const T *b, float *c) {
  auto as = ct::partition_view{ct::tensor_span{a, ct::extents{batch, m, k}}, ct::shape<B, M, K>{}};
  auto bs = ct::partition_view{ct::tensor_span{b, ct::extents{batch, k, n}}, ct::shape<B, K, N>{}};
  auto ts = ct::partition_view{ct::tensor_span{b, ct::extents{batch, n, k}}, ct::shape<B, N, K>{}};
  auto cs = ct::partition_view{ct::tensor_span{c, ct::extents{batch, m, n}}, ct::shape<B, M, N>{}};
  const auto [column, row, index] = ct::bid();
  auto sum = ct::zeros<TILE(float, B, M, N)>();
  for (auto i : ct::irange(0u, (k + K - 1u) / K))
    if constexpr (TransposedB)
      sum =
          ct::mma(as.load_masked(index, row, i),
                  ct::permute(ts.load_masked(index, column, i), ct::dimension_map<0, 2, 1>{}), sum);
    else
      sum = ct::mma(as.load_masked(index, row, i), bs.load_masked(index, i, column), sum);
  cs.store_masked(sum, index, row, column);
}

/// One matrix for the whole batch; only every second step counts, and the loop ends by a break.
template <int B>
__tile_global__ void same_factor(const __half *a, const __half *b, float *c, int last) {
  auto as =
      ct::partition_view{ct::tensor_span{a, ct::extents{batch, m, k}}, ct::shape<B, 64, 16>{}};
  auto bs = ct::partition_view{ct::tensor_span{b, ct::extents{1, k, n}}, ct::shape<1, 16, 64>{}};
  auto cs =
      ct::partition_view{ct::tensor_span{c, ct::extents{batch, m, n}}, ct::shape<B, 64, 64>{}};
  auto sum = ct::full<TILE(float, B, 64, 64)>(1.0f);
  for (int i = 0;; ++i) {
    if (i == last)
      break;
    if (i % 2 == 0)
      sum = ct::mma(as.load_masked(0, 0, i), bs.load_masked(0, i, 0), sum);
  }
  cs.store_masked(sum, 0, 0, 0);
}

/// Batches begin where the caller says, below 0 and beyond the end, and a factor is computed.
template <class Step> __tile_global__ void any_boxes(const __half *a, const __half *b,
                                                     const __half *more, float *c, int first) {
  auto as = ct::strided_view{
      ct::tensor_span{a, ct::extents{batch, m, k}}, ct::shape<2, 64, 16>{},
      ct::strides{Step{}, ct::integral_constant<64>{}, ct::integral_constant<16>{}}};
  auto bs =
      ct::partition_view{ct::tensor_span{b, ct::extents{batch, k, n}}, ct::shape<2, 16, 64>{}};
  auto others =
      ct::partition_view{ct::tensor_span{more, ct::extents{batch, k, n}}, ct::shape<2, 16, 64>{}};
  auto cs = ct::partition_view{ct::tensor_span{c, ct::extents{2, 64, 64}}, ct::shape<2, 64, 64>{}};
  auto sum = ct::zeros<TILE(float, 2, 64, 64)>();
  for (int i = 0; i < k / 16; ++i) {
    sum = ct::mma(as.load_masked(first, 0, i), bs.load_masked(0, i, 0), sum);
    auto y = others.load_masked(0, i, 0);
    sum = ct::mma(as.load_masked(0, 0, i), y + y, sum);
  }
  cs.store(sum, 0, 0, 0);
}

double element(std::size_t i) { return run::small(i); }

/// Sum over k of A[i, row, :] and B[j, :, column]; 0 where there is none.
double product(int i, int j, int row, int column, bool is_transposed = false, int step = 1) {
  if (i < 0 || i >= batch || j < 0 || j >= batch || row >= m || column >= n)
    return 0;
  double sum = 0;
  for (int t = 0; t < k; ++t)
    if (t / 16 % step == 0)
      sum += element((i * m + row) * k + t) *
             element(is_transposed ? (j * n + column) * k + t : (j * k + t) * n + column);
  return sum;
}

template <int B, int M, int N, int K, bool TransposedB, class T>
void check(const char *what, const T *a, const T *b) {
  run::array<float> c(batch * m * n);
  const dim3 grid((n + N - 1) / N, (m + M - 1) / M, (batch + B - 1) / B);
  products<B, M, N, K, TransposedB, T><<<grid, 1>>>(a, b, c);
  run::expect(what, c, [&](int at) {
    const int i = at / (m * n);
    return product(i, i, at / n % m, at % n, TransposedB);
  });
}

int main() {
  run::array<__half> a(batch * m * k, element), b(batch * k * n, element);
  run::array<float> floats(batch * m * k, element), more(batch * k * n, element);
  check<1, 64, 64, 32, false>("one", a.device, b.device);
  check<1, 128, 64, 16, true>("one, transposed", a.device, b.device);
  check<1, 64, 16, 16, false>("one of floats", floats.device, more.device);
  check<2, 64, 64, 16, false>("two", a.device, b.device);
  check<4, 64, 32, 32, true>("four, transposed", a.device, b.device);
  check<4, 16, 8, 16, false>("four small", a.device, b.device);
  check<2, 8, 8, 8, false>("two below an instruction", a.device, b.device);

  run::array<float> same(batch * m * n);
  same_factor<2><<<1, 1>>>(a, b, same, 3);
  run::expect("same factor", same, [&](int at) {
    const int i = at / (m * n), row = at / n % m, column = at % n;
    return i < 2 && row < 64 && column < 64 ? 1 + product(i, 0, row, column, false, 2) : 0;
  });

  run::array<float> boxes(2 * 64 * 64);
  auto check_boxes = [&](const char *what, int begin) {
    run::expect(what, boxes, [&](int at) {
      const int i = at / 4096, row = at / 64 % 64, column = at % 64;
      // A box that begins below 0 is outside as a whole.
      return (begin < 0 ? 0 : product(begin + i, i, row, column)) + 2 * product(i, i, row, column);
    });
  };
  for (int first : {-1, 0, 1, 2, 3}) {
    any_boxes<ct::integral_constant<1>><<<1, 1>>>(a, b, b, boxes, first);
    check_boxes("boxes at any batch", first);
    any_boxes<ct::integral_constant<2>><<<1, 1>>>(a, b, b, boxes, first);
    check_boxes("boxes at every second", 2 * first);
  }
  return run::finish();
}
