// targets: cpu,emulate
// A SIMT kernel that is launched by its name with an argument that throws leaves no configuration
// behind for the next launch. On a GPU the launch is CUDA's own, which leaves it.
#include "run.h"

#include <cuda_tile.h>

__global__ void set(int *out, int value) { out[blockIdx.x] = value + int(gridDim.x); }
__tile_global__ void set_tile(int *out, int value) {
  out[cuda::tiles::bid().x] = value + 10 * cuda::tiles::num_blocks().x;
}

int throwing() { throw 1; }
int catching(int *out, int value) {
  try {
    set<<<5, 1>>>(out, throwing());
  } catch (int) {
  }
  return value;
}

template <class Kernel> void launch(const char *name, Kernel kernel, int *out, int expected) {
  kernel<<<4, 1>>>(out, catching(out, 100));
  run::require(cudaDeviceSynchronize());
  std::printf("%s: %d\n", name, out[3]);
  run::failures += out[3] != expected || out[4] != 0;
}

int main() {
  int *out;
  run::require(cudaMallocManaged(&out, 8 * sizeof *out));
  run::require(cudaMemset(out, 0, 8 * sizeof *out));
  catching(out, 0);
  set<<<4, 1>>>(out, catching(out, 100));
  run::require(cudaDeviceSynchronize());
  std::printf("by name: %d\n", out[3]);
  run::failures += out[3] != 104;
  launch("simt", set, out, 104);
  launch("tile", set_tile, out, 140);
  return run::failures != 0;
}
