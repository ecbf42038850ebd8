// Where the black box of the language draws the line: kernels' attributes and template arguments,
// marks of variables, overloads, printf.
// RUN: %clang_plugin -fsyntax-only -ferror-limit=0 -Xclang -verify %s
#include <cuda_tile.h>

struct S {
  int a;
  static __tile__ int member; // expected-error {{'member' is a static member; a __tile__ variable must be a variable of a namespace}}
};
__tile_global__ void __launch_bounds__(64) threads(int *p) {} // expected-error {{has an attribute for the threads of SIMT kernels}}
__tile_global__ void __maxnreg__(64) registers(int *p) {} // expected-error {{has an attribute for the threads of SIMT kernels}}
__tile_global__ void member(int S::*m) {} // expected-error {{a kernel takes no pointers to members}}
template <class T> __tile_global__ void generic(int *p) {}
__tile__ auto twice(int x) { return 2 * x; }
template <int (*F)(int)> __tile_global__ void applying(int *p) { p[0] = F(p[0]); }
auto lambda = [] {};
class owner {
  struct hidden {};
  static void launch() { generic<hidden><<<1, 1>>>(nullptr); } // expected-error {{which is private or protected}}
};
void launch() {
  struct local {};
  applying<twice><<<1, 1>>>(nullptr); // expected-error {{a template argument of kernel 'applying<&twice>' is the tile function 'twice', whose return type is deduced}}
  generic<local *><<<1, 1>>>(nullptr); // expected-error {{a template argument of kernel 'generic<local *>' is or has the type 'local', which is local to a function; the code of a launch cannot name it}}
  generic<decltype(lambda)><<<1, 1>>>(nullptr); // expected-error {{which is the class of a lambda}}
}

__tile__ int value;
__tile__ const float constant = 2;
inline __tile__ int visible = 1; // expected-error {{'visible' is inline and visible to other translation units; make it static}}
__device__ __tile__ int both; // expected-error {{'both' is both __tile__ and __device__}}
__global__ void simt(float *p) { p[0] = value + constant; } // expected-error {{device code names the __tile__ variable 'value'}}

__tile__ int overloaded(int x) { return x; } // expected-note {{the other declaration is here}}
int overloaded(int x) { return x; } // expected-error {{'overloaded' is declared with __tile__ and without it}}

constexpr int table[2] = {1, 2}, number = 3;
__tile__ int refer(const int &x) { return x; }
__tile_global__ void kernel(int *p) {
  static int counted = p[0]; // expected-error {{the initializer of 'counted' is not constant}}
  thread_local int own = 1; // expected-error {{'own' is thread_local; a tile block has no threads}}
  p[0] = table[0]; // expected-error {{tile code names the variable 'table'}}
  p[0] = refer(number); // expected-error {{tile code names the variable 'number'}}
  p[0] = __builtin_ctz(p[1]) + __builtin_ctz(8); // expected-error {{'__builtin_ctz' in tile code; this builtin is for SIMT code}}
  if (__builtin_expect(p[0] > 1, 1)) // expected-error {{'__builtin_expect' in tile code; this builtin is for SIMT code}}
    p[0] = __builtin_expect(3, 1);
  printf(p[0] ? "%d" : "%x", p[0]); // expected-error {{the format is not a string literal}}
  printf("%*d", 4, p[0]); // expected-error {{takes a width or precision from an argument}}
  printf("%d %d\n", 1); // expected-error {{the format has 2 conversions, and there are 1 arguments}}
}
