// --check=nan,inf: a program stops at the first operation that makes a NaN of numbers, an infinity
// of finite numbers, or divides an integer by 0. What is NaN in memory is none of its making.
//
// RUN: %tessera run -O0 --target=emulate --check=nan,inf %s 2>&1 | FileCheck %s
// RUN: %if long %{ %tessera run -O0 --target=cpu --check=nan,inf %s 2>&1 | FileCheck %s %}
#include "cases.h"

#include <cuda_fp16.h>
#include <cuda_tile.h>

namespace ct = cuda::tiles;
using namespace ct::literals;

using eight = ct::shape<8>;
using square = ct::shape<16, 16>;

__tile__ auto first(const float *p) {
  return ct::partition_view(ct::tensor_span(p, ct::extents(8_ic)), eight{});
}
__tile__ auto first_square(const float *p) {
  return ct::partition_view(ct::tensor_span(p, ct::extents(16_ic, 16_ic)), square{});
}
__tile__ auto first(float *p) {
  return ct::partition_view(ct::tensor_span(p, ct::extents(8_ic)), eight{});
}

__tile_global__ void root(const float *a, float *b, float less) {
  auto x = first(a).load(0) - less;
  // CHECK-LABEL: case root
  // CHECK-NEXT: kept: no error
  // CHECK-NEXT: numbers.cu:[[#@LINE+3]]: tessera check: the sqrt makes
  // CHECK-SAME: 'y'
  // CHECK-SAME: a NaN from operands without NaN: element [0]
  auto y = ct::sqrt(x);
  auto z = y + 1.0f;
  first(b).store(z, 0);
}

// Element 3 of the argument is NaN from the beginning, and stays so.
__tile_global__ void quotient(const float *a, float *b, float add) {
  auto old = first(a).load(0);
  auto x = ct::select(old == 4.0f, ct::full<ct::tile<float, eight>>(__builtin_nanf("")), old);
  auto y = x - 6.0f + add;
  // CHECK-LABEL: case quotient
  // CHECK-NEXT: kept: no error
  // CHECK-NEXT: numbers.cu:[[#@LINE+2]]: tessera check: the div makes
  // CHECK-SAME: an infinity from operands without infinities: element [5]
  auto z = x / y;
  first(b).store(z, 0);
}

__tile_global__ void narrowed(const float *a, float *b, float scale) {
  auto x = first(a).load(0) * scale;
  // CHECK-LABEL: case narrowed
  // CHECK-NEXT: kept: no error
  // CHECK-NEXT: numbers.cu:[[#@LINE+3]]: tessera check: the conversion makes
  // CHECK-SAME: 'half'
  // CHECK-SAME: an infinity from operands without infinities: element [6]
  auto half = ct::element_cast<__half>(x);
  first(b).store(ct::element_cast<float>(half), 0);
}

__tile_global__ void summed(const float *a, float *b, float scale) {
  auto x = first(a).load(0) * scale;
  // CHECK-LABEL: case summed
  // CHECK-NEXT: kept: no error
  // CHECK-NEXT: numbers.cu:[[#@LINE+1]]: tessera check: the reduction
  auto sum = ct::sum<0>(x);
  first(b).store(x - sum, 0);
}

__tile_global__ void multiplied(const float *a, float *b, float scale) {
  auto x = first_square(a).load(0, 0) * scale;
  auto c = ct::zeros<ct::tile<float, square>>();
  // CHECK-LABEL: case multiplied
  // CHECK-NEXT: kept: no error
  // CHECK-NEXT: numbers.cu:[[#@LINE+2]]: tessera check: the mma makes
  // CHECK-SAME: an infinity from operands without infinities: element [{{[0-9]+}}, {{[0-9]+}}]
  auto product = ct::mma(x, x, c);
  ct::partition_view(ct::tensor_span(b, ct::extents(16_ic, 16_ic)), square{}).store(product, 0, 0);
}

__tile_global__ void divided(const float *a, float *b, float by) {
  auto n = ct::element_cast<int>(first(a).load(0));
  auto d = n - int(by);
  // CHECK-LABEL: case divided
  // CHECK-NEXT: kept: no error
  // CHECK-NEXT: numbers.cu:[[#@LINE+1]]: tessera check: an integer division by 0 computes{{.*}}: element [2]
  auto q = n / d;
  first(b).store(ct::element_cast<float>(q), 0);
}

// What stands under a condition is computed under it alone.
__tile_global__ void guarded(const float *a, float *b, float by) {
  float d = by > 0.0f ? by : 0.0f;
  float x = d > 0.0f ? a[0] / d : 1.0f;
  float y = d > 0.0f && a[1] / d > 2.0f ? 2.0f : 3.0f;
  int n = int(d);
  int z = n ? 7 / n : 0;
  // CHECK-LABEL: case guarded
  // CHECK-NEXT: kept: no error
  // CHECK-NEXT: numbers.cu:[[#@LINE+1]]: tessera check: the log makes
  auto w = ct::log(ct::full<ct::tile<float, ct::shape<8>>>(by));
  first(b).store(w + x + y + float(z), 0);
}

int main() {
  run(
      "root", [](float *p) { root<<<1, 1>>>(p, p + 512, 1); },
      [](float *p) { root<<<1, 1>>>(p, p + 512, 1.5f); });
  run(
      "quotient", [](float *p) { quotient<<<1, 1>>>(p, p + 512, 0.5f); },
      [](float *p) { quotient<<<1, 1>>>(p, p + 512, 0); });
  run(
      "narrowed", [](float *p) { narrowed<<<1, 1>>>(p, p + 512, 1); },
      [](float *p) { narrowed<<<1, 1>>>(p, p + 512, 1e4f); });
  run(
      "summed", [](float *p) { summed<<<1, 1>>>(p, p + 512, 1); },
      [](float *p) { summed<<<1, 1>>>(p, p + 512, 4e37f); });
  run(
      "multiplied", [](float *p) { multiplied<<<1, 1>>>(p, p + 512, 1); },
      [](float *p) { multiplied<<<1, 1>>>(p, p + 512, 1e19f); });
  run(
      "divided", [](float *p) { divided<<<1, 1>>>(p, p + 512, 100); },
      [](float *p) { divided<<<1, 1>>>(p, p + 512, 3); });
  run(
      "guarded",
      [](float *p) {
        guarded<<<1, 1>>>(p, p + 512, 0.25f);
        guarded<<<1, 1>>>(p, p + 512, 1e-30f);
      },
      [](float *p) { guarded<<<1, 1>>>(p, p + 512, -1); });
}
