// Rules for the declaration of a kernel, as a plain parse with the plugin shows them.
// RUN: %clang_plugin -fsyntax-only -Xclang -verify %s
#include <cuda_tile.h>

struct S { int a; };
struct A { static __tile_global__ void member(int *p) {} }; // expected-error {{kernel 'member' is a member of a class}}
__tile_global__ auto deduced(int *p) {} // expected-error {{kernel 'deduced' has a deduced return type}}
__tile_global__ void byValue(S s) {}    // expected-error {{parameter 's' of kernel 'byValue' has class type 'S'; pass scalars and pointers, and make the object in the kernel, or allow it by --extensions}}
__tile_global__ void wide(__int128 x) {} // expected-error {{tile code has no 128-bit integers}}
__tile_global__ void ellipsis(int *p, ...) {} // expected-error {{takes any number of arguments}}
constexpr __tile_global__ void constant(int *p) {} // expected-error {{kernel 'constant' is constexpr; only a launch can call a kernel}}
template <int... I, class... T> __tile_global__ void packs(T... x) {} // expected-error {{several template parameter packs}}
__tile_global__ __global__ void both(int *p) {} // expected-error {{both __tile_global__ and __global__}}
__global__ void changed(int *p); // expected-note {{the other declaration is here}}
__tile_global__ void changed(int *p) {} // expected-error {{was declared without __tile_global__ before}}
