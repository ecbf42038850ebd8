// A program that does not end is ended, and told of: kernel, blocks, and what they wait for.
// RUN: sh -c '%tessera run -O0 --target=cpu -g --timeout=2 %s 2>&1; test $? -eq 124' | FileCheck %s --check-prefixes=CHECK,LINE
// RUN: %if long %{ not %tessera run -O0 --target=cpu --timeout=2 %s 2>&1 | FileCheck %s --check-prefixes=CHECK,CPU %}
// RUN: %if long %{ not %tessera run -O0 --target=cpu --timeout=2 %s -- host 2>&1 | FileCheck %s --check-prefix=HOST %}
// RUN: env TESSERA_PATIENCE=1 sh -c '%tessera run -O0 --target=emulate --timeout=4 %s 2>&1; test $? -eq 124' > %t.told
// RUN: FileCheck %s --check-prefix=TOLD --input-file=%t.told
// RUN: FileCheck %s --check-prefixes=CHECK,EMULATE --input-file=%t.told
// RUN: not env PATH=/nowhere %tessera run --target=gpu --timeout=1 %s 2>&1 | FileCheck %s --check-prefix=KEEPER
// KEEPER: tessera: --timeout on a GPU needs the program timeout (coreutils), which is not in PATH
#include <cuda_tile.h>
#include <cuda_runtime.h>
#include <unistd.h>
namespace ct = cuda::tiles;

// Waits for a flag that nobody sets.
__tile_global__ void waits(int *flag) {
  if (ct::bid().x == 1)
    while (ct::atomic_load(flag, ct::memory_order_relaxed_t{}, ct::thread_scope_device_t{}) == 0)
      ;
}

int main(int argc, char **) {
  int *flag;
  cudaMalloc((void **)&flag, sizeof *flag);
  cudaMemset(flag, 0, sizeof *flag);
  while (argc > 1)
    sleep(1);
  waits<<<2, 1>>>(flag);
  cudaDeviceSynchronize();
}
// CHECK: tessera: the program did not end within {{[24]}} seconds
// CHECK-NEXT: tessera: kernel waits: 1 of 2 blocks have ended
// CPU-NEXT: block (1, 0, 0) runs
// LINE-NEXT: block (1, 0, 0) runs at {{.*}}timeout.cu:18
// EMULATE-NEXT: block (1, 0, 0): thread 0 at a loop that polls memory; threads 1-31 at barrier; the loop is at {{.*}}timeout.cu:18
// HOST: tessera: the program did not end within 2 seconds; no kernel runs
// TOLD: tessera: kernel waits: no block has ended for 1 second; 1 of 2 blocks have ended
// TOLD-NEXT: block (1, 0, 0): thread 0 at a loop that polls memory
// TOLD: TESSERA_TIMEOUT=SECONDS
