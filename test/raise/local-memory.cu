// Every thread stores to its own copy of a local variable, also through a pointer that is chosen,
// merged, carried by a loop or kept in another local variable; `tile.local` says so.
// RUN: %tessera --dump=tile %s -o /dev/null | FileCheck %s
#include <cuda_tile.h>

// CHECK-LABEL: func.func @{{.*}}chosen
// CHECK: %[[P:.*]] = arith.select
// CHECK: %[[AT:.*]] = llvm.getelementptr %[[P]]
// CHECK: llvm.store {{.*}}, %[[AT]] {{{.*}}tile.local}
// CHECK: llvm.store {{.*}}, %arg2 {alignment = 4 : i64}
__tile_global__ void chosen(int w, int n, int *o) {
  int a[4] = {n, 2, 3, 4}, b[4] = {5, n, 7, 8};
  int *p = w ? a : b;
  p[n & 3] = 9;
  o[0] = a[w & 3] + b[w & 3];
}

// CHECK-LABEL: func.func @{{.*}}carried
// CHECK: scf.while
// CHECK: llvm.store {{.*}} {{{.*}}tile.local}
__tile_global__ void carried(const int *x, int n, int *o) {
  int a[4] = {n, 2, 3, 4}, b[4] = {5, n, 7, 8};
  int *p = a, *q = b;
  for (int i = 0; x[i]; ++i) {
    p[x[i] & 3] = i;
    int *r = p;
    p = q;
    q = r;
  }
  o[0] = a[n & 3] + b[n & 3];
}

// CHECK-LABEL: func.func @{{.*}}kept
// CHECK: %[[P:.*]] = llvm.load {{.*}} -> !llvm.ptr
// CHECK: %[[AT:.*]] = llvm.getelementptr %[[P]]
// CHECK: llvm.store {{.*}}, %[[AT]] {{{.*}}tile.local}
struct cell {
  int a[4];
  int *other;
};
__tile_global__ void kept(int w, int n, int *o) {
  cell s[2] = {};
  s[0].other = s[1].a;
  s[1].other = s[0].a;
  s[w & 1].other[n & 3] = 7;
  o[0] = s[0].a[n & 3];
}

// What the kernel is given is one for all threads, by whatever name.
// CHECK-LABEL: func.func @{{.*}}given
// CHECK-NOT: tile.local
__tile_global__ void given(int w, int *o, int *q) {
  int *p = w ? o : q;
  p[w] = 1;
}
