// RUN: not %clang_tile -fsyntax-only %s 2>&1 | FileCheck %s
// Tiles are values: their elements have no cv.
#include "same.h"

__tile__ void k() { ct::tile<const int, ct::shape<4>> t; }
// CHECK: error: {{.*}}the element type and the shape of a tile may not be cv-qualified
