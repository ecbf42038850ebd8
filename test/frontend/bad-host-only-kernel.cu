// Every pass must see a kernel that is launched: one that the host's pass alone instantiates or
// defines would be no device function at run time. Naming it elsewhere is enough.
// RUN: not %tessera -o - %s 2>&1 | FileCheck %s --implicit-check-not=error:
// RUN: not %clang_plugin -S %s -o /dev/null 2>&1 | FileCheck %s --implicit-check-not=error:
#include <cuda_runtime.h>
#include <cuda_tile.h>

template <int N> __tile_global__ void k(int *out) { out[0] = N; }
#ifndef __CUDA_ARCH__
// CHECK-DAG: bad-host-only-kernel.cu:[[@LINE+1]]:{{.*}}error: kernel 'host_only' is defined or instantiated in the host pass only, so the device pass has no kernel to launch; name it where __CUDA_ARCH__ is defined, too [tile:kernels/host-only-kernel]
__tile_global__ void host_only(int *out) { out[0] = 1; }
#endif

void launch(int *p) {
  k<1><<<1, 1>>>(p);
#ifndef __CUDA_ARCH__
  k<1><<<2, 1>>>(p);
  host_only<<<1, 1>>>(p);
  // CHECK-DAG: bad-host-only-kernel.cu:[[@LINE+1]]:{{.*}}error: kernel 'k<2>' is defined or instantiated in the host pass only
  k<2><<<1, 1>>>(p);
#endif
}
