// Arguments of launches that launch kernels themselves, tile and SIMT, and arguments that throw: a
// launch takes its own configuration, and one whose argument throws launches nothing. (Of a SIMT
// kernel that is launched by its name the CUDA runtime keeps the configuration then: see
// throwing_arguments.cu.)
#include "run.h"

#include <cuda_tile.h>

__global__ void set(int *out, int value) { out[blockIdx.x] = value + int(gridDim.x); }
__tile_global__ void set_tile(int *out, int value) {
  out[cuda::tiles::bid().x] = value + 10 * cuda::tiles::num_blocks().x;
}

int *device = nullptr;

int read(int i) {
  int value = 0;
  run::require(cudaDeviceSynchronize());
  run::require(cudaMemcpy(&value, device + i, sizeof value, cudaMemcpyDeviceToHost));
  return value;
}
int by_simt(int value) { return set<<<2, 1>>>(device + 8, value), read(9); }
int by_tiles(int value) { return set_tile<<<3, 1>>>(device + 8, value), read(10); }
int nested(int value) { return set_tile<<<1, 1>>>(device + 12, by_simt(value)), read(12); }
int throwing() { throw 1; }
int catching(int value) {
  try {
    set_tile<<<5, 1>>>(device, by_simt(7) + throwing());
  } catch (int) {
  }
  return value;
}

template <class Kernel> void launch_all(const char *name, Kernel kernel) {
  run::require(cudaMemset(device, 0, 16 * sizeof(int)));
  kernel<<<4, 1>>>(device, by_simt(100));
  std::printf("%s: %d %d\n", name, read(3), read(4));
  kernel<<<4, 1>>>(device, by_tiles(200));
  std::printf("%s: %d %d\n", name, read(3), read(4));
  kernel<<<2, 1>>>(device, nested(300));
  std::printf("%s: %d\n", name, read(1));
  kernel<<<2, 1>>>(device, catching(400));
  std::printf("%s: %d\n", name, read(1));
  catching(0);
  kernel<<<3, 1>>>(device, 500);
  std::printf("%s: %d\n", name, read(2));
}

int main() {
  run::require(cudaMalloc((void **)&device, 16 * sizeof(int)));
  set<<<4, 1>>>(device, by_simt(100)); // by name
  std::printf("%d\n", read(3));
  set<<<4, 1>>>(device, nested(100) + catching(0));
  std::printf("%d\n", read(3));
  set_tile<<<4, 1>>>(device, by_simt(100) + by_tiles(100) + catching(0));
  std::printf("%d\n", read(3));
  launch_all("simt", set);
  launch_all("tile", set_tile);
  run::require(cudaGetLastError());
  return read(2) == 530 ? 0 : 1;
}
