// A guess of C types: the sign of a short was that of its spelling.
#include "../run/run.h"
#include <cuda_tile.h>
namespace ct = cuda::tiles;
using namespace ct::literals;

__tile_global__ void narrow(long long *o, unsigned char u) { o[0] = (short)(u << 8); }

int main() {
  run::array<long long> o(1);
  narrow<<<1, 1>>>(o, 255);
  run::expect("o", o, [](auto) { return -256; });
  return run::finish();
}
