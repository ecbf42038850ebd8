// RUN: not %clang_tile -fsyntax-only %s 2>&1 | FileCheck %s
// Every extent of a tile is a power of two.
#include "same.h"

__tile__ void k() { ct::tile<int, ct::shape<3>> t; }
// CHECK: error: constraints not satisfied for class template 'tile'
// CHECK: does not satisfy 'tile_shape'
