// accept: kernels of nested and inline namespaces, and a using declaration
#include <cuda_tile.h>
#include "../probe.h"
namespace a::inline v1 {
__tile_global__ void k(int *out) { out[0] = 1; }
} // namespace a::inline v1
namespace b {
using a::k;
}
int main() {
  Buf<int> out(1);
  b::k<<<1, 1>>>(out);
  ran();
  out.print("out");
  return probe_bad;
}
