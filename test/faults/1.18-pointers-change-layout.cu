// A tile of pointers that is used under two layouts: text that does not compile.
#include "../run/run.h"
#include <cuda_tile.h>
namespace ct = cuda::tiles;
__tile_global__ void two_layouts(const int *p, int *o, int *sums) {
  auto i = ct::iota<ct::tile<int, ct::shape<64>>>();
  auto q = p + (ct::load(p + i) & 127);
  ct::store(o + i, ct::load(q));
  auto turned = ct::permute(ct::reshape(q, ct::shape<8, 8>{}), ct::dimension_map<1, 0>{});
  auto s = sums + ct::iota<ct::tile<int, ct::shape<64>>>();
  ct::store(ct::reshape(s, ct::shape<8, 8>{}), ct::partial_sum<1>(ct::load(turned)));
}

int main() {
  run::array<int> p(128, [](auto i) { return 127 - i; }), o(64), sums(64);
  two_layouts<<<1, 1>>>(p, o, sums);
  run::expect("o", o, [](auto i) { return i; });
  run::expect("sums", sums, [](auto i) {
    int sum = 0;
    for (int k = 0; k <= int(i) % 8; ++k)
      sum += k * 8 + i / 8;
    return sum;
  });
  return run::finish();
}
