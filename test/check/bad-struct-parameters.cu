// What a kernel takes by value with --extensions: trivially copyable classes of scalars.
// RUN: %clang_plugin -fplugin-arg-tessera-extensions -fsyntax-only -Xclang -verify %s
#include <cuda_tile.h>
namespace ct = cuda::tiles;

struct good { int *p; float x[3]; union { int i; float f; }; };
__tile_global__ void takes(good a, const good b) {}

struct copied { int n; __host__ __device__ copied(const copied &); };
struct holds_copied { copied c[2]; };
struct with_tile { ct::tile<float, ct::shape<4>> t; };
struct with_wide { struct { __int128 n; } inner; };
struct with_member { int good::*m; };
struct with_vector { float v __attribute__((ext_vector_type(4))); };
struct derived : with_member {};
__tile_global__ void copies(copied x) {}          // expected-error {{parameter 'x' of kernel 'copies' has class type 'copied', which is not trivially copyable; a kernel takes}}
__tile_global__ void copies_within(holds_copied x) {} // expected-error {{which is not trivially copyable}}
__tile_global__ void tiles(with_tile x) {}        // expected-error {{which holds a tile}}
__tile_global__ void wide(with_wide x) {}         // expected-error {{which holds a 128-bit integer}}
__tile_global__ void members(derived x) {}        // expected-error {{which holds a pointer to a member}}
__tile_global__ void vectors(with_vector x) {}    // expected-error {{which holds a vector}}

struct large { int values[4096]; };
__tile_global__ void largest(large a, float *p) {}
__tile_global__ void too_large(large a, large b) {} // expected-error {{the parameters of kernel 'too_large' take 32768 bytes; a GPU passes at most 32764}}
