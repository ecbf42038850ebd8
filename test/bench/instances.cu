// Two hundred instances of small kernels, as a library that leaves the choice to run time has them.
// compile_time.py times it.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_tile.h>

namespace ct = cuda::tiles;

template <class T, int N, int K>
__tile_global__ void scale(const T *__restrict__ a, T *__restrict__ b, unsigned n) {
  auto from = ct::partition_view{ct::tensor_span{a, ct::extents{n}}, ct::shape<N>{}};
  auto to = ct::partition_view{ct::tensor_span{b, ct::extents{n}}, ct::shape<N>{}};
  const auto i = ct::bid().x;
  to.store_masked(ct::element_cast<T>(ct::element_cast<float>(from.load_masked(i)) * float(K)), i);
}

template <class T, int N, int K> __tile_global__ void
normalize(const T *__restrict__ a, T *__restrict__ b, unsigned rows, unsigned columns) {
  auto from = ct::partition_view{ct::tensor_span{a, ct::extents{rows, columns}}, ct::shape<1, N>{}};
  auto to = ct::partition_view{ct::tensor_span{b, ct::extents{rows, columns}}, ct::shape<1, N>{}};
  const auto i = ct::bid().x;
  const auto x = ct::element_cast<float>(from.load_masked(i, 0));
  const auto sum = ct::sum<1>(x * x);
  to.store_masked(ct::element_cast<T>(x * ct::rsqrt(sum * (1.0f / N) + float(K))), i, 0);
}

#define INSTANCE(T, N, K)                                                                          \
  template __tile_global__ decltype(scale<T, N, K>) scale<T, N, K>;                                \
  template __tile_global__ decltype(normalize<T, N, K>) normalize<T, N, K>;
#define FIVE(T, N)                                                                                 \
  INSTANCE(T, N, 1) INSTANCE(T, N, 2) INSTANCE(T, N, 3) INSTANCE(T, N, 4) INSTANCE(T, N, 5)
#define TWENTY(T) FIVE(T, 256) FIVE(T, 512) FIVE(T, 1024) FIVE(T, 2048)

TWENTY(float)
TWENTY(__half)
TWENTY(__nv_bfloat16)
TWENTY(double)
TWENTY(int)
