// mulhi of signed elements differed between CPU and emulator; of narrow scalars and min of unsigned
// char: text that does not compile.
#include "../run/run.h"
#include <cuda_tile.h>
namespace ct = cuda::tiles;
using namespace ct::literals;

template <class T> __tile_global__ void high(const T *x, T *y) {
  auto i = ct::iota<ct::tile<int, ct::shape<16>>>();
  ct::store(y + i, ct::mulhi(ct::load(x + i), ct::load(x + (15 - i))));
  y[16] = ct::mulhi(x[0], x[15]);
}
__tile_global__ void least(const unsigned char *x, int *y) { y[0] = ct::min(x[0], x[1]); }

template <class T> void check(const char *name) {
  const int bits = 8 * sizeof(T);
  run::array<T> x(16, [](auto i) { return T((i * 0x9e3779b97f4a7c15ull) >> (64 - bits)); }), y(17);
  high<T><<<1, 1>>>(x, y);
  run::expect(name, y,
              [&](auto i) { return T(__int128(x.host[i % 16]) * x.host[15 - i % 16] >> bits); });
}

int main() {
  check<int>("int");
  check<long long>("long long");
  check<signed char>("signed char");
  check<short>("short");
  run::array<unsigned char> x(2, [](auto i) { return 200 + i; });
  run::array<int> y(1);
  least<<<1, 1>>>(x, y);
  run::expect("least", y, [](auto) { return 200; });
  return run::finish();
}
