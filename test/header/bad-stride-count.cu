// RUN: not %clang_tile -fsyntax-only %s 2>&1 | FileCheck %s
// A strided mapping has a stride for each dimension.
#include "same.h"

__tile__ void k(int n) { auto m = ct::layout_strided_mapping{ct::extents{n, n}, ct::extents{n}}; }
// CHECK: error: {{.*}}a strided mapping has one stride per dimension
