// A library whose file of launches has no tile code itself.
#pragma once
#pragma clang system_header
#include <Inputs/system.h>
template <class F> void apply_once(int *out, F f) { apply<F><<<1, 1>>>(out, f); }
