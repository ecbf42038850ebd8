// Calls of the CUDA runtime got the address of the entry, not of a kernel; the registry was
// unguarded (test/driver/launch-while-loading.test).
#include "../run/run.h"
#include <cuda_tile.h>
namespace ct = cuda::tiles;
using namespace ct::literals;

__tile_global__ void add(int *x, int n) { x[0] += n; }

int main() {
  run::array<int> x(1);
  int *pointer = x, n = 5;
  void *arguments[] = {&pointer, &n};
  run::require(::cudaLaunchKernel((const void *)add, dim3(1), dim3(1), arguments, 0, nullptr));
  cudaLaunchConfig_t configuration{};
  configuration.gridDim = configuration.blockDim = dim3(1);
  run::require(cudaLaunchKernelExC(&configuration, (const void *)add, arguments));
  cudaFuncAttributes attributes;
  run::require(cudaFuncGetAttributes(&attributes, (const void *)add));
  run::expect("x", x, [](auto) { return 10; });
  return run::finish();
}
