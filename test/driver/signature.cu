// `tessera check --signature` prints what the parameters of a kernel template are made of: through
// aliases and macros, whatever the names of its declarations are. Kernels that are no templates
// have none. --depfile lists what it was read from.
// RUN: %tessera check --extensions --signature=inner::axpy --depfile=%t.d %s | FileCheck %s
// RUN: FileCheck --check-prefix=RULE --input-file=%t.d %s
// RUN: %tessera check --extensions --signature=plain %s | FileCheck --check-prefix=NONE %s
// RUN: %tessera check --extensions --signature=axpy %s | FileCheck --check-prefix=NONE %s
// RUN: %tessera check --extensions --signature=twice %s | FileCheck --check-prefix=TWICE %s
// CHECK: [{"template":[{"name":"T","kind":"type"},{"name":"W","kind":"value","default":"64"},
// CHECK-SAME: {"name":"N","kind":"value"},{"name":"M","kind":"type","default":"float"},
// CHECK-SAME: {"name":"Rest","kind":"type","pack":true}],
// CHECK-SAME: "parameters":[{"name":"x","type":{"pointer":{"parameter":"T"},"const":true}},
// CHECK-SAME: {"name":"y","type":{"array":{"parameter":"T"},"const":true,"rank":2}},
// CHECK-SAME: {"name":"z","type":{"array":{"type":"float"},"rank":"N"}},
// CHECK-SAME: {"name":"a","type":{"parameter":"M"}},
// CHECK-SAME: {"name":"n","type":{"type":"int"}},
// CHECK-SAME: {"name":"p","type":{"dependent":"pair<T>"}},
// CHECK-SAME: {"name":"","type":{"pointer":{"pointer":{"type":"int"}},"const":true}},
// CHECK-SAME: {"name":"rest","type":{"dependent":"Rest..."}}]}]
// RULE: signature.cu
// NONE: {{^}}[]
// TWICE: {"parameter":"A"}
// TWICE-SAME: {"pointer":{"parameter":"B"}}
#include <cuda_tile.h>
#include <tessera/interop/array_descriptor.h>
#define KERNEL(NAME) __tile_global__ void NAME
template <class E, int R> using array = cuda::interoperable_array_descriptor<E, R>;
template <class E> struct pair { E first, second; };

namespace outer::inner {
template <class T, int W, int N, class M, class... Rest>
KERNEL(axpy)(const T *, array<const T, 2>, array<float, N>, M, int, pair<T>, int *const *,
             Rest...);
template <class T, int W = 64, int N, class M = float, class... Rest>
KERNEL(axpy)(const T *x, array<const T, 2> y, array<float, N> z, M a, int n, pair<T> p,
             int *const *, Rest... rest) {}
}
namespace inner = outer::inner;
__tile_global__ void plain(int *x) { *x = 1; }
template <class A> __tile_global__ void twice(A) {}
template <class B> __tile_global__ void twice(B *) {}
