// A template that nobody instantiates may name what is declared nowhere, as nvcc has it; an
// instance may not, and neither may a function.
// RUN: %tessera %s -o - | FileCheck %s
// RUN: not %tessera -DINSTANCE %s -o - 2>&1 | FileCheck %s --check-prefix=INSTANCE
// RUN: not %tessera -DFUNCTION %s -o - 2>&1 | FileCheck %s --check-prefix=FUNCTION
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
