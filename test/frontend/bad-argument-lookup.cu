// Kernels of other namespaces that no argument leads to.
// RUN: not %tessera check %s 2>&1 | FileCheck %s
#include <cuda_tile.h>
namespace ns {
enum value : int { one };
__tile_global__ void kernel(int *p, int n) { p[0] = n; }
template <class T> __tile_global__ void of_type(int *p, T n) { p[0] = n; }
namespace {
__tile_global__ void hidden(int *p, value n) { p[0] = n; }
} // namespace
} // namespace ns
template <class T> void launch(int *p, T n) {
  // CHECK: :[[#@LINE+1]]:3: error: {{.*}}'ns::kernel'
  kernel<<<1, 1>>>(p, n);
}
void host(int *p) {
  kernel<<<1, 1>>>(p, ns::one);
  launch(p, ns::one);
  launch(p, 1);
  // CHECK: :[[#@LINE+1]]:3: error: {{.*}}'ns::of_type'
  of_type<<<1, 1>>>(p, 1);
  // CHECK: :[[#@LINE+1]]:3: error: {{.*}}hidden'
  hidden<<<1, 1>>>(p, ns::one);
}
// CHECK-NOT: error:
