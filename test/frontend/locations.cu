// The text that the plugin puts in place of the file has more characters than the file: the
// compiler still finds the spelling of every token.
// RUN: %clang_host -S -emit-llvm %s -o - | FileCheck %s
#include <cuda_tile.h>
#define SPELLING(...) #__VA_ARGS__

__tile_global__ void kernel(float *x) { x[0] = 1; }
void launch(float *x) { kernel<<<1>>>(x); }

// CHECK: c"a<float, 1024>(b) && c\00"
extern const char spelling[] = SPELLING(a<float, 1024>(b) && c);
