// Kernels of one name, and what else a program may call so: each launch runs the kernel that it
// means, whatever stands in namespaces beside it.
#include <cuda_tile.h>

#include <cstdio>
#include <cuda_runtime.h>

// An unnamed namespace beside what it is in.
__tile_global__ void f(int *o) { *o = 1; }
namespace {
__tile_global__ void f(int *o) { *o = 2; }
void inner_f(int *o) { f<<<1, 1>>>(o); }
} // namespace

// Beside a function of the host, in both orders.
void g(int *o) { *o = -1; }
namespace {
__tile_global__ void g(int *o) { *o = 3; }
void inner_g(int *o) { g<<<1, 1>>>(o); }
} // namespace

// Overloads on both sides.
__tile_global__ void h(float *o) { *o = 4; }
namespace {
__tile_global__ void h(int *o) { *o = 5; }
__tile_global__ void h(int *o, int by) { *o = by; }
} // namespace

// As functions of the library are called.
namespace {
__tile_global__ void exp(int *o) { *o = 6; }
void inner_exp(int *o) { exp<<<1, 1>>>(o); }
} // namespace

// Templates, and types of the unnamed namespace as their arguments.
struct tag {
  static constexpr int value = 7;
};
template <class T> __tile_global__ void t(int *o) { *o = T::value; }
namespace {
struct tag {
  static constexpr int value = 8;
};
enum class kind { first = 9 };
template <class T> __tile_global__ void t(int *o) { *o = 10 + T::value; }
template <kind K> __tile_global__ void e(int *o) { *o = int(K); }
template <class T> struct box {
  static constexpr int value = 20 + T::value;
};
void inner_t(int *o) {
  t<tag><<<1, 1>>>(o);
  t<::tag><<<1, 1>>>(o + 1);
  t<box<tag>><<<1, 1>>>(o + 2);
  t<box<box<::tag>>><<<1, 1>>>(o + 3);
  e<kind::first><<<1, 1>>>(o + 4);
}
} // namespace

// Functions and variables as arguments.
__tile__ int number() { return 1; }
namespace {
__tile__ int number() { return 2; }
__tile__ int two = 2;
template <int (*F)()> __tile_global__ void of_function(int *o) { *o = F(); }
template <int *P> __tile_global__ void of_variable(int *o) { *o = *P; }
void inner_of(int *o) {
  of_function<&number><<<1, 1>>>(o);
  of_function<&::number><<<1, 1>>>(o + 1);
  of_variable<&two><<<1, 1>>>(o + 2);
}
} // namespace

// Inline namespaces, unnamed ones in others, and those within those.
namespace lib {
__tile_global__ void in(float *o) { *o = 1; }
inline namespace v1 {
__tile_global__ void in(int *o) { *o = 11; }
template <class T> __tile_global__ void in_template(T *o) { *o = 12; }
} // namespace v1
namespace v0 {
__tile_global__ void in(int *o) { *o = 13; }
} // namespace v0
namespace {
namespace within {
__tile_global__ void in(int *o) { *o = 14; }
} // namespace within
namespace nested {
namespace {
__tile_global__ void in_two(int *o) { *o = 15; }
} // namespace
} // namespace nested
void inner_in(int *o) {
  within::in<<<1, 1>>>(o);
  nested::in_two<<<1, 1>>>(o + 1);
}
} // namespace
namespace within {
__tile_global__ void in(int *o) { *o = 16; }
} // namespace within
} // namespace lib
namespace alone {
inline namespace v1 {
__tile_global__ void in(int *o) { *o = 17; }
} // namespace v1
namespace v2 {
__tile_global__ void in(int *o) { *o = 18; }
} // namespace v2
} // namespace alone

// A parameter that is called as its kernel, beside another one of that name.
namespace {
__tile_global__ void p(int *p) { *p = 19; }
template <class T> __tile_global__ void q(T *q) { *q = 20; }
} // namespace

// A class of the kernel's name.
struct both {};
__tile_global__ void both(int *o) { *o = 21; }

// What the runtime calls its own.
namespace host {
struct kernel {
  static constexpr int value = 22;
};
} // namespace host
namespace arch {
struct layout {
  static constexpr int value = 23;
};
template <class T> __tile_global__ void launch(int *o, const T *) { *o = T::value; }
} // namespace arch
struct fragment {
  static constexpr int value = 24;
};

static int *memory;

static void show(const char *what, int count = 1) {
  cudaDeviceSynchronize();
  std::printf("%s", what);
  for (int i = 0; i < count; i++)
    std::printf(" %d", memory[i]);
  std::printf("\n");
}

// A parameter that has its kernel's name hides it in the kernel's body.
__tile_global__ void own(int *own) { *own = 31; }
template <class T> __tile_global__ void own_of(T own_of, int *to) { *to = own_of + 33; }
template <class T, int N> __tile_global__ void special(T *p) { *p = -N; }
template <> __tile_global__ void special<int, 1>(int *p) { *p = 38; }
namespace {
__tile_global__ void own(int *own) {
  decltype(own) same = own;
  own = same + 0;
  *own = 32;
}
template <class T> __tile_global__ void own_of(T own_of, int *to) { *to = own_of + 34; }
// So it does in a specialisation.
template <class T, int N> __tile_global__ void special(T *p) { *p = N; }
template <> __tile_global__ void special<int, 1>(int *special) { *special = 36; }
void inner_own(int *p) {
  own<<<1, 1>>>(p);
  own_of<<<1, 1>>>(1, p + 1);
  special<int, 1><<<1, 1>>>(p + 3);
  special<int, 37><<<1, 1>>>(p + 4);
}
} // namespace

int main() {
  cudaMallocManaged(&memory, 64);
  ::f<<<1, 1>>>(memory);
  show("f");
  inner_f(memory);
  show("f of the unnamed namespace");
  inner_g(memory);
  show("g");
  h<<<1, 1>>>(reinterpret_cast<float *>(memory));
  cudaDeviceSynchronize();
  std::printf("h of floats %g\n", *reinterpret_cast<float *>(memory));
  h<<<1, 1>>>(memory);
  show("h of ints");
  h<<<1, 1>>>(memory, 25);
  show("h of two");
  inner_exp(memory);
  show("exp");
  ::t<::tag><<<1, 1>>>(memory);
  show("t");
  inner_t(memory);
  show("t of the unnamed namespace", 5);
  inner_of(memory);
  show("of functions and variables", 3);
  lib::v1::in<<<1, 1>>>(memory);
  lib::in_template<<<1, 1>>>(memory + 1);
  lib::v0::in<<<1, 1>>>(memory + 2);
  lib::within::in<<<1, 1>>>(memory + 3);
  lib::inner_in(memory + 4);
  alone::in<<<1, 1>>>(memory + 6);
  alone::v2::in<<<1, 1>>>(memory + 7);
  show("inline", 8);
  p<<<1, 1>>>(memory);
  q<<<1, 1>>>(memory + 1);
  both<<<1, 1>>>(memory + 2);
  show("parameters and classes", 3);
  arch::launch<<<1, 1>>>(memory, static_cast<host::kernel *>(nullptr));
  arch::launch<<<1, 1>>>(memory + 1, static_cast<arch::layout *>(nullptr));
  arch::launch<<<1, 1>>>(memory + 2, static_cast<fragment *>(nullptr));
  show("names of the runtime", 3);
  inner_own(memory);
  ::own<<<1, 1>>>(memory + 2);
  ::special<int, 1><<<1, 1>>>(memory + 5);
  show("parameters of the kernel's name", 6);
  void *arguments[] = {&memory};
  cudaLaunchKernel((const void *)&::f, dim3(1), dim3(1), arguments, 0, nullptr);
  show("f by its address");
}
