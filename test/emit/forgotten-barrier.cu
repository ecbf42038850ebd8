// A release publishes what the whole block wrote: InsertBarriers puts a barrier before it. Told to
// forget that very barrier, it leaves a race of the other threads' stores with whoever acquires,
// which the verifier of the plan and the emulator report.
// RUN: %tessera --target=emulate %s -o %t.cu
// RUN: env TESSERA_VERIFY=0 %tessera --target=emulate --forget-barrier=1 %s -o %t.less.cu
// RUN: grep -c '^ *barrier();$' %t.cu | FileCheck %s --check-prefix=ALL
// RUN: grep -c '^ *barrier();$' %t.less.cu | FileCheck %s --check-prefix=ONE-LESS
// ALL: 3
// ONE-LESS: 2
//
// RUN: not env TESSERA_VERIFY=1 %tessera --target=emulate --forget-barrier=1 %s -o - 2>&1 \
// RUN:   | FileCheck %s --check-prefix=VERIFIER
// VERIFIER: accesses that conflict have a barrier between them
//
// RUN: %clang_emulate %t.cu %emulator -o %t.right
// RUN: %clang_emulate %t.less.cu %emulator -o %t.less
// RUN: %t.right
// RUN: sh -c '%t.less 2> %t.report; test $? = 86'
// RUN: FileCheck %s --input-file=%t.report --check-prefix=REPORT
// REPORT: race in global memory: kernel fill, block (1, 0, 0): {{.*}} reads memory
// REPORT-SAME: written by block (0, 0, 0)
#include <cuda_runtime.h>
#include <cuda_tile.h>
namespace ct = cuda::tiles;

__tile_global__ void fill(int *__restrict__ data, int *__restrict__ flag, int *__restrict__ out) {
  auto numbers = ct::iota<ct::tile<int, ct::shape<1024>>>();
  if (ct::bid().x == 0) {
    ct::store(data + numbers, numbers + 3);
    ct::atomic_store(flag, 1, ct::memory_order_release_t{}, ct::thread_scope_device_t{});
  } else {
    while (ct::atomic_load(flag, ct::memory_order_acquire_t{}, ct::thread_scope_device_t{}) == 0) {
    }
    ct::store(out + numbers, ct::load(data + numbers));
  }
}

int main() {
  int *data, *flag, *out;
  cudaMalloc((void **)&data, 1024 * sizeof *data);
  cudaMalloc((void **)&flag, sizeof *flag);
  cudaMalloc((void **)&out, 1024 * sizeof *out);
  cudaMemset(flag, 0, sizeof *flag);
  fill<<<2, 1>>>(data, flag, out);
  return cudaDeviceSynchronize() != cudaSuccess;
}
