// RUN: not %clang_tile -fsyntax-only %s 2>&1 | FileCheck %s
// The value of a store has the shape of the pointers.
#include "same.h"

__tile__ void k(tile<int *, 8> p) { ct::store(p, 1); }
// CHECK: error: no matching function for call to 'store'
// CHECK: because '__detail::value_for<
