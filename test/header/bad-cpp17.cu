// [tile:language_and_architecture_support] The library needs C++20.
// RUN: not %clang_tile -std=c++17 -fsyntax-only %s 2>&1 | FileCheck %s
// CHECK: error: "cuda_tile.h needs C++20: compile with -std=c++20"
#include <cuda_tile.h>
