// accept: constants of wide and narrow types
#include <cuda_tile.h>
#include "../probe.h"
namespace ct = cuda::tiles;

const long long a = 1ll << 40;
const char b = 'x';
const bool c = true;
constexpr unsigned short d = 65535;

__tile_global__ void k(int *out) { out[0] = int(a >> 38) + (b == 'x') + c + d; }

int main() {
  Buf<int> out(8);
  k<<<1, 1>>>(out);
  ran();
  out.print("out");
  return probe_bad;
}
