// On a GPU a kernel's entry launches the kernel behind it, which it finds by its own address. Of a
// template the parameters' types lose their qualifiers by name: GCC leaves __restrict__ in a
// function's type if nvcc (13.5) leaves decltype(x) to it, and then knows no such function.
// RUN: %tessera -o - %s | grep -v CHECK | FileCheck %s
#include <cuda_tile.h>

// CHECK: void scale(T *__restrict__ x, T const by, int *const n) { __tessera_launch<void (*)(__tessera_parameter<decltype(x)>, __tessera_parameter<decltype(by)>, __tessera_parameter<decltype(n)>), &::scale<T>>(x, by, n); }
template <class T>
__tile_global__ void scale(T *__restrict__ x, T const by, int *const n) { *x = by; }

// CHECK: void each(T *... out) { using __tessera_type = void (*)(__tessera_parameter<decltype(out)>...); __tessera_launch<__tessera_type, &::each<T...>>(out...); }
template <class... T> __tile_global__ void each(T *... out) { ((out[0] = T(1)), ...); }

// GCC finds no address of a function whose pack is __restrict__, and the emitted kernel is found by
// that address.
// CHECK: void declared(int *x, const T *{{ *}}... in);
// CHECK: void declared(int *x, const T *{{ *}}... in) { using __tessera_type
#define RESTRICT __restrict__
template <class... T> __tile_global__ void declared(int *x, const T *RESTRICT... in);
template <class... T> __tile_global__ void declared(int *x, const T *__restrict__... in) {
  ((x[0] += in[0]), ...);
}
// CHECK: void of_macro(const int *in, T *{{ *}}... out){{ *}}{
#define DEFINE(name)                                                                               \
  template <class... T> __tile_global__ void name(const int *in, T *RESTRICT... out) {             \
    ((out[0] = T(in[0])), ...);                                                                    \
  }
DEFINE(of_macro)
// CHECK: void plain(int *__restrict__ out) { __tessera_launch<void (*)(decltype(out)), &::plain>(out); }
__tile_global__ void plain(int *__restrict__ out) { out[0] = 1; }

// A deleted function goes whole, with what follows its parameters.
// CHECK-NOT: = delete
__tile__ int deleted(...) = delete;
template <class T> __tile__ T deleted_with(T, int) = delete;
struct with_deleted {
  __tile__ int f(int) = delete;
  __tile__ with_deleted(int) = delete;
};

template <class A, class B> constexpr bool are_one = false;
template <class A> constexpr bool are_one<A, A> = true;
#ifdef TESSERA_SIMT
using tessera::host::parameter;
static_assert(are_one<parameter<int *__restrict__>, int *>);
static_assert(are_one<parameter<int *const>, int *>);
static_assert(are_one<parameter<const int *const __restrict__>, const int *>);
static_assert(are_one<parameter<const float>, float> && are_one<parameter<int &>, int &>);
#endif

int main() {
  int *p = nullptr;
  float *q = nullptr;
  scale<int><<<1, 1>>>(p, 2, p);
  each<int, float><<<1, 1>>>(p, q);
  of_macro<int, float><<<1, 1>>>(p, p, q);
  declared<int, float><<<1, 1>>>(p, p, q);
  plain<<<1, 1>>>(p);
}
