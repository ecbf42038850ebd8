// accept: arguments of enumeration types
#include <cuda_tile.h>
#include "../probe.h"
enum plain { one = 1 };
enum class scoped : int { two = 2 };
__tile_global__ void k() {
  printf("%d\n", one);
  printf("%d\n", int(scoped::two));
}
int main() {
  k<<<1, 1>>>();
  ran();
  return probe_bad;
}
