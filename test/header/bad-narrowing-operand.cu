// RUN: not %clang_tile -fsyntax-only %s 2>&1 | FileCheck %s
// The double would narrow to the element type of the tile.
#include "same.h"

__tile__ auto k(tile<float, 8> t) { return t * 2.0; }
// CHECK: error: invalid operands to binary expression ('tile<float, 8>' {{.*}} and 'double')
