// More of the guessed types: text that does not compile.
#include "../run/run.h"
#include <cuda_tile.h>
namespace ct = cuda::tiles;
using namespace ct::literals;

__tile__ const int primes[8] = {2, 3, 5, 7, 11, 13, 17, 19};
__tile_global__ void walk(unsigned *u, unsigned n, unsigned *o) {
  for (unsigned *r = u; r != u + n; ++r)
    *o = *o * 31 + *r;
}
__tile_global__ void range(int *o) {
  for (int p : primes)
    *o++ = p;
}
__tile_global__ void swap(float **t) { t[0] = t[1]; }
__tile_global__ void halves(const __half *h, __half *o, int n) {
  const __half *from = n > 3 ? h : h + 2;
  o[0] = from[1];
}

int main() {
  run::array<unsigned> u(3, [](auto i) { return i + 1; }), hash(1);
  walk<<<1, 1>>>(u, 3, hash);
  run::expect("hash", hash, [](auto) { return 1026; });
  run::array<int> o(8);
  range<<<1, 1>>>(o);
  const int wanted[] = {2, 3, 5, 7, 11, 13, 17, 19};
  run::expect("primes", o, [&](auto i) { return wanted[i]; });
  run::array<long long> table(2, [](auto i) { return i; });
  swap<<<1, 1>>>(reinterpret_cast<float **>(table.device));
  run::expect("table", table, [](auto) { return 1; });
  run::array<__half> h(4, [](auto i) { return i; }), one(1);
  halves<<<1, 1>>>(h, one, 3);
  run::expect("half", one, [](auto) { return 3; });
  return run::finish();
}
