// Attention of 64 rows per block: neighbours along the axis of the queries are computed side by
// side, each by a consumer warpgroup. The axis is x or y; grids are odd, loops differ between
// neighbours or have no iterations for one of them, and results leave in boxes or by pointers. What
// neighbours read differs in `biased`, and a kernel that may read what it writes stays as it is.
#include "attention.h"
#include "run.h"

#include <cuda_bf16.h>
#include <cuda_tile.h>

#include <algorithm>

namespace ct = cuda::tiles;
using bf16 = __nv_bfloat16;

enum class form { full, causal, window, biased, in_place, numbered, scaled, later, shifted };
constexpr int window = 100;

template <int Rows, int D, class T> __tile__ auto rows_of(T *p, int rows) {
  return ct::partition_view{
      ct::tensor_span{ct::assume_aligned<16>(p), ct::extents{rows, ct::integral_constant<D>{}}},
      ct::shape<Rows, D>{}};
}

template <int M, int N, int D, form Form, int Axis> __tile__ void
attend(const bf16 *q, const bf16 *k, const bf16 *v, bf16 *out, float *weights, int rows, int keys) {
  using scores = ct::tile<float, ct::shape<M, N>>;
  const int block = Axis == 0 ? ct::bid().x : ct::bid().y,
            head = Axis == 0 ? ct::bid().y : ct::bid().x;
  auto query = rows_of<M, D>(q + head * rows * D, rows).load_masked(block, 0);
  if constexpr (Form == form::scaled) // threads compute it
    query = query * bf16(0.5f);
  auto k_tiles = rows_of<N, D>(k + head * keys * D, keys),
       v_tiles = rows_of<N, D>(v + head * keys * D, keys);
  auto row = ct::iota<ct::tile<int, ct::shape<M>>>() + block * M;
  auto column = ct::iota<ct::tile<int, ct::shape<1, N>>>();
  auto weight = ct::full<ct::tile<float, ct::shape<M>>>(1e-6f);
  auto sum = ct::zeros<ct::tile<float, ct::shape<M, D>>>();
  auto step = [&](int i, bool is_masked) {
    auto s = ct::mma(query, ct::transpose(k_tiles.load_masked(i, 0)), ct::zeros<scores>());
    if constexpr (Form == form::biased)
      s = s + ct::element_cast<float>(rows_of<M, N>(q, rows).load_masked(block, 0));
    if (is_masked) {
      auto key = column + i * N;
      auto is_seen = ct::broadcast<ct::shape<M, N>>(key < keys);
      if constexpr (Form == form::causal || Form == form::window)
        is_seen = is_seen & (key <= ct::reshape(row, ct::shape<M, 1>{}));
      if constexpr (Form == form::window)
        is_seen = is_seen & (key > ct::reshape(row, ct::shape<M, 1>{}) - window);
      s = ct::select(is_seen, s, ct::full<scores>(-INFINITY));
    }
    auto p = ct::exp2(s * 0.25f);
    weight = weight + ct::reshape(ct::sum<1>(p), ct::shape<M>{});
    sum = ct::mma(ct::element_cast<bf16>(p), v_tiles.load_masked(i, 0), sum);
  };
  const int tiles = (keys + N - 1) / N;
  if constexpr (Form == form::causal) {
    const int end = ct::min(tiles, (block * M + M + N - 1) / N),
              inner = ct::min(block * M, keys) / N;
    for (int i = 0; i < inner; ++i)
      step(i, false);
    for (int i = inner; i < end; ++i)
      step(i, true);
  } else if constexpr (Form == form::window) {
    // From some row on no key is in the window.
    const int first = ct::max(block * M - window + 1, 0) / N,
              end = ct::min(tiles, (block * M + M + N - 1) / N);
    for (int i = first; i < end; ++i)
      step(i, true);
  } else if constexpr (Form == form::later) {
    int tile = 1; // a number that is not that of the elements
    for (int i = 0; i < keys - N; i += N)
      step(tile, true), ++tile;
  } else if constexpr (Form == form::shifted) {
    int tile = 0; // neighbours begin at elements that are no multiples of N apart
    for (int i = block * 24; i < keys; i += N)
      step(tile, true), ++tile;
  } else {
    for (int i = 0; i < tiles; ++i)
      step(i, (i + 1) * N > keys);
  }
  auto result = sum * (1.0f / ct::reshape(weight, ct::shape<M, 1>{}));
  rows_of<M, D>(out + head * rows * D, rows).store_masked(ct::element_cast<bf16>(result), block, 0);
  if constexpr (Form == form::numbered) {
    if (block == 0 && head == 0)
      *weights = float(ct::num_blocks().x);
  } else {
    ct::store_masked(weights + head * rows + row, weight, row < rows);
  }
}

template <int M, int N, int D, form Form, int Axis>
__tile_global__ void attention(const bf16 *__restrict__ q, const bf16 *__restrict__ k,
                               const bf16 *__restrict__ v, bf16 *__restrict__ out,
                               float *__restrict__ weights, int rows, int keys) {
  attend<M, N, D, Form, Axis>(q, k, v, out, weights, rows, keys);
}

// The result may be the queries.
template <int M, int N, int D, form Form, int Axis>
__tile_global__ void attention_in_place(const bf16 *q, const bf16 *__restrict__ k,
                                        const bf16 *__restrict__ v, bf16 *out,
                                        float *__restrict__ weights, int rows, int keys) {
  attend<M, N, D, Form, Axis>(q, k, v, out, weights, rows, keys);
}

template <int N, int D, form Form, int Axis = 0>
void test(const char *name, int heads, int rows, int keys) {
  constexpr int M = 64;
  auto number = [](std::size_t i) { return run::small(i + i / (64 * D) * 3) / 4; };
  run::array<bf16> q(std::size_t(heads) * rows * D, [&](auto i) { return number(i); }),
      k(std::size_t(heads) * keys * D, [&](auto i) { return number(i + 5); }),
      v(std::size_t(heads) * keys * D, [&](auto i) { return number(i + 11); }), out(q.size);
  run::array<float> weights(std::size_t(heads) * rows);
  std::vector<double> wanted(q.size), wanted_weights(weights.size, 1e-6);
  for (std::size_t i = 0; i < weights.size; ++i) {
    const int head = int(i) / rows, row = int(i) % rows;
    const bool is_bounded = Form == form::causal || Form == form::window;
    const int first = Form == form::window  ? std::max(row - window + 1, 0)
                      : Form == form::later ? N
                                            : 0;
    int end = is_bounded ? std::min(row + 1, keys) : keys;
    if (Form == form::shifted)
      end = std::min(keys, (keys - row / M * 24 + N - 1) / N * N);
    for (int j = first; j < end; ++j) {
      const std::size_t key = std::size_t(head) * keys + j;
      double score = 0;
      for (int d = 0; d < D; ++d)
        score += q[i * D + d] * k[key * D + d];
      if (Form == form::biased)
        score += q[std::size_t(row) * N + j % N];
      const double p = std::exp2(score / (Form == form::scaled ? 8 : 4));
      wanted_weights[i] += p;
      for (int d = 0; d < D; ++d)
        wanted[i * D + d] += p * v[key * D + d];
    }
    for (int d = 0; d < D; ++d)
      wanted[i * D + d] /= wanted_weights[i];
  }
  const unsigned blocks = (rows + M - 1) / M;
  const dim3 grid = Axis == 0 ? dim3(blocks, heads) : dim3(heads, blocks);
  if constexpr (Form == form::in_place)
    attention_in_place<M, N, D, Form, Axis><<<grid, 1>>>(q, k, v, q, weights, rows, keys);
  else
    attention<M, N, D, Form, Axis><<<grid, 1>>>(q, k, v, out, weights, rows, keys);
  run::expect(
      name, Form == form::in_place ? q : out, [&](auto i) { return wanted[i]; },
      run::tolerance<bf16> * 4);
  if (Form == form::numbered) // of blocks along x, and the others are not written
    wanted_weights.assign(weights.size, 0), wanted_weights[0] = grid.x;
  run::expect("  weights", weights, [&](auto i) { return wanted_weights[i]; }, 1e-4);
}

int main() {
  test<64, 128, form::full>("pairs", 2, 256, 192);
  test<128, 128, form::full>("pairs, an odd grid", 3, 300, 200);
  test<64, 128, form::causal>("pairs, causal", 2, 330, 330);
  test<32, 256, form::causal>("pairs, causal, long rows", 1, 200, 200);
  test<64, 128, form::causal, 1>("pairs along y, causal", 3, 190, 100);
  test<32, 128, form::window>("pairs, a window", 1, 450, 170);
  test<64, 128, form::full>("one block", 1, 50, 70);
  test<64, 128, form::scaled>("pairs, scaled queries", 1, 200, 130);
  test<64, 128, form::later>("pairs, tiles from the second on", 1, 200, 200);
  test<64, 128, form::shifted>("pairs, out of step", 1, 330, 250);
  test<64, 128, form::biased>("pairs, biased", 1, 200, 130);
  test<64, 128, form::in_place>("pairs, in place", 1, 200, 130);
  test<64, 128, form::numbered>("pairs, a number", 2, 200, 130);
  return run::finish();
}
