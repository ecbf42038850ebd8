// `#pragma nv_exec_check_disable` before a function that tile code shares with the host or the
// device: it may call what only tile code may call. What then does so is tile code alone. It may
// call what tile code may not, where tile code does not call it.
// RUN: %clang_plugin -fsyntax-only -Xclang -verify %s
#include <cuda_tile.h>
namespace ct = cuda::tiles;
using tile = ct::tile<float, ct::shape<16>>;

__tile__ int only(int x) { return x; } // expected-note 2 {{'only' is declared here}}

#define UNCHECKED _Pragma("nv_exec_check_disable")
#define SHARED __host__ __device__ __tile__

UNCHECKED template <class T> SHARED T in_macro(T x) { return x * x; }
#pragma nv_exec_check_disable
// A comment, attributes and requirements may stand between.
template <class T>
  requires requires(T x) { x + x; }
[[nodiscard]] SHARED T required(T x) {
  return x + x;
}
#pragma nv_exec_check_disable
template <class T> SHARED T declared_first(T x);
template <class T> SHARED T declared_first(T x) { return x - x; }
struct members {
  int count;
  UNCHECKED template <class T> SHARED members(T x) : count(sizeof(x * x)) {}
  UNCHECKED template <class T> SHARED T operator()(T x) const { return x * x; }
};
#pragma nv_exec_check_disable
SHARED inline tile no_template(tile x) { return x + x; }
__tile__ tile all(tile x) {
  members both(x);
  return no_template(both(declared_first(required(in_macro(x)))));
}

// The pragma is about one function.
UNCHECKED template <class T> SHARED T first(T x) { return x; }
template <class T> SHARED T second(T x) {
  return first(only(x)); // expected-error {{code that is not only tile code calls the __tile__ function 'only'}}
}
UNCHECKED int variable;
SHARED inline int behind_variable(int x) {
  return only(x); // expected-error {{code that is not only tile code calls the __tile__ function 'only'}}
}
__tile__ int uses(int x) { return second(x); }
// expected-note@-1 {{in second<int>, called at bad-unchecked.cu:46}}

// An instance that the others use, too, calls what they may call.
UNCHECKED template <class T> SHARED T square(T x) { return x * x; }
UNCHECKED template <class T> SHARED T apply(T x) { return only(x); }
// expected-note@-1 {{'apply<int>' is declared here}}
template <class T> SHARED T pass_on(T x) { return apply(x); }
// expected-note@-1 {{'pass_on<int>' is declared here}}
__tile__ tile of_tile(tile x) { return square(x); }
template <class T> __tile_global__ void of_kernel(T *p) { *p = apply(*p); }
void launches(int *p) { of_kernel<<<1, 1>>>(p); }
__global__ void of_device(int *p) {
  *p = square(*p);
  *p = apply(*p); // expected-error {{device code calls the __tile__ function 'apply<int>'}}
}
int of_host(int x) {
  return square(x) + pass_on(x); // expected-error {{not only tile code calls the __tile__ function 'pass_on<int>'}}
}

// What tile code does not come to calls whom it likes.
__host__ __device__ inline float for_both(float x) { return x; }
// expected-note@-1 5 {{'for_both' is declared here}}
UNCHECKED template <class T> SHARED T calls_both(T x) {
  return for_both(x); // expected-error {{tile code calls 'for_both', which is not a __tile__ function}}
}
UNCHECKED template <class T> SHARED T calls_both_elsewhere(T x) { return for_both(x); }
template <class T> SHARED T by_way(T x) { return calls_both(x); }
UNCHECKED SHARED inline float no_template_either(float x) {
  return for_both(x); // expected-error {{tile code calls 'for_both', which is not a __tile__ function}}
}
int elsewhere(float x) { return calls_both_elsewhere(x); }
__tile_global__ void comes_to(float *p) { *p = by_way(*p) + no_template_either(1); }

// An inline function that nothing comes to may call what the host and the device have.
__tile__ inline float unused(float x) { return for_both(logf(x)) + __builtin_bswap32(int(x)); }
SHARED inline float unused_too(float x) { return for_both(x); }
SHARED inline float used(float x) {
  return for_both(x); // expected-error {{tile code calls 'for_both', which is not a __tile__ function}}
}
SHARED inline float by_another(float x) { return used(x); }
float of_host(float x) { return by_another(x); }
struct object {
  float x;
  __tile__ object(float x) : x(initial(x)) {}
  __tile__ ~object() {
    for_both(x); // expected-error {{tile code calls 'for_both', which is not a __tile__ function}}
  }
  static __tile__ float initial(float x) {
    return for_both(x); // expected-error {{tile code calls 'for_both', which is not a __tile__ function}}
  }
};
__tile_global__ void makes(float *p) { *p = object(1).x; }
