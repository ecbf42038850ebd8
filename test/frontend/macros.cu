// A kernel or launch that a macro writes: its use is replaced by what it expands to. Conditionals
// inside stay in balance. What a macro gives a launch is written out.
// RUN: %tessera --target=cpu -o - %s | grep -v CHECK | FileCheck %s
// RUN: %tessera run -O0 --target=cpu %s
#include <cuda_tile.h>

#define KERNEL(name, value) __tile_global__ void name(int *out) { out[0] = value; }
#define KERNEL_BELOW(name, value) \
__tile_global__ void name(int *out) { out[0] = value; }
#define LAUNCH(kernel) kernel<<<1, 1>>>(nullptr)
#define WRAP(...) { __VA_ARGS__ }
#define LAUNCH_OF(N, P) three<N><<<4, 1>>>(P, N)
#define GRID 4, 1
#define START three<6><<<2, 1>>>

// CHECK: __tile_global__ {{ *}}void one(int *out) { if (auto *__tessera = {{.*}}(::one)(out); }); out[0] = 1; }
KERNEL(one, 1)

// CHECK: __tile_global__ {{ *}}void below(int *out) { if (
KERNEL_BELOW(below, 3)

// CHECK: void two(int *out) { if (auto *__tessera = {{.*}}(::two)(out); }); out[0] = 2; }
__tile_global__ void two(int *out) WRAP(out[0] = 2;)

template <int N> __tile_global__ void three(int *out, int n) {
  if (out)
    out[0] = N + n;
}

void launch_all() {
  // CHECK: (__tessera_configure(1, 1), one(nullptr));
  LAUNCH(one);
}

int main() {
  int *p = nullptr;
  // CHECK: (__tessera_configure(4, 1), three<7>(p, 7));
  LAUNCH_OF(7, p);
  // CHECK: (__tessera_configure(4, 1), three<5>(p, 5));
  three<5><<<GRID>>>(p, 5);
  // CHECK: (__tessera_configure(2, 1), three<6>(p, 6));
  START(p, 6);
}
