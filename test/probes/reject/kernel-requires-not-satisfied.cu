// reject: a launch of a kernel whose constraint does not hold
#include <cuda_tile.h>
template <class T>
  requires(sizeof(T) == 4)
__tile_global__ void k(T *out) {
  out[0] = 2;
}
int main() { k<<<1, 1>>>(static_cast<short *>(nullptr)); }
