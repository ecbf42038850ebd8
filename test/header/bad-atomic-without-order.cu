// RUN: not %clang_tile -fsyntax-only %s 2>&1 | FileCheck %s
// The memory order of an atomic has no default.
#include "same.h"

__tile__ void k(int *p) { ct::atomic_add(p, 1); }
// CHECK: error: no matching function for call to 'atomic_add'
// CHECK: couldn't infer template argument 'O'
