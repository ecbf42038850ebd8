// A kernel's hints are read where their values are numbers, template parameters or constants, and
// what is made of them.
// RUN: %tessera --arch=sm_90a --dump=tile -o /dev/null %s 2>&1 | FileCheck %s
// RUN: %tessera --arch=sm_90a -o - %s | FileCheck %s --check-prefix=TEXT
// RUN: %tessera explain --arch=sm_90a %s 2>&1 | FileCheck %s --check-prefix=SAID
#include <cuda_tile.h>

constexpr int three = 3;
enum { ninety = 900 };

// CHECK: func.func @literal{{.*}}tile.occupancy = array<i64: 0, 2>
// TEXT: __launch_bounds__({{[0-9]+}}, 2) literal_simt
extern "C" [[cutile::hint(0, occupancy = 2)]] __tile_global__ void literal(int *p) { *p = 1; }
// CHECK: func.func @constants{{.*}}tile.occupancy = array<i64: 900, 5>
// TEXT: __launch_bounds__({{[0-9]+}}, 5) constants_simt
// SAID: constants: {{.*}} a thread gets the registers that 5 leave it; the hint asks for 5
extern "C" [[cutile::hint(ninety, occupancy = (three + 2) * 2 / 2u)]] __tile_global__ void
constants(int *p) {
  *p = 1;
}
// CHECK: func.func @{{.*}}of_template{{.*}}tile.occupancy = array<i64: 0, 4>
template <class T, int N>
[[cutile::hint(0, occupancy = N - 1, num_cta_in_cga = 1)]] __tile_global__ void of_template(T *p) {
  *p = N;
}
template __tile_global__ void of_template<int, 5>(int *);
// What is not a number here is left alone.
// CHECK: func.func @other
// CHECK-NOT: tile.occupancy
extern "C" [[cutile::hint(0, occupancy = sizeof(int))]] __tile_global__ void other(int *p) {
  *p = 1;
}
