// Rules for what tile code may say and whom it may call.
// RUN: %clang_plugin -fsyntax-only -Xclang -verify %s
#include <cuda_tile.h>

__device__ int simt(int x); // expected-note {{'simt' is declared here}}
constexpr int constant(int x) { return x; } // expected-note {{'constant' is declared here}}
__tile__ int tile(int x) { return x; } // expected-note {{'tile' is declared here}}
__tile__ int loop(int n) { return n ? loop(n - 1) : 0; } // expected-error {{'loop' calls itself; tile code has no recursion}}

__tile_global__ void calls(int *p) {
  p[0] = simt(1);     // expected-error {{tile code calls 'simt', which is not a __tile__ function}}
  p[1] = constant(1); // expected-error {{tile code calls 'constant'}}
  p[2] = tile(1) + loop(1);
  p[3] = threadIdx.x; // expected-error {{tile code names 'threadIdx'}}
}
__tile_global__ void statements(int *p) {
  if (p[0])
    goto end; // expected-error {{goto in tile code}}
  delete p;   // expected-error {{delete in tile code}}
  asm("");    // expected-error {{inline assembly in tile code}}
  for (int i = 0; i < 3; ++i)
    switch (p[i]) {
    case 1: continue; // expected-error {{continue inside a switch}}
    case 2: if (p[1]) { case 3: p[2] = 1; } // expected-error {{a case label stands inside another statement}}
    }
end:;
}
struct packed { int low : 4; };
__tile_global__ void types(int *p) {
  packed b{p[0]};
  __int128 wide = p[1]; // expected-error {{'wide' has type '__int128'; tile code has no 128-bit types}}
  p[2] = b.low + int(wide >> 64); // expected-error {{'low' is a bit-field; tile code has no bit-fields}}
}
__global__ void other(int *p) { p[0] = tile(1); } // expected-error {{device code calls the __tile__ function 'tile'}}
void launches(int *p) { calls<<<1, 32>>>(p); } // expected-error {{launched with blocks of 32 threads}}
