// Scalar arithmetic as C++ writes it. What wraps or divides as unsigned is spelled unsigned; what
// may not overflow stays signed.
// RUN: %tessera %s -o - | FileCheck %s
#include <cuda_tile.h>

// CHECK-LABEL: {{^}}// signed_numbers,
// CHECK: store_once({{.*}}, i + 1);
// CHECK: store_once({{.*}}, i / j);
// CHECK: store_once({{.*}}, i >> 2);
// CHECK: store_once({{.*}}, (i < j) ? i : j);
__tile_global__ void signed_numbers(int *out, int i, int j) {
  out[0] = i + 1;
  out[1] = i / j;
  out[2] = i >> 2;
  out[3] = i < j ? i : j;
}

// CHECK-LABEL: {{^}}// unsigned_numbers,
// CHECK: store_once({{.*}}, {{.*}}u + 1u{{.*}});
// CHECK: store_once({{.*}}, {{.*}}u / v{{.*}});
// CHECK: store_once({{.*}}, {{.*}}u >> 2{{.*}});
__tile_global__ void unsigned_numbers(unsigned *out, unsigned u, unsigned v) {
  out[0] = u + 1;
  out[1] = u / v;
  out[2] = u >> 2;
}

// The same bits, compared as each type does.
// CHECK-LABEL: {{^}}// comparisons,
// CHECK: i < j
// CHECK: unsigned(i) < unsigned(j)
// CHECK: unsigned(i) / unsigned(j)
__tile_global__ void comparisons(int *out, int i, int j) {
  out[0] = i < j;
  out[1] = unsigned(i) < unsigned(j);
  out[2] = unsigned(i) / unsigned(j);
}

// CHECK-LABEL: {{^}}// widths,
// CHECK: (int64)i
// CHECK: (int64)u
// CHECK: (double)i
// CHECK: (double)u
__tile_global__ void widths(long long *out, double *real, int i, unsigned u) {
  out[0] = i;
  out[1] = u;
  real[0] = i;
  real[1] = u;
}

// Literals keep their type and their value.
// CHECK-LABEL: {{^}}// literals,
// CHECK: (-2147483647 - 1)
// CHECK: 9007199254740993ll
// CHECK: 0.1f
// CHECK: INFINITY
// CHECK: -0.0f
__tile_global__ void literals(int *i, long long *l, float *f) {
  i[0] = -2147483647 - 1;
  l[0] = 9007199254740993;
  f[0] = 0.1f;
  f[1] = __builtin_inff();
  f[2] = -0.0f;
}

namespace ct = cuda::tiles;

// A pointer parameter of which something was assumed keeps the programmer's const.
// CHECK-LABEL: static __global__ {{.*}} assumed_simt(
// CHECK: const float *const row = x + (int64)
__tile_global__ void assumed(const float *__restrict__ x, float *y, int n) {
  auto aligned = ct::assume_aligned<16>(x);
  const float *row = aligned + int(ct::bid().x) * n;
  auto i = ct::iota<ct::tile<int, ct::shape<32>>>();
  ct::store(y + i, ct::load(row + i) + row[0]);
}
