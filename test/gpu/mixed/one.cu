// A unit of the program with kernels of names that the other unit has as well, and a SIMT kernel
// that calls device code of a third.
#include "shared.cuh"

namespace {
__tile__ int own() { return 10; }
__tile_global__ void hidden(int *p) {
  auto at = p + ct::iota<lanes>();
  ct::store(at, ct::load(at) * own());
}
__global__ void simt(int *p) { p[threadIdx.x] += twice(1) + atomicAdd(&counter, 1) * 0; }
} // namespace

static __tile_global__ void last(int *p) {
  auto at = p + ct::iota<lanes>();
  ct::store(at, ct::load(at) - 1);
}

void run_one(int *p) {
  add<3><<<1, 1>>>(p);
  hidden<<<1, 1>>>(p);
  simt<<<1, 64>>>(p);
  last<<<1, 1>>>(p);
}
