// Keys and values that are too large for a stage of each in shared memory: the values of an
// iteration come where its keys were. Numbers are small integers, so that all sums are exact.
#include "run.h"

#include <cuda_tile.h>

namespace ct = cuda::tiles;
using half = __half;

constexpr int keys = 128, latent = 512, rope = 64;

template <int Rows, int Columns, class T> __tile__ auto tiles(T *p, int rows) {
  return ct::partition_view{ct::tensor_span{ct::assume_aligned<16>(p),
                                            ct::extents{rows, ct::integral_constant<Columns>{}}},
                            ct::shape<Rows, Columns>{}};
}

/// o = sum over the keys of (q k + r s) v, [heads, latent]: each block has Heads heads.
template <int Heads>
__tile_global__ void sums(const half *__restrict__ q, const half *__restrict__ r,
                          const half *__restrict__ k, const half *__restrict__ s,
                          const half *__restrict__ v, float *__restrict__ o, int count) {
  auto query = tiles<Heads, latent>(q, Heads).load(0, 0);
  auto turned = tiles<Heads, rope>(r, Heads).load(0, 0);
  auto k_tiles = tiles<keys, latent>(k, count);
  auto s_tiles = tiles<keys, rope>(s, count);
  auto v_tiles = tiles<keys, latent>(v, count);
  auto sum = ct::zeros<ct::tile<float, ct::shape<latent, Heads>>>();
  for (auto i : ct::irange(0, ct::ceildiv(count, keys))) {
    auto scores = ct::mma(k_tiles.load_masked(i, 0), ct::transpose(query),
                          ct::zeros<ct::tile<float, ct::shape<keys, Heads>>>());
    scores = ct::mma(s_tiles.load_masked(i, 0), ct::transpose(turned), scores);
    sum = ct::mma(ct::transpose(v_tiles.load_masked(i, 0)), ct::element_cast<half>(scores), sum);
  }
  tiles<Heads, latent>(o, Heads).store(ct::transpose(sum), 0, 0);
}

template <int Heads> void check(int count) {
  auto number = [](int from, int to) {
    return [=](auto i) { return int(i * 7919 % 613) % (to - from + 1) + from; };
  };
  run::array<half> q(Heads * latent, number(-1, 1)), r(Heads * rope, number(-1, 2)),
      k(count * latent, number(-1, 1)), s(count * rope, number(-2, 1)),
      v(count * latent, number(-1, 2));
  run::array<float> o(Heads * latent, [](auto) { return -1; });
  sums<Heads><<<1, 1>>>(q, r, k, s, v, o, count);
  std::vector<double> wanted(Heads * latent);
  for (int head = 0; head < Heads; ++head)
    for (int j = 0; j < count; ++j) {
      double score = 0;
      for (int e = 0; e < latent; ++e)
        score += q[head * latent + e] * k[j * latent + e];
      for (int e = 0; e < rope; ++e)
        score += r[head * rope + e] * s[j * rope + e];
      for (int e = 0; e < latent; ++e)
        wanted[head * latent + e] += score * v[j * latent + e];
    }
  run::expect("sums", o, [&](std::size_t i) { return wanted[i]; });
}

int main() {
  check<16>(128);
  check<16>(300);
  check<16>(0);
  return run::finish();
}
