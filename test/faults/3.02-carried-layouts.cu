// Two loops that carry a tile, each with another wish for its layout: what the first loop's body
// receives and what it gives had two types, a fault of the compiler.
#include "../run/run.h"
#include <cuda_tile.h>
namespace ct = cuda::tiles;
template <int R, int C> __tile__ auto places() {
  return ct::iota<ct::tile<int, ct::shape<R, C>>>();
}

template <class T> __tile__ auto settled(T x) {
  return ct::element_cast<float>(ct::element_cast<int>(x) & 15);
}

__tile_global__ void scanned(const float *x, int n, float *o) {
  auto wide = ct::load(x + places<16, 32>());
  auto y = ct::load(x + places<32, 16>()), z = ct::load(x + places<32, 16>());
  auto w = ct::load(x + places<32, 16>());
  for (int i = 0; i < n; ++i)
    if (i & 1) {
      z = settled(z + ct::reduce_max<0>(ct::transpose(ct::reshape(w, ct::shape<16, 32>{}))));
      y = settled(ct::partial_sum<0>(ct::reshape(wide, ct::shape<32, 16>{})));
    }
  for (int i = 0; i < n - 1; ++i)
    z = settled(ct::partial_sum<1>(y));
  ct::store(o + places<32, 16>(), z);
}

int main() {
  run::array<float> x(512, [](auto i) { return int(i % 7) - 3; }), o(512);
  scanned<<<1, 1>>>(x, 3, o);
  run::expect("o", o, [&](auto i) {
    int sum = 0;
    for (unsigned column = 0; column <= i % 16; ++column) {
      int above = 0;
      for (unsigned row = 0; row <= i / 16; ++row)
        above += int(x[row * 16 + column]);
      sum += above & 15;
    }
    return sum & 15;
  });
  return run::finish();
}
