// Kernels that fail without a GPU: named, with the program's line, and the launch has failed when
// it returns. Under the emulator that is a report where the kernel says nothing by itself.
// Each case is a process of its own: the program starts itself for each.
// RUN: %tessera run -O0 -g --check=bounds --target=cpu %s -- 0 1 2 3 7 > %t.cpu 2>&1
// RUN: FileCheck %s --input-file=%t.cpu --check-prefixes=ASSERT,NULL,SIMT,CHECK,CPU,LIBRARY
// RUN: %tessera run -O0 --check=bounds --target=emulate %s -- 0 1 2 3 4 5 6 7 > %t.emulate 2>&1
// RUN: FileCheck %s --input-file=%t.emulate --check-prefixes=ASSERT,REPORT,SIMT,CHECK,EMULATE,HOST,FAR,OPEN,LIBRARY
// Without checks, too.
// RUN: %if long %{ %tessera run -O0 -g --target=cpu %s -- 0 1 2 2>&1 | FileCheck %s --check-prefixes=ASSERT,NULL,SIMT %}
// RUN: %if long %{ %tessera run -O0 --target=emulate %s -- 0 1 2 2>&1 | FileCheck %s --check-prefixes=ASSERT,REPORT,SIMT %}
#include <cassert>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
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
__global__ void clears_simt(int *p, int n) {
  std::memset(p, 0, n);
}
__tile_global__ void stores(int *p) {
  auto v = ct::partition_view{ct::tensor_span{p, ct::extents{8}}, ct::shape<8>{}};
  v.store(ct::full<ct::tile<int, ct::shape<8>>>(1), 1);
}

int main(int count, char **argv) {
  for (int i = 1; i < count && count > 2; ++i) {
    const std::string open = argv[i][0] == '6' ? "TESSERA_EMULATE_HOST_MEMORY=1 " : "";
    const int status = std::system((open + argv[0] + " " + argv[i]).c_str());
    std::printf("case %s: %s\n", argv[i], status ? "failure" : "success");
    std::fflush(stdout);
  }
  if (count > 2)
    return 0;
  int *p;
  cudaMalloc((void **)&p, 1024);
  switch (std::atoi(argv[1])) {
  case 0: asserts<<<2, 1>>>(1); break;
  case 1: writes<<<2, 1>>>(nullptr, 0); break;
  case 2: writes_simt<<<2, 64>>>(nullptr); break;
  case 3: stores<<<1, 1>>>(p); break;
  case 4:
  case 6: writes<<<1, 1>>>((int *)std::malloc(64), 0); break;
  case 7: clears_simt<<<1, 1>>>(nullptr, 1 << 20); break;
  case 5: writes<<<1, 1>>>(p, -(1 << 30)); break;
  }
  std::printf("%s\n", cudaGetErrorName(cudaGetLastError()));
  std::fflush(stdout);
}
// ASSERT: {{.*}}faults.cu:21: {{.*}}asserts{{.*}}: Assertion `n < 0' failed. [kernel asserts, block (
// ASSERT-NEXT: cudaErrorAssert
// ASSERT: case 0: success
// NULL: {{.*}}faults.cu:24: segmentation fault: access of 0x0, a null pointer [kernel writes, block (
// NULL-NEXT: cudaErrorIllegalAddress
// NULL: case 1: success
// REPORT: global memory out of range: kernel writes, block ({{.*}}): thread 0 (warp 0) writes 4 bytes at 0x0, a null pointer [{{.*}}faults.cu:24;
// REPORT: case 1: failure
// SIMT: kernel writes_simt, block ({{.*}}): thread 0 (warp 0): segmentation fault: access of 0x0, a null pointer [{{.*}}faults.cu:27;
// SIMT: cudaErrorIllegalAddress
// SIMT: case 2: failure
// CHECK: {{.*}}faults.cu:34: tessera check: store of a tile to 'p'
// CHECK: cudaErrorAssert
// CPU: case 3: success
// EMULATE: case 3: failure
// HOST: memory of the host: kernel writes, block (0, 0, 0): thread 0 (warp 0) writes 4 bytes at 0x{{.*}}cudaHostRegister{{.*}}[{{.*}}faults.cu:24;
// HOST: case 4: failure
// FAR: global memory out of range: {{.*}} writes 4 bytes at 0x{{[0-9a-f]+}}, 4294967296 bytes before the 1024 bytes allocated at 0x{{[0-9a-f]+}}; a 32-bit index that wrapped around would give this address [{{.*}}faults.cu:24;
// FAR: case 5: failure
// OPEN-NOT: memory
// OPEN: case 6: success
// LIBRARY: kernel clears_simt, block (0, 0, 0){{.*}}: segmentation fault: access of 0x0, a null pointer [{{.*}}faults.cu:30;
// LIBRARY: case 7: failure
