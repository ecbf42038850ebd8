// RUN: not %clang_tile -fsyntax-only %s 2>&1 | FileCheck %s
// A reduced tile is a tile of one element; it becomes a scalar by a cast.
#include "same.h"

__tile__ float k(tile<float, 8> t) { return ct::sum<0>(t); }
// CHECK: error: no viable conversion from returned value of type {{.*}} to function return type 'float'
