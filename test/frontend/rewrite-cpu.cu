// On the CPU a kernel stays a function whose first statement turns a launch into a run over the
// grid; lines keep their numbers.
// RUN: %tessera --target=cpu -o - %s | grep -v CHECK | FileCheck %s
#include <cuda_tile.h>

// CHECK: template <class T, int N = 4> __tile_global__ void fill(T *out, T value) { if (auto *__tessera = __tessera_tile_launch()) return __tessera_run(__tessera, [=] { (::fill<T, N>)(out, value); }); out[0] = T(N) + value; }
template <class T, int N = 4> __tile_global__ void fill(T *out, T value) { out[0] = T(N) + value; }

// A parameter without a name gets one.
// CHECK: void first(int *out, int __tessera_argument_1)
__tile_global__ void first(int *out, int) { out[0] = 1; }

int main() {
  // CHECK: (__tessera_configure(dim3(2, 3), 1), fill<float>(nullptr, 1.0f));
  fill<float><<<dim3(2, 3), 1>>>(nullptr, 1.0f);
  // CHECK: (__tessera_configure(4), first(nullptr, 0));
  first<<<4>>>(nullptr, 0);
}
// CHECK: kernel_registration<
// CHECK-NEXT: void (*)(float *, float),
// CHECK-NEXT: &::fill<float, 4>>
// CHECK-NEXT: __tessera_fill_float_4_registration{"fill<float, 4>"};
// CHECK: &::first>
// CHECK-NEXT: __tessera_first_registration{"first"};
