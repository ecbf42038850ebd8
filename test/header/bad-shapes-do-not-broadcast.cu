// RUN: not %clang_tile -fsyntax-only %s 2>&1 | FileCheck %s
// 4x2 and 8x2: neither first extent is 1.
#include "same.h"

__tile__ auto k(tile<int, 4, 2> x, tile<int, 8, 2> y) { return x + y; }
// CHECK: error: invalid operands to binary expression
