// The function of a reduction or scan is a lambda in front of the call. Folds of one text share it:
// those within warps and over them, and others.
// RUN: %tessera --extensions %s -o - | FileCheck %s
#include <cuda_tile.h>
namespace ct = cuda::tiles;
using namespace ct::literals;

// CHECK-LABEL: {{^}}// most,
// CHECK: const auto combine = [&](float element, int element_2, float accumulator, int accumulator_2) -> pack<float, int> {
// CHECK-NEXT: #line [[@LINE+16]] "{{.*}}folds.cu"
// CHECK-NEXT: {{^}}    const bool is_greater = element > accumulator;
// CHECK-NEXT: {{^}}    return {is_greater ? element : accumulator, is_greater ? element_2 : accumulator_2};
// CHECK-NEXT: {{^}}  };
// CHECK: const auto [partial, partial_2] = reduce_in_order<0, false, tile_2>(combine, {{.*}}, i);
// CHECK: store_shared({{.*}}, partial);
// CHECK: store_shared({{.*}}, partial_2);
// CHECK-NOT: [&]
// CHECK: const auto [reduced, reduced_2] = reduce_in_order<0, false, tile_1>(combine, shared, shared_{{[0-9]}});
// CHECK-NOT: [&]
// CHECK: const auto [scanned, scanned_2] = scan<0, true>(combine,
// CHECK: const auto [scanned_3, scanned_4] = scan_carry<0, true>(combine, pack{scanned, scanned_2}, pack{
__tile_global__ void most(const float *x, float *value, int *place) {
  auto i = ct::iota<ct::tile<int, ct::shape<512>>>();
  auto one = ct::iota<ct::tile<int, ct::shape<1>>>();
  auto larger = [](float a, int i, float b, int j) {
    const bool is_larger = b > a;
    return is_larger ? ct::pack{b, j} : ct::pack{a, i};
  };
  auto [most, first] = ct::reduce(ct::pack{ct::load(x + i), i}, 0_ic, larger);
  ct::store(value + one, most);
  ct::store(place + one, first);
  auto [mosts, firsts] =
      ct::scan(ct::pack{ct::load(x + i), i}, 0_ic, larger, ct::scan_backward_t{});
  ct::store(value + i, mosts);
  ct::store(place + i, firsts);
}

// A captured scalar is the variable outside. Where both
// sides may be exchanged the order is any.
// CHECK-LABEL: {{^}}// captures,
// CHECK: const float [[K:[a-z_0-9]+]] = k * k;
// CHECK: const auto combine = [&](float element, float accumulator) -> float {
// CHECK: return {{.*}}[[K]]{{.*}};
// CHECK: reduce<1, tile_8x1>(combine, {{.*}});
__tile_global__ void captures(float *x, float k) {
  auto i = ct::iota<ct::tile<int, ct::shape<8, 16>>>();
  auto y = ct::reduce(ct::load(x + i), 1_ic, 0.0f, [=](float a, float b) {
    return (a + b) * (k * k);
  });
  ct::store(x + i, ct::broadcast(y, ct::shape<8, 16>{}));
}
