// Nothing is said of what is written for the program: of emitted kernels, and of the runtime's
// headers, whichever way their folder is named. What is said of the program's own code stays, with
// no more of its path than is given: a folder above may have any name.
// DEFINE: %{many} = -O2 -Wall -Wextra -pedantic -Wold-style-cast -Wsign-conversion -Wshadow \
// DEFINE:   -Wreserved-identifier
// RUN: cd %S && %clang_plugin %{many} -c warnings-of-texts.cu -o /dev/null 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=tessera --implicit-check-not=warning:
// RUN: %if long %{ cd %S && %clang_plugin -g %{many} -c warnings-of-texts.cu -o /dev/null 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=tessera --implicit-check-not=warning: %}
// RUN: cd %S && %clang_host %{many} -c warnings-of-texts.cu -o /dev/null 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=tessera --implicit-check-not=warning:
#include <cuda_fp16.h>
#include <cuda_tile.h>
namespace ct = cuda::tiles;

__tile_global__ void kernel(float *p, int n, short s) {
  auto i = ct::iota<ct::tile<int, ct::shape<64>>>();
  auto x = ct::load_masked(p + i, i < n, 0.0f);
  for (int k : ct::irange(0, n))
    x = x + ct::partial_sum<0>(x) * static_cast<float>(s + k);
  ct::store(p + i, ct::sum<0>(x) + x);
}
// CHECK: [[#@LINE+1]]:{{.*}} warning: use of old-style cast [-Wold-style-cast]
__device__ __host__ inline long old(int x) { return (long)x; }
static __global__ void simt(long *p) { *p = old(3); }
void launch(long *p) { simt<<<1, 1>>>(p); }
