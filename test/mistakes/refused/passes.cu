// [tile:kernels] What one of the program's passes sees and another does not.
#include <cuda_runtime.h>
#include <cuda_tile.h>

template <int N> __tile_global__ void numbered(int *out) { out[0] = N; }
void launch(int *p) {
  numbered<1><<<1, 1>>>(p);
#ifndef __CUDA_ARCH__
  numbered<2><<<1, 1>>>(p);
//^ error: kernel 'numbered<2>' is defined or instantiated in the host pass only, so the device pass
//  has no kernel to launch; name it where __CUDA_ARCH__ is defined, too
//  [tile:kernels/host-only-kernel]
  // right: numbered<1><<<2, 1>>>(p);
#endif
}
