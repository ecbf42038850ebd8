// Views of one matrix of a batch, whose base is moved by what depends on the block: the second
// kernel of large grids reads boxes of the whole batch. Offsets by one axis of the grid, by a
// number of all blocks, by a sum, behind an assumption, beside an offset that is equal for all
// blocks, by an index that may be negative, and by one that wraps: of these two the base stays.
// Products of batches, whose blocks are merged along x and y; by strides of a parameter, which is
// positive, negative, 0 or no multiple of 16 bytes; with an operand that all share, added to C.
#include "attention.h"
#include "run.h"

#include <cuda_bf16.h>
#include <cuda_tile.h>

namespace ct = cuda::tiles;
using bf16 = __nv_bfloat16;

constexpr int M = 128, D = 64;

enum class form { by_axis, by_number, by_sum, negative, wrapping };

// How far a block's matrices of `size` elements are from the first one.
template <form Form> __tile__ long long offset_of(int size, int back) {
  const uint3 block = ct::bid();
  const ::dim3 blocks = ct::num_blocks();
  if constexpr (Form == form::by_axis)
    return static_cast<long long>(block.y) * size;
  else if constexpr (Form == form::by_number)
    return static_cast<long long>(static_cast<int>(block.z * blocks.y + block.y)) * size;
  else if constexpr (Form == form::by_sum)
    return static_cast<long long>(block.z) * size * blocks.y + size_t{block.y} * size + 2ll * size;
  else if constexpr (Form == form::negative)
    return static_cast<long long>(static_cast<int>(block.y) - back) * size;
  else
    return static_cast<long long>(block.y * 0x80000001u) * size;
}

template <form Form> __tile_global__ void attention(const bf16 *__restrict__ q,
                                                    const bf16 *__restrict__ k,
                                                    const bf16 *__restrict__ v,
                                                    bf16 *__restrict__ out, int rows, int back) {
  const long long offset = offset_of<Form>(rows * D, back);
  auto tiles = [&](auto *p) {
    auto shape = ct::extents{rows, ct::integral_constant<D>{}};
    return ct::partition_view{ct::tensor_span{ct::assume_aligned<16>(p + offset), shape},
                              ct::shape<M, D>{}};
  };
  auto qs = tiles(q), ks = tiles(k), vs = tiles(v);
  auto outs = tiles(out);
  using column = ct::tile<float, ct::shape<M, 1>>;
  using scores = ct::tile<float, ct::shape<M, M>>;
  const int block = ct::bid().x;
  auto query = qs.load_masked(block, 0);
  auto largest = ct::full<column>(-1e30f), weight = ct::zeros<column>();
  auto sum = ct::zeros<ct::tile<float, ct::shape<M, D>>>();
  for (auto i : ct::irange(0, ct::ceildiv(rows, M))) {
    auto key = ct::iota<ct::tile<int, ct::shape<1, M>>>() + i * M;
    auto score = ct::mma(query, ct::transpose(ks.load_masked(i, 0)), ct::zeros<scores>()) * 0.25f;
    score =
        ct::select(ct::broadcast<ct::shape<M, M>>(key < rows), score, ct::full<scores>(-INFINITY));
    auto now = ct::max(largest, ct::reduce_max<1>(score));
    auto p = ct::exp2(score - now);
    auto fade = ct::exp2(largest - now);
    weight = weight * fade + ct::sum<1>(p);
    sum = ct::mma(ct::element_cast<bf16>(p), vs.load_masked(i, 0), sum * fade);
    largest = now;
  }
  outs.store_masked(ct::element_cast<bf16>(sum / weight), block, 0);
}

// first: of the matrices that blocks compute. distance: between those of neighbours along y.
template <form Form>
void test(const char *name, int rows, dim3 grid, int matrices, int first, int back = 0) {
  const std::size_t size = std::size_t(matrices) * rows * D;
  run::array<bf16> q(size, [](auto i) { return run::small(i + i / 977); }),
      k(size, [](auto i) { return run::small(i + 3 + i / 1013); }),
      v(size, [](auto i) { return run::small(i + 11 + i / 1019); }), out(size);
  const std::size_t start = std::size_t(back) * rows * D;
  attention<Form><<<grid, 1>>>(q + start, k + start, v + start, out + start, rows, back);
  std::vector<double> wanted(size);
  for (std::size_t i = 0; i < size; ++i)
    wanted[i] = float(out[i]) == 0 ? 0 : 1e30; // of matrices that no block computes
  for (int matrix = first; matrix < first + int(grid.y * grid.z); ++matrix)
    run::attention_of_head<D>(wanted, q, k, v, std::size_t(matrix) * rows * D, rows, 0.25,
                              /*sees_all=*/true, [](int) { return 0; });
  run::expect(name, out, [&](auto i) { return wanted[i]; }, run::tolerance<bf16> * 4);
}

template <int T> __tile_global__ void product(const bf16 *__restrict__ a,
                                              const bf16 *__restrict__ b, bf16 *__restrict__ c,
                                              int m, int n, int k) {
  const size_t z = ct::bid().z;
  a = ct::assume_aligned<16>(a), b = ct::assume_aligned<16>(b), c = ct::assume_aligned<16>(c);
  auto as =
      ct::partition_view{ct::tensor_span{a + z * m * k, ct::extents{m, k}}, ct::shape<T, 64>{}};
  auto bs =
      ct::partition_view{ct::tensor_span{b + z * k * n, ct::extents{k, n}}, ct::shape<64, T>{}};
  auto cs =
      ct::partition_view{ct::tensor_span{c + z * m * n, ct::extents{m, n}}, ct::shape<T, T>{}};
  auto sum = ct::zeros<ct::tile<float, ct::shape<T, T>>>();
  const int x = ct::bid().x, y = ct::bid().y;
  for (auto i : ct::irange(0, (k + 63) / 64))
    sum = ct::mma(as.load_masked(y, i), bs.load_masked(i, x), sum);
  cs.store_masked(ct::element_cast<bf16>(sum), y, x);
}

template <int T> void test_product(const char *name, int m, int n, int k, int batch) {
  run::array<bf16> a(std::size_t(batch) * m * k, [](auto i) { return run::small(i + i / 977); }),
      b(std::size_t(batch) * k * n, [](auto i) { return run::small(i + 3 + i / 1013); }),
      c(std::size_t(batch) * m * n);
  product<T><<<dim3((n + T - 1) / T, (m + T - 1) / T, batch), 1>>>(a, b, c, m, n, k);
  run::expect(
      name, c,
      [&](std::size_t i) {
        const std::size_t z = i / (m * n), row = i / n % m, column = i % n;
        double sum = 0;
        for (int j = 0; j < k; ++j)
          sum += double(float(a[(z * m + row) * k + j])) * float(b[(z * k + j) * n + column]);
        return sum;
      },
      run::tolerance<bf16>);
}

// C += A B, by strides in elements.
template <int T> __tile_global__ void strided(const bf16 *__restrict__ a,
                                              const bf16 *__restrict__ b, float *c, int m, int n,
                                              int k, long long stride_a, long long stride_c) {
  const long long z = ct::bid().z;
  auto as =
      ct::partition_view{ct::tensor_span{a + z * stride_a, ct::extents{m, k}}, ct::shape<T, 64>{}};
  auto bs = ct::partition_view{ct::tensor_span{b, ct::extents{k, n}}, ct::shape<64, T>{}};
  auto cs =
      ct::partition_view{ct::tensor_span{c + stride_c * z, ct::extents{m, n}}, ct::shape<T, T>{}};
  auto sum = ct::zeros<ct::tile<float, ct::shape<T, T>>>();
  const int x = ct::bid().x, y = ct::bid().y;
  for (auto i : ct::irange(0, (k + 63) / 64))
    sum = ct::mma(as.load_masked(y, i), bs.load_masked(i, x), sum);
  cs.store_masked(cs.load_masked(y, x) + sum, y, x);
}

template <int T> void test_strided(const char *name, long long stride_a, long long stride_c) {
  constexpr int m = 132, n = 136, k = 72, batch = 3;
  auto size = [](long long stride, int matrix) {
    return std::size_t(matrix + (batch - 1) * (stride < 0 ? -stride : stride));
  };
  const long long first_a = stride_a < 0 ? -stride_a * (batch - 1) : 0,
                  first_c = stride_c < 0 ? -stride_c * (batch - 1) : 0;
  run::array<bf16> a(size(stride_a, m * k), [](auto i) { return run::small(i + i / 977); }),
      b(k * n, [](auto i) { return run::small(i + 3 + i / 1013); });
  const auto before = [](std::size_t i) { return float(i % 7); };
  run::array<float> c(size(stride_c, m * n), before);
  strided<T><<<dim3((n + T - 1) / T, (m + T - 1) / T, batch), 1>>>(a + first_a, b, c + first_c, m,
                                                                   n, k, stride_a, stride_c);
  std::vector<double> wanted(size(stride_c, m * n));
  for (std::size_t i = 0; i < wanted.size(); ++i)
    wanted[i] = before(i);
  for (int z = 0; z < batch; ++z)
    for (int row = 0; row < m; ++row)
      for (int column = 0; column < n; ++column)
        for (int j = 0; j < k; ++j)
          wanted[first_c + z * stride_c + row * n + column] +=
              double(float(a[first_a + z * stride_a + row * k + j])) * float(b[j * n + column]);
  run::expect(name, c, [&](std::size_t i) { return wanted[i]; }, 1e-4);
}

int main() {
  test_strided<128>("by strides", 132 * 72, 132 * 136);
  test_strided<64>("by larger strides", 132 * 72 + 64, 132 * 136 + 8);
  test_strided<128>("by negative strides", -132 * 72, -132 * 136);
  test_strided<128>("one A for all", 0, 132 * 136);
  test_strided<128>("at odd addresses", 132 * 72 + 3, 132 * 136 + 1);
  test_product<128>("products", 200, 264, 136, 3);
  test_product<64>("products of small tiles", 130, 264, 72, 2);
  test<form::by_axis>("by an axis", 200, dim3(2, 3, 1), 3, 0);
  test<form::by_number>("by a number of blocks", 300, dim3(3, 2, 2), 4, 0);
  test<form::by_sum>("by a sum", 129, dim3(2, 2, 3), 8, 2);
  test<form::negative>("by an index below 0", 256, dim3(2, 4, 1), 4, 0, 2);
  test<form::wrapping>("by an index that wraps", 150, dim3(2, 1, 1), 1, 0);
  return run::finish();
}
