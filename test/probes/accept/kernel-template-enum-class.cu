// accept: an enum class value is a template argument of a kernel
#include <cuda_tile.h>
#include "../probe.h"
enum class op { add, mul };
template <op O> __tile_global__ void k(int *out) { out[0] = O == op::add ? 3 + 4 : 3 * 4; }
int main() {
  Buf<int> out(1);
  k<op::mul><<<1, 1>>>(out);
  ran();
  out.print("out");
  return probe_bad;
}
