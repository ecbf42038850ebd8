// Attention in small: the result of one mma is scaled, exponentiated, rounded and fed to the next,
// over a loop of key blocks.
#include "run.h"
#include <cuda_tile.h>
namespace ct = cuda::tiles;

constexpr int queries = 64, keys = 32, depth = 32;

__tile_global__ void attention(const __half *q, const __half *k, const __half *v, float *o,
                               int length) {
  auto q_tiles = ct::partition_view{ct::tensor_span{q, ct::shape<queries, depth>{}},
                                    ct::shape<queries, depth>{}};
  auto k_tiles =
      ct::partition_view{ct::tensor_span{k, ct::extents{length, ct::integral_constant<depth>{}}},
                         ct::shape<keys, depth>{}};
  auto v_tiles =
      ct::partition_view{ct::tensor_span{v, ct::extents{length, ct::integral_constant<depth>{}}},
                         ct::shape<keys, depth>{}};
  auto o_tiles = ct::partition_view{ct::tensor_span{o, ct::shape<queries, depth>{}},
                                    ct::shape<queries, depth>{}};
  using column = ct::tile<float, ct::shape<queries, 1>>;

  auto query = q_tiles.load(0, 0);
  auto sum = ct::zeros<ct::tile<float, ct::shape<queries, depth>>>();
  auto largest = ct::full<column>(-1e30f), weight = ct::zeros<column>();
  for (auto i : ct::irange(0, (length + keys - 1) / keys)) {
    auto score = ct::mma(query, ct::transpose(k_tiles.load_masked(i, 0)),
                         ct::zeros<ct::tile<float, ct::shape<queries, keys>>>()) *
                 0.125f;
    auto inside = ct::iota<ct::tile<int, ct::shape<1, keys>>>() + i * keys < length;
    score = ct::select(inside, score, ct::full<decltype(score)>(-1e30f));
    auto now = ct::max(largest, ct::reduce_max<1>(score));
    auto p = ct::exp(score - now);
    auto fade = ct::exp(largest - now);
    weight = weight * fade + ct::sum<1>(p);
    sum = ct::mma(ct::element_cast<__half>(p), v_tiles.load_masked(i, 0), sum * fade);
    largest = now;
  }
  o_tiles.store(sum / weight, 0, 0);
}

int main() {
  constexpr int length = 77;
  run::array<__half> q(queries * depth, [](auto i) { return run::small(i); }),
      k(length * depth, [](auto i) { return run::small(i + 3); });
  run::array<__half> v(length * depth, [](auto i) { return run::small(i + 11); });
  run::array<float> o(queries * depth);
  attention<<<1, 1>>>(q, k, v, o, length);

  std::vector<double> wanted(queries * depth);
  for (int i = 0; i < queries; ++i) {
    double weight = 0;
    for (int j = 0; j < length; ++j) {
      double score = 0;
      for (int d = 0; d < depth; ++d)
        score += q[i * depth + d] * k[j * depth + d];
      weight += std::exp(score / 8);
      for (int d = 0; d < depth; ++d)
        wanted[i * depth + d] += std::exp(score / 8) * v[j * depth + d];
    }
    for (int d = 0; d < depth; ++d)
      wanted[i * depth + d] /= weight;
  }
  run::expect("attention", o, [&](auto i) { return wanted[i]; }, run::tolerance<__half>);
  return run::finish();
}
