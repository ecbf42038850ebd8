// Tile code has the scalars of half and their operators; pairs of them are of SIMT code.
// RUN: %clang_plugin -fsyntax-only -Xclang -verify %s
#include <cuda_fp16.h>
#include <cuda_tile.h>

__tile_global__ void pairs(__half *h, float *o) {
  __half2 two = __halves2half2(h[0], h[1]); // expected-error {{tile code calls '__halves2half2'}}
  o[0] = two.x;
  o[1] = __low2float(two); // expected-error {{tile code calls '__low2float'}} expected-error {{'__half2'}}
  h[2] = h[0] + __float2half(2.0f);
}
