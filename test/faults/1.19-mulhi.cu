// mulhi of signed 32- and 64-bit elements: CPU and emulator disagreed. It reads bits as unsigned.
#include "../run/run.h"
#include <cuda_tile.h>
namespace ct = cuda::tiles;

template <class T> __tile_global__ void high(const T *x, T *y) {
  auto i = ct::iota<ct::tile<int, ct::shape<16>>>();
  ct::store(y + i, ct::mulhi(ct::load(x + i), ct::load(x + (15 - i))));
}

template <class T> void check(const char *name) {
  using bits = std::make_unsigned_t<T>;
  run::array<T> x(16,
                  [](auto i) { return T((i * 0x9e3779b97f4a7c15ull) >> (64 - 8 * sizeof(T))); });
  run::array<T> y(16);
  high<T><<<1, 1>>>(x, y);
  run::expect(name, y, [&](auto i) {
    return T((unsigned __int128)bits(x.host[i]) * bits(x.host[15 - i]) >> 8 * sizeof(T));
  });
}

int main() {
  check<int>("int");
  check<long long>("long long");
  return run::finish();
}
