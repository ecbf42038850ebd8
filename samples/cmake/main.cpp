#include "saxpy.h"

#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

static void require(cudaError_t status) {
  if (status == cudaSuccess)
    return;
  std::printf("saxpy: %s\n", cudaGetErrorString(status));
  std::exit(1);
}

int main() {
  const int n = 1000;
  std::vector<float> x(n), y(n, 1.0f);
  for (int i = 0; i < n; ++i)
    x[i] = float(i);
  float *device_x = nullptr, *device_y = nullptr;
  const size_t bytes = n * sizeof(float);
  require(cudaMalloc(reinterpret_cast<void **>(&device_x), bytes));
  require(cudaMalloc(reinterpret_cast<void **>(&device_y), bytes));
  require(cudaMemcpy(device_x, x.data(), bytes, cudaMemcpyHostToDevice));
  require(cudaMemcpy(device_y, y.data(), bytes, cudaMemcpyHostToDevice));
  saxpy(n, 2.0f, device_x, device_y);
  require(cudaGetLastError());
  require(cudaMemcpy(y.data(), device_y, bytes, cudaMemcpyDeviceToHost));
  int wrong = 0;
  for (int i = 0; i < n; ++i)
    wrong += y[i] != 2.0f * float(i) + 1.0f;
  std::printf("saxpy: %d of %d wrong\n", wrong, n);
  return wrong != 0;
}
