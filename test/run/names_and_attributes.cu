// Kernels that share their names with functions of the C library; attributes in front of kernels
// and of tile functions; template arguments that a string spells otherwise.
#include "run.h"
#include <unistd.h>
#include <cuda_tile.h>
namespace ct = cuda::tiles;
__tile_global__ void read(const int *x, int *o) { o[0] = x[0] + 1; }
template <class T> __tile_global__ void write(T *o, T x) { o[0] = x; }
__tile_global__ void abs(int *o) { o[0] = ct::abs(-o[0]) + 2; }
[[maybe_unused]] __tile__ static int used_attribute(int x) { return x * 2; }
[[gnu::cold]] __tile_global__ void after(int *o) { o[0] = used_attribute(o[0]); }
template <char c> __tile_global__ void letter(int *o) { o[0] = c; }
int main() {
  run::array<int> x(1, [](auto) { return 5; }), o(1);
  read<<<1, 1>>>(x, o);
  run::expect("o", o, [](auto) { return 6; });
  write<<<1, 1>>>(o.device, 9);
  run::expect("o", o, [](auto) { return 9; });
  abs<<<1, 1>>>(o.device);
  after<<<1, 1>>>(o);
  run::expect("o", o, [](auto) { return 22; });
  letter<'"'><<<1, 1>>>(o.device);
  run::expect("o", o, [](auto) { return 34; });
  letter<'\\'><<<1, 1>>>(o.device);
  run::expect("o", o, [](auto) { return 92; });
  return run::finish();
}
