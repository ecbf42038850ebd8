// --check=bounds: each program stops at its second launch, which breaks the promise of a line; the
// first one keeps it. The language leaves undefined what an access without a mask does outside of
// its view, one with a mask whose tile is outside altogether, and a false assumption.
//
// RUN: %tessera run -O0 --target=emulate --check=bounds %s 2>&1 | FileCheck %s
// RUN: %tessera run -O0 --target=cpu --check=bounds %s 2>&1 | FileCheck %s
// RUN: %if long %{ %tessera run -O0 --target=emulate %s 2>&1 | FileCheck %s --check-prefix=UNCHECKED %}
// UNCHECKED-NOT: check:
#include "cases.h"

#include <cuda_tile.h>

namespace ct = cuda::tiles;
using namespace ct::literals;

using eight = ct::shape<8>;

__tile_global__ void inside(const float *a, float *b, int n, int i) {
  auto from = ct::partition_view(ct::tensor_span(a, ct::extents(n)), eight{});
  auto to = ct::partition_view(ct::tensor_span(b, ct::extents(n)), eight{});
  // CHECK-LABEL: case inside
  // CHECK-NEXT: kept: no error
  // CHECK-NEXT: bounds.cu:[[#@LINE+3]]: tessera check: load of
  // CHECK-SAME: 'x' from 'a'
  // CHECK-SAME: the box of [8] elements at [8] is not inside the extents [12]
  auto x = from.load(i);
  to.store_masked(x, i);
}

__tile_global__ void of_store(const float *a, float *b, int n, int i) {
  auto from = ct::partition_view(ct::tensor_span(a, ct::extents(n)), eight{});
  auto to = ct::partition_view(ct::tensor_span(b, ct::extents(n)), eight{});
  auto y = from.load_masked(i);
  // CHECK-LABEL: case of_store
  // CHECK-NEXT: kept: no error
  // CHECK-NEXT: bounds.cu:[[#@LINE+3]]: tessera check: store of
  // CHECK-SAME: 'y' to 'b'
  // CHECK-SAME: the box of [8] elements at [8] is not inside the extents [12]
  to.store(y, i);
}

__tile_global__ void altogether(const float *a, float *b, int n, int i) {
  auto from = ct::partition_view(ct::tensor_span(a, ct::extents(n)), eight{});
  auto to = ct::partition_view(ct::tensor_span(b, ct::extents(n)), eight{});
  // CHECK-LABEL: case altogether
  // CHECK-NEXT: kept: no error
  // CHECK-NEXT: bounds.cu:[[#@LINE+2]]: tessera check: load of
  // CHECK-SAME: the box of [8] elements at [-8] is outside of the extents [12]
  auto x = from.load_masked(i);
  to.store_masked(x, i);
}

__tile_global__ void gathered(const float *a, float *b, int n, int step) {
  auto view = ct::gather_scatter_view(ct::tensor_span(a, ct::extents(n)), eight{},
                                      ct::integral_constant<0>{});
  auto places = ct::iota<ct::tile<int, eight>>() * step;
  // CHECK-LABEL: case gathered
  // CHECK-NEXT: kept: no error
  // CHECK-NEXT: bounds.cu:[[#@LINE+3]]: tessera check: access of
  // CHECK-SAME: 'picked' in 'a'
  // CHECK-SAME: an element is outside of the extents: element [6]
  auto picked = view.load(places);
  ct::partition_view(ct::tensor_span(b, ct::extents(8_ic)), eight{}).store(picked, 0);
}

__tile_global__ void parted(const float *a, float *b, int, int i) {
  auto whole =
      ct::partition_view(ct::tensor_span(a, ct::extents(4_ic, 4_ic)), ct::shape<4, 4>{}).load(0, 0);
  // CHECK-LABEL: case parted
  // CHECK-NEXT: kept: no error
  // CHECK-NEXT: bounds.cu:[[#@LINE+2]]: tessera check: extract
  // CHECK-SAME: of 'quarter' from 'whole': the index [2, 1] is outside of [2, 2]
  auto quarter = ct::extract(whole, ct::shape<2, 2>{}, i, 1);
  ct::partition_view(ct::tensor_span(b, ct::extents(2_ic, 2_ic)), ct::shape<2, 2>{})
      .store(quarter, 0, 0);
}

__tile_global__ void divisible(const float *a, float *b, int n, int i) {
  // CHECK-LABEL: case divisible
  // CHECK-NEXT: kept: no error
  // CHECK-NEXT: bounds.cu:[[#@LINE+1]]: tessera check: assume_divisible: 'n' is 12
  n = ct::assume_divisible<8>(n);
  auto x = ct::partition_view(ct::tensor_span(a, ct::extents(n)), eight{}).load_masked(0);
  ct::partition_view(ct::tensor_span(b, ct::extents(n)), eight{}).store_masked(x, 0);
}

__tile_global__ void bounded(const float *a, float *b, int n, int i) {
  // CHECK-LABEL: case bounded
  // CHECK-NEXT: kept: no error
  // CHECK-NEXT: bounds.cu:[[#@LINE+1]]: tessera check: assume_bounded: 'i' is -1
  i = ct::assume_bounded<0, 64>(i);
  auto x = ct::partition_view(ct::tensor_span(a, ct::extents(n)), eight{}).load_masked(0);
  ct::partition_view(ct::tensor_span(b, ct::extents(n)), eight{}).store_masked(x * float(i), 0);
}

// A divisor may be beyond the numbers of its type, and a number beyond those with a sign.
__tile_global__ void of_letters(float *b, unsigned char letter, unsigned n) {
  letter = ct::assume_divisible<256>(letter);
  // CHECK-LABEL: case of_letters
  // CHECK-NEXT: kept: no error
  // CHECK-NEXT: bounds.cu:[[#@LINE+1]]: tessera check: assume_bounded: 'n' is 3000000000
  n = ct::assume_bounded_above<100>(n);
  b[letter + n] = 1.0f;
}

// A negative index into more elements than 32 bits count, and a read ahead in a loop.
__tile_global__ void large(float *a, float *b, int i) {
  using size = ct::extents<long long, ct::dynamic_extent>;
  ct::partition_view from{ct::tensor_span{a, size{1ll << 33}}, eight{}};
  // CHECK-LABEL: case large
  // CHECK-NEXT: kept: no error
  // CHECK-NEXT: bounds.cu:[[#@LINE+2]]: tessera check: load of
  // CHECK-SAME: the box of [8] elements at [-8] is outside of the extents [8589934592]
  auto x = from.load_masked(i);
  ct::partition_view{ct::tensor_span{b, ct::extents{8}}, eight{}}.store(x, 0);
}

__tile_global__ void aligned(const float *a, float *b, int n, int) {
  // CHECK-LABEL: case aligned
  // CHECK-NEXT: kept: no error
  // CHECK-NEXT: bounds.cu:[[#@LINE+2]]: tessera check: assume_aligned:
  // CHECK-SAME: 'a' is the address 0x{{.*}}, which is not a multiple of 16
  a = ct::assume_aligned<16>(a);
  auto x = ct::partition_view(ct::tensor_span(a, ct::extents(n)), eight{}).load_masked(0);
  ct::partition_view(ct::tensor_span(b, ct::extents(n)), eight{}).store_masked(x, 0);
}

int main() {
  run(
      "inside", [](float *p) { inside<<<1, 1>>>(p, p + 64, 16, 1); },
      [](float *p) { inside<<<1, 1>>>(p, p + 64, 12, 1); });
  run(
      "of_store", [](float *p) { of_store<<<1, 1>>>(p, p + 64, 16, 1); },
      [](float *p) { of_store<<<1, 1>>>(p, p + 64, 12, 1); });
  run(
      "altogether", [](float *p) { altogether<<<1, 1>>>(p, p + 64, 12, 1); },
      [](float *p) { altogether<<<1, 1>>>(p, p + 64, 12, -1); });
  run(
      "gathered", [](float *p) { gathered<<<1, 1>>>(p, p + 64, 24, 3); },
      [](float *p) { gathered<<<1, 1>>>(p, p + 64, 24, 4); });
  run(
      "parted", [](float *p) { parted<<<1, 1>>>(p, p + 64, 0, 1); },
      [](float *p) { parted<<<1, 1>>>(p, p + 64, 0, 2); });
  run(
      "divisible", [](float *p) { divisible<<<1, 1>>>(p, p + 64, 16, 0); },
      [](float *p) { divisible<<<1, 1>>>(p, p + 64, 12, 0); });
  run(
      "bounded", [](float *p) { bounded<<<1, 1>>>(p, p + 64, 8, 64); },
      [](float *p) { bounded<<<1, 1>>>(p, p + 64, 8, -1); });
  run(
      "of_letters", [](float *p) { of_letters<<<1, 1>>>(p, 0, 100); },
      [](float *p) { of_letters<<<1, 1>>>(p, 0, 3000000000u); });
  run(
      "large", [](float *p) { large<<<1, 1>>>(p, p + 64, 1); },
      [](float *p) { large<<<1, 1>>>(p, p + 64, -1); });
  run(
      "aligned", [](float *p) { aligned<<<1, 1>>>(p, p + 64, 8, 0); },
      [](float *p) { aligned<<<1, 1>>>(p + 1, p + 64, 8, 0); });
}
