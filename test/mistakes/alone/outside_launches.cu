// [tile:launch] What no code of the device runs may launch; what it runs may not.
#include <cuda_tile.h>

__tile_global__ void kernel(int *p) { p[0] = 1; }
int *memory;
int outside(int n = (kernel<<<1, 1>>>(memory), 1));
struct member {
  int n = (kernel<<<1, 1>>>(memory), 1);
};
using type = decltype(kernel<<<1, 1>>>(memory));

__tile_global__ void tile(int *p) {
  kernel<<<1, 1>>>(p);
//^ error: a kernel is launched from device code; kernels are launched by the host
//  [tile:launch/launch-from-device]
  // right: p[0] = 1;
}
