// Tiles of pointers are tiles: they change layout, are compared, chosen, joined, reshaped and
// permuted, and lie in shared memory as what they are.
#include "run.h"
#include <cuda_tile.h>
namespace ct = cuda::tiles;
using lanes = ct::tile<int, ct::shape<64>>;

__tile_global__ void two_layouts(const int *p, int *o, int *sums) {
  auto i = ct::iota<lanes>();
  auto q = p + (ct::load(p + i) & 127);
  auto x = ct::load(ct::reshape(q, ct::shape<8, 8>{}));
  ct::store(o + i, ct::load(q));
  ct::store(sums + ct::iota<ct::tile<int, ct::shape<8>>>(),
            ct::reshape(ct::sum<1>(x), ct::shape<8>{}));
}

__tile_global__ void shapes(const int *p, const int *r, int *o) {
  auto i = ct::iota<lanes>();
  auto a = p + i, b = r + i;
  auto c = ct::cat<0>(a, b);
  ct::store(o + ct::iota<ct::tile<int, ct::shape<128>>>(), ct::load(c));
  ct::store(o + 128 + i, ct::load(ct::select(i % 2 == 0, a, b)));
  auto zero = i * 0;
  ct::store(o + 192 + i, ct::select(a == p + 3, zero + 1, zero) +
                             ct::select(a != b, zero + 2, zero) +
                             ct::select(a < p + 5, zero + 4, zero));
  auto turned = ct::permute(ct::reshape(a, ct::shape<8, 8>{}), ct::dimension_map<1, 0>{});
  ct::store(ct::reshape(o + 256 + i, ct::shape<8, 8>{}), ct::load(turned));
}

int main() {
  auto element = [](std::size_t i) { return int(i * 37 % 1000); };
  run::array<int> p(128, element), r(64, [](auto i) { return 1000 + i; });
  run::array<int> gathered(64), sums(8), o(320);
  two_layouts<<<1, 1>>>(p, gathered, sums);
  auto at = [&](std::size_t i) { return element(element(i) & 127); };
  run::expect("gathered", gathered, at);
  run::expect("sums", sums, [&](auto i) {
    int sum = 0;
    for (int k = 0; k < 8; ++k)
      sum += at(8 * i + k);
    return sum;
  });
  shapes<<<1, 1>>>(p, r, o);
  run::expect("shapes", o, [&](auto n) -> int {
    const std::size_t i = n % 64;
    switch (n / 64) {
    case 0: return element(i);
    case 1: return 1000 + i;
    case 2: return i % 2 == 0 ? element(i) : 1000 + i;
    case 3: return (i == 3) + 2 + (i < 5 ? 4 : 0);
    default: return element(i % 8 * 8 + i / 8);
    }
  });
  return run::finish();
}
