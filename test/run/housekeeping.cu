// What programs call around their kernels and does nothing to them: limits, profilers, priorities.
#include "run.h"

#include <cuda_profiler_api.h>
#include <cuda_tile.h>

namespace ct = cuda::tiles;

__tile_global__ void twice(int *values) {
  auto at = ct::iota<ct::tile<int, ct::shape<64>>>();
  ct::store(values + at, ct::load(values + at) * 2);
}

int main() {
  size_t limit = 0;
  run::require(cudaDeviceSetLimit(cudaLimitPrintfFifoSize, 1 << 20));
  run::require(cudaDeviceGetLimit(&limit, cudaLimitPrintfFifoSize));
  cudaFuncCache configuration;
  run::require(cudaDeviceSetCacheConfig(cudaFuncCachePreferL1));
  run::require(cudaDeviceGetCacheConfig(&configuration));
  unsigned flags = 0;
  run::require(cudaGetDeviceFlags(&flags));
  char name[32] = "";
  run::require(cudaDeviceGetPCIBusId(name, sizeof name, 0));
  bool isUsed = limit >= 1 << 20 && name[0] != 0;

  int least, greatest, priority = -1;
  run::require(cudaDeviceGetStreamPriorityRange(&least, &greatest));
  cudaStream_t stream;
  run::require(cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking, greatest));
  run::require(cudaStreamGetPriority(stream, &priority));
  run::require(cudaStreamGetFlags(stream, &flags));
  isUsed &= priority == greatest && flags == cudaStreamNonBlocking;

  int *values;
  run::require(cudaMallocManaged((void **)&values, 64 * sizeof(int)));
  for (int i = 0; i < 64; ++i)
    values[i] = i;
  run::require(cudaStreamAttachMemAsync(stream, values, 0, cudaMemAttachGlobal));
  run::require(cudaProfilerStart());
  twice<<<1, 1, 0, stream>>>(values);
  run::require(cudaStreamSynchronize(stream));
  run::require(cudaProfilerStop());
  for (int i = 0; i < 64; ++i)
    isUsed &= values[i] == 2 * i;
  std::printf("%s\n", isUsed ? "right" : "wrong");
  return isUsed ? 0 : 1;
}
