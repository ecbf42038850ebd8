// RUN: not %clang_tile -fsyntax-only %s 2>&1 | FileCheck %s
// Only a tile of one element is a condition.
#include "same.h"

__tile__ int k(tile<int, 8> t) {
  if (t > 3)
    return 1;
  return 0;
}
// CHECK: error: no viable conversion from {{.*}} to 'bool'
