// Control flow is C++ again: counted loops, loops with a condition, branches; names are the
// program's, and #line leads back to it.
// RUN: %tessera %s -o - | FileCheck %s
#include <cuda_tile.h>
namespace ct = cuda::tiles;
using row = ct::tile<float, ct::shape<64>>;

// CHECK-LABEL: {{^}}// counted,
// CHECK: #line [[@LINE+8]] "{{.*}}control.cu"
// CHECK: #line [[@LINE+9]]{{$}}
// CHECK-NEXT: auto total = splat<tile_64>(0.0f);
// CHECK-NEXT: for (int i = 0; i < n; ++i) {
// CHECK: const auto [[X:x.*]] = load<
// CHECK: total = total + [[X]];
// CHECK-NEXT: }
__tile_global__ void counted(float *out, const float *in, int n) {
  auto index = ct::iota<ct::tile<int, ct::shape<64>>>();
  auto total = ct::zeros<row>();
  for (int i = 0; i < n; ++i) {
    auto x = ct::load(in + (index + i * 64));
    total = total + x;
  }
  ct::store(out + index, total);
}

// CHECK-LABEL: {{^}}// counted_by_unsigned,
// CHECK: for (unsigned i = 0u; i < n; i += 16u) {
__tile_global__ void counted_by_unsigned(float *out, unsigned n) {
  auto total = ct::zeros<row>();
  for (unsigned i = 0; i < n; i += 16)
    total = total * 2.0f + float(i);
  ct::store(out + ct::iota<ct::tile<int, ct::shape<64>>>(), total);
}

// CHECK-LABEL: {{^}}// until,
// CHECK: while (true) {
// CHECK: if (!({{.*}})) break;
// CHECK: }
__tile_global__ void until(float *out, int n) {
  auto total = ct::ones<row>();
  while (n > 7) {
    total = total * 2.0f;
    n = n / 3;
  }
  ct::store(out + ct::iota<ct::tile<int, ct::shape<64>>>(), total + float(n));
}

// CHECK-LABEL: {{^}}// branch,
// CHECK: fragment<float, tile_64> [[RESULT:.*]];
// CHECK-NEXT: if (twice) {
// CHECK: [[RESULT]] =
// CHECK-NEXT: } else {
// CHECK: [[RESULT]] =
// CHECK-NEXT: }
__tile_global__ void branch(float *x, bool twice) {
  auto index = ct::iota<ct::tile<int, ct::shape<64>>>();
  auto value = ct::load(x + index);
  if (twice)
    value = value + value;
  else
    value = value - 1.0f;
  ct::store(x + index, value);
}

// An arm without effect is no arm.
// CHECK-LABEL: {{^}}// one_armed,
// CHECK: if ({{.*}}) {
// CHECK-NOT: else
// CHECK: {{^}}}
__tile_global__ void one_armed(float *x, int n) {
  if (n > 3)
    ct::store(x + ct::iota<ct::tile<int, ct::shape<64>>>(), ct::zeros<row>());
}
