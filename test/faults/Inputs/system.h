// A kernel template as a library has it.
#pragma once
#pragma clang system_header
template <class F> __tile_global__ void apply(int *p, F f) { p[0] = f(p[0]); }
