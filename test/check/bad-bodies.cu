// Rules for what tile code may say and whom it may call.
// RUN: %clang_plugin -fsyntax-only -Xclang -verify -ferror-limit=0 %s
#include <cuda_tile.h>

__device__ int simt(int x); // expected-note {{'simt' is declared here}}
constexpr int constant(int x) { return x; } // expected-note {{'constant' is declared here}}
__tile__ int tile(int x) { return x; } // expected-note 2 {{'tile' is declared here}}
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
    case 2: if (p[1]) { case 3: p[2] = 1; } // expected-error {{a case label is inside another statement}}
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

// Code for the device or the host, too, calls no tile function and reads values of constants.
__tile__ int counter;
__tile__ const int three = 3, several[2] = {1, 2};
__device__ __tile__ int shared(int x) {
  x += tile(x); // expected-error {{not only tile code calls the __tile__ function 'tile'}}
  return counter                // expected-error {{code that is not only tile code names the __tile__ variable 'counter'}}
         + three + several[0]   // expected-error {{names the __tile__ variable 'several'}}
         + int(sizeof(counter));
}
template <class F> __host__ __device__ __tile__ int apply(F f) {
  return f(1); // expected-error {{calls the __tile__ function 'operator()'}}
}
struct adder {
  __tile__ int operator()(int x) const { return x + counter; }
  // expected-note@-1 {{'operator()' is declared here}}
};
__tile_global__ void applies(int *p) { p[0] = apply(adder()); }
// expected-note@-1 {{in apply<adder>, called at bad-bodies.cu:53}}
__global__ void reads(int *p) {
  const int *q = &three; // expected-error {{device code names the __tile__ variable 'three'}}
  p[0] = three + *q;
}

struct tally {
  int n;
  __tile__ int next(int by) { return n += by; }
};
template <int (tally::*F)(int)> __tile__ int by_member(tally &c) {
  return (c.*F)(1); // expected-error {{a call through a pointer in tile code}}
}
__tile_global__ void members(int *p) {
  tally c{p[0]};
  p[0] = by_member<&tally::next>(c); // expected-note {{in by_member<&tally::next>}}
  auto next = &tally::next;          // expected-error {{the address of function 'next'}}
}
