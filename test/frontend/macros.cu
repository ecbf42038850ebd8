// A kernel or launch that a macro writes: its use is replaced by what it expands to. Conditionals
// inside stay in balance.
// RUN: %tessera --target=cpu -o - %s | FileCheck %s
#include <cuda_tile.h>

#define KERNEL(name, value) __tile_global__ void name(int *out) { out[0] = value; }
#define LAUNCH(kernel) kernel<<<1, 1>>>(nullptr)
#define WRAP(...) { __VA_ARGS__ }

// CHECK: __tile_global__ {{ *}}void one(int *out) { if (auto *launch = {{.*}}::one(out); }); out[0] = 1; }
KERNEL(one, 1)

// CHECK: void two(int *out) { if (auto *launch = {{.*}}::two(out); }); out[0] = 2; }
__tile_global__ void two(int *out) WRAP(out[0] = 2;)

int main() {
  // CHECK: (::tessera::host::configure(1, 1), one(nullptr));
  LAUNCH(one);
}
