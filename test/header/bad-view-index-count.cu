// RUN: not %clang_tile -fsyntax-only %s 2>&1 | FileCheck %s
// A view takes one index per dimension.
#include "same.h"

__tile__ auto k(float *p) {
  return ct::partition_view{ct::tensor_span{p, ct::shape<8, 8>{}}, ct::shape<2, 2>{}}.load(0);
}
// CHECK: error: no matching member function for call to 'load'
// CHECK: because 'view_indices<
