// A template that nobody instantiates may name what is declared nowhere, as nvcc has it; an
// instance may not, and neither may a function.
// RUN: %tessera %s -o - | grep -v CHECK | FileCheck %s
// RUN: not %tessera -DINSTANCE %s -o - 2>&1 | FileCheck %s --check-prefix=INSTANCE
// RUN: not %tessera -DFUNCTION %s -o - 2>&1 | FileCheck %s --check-prefix=FUNCTION
// RUN: not %tessera -DHIDDEN %s -o - 2>&1 | FileCheck %s --check-prefix=HIDDEN
// RUN: %tessera -DSHIFTED %s -o - | grep -v SHIFTED: | FileCheck %s --check-prefix=SHIFTED
#include <cuda_tile.h>

template <class T> __tile__ T silu(T x) { return x / (T(1.0f) + ct::exp(-x)); }
// INSTANCE: template-without-instance.cu:[[@LINE-1]]:65: error: use of undeclared identifier 'ct'
// INSTANCE-NOT: error:

#ifdef FUNCTION
__tile__ float half(float x) { return cs::exp(x); }
// FUNCTION: template-without-instance.cu:[[@LINE-1]]:39: error: use of undeclared identifier 'cs'
// FUNCTION-NOT: error:
#endif

// CHECK: static __global__ void {{.*}}twice_simt
__tile_global__ void twice(float *x) {
  namespace ct = cuda::tiles;
  auto p = x + ct::iota<ct::tile<int, ct::shape<64>>>();
#ifdef INSTANCE
  ct::store(p, silu(ct::load(p)));
#else
  ct::store(p, ct::load(p) * 2.0f);
#endif
}

// Another error that is none hides the instance from the first parse.
#ifdef HIDDEN
template <class T> __tile__ int hidden(T) { return nowhere(3); }
// HIDDEN: without-instance.cu:[[@LINE-1]]:52: error: use of undeclared identifier 'nowhere'
// HIDDEN-NOT: error:
__tile_global__ void hides(int2 __restrict__ *p, int *q) { *q = hidden(p); }
#endif

// What the host's parse alone respells moves what stands behind it, for the others, too.
#ifdef SHIFTED
#ifndef __CUDA_ARCH__
__host__ __tile__ int of_host(int x);
int of_host(int x) { return x; }
// SHIFTED: __host__ {{.*}}int of_host(int x) { return x; }
#endif
template <class T> __tile__ T behind(T x) { return cs::exp(x); }
int main() {
#ifndef __CUDA_ARCH__
  // SHIFTED: (__tessera_configure(1, 1), twice(nullptr));
  twice<<<1, 1>>>(nullptr);
#endif
}
// SHIFTED: static __global__ void {{.*}}twice_simt
#endif
