// accept: a mark that stands twice, a class without elements as a base, a parameter of length zero
#include <cuda_tile.h>
#include "../probe.h"

struct nothing {
  int elements[0];
};
struct something : nothing {
  int n;
};
extern __tile__ int later;
__tile__ __tile__ int marked = 3;
__tile__ __tile__ int read(int elements[0]) { return elements[0]; }
__tile_global__ __tile_global__ void k(int *out) {
  something s;
  s.n = 1;
  int two[2] = {4, 5};
  out[0] = s.n + read(two) + marked + later;
}
__tile__ int later = 10;

int main() {
  Buf<int> out(1);
  k<<<1, 1>>>(out);
  ran();
  out.print("out");
  return probe_bad;
}
