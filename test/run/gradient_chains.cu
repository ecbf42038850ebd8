// Loops whose multiplies share operands in chains, as gradients of attention do: a producer warp
// fills one ring for each operand, multiplies start as early as they can, and are awaited where
// their accumulators are read. One loop and two, keys that are their own values, accumulators that
// are read in their iteration, and such that change places.
#include "run.h"

#include <cuda_bf16.h>
#include <cuda_tile.h>

#include <algorithm>
#include <type_traits>

namespace ct = cuda::tiles;
using bf16 = __nv_bfloat16;

template <int Rows, int D, class T> __tile__ auto rows_of(T *p, int head, int rows) {
  p = ct::assume_aligned<16>(p) + size_t(head) * rows * D;
  return ct::partition_view{ct::tensor_span{p, ct::extents{rows, ct::integral_constant<D>{}}},
                            ct::shape<Rows, D>{}};
}

// dv = p^T dout and dk = ds^T q, where p = exp2(q k^T) for the queries behind a key, and
// ds = p (dout v^T - 0.5 p). The queries across the diagonal have a loop of their own.
template <int M, int N, int D, bool IsCausal>
__tile_global__ void gradients(const bf16 *__restrict__ q, const bf16 *__restrict__ k,
                               const bf16 *__restrict__ v, const bf16 *__restrict__ dout,
                               float *__restrict__ dk, float *__restrict__ dv, int queries,
                               int keys) {
  using scores = ct::tile<float, ct::shape<N, M>>;
  using values = ct::tile<float, ct::shape<N, D>>;
  const int block = ct::bid().x, head = ct::bid().y;
  auto key = rows_of<N, D>(k, head, keys).load_masked(block, 0);
  auto value = rows_of<N, D>(v, head, keys).load_masked(block, 0);
  auto q_tiles = rows_of<M, D>(q, head, queries), dout_tiles = rows_of<M, D>(dout, head, queries);
  auto first = ct::iota<ct::tile<int, ct::shape<N, 1>>>() + block * N;
  auto row = ct::iota<ct::tile<int, ct::shape<1, M>>>();
  auto dk_sum = ct::zeros<values>(), dv_sum = ct::zeros<values>();
  auto add = [&](int i, auto is_masked) {
    auto query = q_tiles.load_masked(i, 0);
    auto dout_tile = dout_tiles.load_masked(i, 0);
    auto s = ct::mma(key, ct::transpose(query), ct::zeros<scores>());
    if constexpr (is_masked)
      s = ct::select(row + i * M >= first, s, ct::full<scores>(-INFINITY));
    auto p = ct::exp2(s);
    dv_sum = ct::mma(ct::element_cast<bf16>(p), dout_tile, dv_sum);
    auto dp = ct::mma(value, ct::transpose(dout_tile), ct::zeros<scores>());
    auto ds = p * (dp - p * 0.5f);
    dk_sum = ct::mma(ct::element_cast<bf16>(ds), query, dk_sum);
  };
  const int end = (queries + M - 1) / M;
  int begin = 0, whole = 0;
  if constexpr (IsCausal)
    begin = block * N / M, whole = ct::min((block * N + N + M - 1) / M, end);
  for (auto i : ct::irange(begin, whole))
    add(i, std::true_type{});
  for (auto i : ct::irange(whole, end))
    add(i, std::false_type{});
  rows_of<N, D>(dk, head, keys).store_masked(dk_sum, block, 0);
  rows_of<N, D>(dv, head, keys).store_masked(dv_sum, block, 0);
}

// Keys that are values, too: out = sum of exp2(q k^T - (largest of a tile)) k, where the largest of
// the sum so far divides what is added.
template <int M, int N, int D>
__tile_global__ void of_keys(const bf16 *__restrict__ q, const bf16 *__restrict__ k,
                             float *__restrict__ out, int queries, int keys) {
  const int block = ct::bid().x, head = ct::bid().y;
  auto query = rows_of<M, D>(q, head, queries).load_masked(block, 0);
  auto k_tiles = rows_of<N, D>(k, head, keys);
  auto sum = ct::zeros<ct::tile<float, ct::shape<M, D>>>();
  auto scale = ct::full<ct::tile<float, ct::shape<M, 1>>>(1.0f);
  for (int i = 0; i < (keys + N - 1) / N; ++i) {
    auto key = k_tiles.load_masked(i, 0);
    auto s = ct::mma(query, ct::transpose(key), ct::zeros<ct::tile<float, ct::shape<M, N>>>());
    auto p = ct::element_cast<bf16>(ct::exp2(s - ct::reduce_max<1>(s)) * scale);
    sum = ct::mma(p, key, sum);
    scale = 1.0f / (1.0f + ct::abs(ct::reduce_max<1>(sum)));
  }
  rows_of<M, D>(out, head, queries).store_masked(sum, block, 0);
}

// Two accumulators that change places in each iteration.
template <int M, int N, int D>
__tile_global__ void in_turns(const bf16 *__restrict__ q, const bf16 *__restrict__ k,
                              const bf16 *__restrict__ v, float *__restrict__ out,
                              float *__restrict__ other, int queries, int keys) {
  const int block = ct::bid().x, head = ct::bid().y;
  auto query = rows_of<M, D>(q, head, queries).load_masked(block, 0);
  auto k_tiles = rows_of<N, D>(k, head, keys), v_tiles = rows_of<N, D>(v, head, keys);
  auto x = ct::zeros<ct::tile<float, ct::shape<M, D>>>(), y = x;
  for (int i = 0; i < (keys + N - 1) / N; ++i) {
    auto key = k_tiles.load_masked(i, 0), value = v_tiles.load_masked(i, 0);
    auto s = ct::mma(query, ct::transpose(key), ct::zeros<ct::tile<float, ct::shape<M, N>>>());
    auto next = ct::mma(ct::element_cast<bf16>(ct::exp2(s)), value, y);
    y = ct::mma(ct::element_cast<bf16>(s * 0.5f), key, x);
    x = next;
  }
  rows_of<M, D>(out, head, queries).store_masked(x, block, 0);
  rows_of<M, D>(other, head, queries).store_masked(y, block, 0);
}

// [heads, rows, D] of exact small numbers.
template <int D> struct matrix : run::array<bf16> {
  matrix(int heads, int rows, int seed)
      : run::array<bf16>(std::size_t(heads) * rows * D,
                         [=](auto i) { return run::small(i + seed * 977) / 8; }) {}
  double dot(std::size_t row, const matrix &other, std::size_t other_row) const {
    double sum = 0;
    for (int d = 0; d < D; ++d)
      sum += (*this)[row * D + d] * other[other_row * D + d];
    return sum;
  }
  // sum += weight * row
  void add(double *sum, double weight, std::size_t row) const {
    for (int d = 0; d < D; ++d)
      sum[d] += weight * (*this)[row * D + d];
  }
};

// Weights are rounded to bf16 ahead of multiplies, whose sums cancel in part.
constexpr double tolerance = 1.6e-2;

void expect(const char *name, run::array<float> &result, const std::vector<double> &wanted) {
  run::expect(name, result, [&](auto i) { return wanted[i]; }, tolerance);
}

template <int M, int N, int D, bool IsCausal>
void test_gradients(const char *name, int heads, int queries, int keys) {
  const matrix<D> q(heads, queries, 1), k(heads, keys, 2), v(heads, keys, 3),
      dout(heads, queries, 4);
  run::array<float> dk(k.size), dv(k.size);
  gradients<M, N, D, IsCausal>
      <<<dim3((keys + N - 1) / N, heads), 1>>>(q, k, v, dout, dk, dv, queries, keys);
  std::vector<double> wanted_dk(k.size), wanted_dv(k.size);
  for (int head = 0; head < heads; ++head)
    for (int j = 0; j < keys; ++j)
      for (int i = IsCausal ? j : 0; i < queries; ++i) {
        const std::size_t query = std::size_t(head) * queries + i,
                          key = std::size_t(head) * keys + j;
        const double p = std::exp2(q.dot(query, k, key)), dp = dout.dot(query, v, key);
        dout.add(&wanted_dv[key * D], p, query);
        q.add(&wanted_dk[key * D], p * (dp - 0.5 * p), query);
      }
  expect(name, dk, wanted_dk);
  expect("  of the values", dv, wanted_dv);
}

template <int M, int N, int D>
void test_of_keys(const char *name, int heads, int queries, int keys) {
  const matrix<D> q(heads, queries, 1), k(heads, keys, 2);
  run::array<float> out(q.size);
  of_keys<M, N, D><<<dim3((queries + M - 1) / M, heads), 1>>>(q, k, out, queries, keys);
  std::vector<double> wanted(q.size);
  for (std::size_t query = 0; query < std::size_t(heads) * queries; ++query) {
    double scale = 1, *sum = &wanted[query * D];
    for (int first = 0; first < keys; first += N) {
      std::vector<double> scores(N); // 0 of keys beyond the end, which add nothing
      for (int j = 0; j < N && first + j < keys; ++j)
        scores[j] = q.dot(query, k, query / queries * keys + first + j);
      const double largest = *std::max_element(scores.begin(), scores.end());
      for (int j = 0; j < N && first + j < keys; ++j)
        k.add(sum, std::exp2(scores[j] - largest) * scale, query / queries * keys + first + j);
      scale = 1 / (1 + std::abs(*std::max_element(sum, sum + D)));
    }
  }
  expect(name, out, wanted);
}

template <int M, int N, int D>
void test_in_turns(const char *name, int heads, int queries, int keys) {
  const matrix<D> q(heads, queries, 1), k(heads, keys, 2), v(heads, keys, 3);
  run::array<float> out(q.size), other(q.size);
  in_turns<M, N, D><<<dim3((queries + M - 1) / M, heads), 1>>>(q, k, v, out, other, queries, keys);
  std::vector<double> x(q.size), y(q.size);
  for (std::size_t query = 0; query < std::size_t(heads) * queries; ++query)
    for (int first = 0; first < keys; first += N) {
      std::vector<double> by_keys(&x[query * D], &x[query * D] + D),
          by_values(&y[query * D], &y[query * D] + D);
      for (int j = first; j < first + N && j < keys; ++j) {
        const std::size_t key = query / queries * keys + j;
        const double score = q.dot(query, k, key);
        v.add(by_values.data(), std::exp2(score), key);
        k.add(by_keys.data(), score * 0.5, key);
      }
      std::copy(by_values.begin(), by_values.end(), &x[query * D]);
      std::copy(by_keys.begin(), by_keys.end(), &y[query * D]);
    }
  expect(name, out, x);
  expect("  the other sum", other, y);
}

int main() {
  test_gradients<64, 128, 128, false>("gradients", 2, 150, 200);
  test_gradients<64, 128, 128, true>("gradients, causal", 2, 260, 260);
  test_gradients<64, 128, 64, true>("gradients, causal, short rows", 1, 700, 130);
  test_of_keys<128, 128, 128>("keys that are values", 2, 200, 300);
  test_in_turns<128, 64, 128>("sums that change places", 2, 150, 200);
  test_in_turns<128, 64, 128>("sums that change places, one iteration", 1, 128, 50);
  return run::finish();
}
