// Loops of multiplies with a mask in every iteration: causal, of a window, of a length, as a
// condition that holds or that does not, by steps of a tile, from any first iteration. Numbers are
// small integers, so that all sums are exact: the result of row i is the sum over the keys j that
// it sees of (q_i k_j) v_j.
#include "run.h"

#include <cuda_tile.h>
namespace ct = cuda::tiles;
using bf16 = __nv_bfloat16;

constexpr int rows = 64, keys = 32, depth = 64;

enum class mask { causal, window, length, hidden, all, wraps };

template <mask Mask, bool ByElements>
__tile_global__ void see(const bf16 *__restrict__ q, const bf16 *__restrict__ k,
                         const bf16 *__restrict__ v, float *__restrict__ o, int n, int m, int first,
                         int last, int window) {
  using scores = ct::tile<float, ct::shape<rows, keys>>;
  auto tiles = [](auto *p, int height, auto shape) {
    return ct::partition_view{ct::tensor_span{ct::assume_aligned<16>(p),
                                              ct::extents{height, ct::integral_constant<depth>{}}},
                              shape};
  };
  auto k_tiles = tiles(k, m, ct::shape<keys, depth>{}),
       v_tiles = tiles(v, m, ct::shape<keys, depth>{});
  const int block = ct::bid().x;
  auto query = tiles(q, n, ct::shape<rows, depth>{}).load_masked(block, 0);
  auto row = ct::iota<ct::tile<int, ct::shape<rows, 1>>>() + block * rows;
  auto key = ct::iota<ct::tile<int, ct::shape<1, keys>>>();
  auto sum = ct::zeros<ct::tile<float, ct::shape<rows, depth>>>();
  auto add = [&](int tile, auto at) {
    auto s = ct::mma(query, ct::transpose(k_tiles.load_masked(tile, 0)), ct::zeros<scores>());
    if constexpr (Mask == mask::causal)
      s = ct::select(at <= row, s, ct::zeros<scores>());
    else if constexpr (Mask == mask::window)
      s = ct::select(at > row - window && at <= row, s, ct::zeros<scores>());
    else if constexpr (Mask == mask::length)
      s = ct::select(at < window, s, ct::zeros<scores>());
    else if constexpr (Mask == mask::hidden)
      s = ct::select(at > row || window <= at, ct::zeros<scores>(), s);
    else if constexpr (Mask == mask::all)
      s = ct::select(row + at * 2 >= window, s, ct::zeros<scores>());
    else if constexpr (Mask == mask::wraps)
      s = ct::select(at * (1 << 20) + row > window, s, ct::zeros<scores>());
    sum = sum + ct::mma(ct::element_cast<bf16>(s), v_tiles.load_masked(tile, 0),
                        ct::zeros<ct::tile<float, ct::shape<rows, depth>>>());
  };
  if constexpr (ByElements) {
    for (int i = first * keys; i < last * keys; i += keys)
      add(i / keys, key + i);
  } else {
    for (auto i : ct::irange(first, last))
      add(i, key + i * keys);
  }
  tiles(o, n, ct::shape<rows, depth>{}).store_masked(sum, block, 0);
}

bool sees(mask kind, int row, int key, int window) {
  switch (kind) {
  case mask::causal: return key <= row;
  case mask::window: return key > int(unsigned(row) - unsigned(window)) && key <= row;
  case mask::length: return key < window;
  case mask::hidden: return !(key > row || window <= key);
  case mask::all: return row + key * 2 >= window;
  case mask::wraps: return int((unsigned(key) << 20) + unsigned(row)) > window;
  }
  return false;
}

template <mask Mask, bool ByElements> void check(int n, int m, int first, int last, int window) {
  auto number = [](int from, int to) {
    return [=](auto i) { return int(i * 7919 % 613) % (to - from + 1) + from; };
  };
  run::array<bf16> q(n * depth, number(-1, 1)), k(m * depth, number(-1, 2)),
      v(m * depth, number(-2, 1));
  run::array<float> o(n * depth, [](auto) { return -1; });
  see<Mask, ByElements><<<(n + rows - 1) / rows, 1>>>(q, k, v, o, n, m, first, last, window);
  std::vector<double> wanted(n * depth);
  for (int i = 0; i < n; ++i)
    for (int j = first * keys; j < last * keys && j < m; ++j) {
      double score = 0;
      if (sees(Mask, i, j, window))
        for (int e = 0; e < depth; ++e)
          score += q[i * depth + e] * k[j * depth + e];
      for (int d = 0; score != 0 && d < depth; ++d)
        wanted[i * depth + d] += score * v[j * depth + d];
    }
  run::expect("sums", o, [&](std::size_t i) { return wanted[i]; });
}

int main() {
  for (bool ends : {false, true}) {
    const int n = ends ? 150 : 128, m = ends ? 149 : 128, tiles = (m + keys - 1) / keys;
    check<mask::causal, false>(n, m, 0, tiles, 0);
    check<mask::causal, true>(n, m, ends, tiles, 0);
    check<mask::window, false>(n, m, 0, tiles, 70);
    check<mask::window, true>(n, m, 1, tiles - ends, 40);
    check<mask::hidden, false>(n, m, 0, tiles, 100);
    check<mask::all, true>(n, m, 0, tiles, 130);
  }
  check<mask::length, false>(64, 160, 0, 5, 97);
  check<mask::length, true>(64, 160, 0, 5, 160);
  check<mask::length, false>(64, 160, 0, 5, 0);
  check<mask::length, false>(64, 160, 3, 3, 50);
  check<mask::causal, false>(64, 160, 4, 2, 0); // no iteration
  check<mask::window, false>(64, 96, 0, 3, -2147483647);
  // Sides that leave 32 bits, from an iteration on: behind them they are negative.
  check<mask::wraps, false>(64, 2176, 60, 68, 5);
  return run::finish();
}
