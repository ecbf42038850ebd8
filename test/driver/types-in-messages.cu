// What Clang says in its own words spells the library's types as tessera does: by value, by
// reference and by pointer, one by one where it compares two.
// RUN: not %tessera check %s 2>&1 | FileCheck %s --implicit-check-not=extents
// RUN: not %clang_plugin -fsyntax-only %s 2>&1 | FileCheck %s --implicit-check-not=extents
#include <cuda_tile.h>
namespace ct = cuda::tiles;
template <class E, decltype(sizeof(0))... D> using tile = ct::tile<E, ct::shape<D...>>;
using span = ct::tensor_span<float, ct::extents<unsigned, 4, 8>>;

template <class T> __tile__ void same(T a, T b) {}
__tile__ void types(tile<float, 64> x, const tile<float, 1> y, span s) {
  // CHECK: [[#@LINE+1]]:{{.*}} non-const lvalue reference to type 'tile<float, 64>' cannot bind to a temporary of type 'tile<float, 64>'
  auto &r = x + x;
  // CHECK: deduced conflicting types for parameter 'T' ('tile<float, 64>' vs. 'tile<float, 1>')
  same(x, y);
  // CHECK: [[#@LINE+1]]:{{.*}} cannot initialize a variable of type 'tile<float, 64> *' with an rvalue of type 'const tile<float, 1> *'
  tile<float, 64> *q = &y;
  // CHECK: [[#@LINE+1]]:{{.*}} non-const lvalue reference to type 'tile<int, 64>' cannot bind to a value of unrelated type 'tile<float, 64>'
  tile<int, 64> &z = x;
  // CHECK: [[#@LINE+1]]:{{.*}} cannot initialize a variable of type 'int *' with an rvalue of type 'tensor_span<float, 4x8> *'
  int *w = &s;
}
