// [tile:launch] Relocatable device code launches kernels of SIMT code alone.
// of the plugin: -fgpu-rdc
#include <cuda_runtime.h>
#include <cuda_tile.h>

__tile_global__ void kernel(int *p) { p[0] = 1; }
__global__ void simt(int *p) { kernel<<<1, 1>>>(p); }
//                             ^ error: a kernel is launched from device code; kernels are launched
//                  by the host [tile:launch/launch-from-device]
// right: void host(int *p) { kernel<<<1, 1>>>(p); }
