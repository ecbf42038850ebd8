// Tiles of pointers that are compared, joined, permuted, reshaped, chosen: text that does not
// compile.
#include "../run/run.h"
#include <cuda_tile.h>
namespace ct = cuda::tiles;
using namespace ct::literals;

__tile_global__ void shapes(const int *p, const int *r, int *o) {
  auto i = ct::iota<ct::tile<int, ct::shape<64>>>();
  auto a = p + i, b = r + i;
  ct::store(o + ct::iota<ct::tile<int, ct::shape<128>>>(), ct::load(ct::cat<0>(a, b)));
  ct::store(o + 128 + i, ct::load_masked(ct::select(i % 2 == 0, a, b), a != p + 3, -1));
  auto turned = ct::permute(ct::reshape(a, ct::shape<8, 8>{}), ct::dimension_map<1, 0>{});
  ct::store(ct::reshape(o + 192 + i, ct::shape<8, 8>{}), ct::load(turned));
}

int main() {
  run::array<int> p(64, [](auto i) { return i; }), r(64, [](auto i) { return 64 + i; }), o(256);
  shapes<<<1, 1>>>(p, r, o);
  run::expect("shapes", o, [](auto n) -> int {
    const int i = n % 64;
    return n < 128 ? n : n < 192 ? i == 3 ? -1 : i + i % 2 * 64 : i % 8 * 8 + i / 8;
  });
  return run::finish();
}
