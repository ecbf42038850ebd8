// A program of SIMT and tile files that are compiled apart (-dc) and linked by tessera-nvcc.
#include "shared.cuh"

#include <cstdio>

int main() {
  int host[64] = {}, counted = 0, wrong = 0, *p;
  cudaMalloc(&p, sizeof host);
  cudaMemset(p, 0, sizeof host);
  run_one(p); // ((0 + 3) * 10 + 2) - 1 = 31
  run_two(p); // ((31 + 3) * 20 + 4) - 2 = 682
  cudaMemcpy(host, p, sizeof host, cudaMemcpyDeviceToHost);
  count<<<1, 1>>>(p);
  cudaMemcpy(&counted, p, sizeof counted, cudaMemcpyDeviceToHost);
  for (int x : host)
    wrong += x != 682;
  wrong += counted != 128;
  cudaError_t error = cudaDeviceSynchronize();
  std::printf("%s: %d wrong, %d counted, %s\n", wrong || error ? "failed" : "passed", wrong,
              counted, cudaGetErrorString(error));
  return wrong != 0 || error != cudaSuccess;
}
