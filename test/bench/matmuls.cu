// Ten matmuls with run-time extents, every padding and several shapes and element types: what a
// library of kernels asks of one compilation. compile_time.py times it.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_tile.h>

namespace ct = cuda::tiles;

template <class T, int M, int N, int K, ct::view_padding P>
__tile_global__ void matmul(const T *__restrict__ a, const T *__restrict__ b, T *__restrict__ c,
                            unsigned m, unsigned n, unsigned k) {
  auto a_view = ct::partition_view{ct::tensor_span{a, ct::extents{m, k}}, ct::shape<M, K>{}};
  auto b_view = ct::partition_view{ct::tensor_span{b, ct::extents{k, n}}, ct::shape<K, N>{}};
  auto c_view = ct::partition_view{ct::tensor_span{c, ct::extents{m, n}}, ct::shape<M, N>{}};
  const auto row = ct::bid().x, column = ct::bid().y;
  auto sum = ct::zeros<ct::tile<float, ct::shape<M, N>>>();
  for (auto i : ct::irange(0, int((k + K - 1) / K)))
    sum = ct::mma(a_view.template load_masked<P>(row, i), b_view.template load_masked<P>(i, column),
                  sum);
  c_view.store_masked(ct::element_cast<T>(sum), row, column);
}

#define INSTANCE(...) template __tile_global__ decltype(matmul<__VA_ARGS__>) matmul<__VA_ARGS__>;

INSTANCE(__nv_bfloat16, 128, 128, 64, ct::view_padding::zero)
INSTANCE(__nv_bfloat16, 128, 256, 64, ct::view_padding::zero)
INSTANCE(__nv_bfloat16, 64, 64, 32, ct::view_padding::zero)
INSTANCE(__nv_bfloat16, 128, 128, 64, ct::view_padding::nan)
INSTANCE(__half, 128, 128, 64, ct::view_padding::zero)
INSTANCE(__half, 256, 128, 64, ct::view_padding::zero)
INSTANCE(__half, 128, 128, 32, ct::view_padding::negative_zero)
INSTANCE(__half, 64, 128, 64, ct::view_padding::positive_inf)
INSTANCE(float, 128, 128, 32, ct::view_padding::zero)
INSTANCE(float, 128, 64, 32, ct::view_padding::negative_inf)
