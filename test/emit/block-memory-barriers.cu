// Threads of a block count in each other's bins: a barrier stands behind the zeros, and one in
// front of the reading. Without the first one the emulator reports a race.
// RUN: %tessera --target=emulate %s -o %t.cu
// RUN: grep -c '^ *barrier();$' %t.cu | FileCheck %s --check-prefix=ALL
// ALL: 2
// RUN: awk '/^ *barrier\(\);$/ && ++n == 1 { next } { print }' %t.cu > %t.less.cu
//
// RUN: %clang_emulate %t.cu %emulator -o %t.right
// RUN: %clang_emulate %t.less.cu %emulator -o %t.less
// RUN: %t.right
// RUN: sh -c '%t.less 2> %t.report; test $? = 86'
// RUN: FileCheck %s --input-file=%t.report --check-prefix=REPORT
// REPORT: race in shared memory: kernel count
#include <cuda_runtime.h>
#include <cuda_tile.h>
namespace ct = cuda::tiles;

__tile_global__ void count(const int *__restrict__ x, int *__restrict__ counts) {
  int own[256];
  auto bin = ct::iota<ct::tile<int, ct::shape<256>>>();
  ct::store(own + bin, ct::zeros<decltype(bin)>());
  ct::atomic_add(own + ct::load(x + bin), ct::ones<decltype(bin)>(), ct::memory_order_relaxed_t{},
                 ct::thread_scope_block_t{});
  ct::store(counts + bin, ct::load(own + bin));
}

int main() {
  int x[256], counts[256], *device;
  for (int i = 0; i < 256; ++i)
    x[i] = 255 - i;
  cudaMalloc((void **)&device, 2 * sizeof x);
  cudaMemcpy(device, x, sizeof x, cudaMemcpyDefault);
  count<<<1, 1>>>(device, device + 256);
  if (cudaMemcpy(counts, device + 256, sizeof counts, cudaMemcpyDefault) != cudaSuccess)
    return 1;
  for (int count : counts)
    if (count != 1)
      return 2;
}
