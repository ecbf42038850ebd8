// Kernels that a program exports, launched by a program in C (Inputs/launch_kernels.c): arrays with
// strides, pointers, numbers and structs; what does not fit is refused with a code and a sentence
// before anything runs; a kernel that fails says where.
// RUN: %tessera build --extensions -O0 --target=cpu %s -o %t.so
// RUN: %clang_c -I%src/runtime/include %S/Inputs/launch_kernels.c -L%libraries -ltessera_launch \
// RUN:   -o %t.host
// RUN: %t.host %t.so | FileCheck %s
// The sample.
// RUN: %tessera build --extensions -O0 --target=cpu %src/samples/c/scale.cu -o %t.scale.so
// RUN: %clang_c -I%src/runtime/include %src/samples/c/scale.c -L%libraries -ltessera_launch \
// RUN:   -o %t.scale
// RUN: %t.scale %t.scale.so | FileCheck --check-prefix=SAMPLE %s
// SAMPLE: 2 200
// The header is for C99 and C++11, with other compilers, too.
// RUN: gcc -std=c99 -Wall -Wextra -Werror -pedantic -I%src/runtime/include -fsyntax-only \
// RUN:   %S/Inputs/launch_kernels.c
// RUN: g++ -std=c++11 -Wall -Wextra -Werror -pedantic -I%src/runtime/include -fsyntax-only \
// RUN:   -x c++ %S/Inputs/launch_kernels.c
// CHECK: scale has 4 parameters: descriptor of float32 const, descriptor of float32, number, record
// CHECK: scaled: 2 6 10 4 8 12
// CHECK: pointers: 7
// CHECK: nothing: 0
// CHECK: 1: {{.*}}nowhere.so: cannot open shared object file
// CHECK: 1: '{{.*}}.so' exports no kernel 'turn'
// CHECK: 2: scale takes 4 arguments, 3 are given
// CHECK: 2: scale: extents of a grid are from 1 to 2^31 - 1
// CHECK: 2: scale: argument 1: an array of float64, but float32 is required
// CHECK: 2: scale: argument 1: an array of 1 dimensions, but 2 are required
// CHECK: 2: scale: argument 2: a stride of -4 bytes; kernels take no negative strides
// CHECK: 2: scale: argument 3: an array, but a value is required
// CHECK: 2: scale: argument 3: a value of 8 bytes, but the parameter has 4
// CHECK: 2: scale: argument 4: neither an array nor a value
// CHECK: 2: scale has no parameter 4
// CHECK: 3: add: {{.*}}c_api.cu:[[@LINE+17]]: {{.*}}Assertion
// CHECK: and the next one: 9
#include <cassert>
#include <cuda_tile.h>
#include <tessera/interop/export.h>
namespace ct = cuda::tiles;
template <class T, int N> using array = cuda::interoperable_array_descriptor<T, N>;

struct offset { int first, second; };
template <class T> __tile_global__ void scale(array<const T, 2> x, array<T, 2> y, T factor,
                                              offset added) {
  for (long i = 0; i < x.shape[0]; ++i)
    for (long j = 0; j < x.shape[1]; ++j)
      y.data[i * y.strides[0] + j * y.strides[1]] =
          x.data[i * x.strides[0] + j * x.strides[1]] * factor + added.second;
}
__tile_global__ void add(const int *x, int *y) {
  assert(*x != 0);
  *y = *y + *x;
}
TESSERA_EXPORT_KERNEL(scale, scale<float>);
TESSERA_EXPORT_KERNEL(add, add);
