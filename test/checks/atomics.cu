// --check=bounds of what is not a plain load or store of a view: atomics, indices that wrap around,
// masks, arrays of tiles, and what stands outside of a kernel. Each program stops at its second
// launch, at the line that breaks a promise; all that the first one does is defined.
//
// RUN: %tessera run -O0 --target=emulate --check=bounds %s 2>&1 | FileCheck %s
// RUN: %tessera run -O0 --target=cpu --check=bounds %s 2>&1 | FileCheck %s
#include "cases.h"

#include <cuda_tile.h>

namespace ct = cuda::tiles;
using namespace ct::literals;

using eight = ct::shape<8>;
using floats = ct::tile<float, eight>;
using ints = ct::tile<int, eight>;

constexpr ct::memory_order_relaxed_t relaxed;
constexpr ct::thread_scope_device_t device;

// A reduction drops what is outside, with and without a mask; some of it must be inside.
__tile_global__ void added(float *b, int n, int i) {
  auto view = ct::partition_view(ct::tensor_span(b, ct::extents(n)), eight{});
  auto ones = ct::full<floats>(1.0f);
  // CHECK-LABEL: case added
  // CHECK-NEXT: kept: no error
  // CHECK-NEXT: atomics.cu:[[#@LINE+2]]: tessera check: access of
  // CHECK-SAME: all of the tile is outside of the extents
  view.atomic_add(ones, relaxed, device, i);
}

__tile_global__ void masked_maximum(float *b, int n, int i) {
  auto view = ct::partition_view(ct::tensor_span(reinterpret_cast<int *>(b), ct::extents(n, 2)),
                                 ct::shape<4, 2>{});
  // CHECK-LABEL: case masked_maximum
  // CHECK-NEXT: kept: no error
  // CHECK-NEXT: atomics.cu:[[#@LINE+2]]: tessera check: access of
  // CHECK-SAME: all of the tile is outside of the extents
  view.atomic_max_masked(ct::full<ct::tile<int, ct::shape<4, 2>>>(3), relaxed, device, i, 0);
}

// Loads and stores do not.
__tile_global__ void loaded(float *b, int n, int i) {
  auto view = ct::partition_view(ct::tensor_span(b, ct::extents(n)), eight{});
  auto padded = view.atomic_load_masked(ct::view_padding_zero_t{}, relaxed, device, 1);
  // CHECK-LABEL: case loaded
  // CHECK-NEXT: kept: no error
  // CHECK-NEXT: atomics.cu:[[#@LINE+3]]: tessera check: access of
  // CHECK-SAME: 'x' in 'b'
  // CHECK-SAME: an element is outside of the extents: element [4]
  auto x = view.atomic_load(relaxed, device, i);
  view.store_masked(x + padded, 0);
}

__tile_global__ void stored(float *b, int n, int i) {
  auto view = ct::partition_view(ct::tensor_span(b, ct::extents(n)), eight{});
  view.atomic_store_masked(ct::full<floats>(1.0f), relaxed, device, 1);
  // CHECK-LABEL: case stored
  // CHECK-NEXT: kept: no error
  // CHECK-NEXT: atomics.cu:[[#@LINE+2]]: tessera check: access of
  // CHECK-SAME: element [4]
  view.atomic_store(ct::full<floats>(2.0f), relaxed, device, i);
}

// The index times 8 is 8 in 32 bits.
__tile_global__ void wrapped(float *b, int n, int i) {
  auto view = ct::partition_view(ct::tensor_span(b, ct::extents(n)), eight{});
  // CHECK-LABEL: case wrapped
  // CHECK-NEXT: kept: no error
  // CHECK-NEXT: atomics.cu:[[#@LINE+2]]: tessera check: load of
  // CHECK-SAME: the box of [8] elements at [-17179869176] is outside of the extents [16]
  auto x = view.load_masked(i);
  view.store(x, 0);
}

__tile_global__ void wrapped_reduction(float *b, int n, unsigned i) {
  auto view = ct::partition_view(ct::tensor_span(b, ct::extents(n)), eight{});
  // CHECK-LABEL: case wrapped_reduction
  // CHECK-NEXT: kept: no error
  // CHECK-NEXT: atomics.cu:[[#@LINE+2]]: tessera check: access of
  // CHECK-SAME: all of the tile is outside
  view.atomic_add(ct::full<floats>(1.0f), relaxed, device, i);
}

// 64 bits have an end, too.
__tile_global__ void far(float *b, int n, long long i) {
  using size = ct::extents<long long, ct::dynamic_extent>;
  ct::partition_view view{ct::tensor_span{b, size{n}}, eight{}};
  // CHECK-LABEL: case far
  // CHECK-NEXT: kept: no error
  // CHECK-NEXT: atomics.cu:[[#@LINE+2]]: tessera check: store of
  // CHECK-SAME: is outside of the extents [16]
  view.store_masked(ct::full<floats>(1.0f), i);
}

// Every mask of a gather may be false; without one all elements are inside.
__tile_global__ void gathered(float *b, int n, int step) {
  ct::gather_scatter_view view{ct::tensor_span{b, ct::extents(n, 4)}, ct::shape<8, 4>{},
                               ct::integral_constant<0>{}};
  auto far = view.load_masked(ct::iota<ints>() + 100, 0);
  view.store_masked(far, ct::iota<ints>() - 100, 2);
  // CHECK-LABEL: case gathered
  // CHECK-NEXT: kept: no error
  // CHECK-NEXT: atomics.cu:[[#@LINE+3]]: tessera check: access of
  // CHECK-SAME: 'far' in 'b'
  // CHECK-SAME: an element is outside of the extents: element [{{[3-7], [0-3]}}]
  view.store(far, ct::iota<ints>() * step, 0);
}

// No extent, and no access.
__tile_global__ void empty(float *b, int n, int i) {
  auto view = ct::partition_view(ct::tensor_span(b, ct::extents(n)), eight{});
  // CHECK-LABEL: case empty
  // CHECK-NEXT: kept: no error
  // CHECK-NEXT: atomics.cu:[[#@LINE+3]]: tessera check: store of
  // CHECK-SAME: at [0] is outside of the extents [0]
  if (i)
    view.store_masked(ct::full<floats>(1.0f), 0);
}

// Of all blocks the one that fails says so, once; the line is that of a function of the program's.
template <class V, int N> __tile__ auto fetch(V view, int i) {
  // CHECK-LABEL: case many
  // CHECK-NEXT: kept: no error
  // CHECK-NEXT: atomics.cu:[[#@LINE+3]]: tessera check: load of
  // CHECK-SAME: the box of [8] elements at [{{24|40}}] is not inside the extents [16]
  // CHECK-NOT: tessera check
  return view.load(i + N);
}
__tile_global__ void many(float *b, int n, int add) {
  auto view = ct::partition_view(ct::tensor_span(b, ct::extents(n)), eight{});
  auto get = [=](int i) { return fetch<decltype(view), 1>(view, i + add); };
  auto x = get(ct::bid().x * 2);
  view.store_masked(x, 0);
}

// An array of tiles, at an index that is known while it runs.
__tile_global__ void of_tiles(float *b, int n, int i) {
  floats all[3] = {ct::full<floats>(1.0f), ct::full<floats>(2.0f), ct::full<floats>(3.0f)};
  // CHECK-LABEL: case of_tiles
  // CHECK-NEXT: kept: no error
  // CHECK-NEXT: atomics.cu:[[#@LINE+2]]: tessera check: access of the array {{'all'|of tiles}}:
  // CHECK-SAME: the index [3] is outside of [3]
  auto x = all[i];
  ct::partition_view(ct::tensor_span(b, ct::extents(n)), eight{}).store(x, 0);
}

int main() {
  run(
      "added", [](float *p) { added<<<1, 1>>>(p, 12, 1); },
      [](float *p) { added<<<1, 1>>>(p, 16, 2); });
  run(
      "masked_maximum", [](float *p) { masked_maximum<<<1, 1>>>(p, 5, 1); },
      [](float *p) { masked_maximum<<<1, 1>>>(p, 4, 1); });
  run(
      "loaded", [](float *p) { loaded<<<1, 1>>>(p, 12, 0); },
      [](float *p) { loaded<<<1, 1>>>(p, 12, 1); });
  run(
      "stored", [](float *p) { stored<<<1, 1>>>(p, 12, 0); },
      [](float *p) { stored<<<1, 1>>>(p, 12, 1); });
  run(
      "wrapped", [](float *p) { wrapped<<<1, 1>>>(p, 16, 1); },
      [](float *p) { wrapped<<<1, 1>>>(p, 16, -2147483647); });
  run(
      "wrapped_reduction", [](float *p) { wrapped_reduction<<<1, 1>>>(p, 16, 1); },
      [](float *p) { wrapped_reduction<<<1, 1>>>(p, 16, 536870913u); });
  run(
      "far", [](float *p) { far<<<1, 1>>>(p, 16, 1); },
      [](float *p) { far<<<1, 1>>>(p, 16, 2305843009213693953ll); });
  run(
      "gathered", [](float *p) { gathered<<<1, 1>>>(p, 8, 1); },
      [](float *p) { gathered<<<1, 1>>>(p, 8, 3); });
  run(
      "empty", [](float *p) { empty<<<1, 1>>>(p, 0, 0); },
      [](float *p) { empty<<<1, 1>>>(p, 0, 1); });
  run(
      "many", [](float *p) { many<<<1, 1>>>(p, 16, 0); },
      [](float *p) { many<<<2, 1>>>(p, 16, 2); });
  run(
      "of_tiles", [](float *p) { of_tiles<<<1, 1>>>(p, 16, 2); },
      [](float *p) { of_tiles<<<1, 1>>>(p, 16, 3); });
}
