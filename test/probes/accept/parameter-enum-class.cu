// accept: parameters of enumeration types
#include <cuda_tile.h>
#include "../probe.h"
enum class small : unsigned char { a = 200 };
enum plain { x = -3 };
enum class big : long long { b = 1ll << 40 };
__tile_global__ void k(long long *out, small a, plain b, big c) {
  out[0] = int(a);
  out[1] = b;
  out[2] = (long long)c;
}
int main() {
  Buf<long long> out(3);
  k<<<1, 1>>>(out, small::a, x, big::b);
  ran();
  out.print("out");
  return probe_bad;
}
