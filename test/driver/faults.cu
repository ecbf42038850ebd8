// Kernels that fail without a GPU: named, with the program's line, and the launch has failed when
// it returns. Under the emulator that is a report where the kernel says nothing by itself.
// RUN: %tessera run -O0 --target=cpu %s -- 0 2>&1 | FileCheck %s --check-prefix=ASSERT
// RUN: %tessera run -O0 --target=emulate %s -- 0 2>&1 | FileCheck %s --check-prefix=ASSERT
// RUN: %tessera run -O0 -g --target=cpu %s -- 1 2>&1 | FileCheck %s --check-prefixes=NULL,ENDS
// RUN: not %tessera run -O0 --target=emulate %s -- 1 2>&1 | FileCheck %s --check-prefix=REPORT
// RUN: not %tessera run -O0 -g --target=cpu %s -- 2 2>&1 | FileCheck %s --check-prefixes=SIMT,ENDS
// RUN: not %tessera run -O0 --target=emulate %s -- 2 2>&1 | FileCheck %s --check-prefixes=SIMT,ENDS
// RUN: %tessera run -O0 --check=bounds --target=cpu %s -- 3 2>&1 | FileCheck %s --check-prefix=CHECK
// RUN: not %tessera run -O0 --check=bounds --target=emulate %s -- 3 2>&1 | FileCheck %s --check-prefix=CHECK
// RUN: not %tessera run -O0 --target=emulate %s -- 4 2>&1 | FileCheck %s --check-prefix=HOST
// RUN: env TESSERA_EMULATE_HOST_MEMORY=1 %tessera run -O0 --target=emulate %s -- 4 2>&1 | FileCheck %s --check-prefix=OPEN
// RUN: not %tessera run -O0 --target=emulate %s -- 5 2>&1 | FileCheck %s --check-prefix=FAR
#include <cassert>
#include <cstdio>
#include <cstdlib>
#include <cuda_tile.h>
#include <cuda_runtime.h>
namespace ct = cuda::tiles;

__tile_global__ void asserts(int n) {
  assert(n < 0);
}
__tile_global__ void writes(int *p, int n) {
  p[n] = 1;
}
__global__ void writes_simt(int *p) {
  *p = 1;
}
__tile_global__ void stores(int *p) {
  auto v = ct::partition_view{ct::tensor_span{p, ct::extents{8}}, ct::shape<8>{}};
  v.store(ct::full<ct::tile<int, ct::shape<8>>>(1), 1);
}

int main(int, char **argv) {
  int *p;
  cudaMalloc((void **)&p, 1024);
  switch (std::atoi(argv[1])) {
  case 0: asserts<<<2, 1>>>(1); break;
  case 1: writes<<<2, 1>>>(nullptr, 0); break;
  case 2: writes_simt<<<2, 64>>>(nullptr); break;
  case 3: stores<<<1, 1>>>(p); break;
  case 4: writes<<<1, 1>>>((int *)std::malloc(64), 0); break;
  case 5: writes<<<1, 1>>>(p, -(1 << 30)); break;
  }
  std::printf("%s\n", cudaGetErrorName(cudaGetLastError()));
  std::fflush(stdout);
}
// ASSERT: {{.*}}faults.cu:22: {{.*}}asserts{{.*}}: Assertion `n < 0' failed. [kernel asserts, block (
// ASSERT: cudaErrorAssert
// NULL: {{.*}}faults.cu:25: segmentation fault: access of 0x0, a null pointer [kernel writes, block (
// REPORT: global memory out of range: kernel writes, block ({{.*}}): thread 0 (warp 0) writes 4 bytes at 0x0, a null pointer [{{.*}}faults.cu:25;
// SIMT: kernel writes_simt, block ({{.*}}): thread 0 (warp 0): segmentation fault: access of 0x0, a null pointer [{{.*}}faults.cu:28;
// ENDS: cudaErrorIllegalAddress
// CHECK: {{.*}}faults.cu:32: tessera check: store of a tile to 'p'
// CHECK: cudaErrorAssert
// HOST: memory of the host: kernel writes, block (0, 0, 0): thread 0 (warp 0) writes 4 bytes at 0x{{.*}}cudaHostRegister{{.*}}[{{.*}}faults.cu:25;
// OPEN-NOT: memory
// FAR: global memory out of range: {{.*}} writes 4 bytes at 0x{{[0-9a-f]+}}, 4294967296 bytes before the 1024 bytes allocated at 0x{{[0-9a-f]+}}; a 32-bit index that wrapped around would give this address [{{.*}}faults.cu:25;
