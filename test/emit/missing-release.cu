// The emulator is the judge of orders between blocks, too: a flag that says "data is there" needs a
// release and an acquire of device scope.
// RUN: %tessera --target=emulate %s -o %t.cu
// RUN: sed 's/order::release/order::relaxed/' %t.cu > %t.release.cu
// RUN: sed 's/order::acquire/order::relaxed/' %t.cu > %t.acquire.cu
// RUN: sed '/order::release/s/scope::device/scope::block/' %t.cu > %t.scope.cu
// RUN: %clang_emulate %t.cu %emulator -o %t.right
// RUN: %clang_emulate %t.release.cu %emulator -o %t.release
// RUN: %clang_emulate %t.acquire.cu %emulator -o %t.acquire
// RUN: %clang_emulate %t.scope.cu %emulator -o %t.scope
// RUN: %t.right
// RUN: sh -c '%t.release 2> %t.release.report; test $? = 86'
// RUN: sh -c '%t.acquire 2> %t.acquire.report; test $? = 86'
// RUN: sh -c '%t.scope 2> %t.scope.report; test $? = 86'
// RUN: FileCheck %s --input-file=%t.release.report
// RUN: FileCheck %s --input-file=%t.acquire.report
// RUN: FileCheck %s --input-file=%t.scope.report
// CHECK: race in global memory: kernel hand_over, block (1, 0, 0): {{thread [0-9]+ .warp [0-9]+.}} reads memory at
// CHECK-SAME: written by block (0, 0, 0), {{.*}} with no release and acquire between the blocks
// CHECK-NEXT: this access: 4 bytes at {{.*}}; the other: 4 bytes at
#include <cuda_runtime.h>
#include <cuda_tile.h>
namespace ct = cuda::tiles;

__tile_global__ void hand_over(int *__restrict__ data, int *__restrict__ flag,
                               int *__restrict__ out) {
  auto one = ct::iota<ct::tile<int, ct::shape<1>>>();
  if (ct::bid().x == 0) {
    ct::store(data + one, one + 3);
    ct::atomic_store(flag, 1, ct::memory_order_release_t{}, ct::thread_scope_device_t{});
  } else {
    while (ct::atomic_load(flag, ct::memory_order_acquire_t{}, ct::thread_scope_device_t{}) == 0) {
    }
    ct::store(out + one, ct::load(data + one));
  }
}

int main() {
  int *data, *flag, *out;
  cudaMalloc((void **)&data, sizeof *data);
  cudaMalloc((void **)&flag, sizeof *flag);
  cudaMalloc((void **)&out, sizeof *out);
  cudaMemset(flag, 0, sizeof *flag);
  hand_over<<<2, 1>>>(data, flag, out);
  return cudaDeviceSynchronize() != cudaSuccess;
}
