// RUN: not %clang_tile -fsyntax-only %s 2>&1 | FileCheck %s
// _ic literals are decimal.
#include "same.h"

constexpr auto n = 0x10_ic;
// CHECK: error: static assertion failed {{.*}}an _ic literal has decimal digits only
