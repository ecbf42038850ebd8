// --check=nan,inf looks at what a reduction or scan by a function of the program gives. A NaN of
// its operands, or of a number that the function reads from outside, is none of its making; an
// infinity that is written in it is meant. On the CPU the function is C++, which is not checked.
//
// RUN: %tessera run -O0 --extensions --target=emulate --check=nan,inf %s 2>&1 | FileCheck %s
// RUN: %tessera run -O0 --extensions --target=cpu --check=nan,inf %s 2>&1 \
// RUN:   | FileCheck %s --check-prefix=CPU
#include "cases.h"

#include <cuda_tile.h>

namespace ct = cuda::tiles;
using namespace ct::literals;

using eight = ct::shape<8>;

__tile__ auto first(const float *p) {
  return ct::partition_view(ct::tensor_span(p, ct::extents(8_ic)), eight{});
}
__tile__ auto first(float *p) {
  return ct::partition_view(ct::tensor_span(p, ct::extents(8_ic)), eight{});
}

// CPU: case reduced
// CPU-NEXT: kept: no error
// CPU-NEXT: case scanned
// CPU-NEXT: kept: no error
// CPU-NEXT: case captured
// CPU-NEXT: kept: no error
// CPU-NEXT: tessera check: the log makes
__tile_global__ void reduced(const float *a, float *b, float scale) {
  auto x = first(a).load(0) * scale;
  // CHECK-LABEL: case reduced
  // CHECK-NEXT: kept: no error
  // CHECK-NEXT: folds.cu:[[#@LINE+2]]: tessera check: the reduction makes
  // CHECK-SAME: an infinity from operands without infinities
  auto r = ct::reduce(x, 0_ic, [](float p, float q) { return p + q + p * q; });
  first(b).store(x + r, 0);
}

__tile_global__ void scanned(const float *a, float *b, float less) {
  auto x = first(a).load(0) - less;
  // CHECK-LABEL: case scanned
  // CHECK-NEXT: kept: no error
  // CHECK-NEXT: folds.cu:[[#@LINE+2]]: tessera check: the scan makes
  // CHECK-SAME: a NaN from operands without NaN: element [
  auto r = ct::scan(x, 0_ic, [](float p, float q) { return sqrtf(p * q); });
  first(b).store(r, 0);
}

// What is read is NaN, then 1; what is taken of a row below 0 is infinite.
__tile_global__ void captured(const float *a, float *b, float k) {
  auto x = first(a).load(0);
  auto r = ct::scan(x, 0_ic, [k](float p, float q) { return p + k * q; });
  auto s = ct::reduce(x, 0_ic, [](float p, float q) { return p < 0 || q < 0 ? -1.0f / 0.0f : p; });
  // CHECK-LABEL: case captured
  // CHECK-NEXT: kept: no error
  // CHECK-NEXT: folds.cu:[[#@LINE+1]]: tessera check: the log makes
  auto w = ct::log(ct::full<ct::tile<float, eight>>(k == k ? -k : 1.0f));
  first(b).store(r + s + w, 0);
}

int main() {
  run(
      "reduced", [](float *p) { reduced<<<1, 1>>>(p, p + 512, 1); },
      [](float *p) { reduced<<<1, 1>>>(p, p + 512, 1e20f); });
  run(
      "scanned", [](float *p) { scanned<<<1, 1>>>(p, p + 512, 0); },
      [](float *p) { scanned<<<1, 1>>>(p, p + 512, 1.5f); });
  run(
      "captured", [](float *p) { captured<<<1, 1>>>(p, p + 512, __builtin_nanf("")); },
      [](float *p) { captured<<<1, 1>>>(p, p + 512, 1); });
}
