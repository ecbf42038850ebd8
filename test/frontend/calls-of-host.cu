// A function for host and device may call functions of the host: nvcc warns of it, and the text
// keeps it. A function of the device, and tile code, may not. Clang has an error there, so that the
// text is for nvcc alone.
// RUN: %tessera %s -o %t.cu 2>&1 | count 0
// RUN: grep -v CHECK %t.cu | FileCheck %s
// RUN: not %tessera -DDEVICE %s -o - 2>&1 | FileCheck %s --check-prefix=DEVICE
// RUN: not %tessera -DTILE %s -o - 2>&1 | FileCheck %s --check-prefix=TILE
#include <cuda_tile.h>

int of_host(int x);
template <class T> int with_launch(T *p);

// CHECK: __host__ __device__ int both(int x) { return x > 3 ? of_host(x) : x; }
__host__ __device__ int both(int x) { return x > 3 ? of_host(x) : x; }
struct member {
  __host__ __device__ int operator()(int x) const { return of_host(x); }
};
template <class T> __host__ __device__ int dispatch(T *p) {
  auto call = [=] { return with_launch(p); };
  return *p > 3 ? call() : member()(*p);
}
__global__ void simt(int *p) { *p = both(*p) + dispatch(p); }

// CHECK: static __global__ void tile_int_simt
template <class T> __tile_global__ void tile(T *p) { *p = 1; }
template <class T> int with_launch(T *p) {
  tile<<<1, 1>>>(p);
  return 0;
}
int main() { return dispatch<int>(nullptr); }

#ifdef DEVICE
__device__ int device(int x) { return of_host(x); }
// DEVICE: calls-of-host.cu:[[@LINE-1]]:39: error: no matching function for call to 'of_host'
#endif
#ifdef TILE
__tile__ int helper(int x) { return of_host(x); }
// TILE: calls-of-host.cu:[[@LINE-1]]:{{.*}}error: {{.*}}of_host
__tile_global__ void calls(int *p) { *p = helper(*p); }
#endif
