// What nvcc takes and Clang refuses is respelled, and errors stay where they are: beside such
// forms, and in forms that nvcc refuses, too.
// RUN: split-file %s %t
// RUN: %clang_plugin -S %t/good.cu -o /dev/null
// RUN: %tessera --arch=sm_80,sm_90a %t/of-one-pass.cu -o - | FileCheck %t/of-one-pass.cu
// RUN: not %tessera check %t/bad.cu 2>&1 | FileCheck %t/bad.cu --implicit-check-not=error:

//--- good.cu
#include <cuda_tile.h>
template <class T> __tile__ T f(T x) { return x; }
template <> int f<int>(int x) { return x + 1; }
struct s {
  int a;
  __tile__ constexpr s() : a(3) {}
};
__tile_global__ void k(int *p) [[cutile::hint(0, occupancy = 2)]] {
  static s one;
  p[0] = f(one.a);
}
int main() { k<<<{1}, {1}>>>(nullptr); }

//--- of-one-pass.cu
#include <cuda_tile.h>
__tile_global__ void k(int *p) { p[0] = 1; }
template <class T> __tile__ T f(T x) { return x; }
void launch() {
// What one of the parses meets is respelled for all.
#if defined __CUDA_ARCH__ && __CUDA_ARCH__ < 900
  // CHECK: configure(::dim3(80), 1)
  k<<<{80}, 1>>>(nullptr);
#elif defined __CUDA_ARCH__
  // CHECK: configure(::dim3(90), 1)
  k<<<{90}, 1>>>(nullptr);
#else
  // CHECK: configure(::dim3(7), 1)
  k<<<{7}, 1>>>(nullptr);
#endif
}

//--- bad.cu
#include <cuda_tile.h>
struct s {
  int a;
  __tile__ constexpr s(int a) : a(a) {}
};
struct made_by_tile_code {
  __tile__ made_by_tile_code(int);
};
// CHECK: bad.cu:[[@LINE+1]]:26: error: no matching constructor for initialization of
static made_by_tile_code of_host(1);
__tile__ int not_constexpr(int x) { return x; }
// CHECK: bad.cu:[[@LINE+1]]:22: error: no matching function for call to 'not_constexpr'
const int constant = not_constexpr(3);
template <class T> __tile__ T f(T x) { return x; }
// CHECK: bad.cu:[[@LINE+1]]:26: error: no function template matches
template <> __host__ int f<int>(int x) { return x + 1; }
__tile_global__ void k(int *p, int n) {
  // CHECK: bad.cu:[[@LINE+1]]:{{.*}}: error: dynamic initialization is not supported
  static s one(n);
  p[0] = one.a;
}
// CHECK: bad.cu:[[@LINE+1]]:35: error: restrict requires a pointer or reference ('s' is invalid)
__tile_global__ void restricted(s __restrict__ *p) {}
// CHECK: bad.cu:[[@LINE+1]]:39: error: 'noreturn' attribute cannot be applied to types
__tile_global__ void attribute(int) [[noreturn]];
// CHECK: bad.cu:[[@LINE+1]]:{{.*}}: error: expected expression
int main() { k<<<{1}, {1}>>>({nullptr}, +{3}); }
