// A kernel's hints are read where their values are numbers, template parameters or constants, and
// what is made of them.
// RUN: %tessera --arch=sm_90a --dump=tile -o /dev/null %s 2>&1 | FileCheck %s
// RUN: %tessera --arch=sm_86 --dump=tile -o /dev/null %s 2>&1 \
// RUN:   | FileCheck %s --check-prefix=AMPERE
// RUN: %tessera --arch=sm_90a -o - %s | FileCheck %s --check-prefix=TEXT
// RUN: %tessera explain --arch=sm_90a %s 2>&1 | FileCheck %s --check-prefix=SAID
#include <cuda_tile.h>

constexpr int three = 3;
enum { ninety = 900 };

// CHECK: func.func @literal{{.*}}tile.occupancy = 2 : i64
// TEXT: __launch_bounds__({{[0-9]+}}, 2) literal_simt
extern "C" [[cutile::hint(0, occupancy = 2)]] __tile_global__ void literal(int *p) { *p = 1; }
// CHECK: func.func @constants{{.*}}tile.occupancy = 5 : i64
// TEXT: __launch_bounds__({{[0-9]+}}, 5) constants_simt
// SAID: constants: {{.*}} compiled with registers for 5 blocks per SM; the hint asks for 5 blocks
extern "C" [[cutile::hint(ninety, occupancy = (three + 2) * 2 / 2u)]] __tile_global__ void
constants(int *p) {
  *p = 1;
}
// CHECK: func.func @{{.*}}of_template{{.*}}tile.occupancy = 4 : i64
template <class T, int N>
[[cutile::hint(0, occupancy = N - 1, num_cta_in_cga = 1)]] __tile_global__ void of_template(T *p) {
  *p = N;
}
template __tile_global__ void of_template<int, 5>(int *);
// What is said of this architecture goes before what is said of all, in either order; what is said
// of others is for them.
// CHECK: func.func @specific{{.*}}tile.occupancy = 3 : i64
// AMPERE: func.func @specific{{.*}}tile.occupancy = 2 : i64
extern "C" [[cutile::hint(900, occupancy = 3), cutile::hint(0, occupancy = 2)]] __tile_global__ void
specific(int *p) {
  *p = 1;
}
// CHECK: func.func @of_others
// CHECK-NOT: tile.occupancy
// CHECK: return
extern "C" [[cutile::hint(1000, occupancy = 4), cutile::hint(800, occupancy = 3)]] __tile_global__
    void
    of_others(int *p) {
  *p = 1;
}
// What is not a number here is left alone.
// CHECK: func.func @other
// CHECK-NOT: tile.occupancy
extern "C" [[cutile::hint(0, occupancy = sizeof(int))]] __tile_global__ void other(int *p) {
  *p = 1;
}
// A backslash at the end of a line belongs to no name.
// CHECK: func.func @behind_splice{{.*}}tile.occupancy = 2 : i64
extern "C" [[cutile::hint(\
0,\
occupancy = \
three - 1)]] __tile_global__ void behind_splice(int *p) {
  *p = 1;
}
// A name is the same with a universal character name.
constexpr int gr\u00f6sse = 2;
// CHECK: func.func @universal{{.*}}tile.occupancy = 2 : i64
extern "C" [[cutile::hint(0, occupancy = gr\u00f6sse)]] __tile_global__ void universal(int *p) {
  *p = 1;
}
