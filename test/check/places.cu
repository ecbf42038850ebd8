// An error has its line and column in the user's text: in macros, under #line, behind tabs and
// letters of several bytes, once for a template, and each of two in a statement.
// RUN: rm -rf %t && mkdir %t && sed 's/$/\r/' %s > %t/places.cu
// RUN: %if long %{ not %clang_plugin -fsyntax-only %s 2>&1 | FileCheck %s --implicit-check-not=error: %}
// RUN: %if long %{ not %clang_plugin -c %s -o /dev/null 2>&1 | FileCheck %s --implicit-check-not=error: %}
// RUN: not %tessera check %s 2>&1 | FileCheck %s --implicit-check-not=error:
// RUN: not %clang_plugin -fsyntax-only %t/places.cu 2>&1 | FileCheck %s --implicit-check-not=error:
// RUN: not %clang_plugin -fsyntax-only -ferror-limit=1 %s 2>&1 | FileCheck %s --check-prefix=LIMIT
// RUN: %if long %{ not %clang_plugin -fsyntax-only --serialize-diagnostics %t/said %s 2>&1 | FileCheck %s && \
// RUN:   grep -q 'the double would narrow' %t/said %}
// RUN: not %clang_plugin -c --serialize-diagnostics %t/compiled %s 2>&1 | FileCheck %s
// RUN: grep -c 'the double would narrow' %t/compiled
#include <cuda_tile.h>
namespace ct = cuda::tiles;
using four = ct::tile<float, ct::shape<4>>;
using eight = ct::tile<float, ct::shape<8>>;
#define ADD(x, y) ((x) + (y))
#define BODY(x) { auto z = ADD(x, x * 2.0); }

// CHECK: places.cu:[[#@LINE+4]]:29: error: '*' of tile<float, 4> and double
// CHECK: places.cu:[[#@LINE-3]]:37: note: expanded from macro 'BODY'
// LIMIT: places.cu:[[#@LINE+2]]:29: error: '*' of tile<float, 4> and double
// LIMIT-NOT: error: '+' of
__tile__ void macro(four x) BODY(x)

// CHECK: places.cu:[[#@LINE+2]]:55: error: '*' of tile<float, 8> and double
// CHECK: places.cu:[[#@LINE+1]]:{{.*}} note: in a lambda
__tile__ void lambda(eight x) { [](auto a) { return a * 2.0; }(x); }

#line 500 "generated.y"
__tile__ void generated(four x, eight y) {
  // CHECK: generated.y:502:40: error: '*' of tile<float, 4> and double
  /* äöü€𝄞 */ auto größe = x * 2.0;
	auto tabbed = x * 2.0;
  // CHECK: generated.y:503:18: error: '*' of tile<float, 4> and double
  // CHECK: generated.y:507:16: error: '*' of tile<float, 4> and double
  // CHECK: generated.y:507:27: error: '+' of tile<float, 4> and tile<float, 8>
  auto two = x * 2.0 + (x + y);
}
// CHECK: generated.y:510:58: error: '*' of tile<float, 4> and double
template <class T> __tile__ void twice(T x) { auto y = x * 2.0; }
__tile__ void instances(four x, eight y) { twice(x), twice(y); }
