// Rows that loops of chained multiplies read beside their operands, as the logarithms and sums of
// attention's gradients: a producer warp copies them into the stages of an operand. Rows that begin
// at any element and end anywhere, lines of a matrix, rows of elements of two bytes and of four,
// rows that are padded with other numbers than zero, that only one of two loops reads, and such
// that the loop uses behind its multiplies, too. Kernels of one work tile, too, and of two tile
// blocks side by side.
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

// Numbers of one head, which begin at any element.
template <int Size, class T> __tile__ auto numbers_of(T *p, int head, int count) {
  return ct::partition_view{ct::tensor_span{p + size_t(head) * count, ct::extents{count}},
                            ct::shape<Size>{}};
}

// The same as lines of a matrix, each with `stride` numbers.
template <int Size, class T> __tile__ auto lines_of(const T *p, int heads, int count) {
  return ct::partition_view{ct::tensor_span{ct::assume_aligned<16>(p), ct::extents{heads, count}},
                            ct::shape<1, Size>{}};
}

// dv = p^T dout and dk = ds^T q, where p = exp2(q k^T - lse) and ds = p (dout v^T - delta). The
// queries across the diagonal have a loop of their own.
template <int M, int N, int D, bool IsCausal, class T> __tile_global__ void
gradients(const bf16 *__restrict__ q, const bf16 *__restrict__ k, const bf16 *__restrict__ v,
          const bf16 *__restrict__ dout, const float *__restrict__ lse, const T *__restrict__ delta,
          float *__restrict__ dk, float *__restrict__ dv, int queries, int keys) {
  using scores = ct::tile<float, ct::shape<N, M>>;
  using values = ct::tile<float, ct::shape<N, D>>;
  const int block = ct::bid().x, head = ct::bid().y;
  auto key = rows_of<N, D>(k, head, keys).load_masked(block, 0);
  auto value = rows_of<N, D>(v, head, keys).load_masked(block, 0);
  auto q_tiles = rows_of<M, D>(q, head, queries), dout_tiles = rows_of<M, D>(dout, head, queries);
  auto lse_tiles = numbers_of<M>(lse, head, queries);
  auto delta_tiles = lines_of<M>(delta, ct::num_blocks().y, queries);
  auto first = ct::iota<ct::tile<int, ct::shape<N, 1>>>() + block * N;
  auto row = ct::iota<ct::tile<int, ct::shape<1, M>>>();
  auto dk_sum = ct::zeros<values>(), dv_sum = ct::zeros<values>();
  auto add = [&](int i, auto is_masked) {
    auto query = q_tiles.load_masked(i, 0);
    auto dout_tile = dout_tiles.load_masked(i, 0);
    auto s = ct::mma(key, ct::transpose(query), ct::zeros<scores>());
    if constexpr (is_masked)
      s = ct::select(row + i * M >= first, s, ct::full<scores>(-INFINITY));
    auto p = ct::exp2(s - lse_tiles.load_masked(i));
    dv_sum = ct::mma(ct::element_cast<bf16>(p), dout_tile, dv_sum);
    auto dp = ct::mma(value, ct::transpose(dout_tile), ct::zeros<scores>());
    auto ds = p * (dp - ct::element_cast<float>(delta_tiles.load_masked(head, i)));
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

// out = sum of exp2(q k^T + bias) v. Keys behind the end have a bias of -infinity where the loop
// pads, else they are masked. Where it uses the rows twice, weight is the sum of their squares,
// which no multiply takes. Where there are two loops, the first one, of the first half of the keys,
// has no bias.
enum class use { once, pads, uses, two };
template <int M, int N, int D, use Use>
__tile_global__ void biased(const bf16 *__restrict__ q, const bf16 *__restrict__ k,
                            const bf16 *__restrict__ v, const float *__restrict__ bias,
                            float *__restrict__ out, float *__restrict__ weight, int queries,
                            int keys) {
  using scores = ct::tile<float, ct::shape<M, N>>;
  const int block = ct::bid().x, head = ct::bid().y;
  auto query = rows_of<M, D>(q, head, queries).load_masked(block, 0);
  auto k_tiles = rows_of<N, D>(k, head, keys), v_tiles = rows_of<N, D>(v, head, keys);
  auto bias_tiles = numbers_of<N>(bias, head, keys);
  auto key = ct::iota<ct::tile<int, ct::shape<1, N>>>();
  auto sum = ct::zeros<ct::tile<float, ct::shape<M, D>>>();
  auto squares = ct::zeros<ct::tile<float, ct::shape<N>>>();
  auto attend = [&](int i, auto is_biased) {
    auto s = ct::mma(query, ct::transpose(k_tiles.load_masked(i, 0)), ct::zeros<scores>());
    auto row = [&] {
      if constexpr (!is_biased)
        return ct::zeros<ct::tile<float, ct::shape<N>>>();
      else if constexpr (Use == use::pads)
        return bias_tiles.load_masked(ct::view_padding_negative_inf_t{}, i);
      else
        return bias_tiles.load_masked(i);
    }();
    auto p = ct::exp2(s + row);
    if constexpr (Use != use::pads)
      p = ct::select(key + i * N < keys, p, ct::zeros<scores>());
    sum = ct::mma(ct::element_cast<bf16>(p), v_tiles.load_masked(i, 0), sum);
    if constexpr (Use == use::uses)
      squares = squares + row * row;
  };
  const int half = Use == use::two ? keys / 2 / N : 0;
  for (auto i : ct::irange(0, half))
    attend(i, std::false_type{});
  for (auto i : ct::irange(half, (keys + N - 1) / N))
    attend(i, std::true_type{});
  rows_of<M, D>(out, head, queries).store_masked(sum, block, 0);
  if constexpr (Use == use::uses)
    if (block == 0)
      numbers_of<1>(weight, 0, head + 1).store_masked(ct::sum<0>(squares), head);
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

template <int M, int N, int D, bool IsCausal, class T>
void test_gradients(const char *name, int heads, int queries, int keys) {
  const matrix<D> q(heads, queries, 1), k(heads, keys, 2), v(heads, keys, 3),
      dout(heads, queries, 4);
  const run::array<float> lse(std::size_t(heads) * queries,
                              [](auto i) { return run::small(i + 5000) + 1; });
  const run::array<T> delta(lse.size, [](auto i) { return run::small(i + 6000); });
  run::array<float> dk(k.size), dv(k.size);
  gradients<M, N, D, IsCausal, T>
      <<<dim3((keys + N - 1) / N, heads), 1>>>(q, k, v, dout, lse, delta, dk, dv, queries, keys);
  std::vector<double> wanted_dk(k.size), wanted_dv(k.size);
  for (int head = 0; head < heads; ++head)
    for (int j = 0; j < keys; ++j)
      for (int i = IsCausal ? j : 0; i < queries; ++i) {
        const std::size_t query = std::size_t(head) * queries + i,
                          key = std::size_t(head) * keys + j;
        const double p = std::exp2(q.dot(query, k, key) - lse[query]), dp = dout.dot(query, v, key);
        dout.add(&wanted_dv[key * D], p, query);
        q.add(&wanted_dk[key * D], p * (dp - delta[query]), query);
      }
  expect(name, dk, wanted_dk);
  expect("  of the values", dv, wanted_dv);
}

template <int M, int N, int D, use Use>
void test_biased(const char *name, int heads, int queries, int keys) {
  const matrix<D> q(heads, queries, 1), k(heads, keys, 2), v(heads, keys, 3);
  const run::array<float> bias(std::size_t(heads) * keys,
                               [](auto i) { return run::small(i + 5000) - 1; });
  run::array<float> out(q.size), weight(heads);
  biased<M, N, D, Use>
      <<<dim3((queries + M - 1) / M, heads), 1>>>(q, k, v, bias, out, weight, queries, keys);
  std::vector<double> wanted(q.size), squares(heads);
  for (int head = 0; head < heads; ++head)
    for (int j = 0; j < keys; ++j) {
      const std::size_t key = std::size_t(head) * keys + j;
      const double of_key = Use == use::two && j < keys / 2 / N * N ? 0 : bias[key];
      squares[head] += of_key * of_key;
      for (int i = 0; i < queries; ++i) {
        const std::size_t query = std::size_t(head) * queries + i;
        v.add(&wanted[query * D], std::exp2(q.dot(query, k, key) + of_key), key);
      }
    }
  expect(name, out, wanted);
  if (Use == use::uses)
    expect("  the squares", weight, squares);
}

// Lengths of each head in memory, of packed sequences.
template <int M, int N, int D>
__tile_global__ void packed(const bf16 *__restrict__ q, const bf16 *__restrict__ k,
                            const bf16 *__restrict__ v, const float *__restrict__ bias,
                            const int *__restrict__ first, float *__restrict__ out, int queries) {
  using scores = ct::tile<float, ct::shape<M, N>>;
  const int block = ct::bid().x, head = ct::bid().y;
  const int begin = first[head], keys = first[head + 1] - begin;
  auto query = rows_of<M, D>(q, head, queries).load_masked(block, 0);
  auto k_tiles = ct::partition_view{ct::tensor_span{ct::assume_aligned<16>(k) + size_t(begin) * D,
                                                    ct::extents{keys, ct::integral_constant<D>{}}},
                                    ct::shape<N, D>{}};
  auto v_tiles = ct::partition_view{ct::tensor_span{ct::assume_aligned<16>(v) + size_t(begin) * D,
                                                    ct::extents{keys, ct::integral_constant<D>{}}},
                                    ct::shape<N, D>{}};
  auto bias_tiles =
      ct::partition_view{ct::tensor_span{bias + begin, ct::extents{keys}}, ct::shape<N>{}};
  auto key = ct::iota<ct::tile<int, ct::shape<1, N>>>();
  auto sum = ct::zeros<ct::tile<float, ct::shape<M, D>>>();
  for (int i = 0; i < (keys + N - 1) / N; ++i) {
    auto s = ct::mma(query, ct::transpose(k_tiles.load_masked(i, 0)), ct::zeros<scores>());
    auto p = ct::exp2(s + bias_tiles.load_masked(i));
    p = ct::select(key + i * N < keys, p, ct::zeros<scores>());
    sum = ct::mma(ct::element_cast<bf16>(p), v_tiles.load_masked(i, 0), sum);
  }
  rows_of<M, D>(out, head, queries).store_masked(sum, block, 0);
}
template <int M, int N, int D>
void test_packed(const char *name, std::vector<int> lengths, int queries) {
  const int heads = int(lengths.size());
  std::vector<int> at(1, 0);
  for (int n : lengths)
    at.push_back(at.back() + n);
  const run::array<int> first(at.size(), [&](auto i) { return at[i]; });
  const matrix<D> q(heads, queries, 1), k(1, at.back(), 2), v(1, at.back(), 3);
  const run::array<float> bias(std::size_t(at.back()),
                               [](auto i) { return run::small(i + 5000) - 1; });
  run::array<float> out(q.size);
  packed<M, N, D><<<dim3((queries + M - 1) / M, heads), 1>>>(q, k, v, bias, first, out, queries);
  std::vector<double> wanted(q.size);
  for (int head = 0; head < heads; ++head)
    for (int j = at[head]; j < at[head + 1]; ++j)
      for (int i = 0; i < queries; ++i) {
        const std::size_t query = std::size_t(head) * queries + i;
        v.add(&wanted[query * D], std::exp2(q.dot(query, k, j) + bias[j]), j);
      }
  expect(name, out, wanted);
}

int main() {
  test_gradients<64, 128, 128, false, float>("rows of whole tiles", 2, 128, 200);
  test_gradients<64, 128, 128, false, float>("rows that begin anywhere", 3, 151, 200);
  test_gradients<64, 128, 128, true, bf16>("rows of two bytes, causal", 2, 264, 264);
  test_gradients<64, 128, 128, true, bf16>("rows of two bytes that begin anywhere", 3, 201, 201);
  test_gradients<128, 128, 64, true, float>("long rows, causal", 1, 702, 130);
  test_gradients<64, 128, 128, false, float>("rows of one query", 2, 1, 130);
  test_biased<128, 128, 128, use::once>("a bias of keys", 2, 200, 300);
  test_biased<128, 128, 128, use::once>("a bias of keys that begins anywhere", 3, 130, 257);
  test_biased<128, 128, 128, use::pads>("a bias with padding", 2, 130, 301);
  test_biased<128, 128, 128, use::uses>("a bias that is used twice", 2, 130, 301);
  test_biased<128, 128, 128, use::two>("a bias of one of two loops", 2, 130, 301);
  test_biased<64, 64, 128, use::once>("a bias of keys, tile blocks side by side", 2, 130, 193);
  test_biased<256, 128, 64, use::once>("a bias of keys, many rows", 2, 300, 193);
  test_packed<128, 128, 128>("a bias of keys, lengths in memory", {130, 1, 77}, 140);
  return run::finish();
}
