// printf of bytes: a GPU's own printf knows no length of a byte, so a conversion shows the low byte
// of an argument of any width, with a sign or without as its letter says.
#include "run.h"
#include <cuda_tile.h>

namespace ct = cuda::tiles;

__tile_global__ void print(int x) {
  printf("%hhd %hd %d%%hhd|%hhu %hhx %5hhi|\n", x, short(x), x, x, x, x);
}

__tile_global__ void print_tiles(const unsigned char *u, const signed char *s, int x) {
  auto i = ct::iota<ct::tile<int, ct::shape<4>>>();
  auto unsigned_bytes = ct::load(u + i);
  auto signed_bytes = ct::load(s + i);
  printf("%hhu %hhd %hhx %hho\n", unsigned_bytes, signed_bytes, signed_bytes, unsigned_bytes);
  printf("%hhd %hhu %d %u %hd\n", unsigned_bytes, signed_bytes, signed_bytes, unsigned_bytes,
         i + 65535);
  printf("%hhd|%hhu|%hhx\n", i + x, i + x, x);
}

int main() {
  print<<<1, 1>>>(300);
  run::require(cudaDeviceSynchronize());
  print<<<1, 1>>>(-3);
  run::require(cudaDeviceSynchronize());
  run::array<unsigned char> u(4, [](auto i) { return 250 + i; });
  run::array<signed char> s(4, [](auto i) { return int(i) - 2; });
  print_tiles<<<1, 1>>>(u, s, 254);
  run::require(cudaDeviceSynchronize());
}
