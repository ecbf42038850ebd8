// Causal attention of several heads: the number of iterations changes along one axis of the grid,
// and persistent blocks take the work tiles of a few heads side by side, the longest first. The
// query blocks are along x, y or z, from the first or from the last one; of one head, and of more
// heads than are taken together. With a window, with a query that is scaled before it is
// multiplied, which threads store for each work tile, and with results in the place of the queries.
#include "attention.h"
#include "run.h"

#include <cuda_bf16.h>
#include <cuda_tile.h>

namespace ct = cuda::tiles;
using bf16 = __nv_bfloat16;

constexpr int M = 128, D = 64;

// Axis: of the query blocks; the heads are the other axes.
template <int Axis, bool IsReversed, bool IsScaled> __tile__ void
attend(const bf16 *q, const bf16 *k, const bf16 *v, bf16 *out, int heads, int rows, int window) {
  q = ct::assume_aligned<16>(q), k = ct::assume_aligned<16>(k), v = ct::assume_aligned<16>(v);
  out = ct::assume_aligned<16>(out);
  auto shape = ct::extents{heads, rows, ct::integral_constant<D>{}};
  auto tiles = [&](auto *p) {
    return ct::partition_view{ct::tensor_span{p, shape}, ct::shape<1, M, D>{}};
  };
  auto qs = tiles(q), ks = tiles(k), vs = tiles(v);
  auto outs = tiles(out);
  const uint3 index = ct::bid();
  const ::dim3 blocks = ct::num_blocks();
  const int along = Axis == 0 ? index.x : Axis == 1 ? index.y : index.z;
  const int count = Axis == 0 ? blocks.x : Axis == 1 ? blocks.y : blocks.z;
  const int block = IsReversed ? count - 1 - along : along;
  const int head = Axis == 0   ? index.z * blocks.y + index.y
                   : Axis == 1 ? index.z * blocks.x + index.x
                               : index.y * blocks.x + index.x;
  using column = ct::tile<float, ct::shape<M, 1>>;
  using scores = ct::tile<float, ct::shape<M, M>>;
  using matrix = ct::shape<M, D>;

  auto query = ct::reshape(qs.load_masked(head, block, 0), matrix{});
  if constexpr (IsScaled)
    query = ct::element_cast<bf16>(ct::element_cast<float>(query) * 0.5f);
  auto largest = ct::full<column>(-1e30f), weight = ct::zeros<column>();
  auto sum = ct::zeros<ct::tile<float, matrix>>();
  auto row = ct::iota<ct::tile<int, ct::shape<M, 1>>>() + block * M;
  const int first = ct::max(block * M - window + 1, 0) / M;
  for (auto i : ct::irange(first, block + 1)) {
    auto key = ct::iota<ct::tile<int, ct::shape<1, M>>>() + i * M;
    auto k_tile = ct::reshape(ks.load_masked(head, i, 0), matrix{});
    auto v_tile = ct::reshape(vs.load_masked(head, i, 0), matrix{});
    auto score = ct::mma(query, ct::transpose(k_tile), ct::zeros<scores>()) * 0.25f;
    score = ct::select((key <= row) & (key > row - window), score, ct::full<scores>(-INFINITY));
    auto now = ct::max(largest, ct::reduce_max<1>(score));
    auto p = ct::exp2(score - now);
    auto fade = ct::exp2(largest - now);
    weight = weight * fade + ct::sum<1>(p);
    sum = ct::mma(ct::element_cast<bf16>(p), v_tile, sum * fade);
    largest = now;
  }
  outs.store_masked(ct::reshape(ct::element_cast<bf16>(sum / weight), ct::shape<1, M, D>{}), head,
                    block, 0);
}

template <int Axis, bool IsReversed, bool IsScaled>
__tile_global__ void attention(const bf16 *__restrict__ q, const bf16 *__restrict__ k,
                               const bf16 *__restrict__ v, bf16 *__restrict__ out, int heads,
                               int rows, int window) {
  attend<Axis, IsReversed, IsScaled>(q, k, v, out, heads, rows, window);
}

__tile_global__ void attention_in_place(bf16 *q, const bf16 *k, const bf16 *v, int heads, int rows,
                                        int window) {
  attend<0, false, false>(q, k, v, q, heads, rows, window);
}

template <int Axis, bool IsReversed, bool IsScaled = false, bool IsInPlace = false>
void test(const char *name, int heads, int rows, int window, dim3 grid) {
  const std::size_t size = std::size_t(heads) * rows * D;
  const auto of_query = [](auto i) { return run::small(i + i / 977); };
  const auto nothing = [](auto) { return 0.0f; };
  run::array<bf16> q(size, of_query), k(size, [](auto i) { return run::small(i + 3 + i / 1013); }),
      v(size, [](auto i) { return run::small(i + 11 + i / 1019); }),
      out(size, [&](auto i) { return IsInPlace ? of_query(i) : nothing(i); });
  if (IsInPlace)
    attention_in_place<<<grid, 1>>>(out, k, v, heads, rows, window);
  else
    attention<Axis, IsReversed, IsScaled><<<grid, 1>>>(q, k, v, out, heads, rows, window);
  std::vector<double> wanted(size);
  for (int head = 0; head < heads; ++head)
    run::attention_of_head<D>(wanted, q, k, v, std::size_t(head) * rows * D, rows,
                              IsScaled ? 0.125 : 0.25, /*sees_all=*/false,
                              [&](int i) { return std::max(i - window + 1, 0); });
  run::expect(name, out, [&](auto i) { return wanted[i]; }, run::tolerance<bf16> * 4);
}

int main() {
  constexpr int all = 1 << 20;
  test<0, false>("x, last longest", 4, 640, all, dim3(5, 2, 2));
  test<0, true>("x, first longest", 7, 385, all, dim3(4, 7, 1));
  test<0, true>("one head", 1, 897, all, dim3(8, 1, 1));
  test<0, false>("a window", 3, 640, 200, dim3(5, 1, 3));
  test<1, true>("y", 4, 333, all, dim3(2, 3, 2));
  test<1, false>("y, more heads than are taken together", 31, 200, all, dim3(31, 2, 1));
  test<2, false>("z", 6, 300, all, dim3(3, 2, 3));
  test<0, false, true>("a scaled query", 3, 500, all, dim3(4, 3, 1));
  test<0, false, false, true>("in place", 3, 400, all, dim3(4, 3, 1));
  return run::finish();
}
