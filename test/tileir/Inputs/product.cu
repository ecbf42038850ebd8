// large_product of ../pipelines.py.
#include "arrays.h"

template <class T> __tile__ auto matrix(T *p, int rows, int columns, int stride) {
  return ct::tensor_span{
      ct::assume_aligned<16>(p),
      ct::layout_strided_mapping{ct::extents{promised<16>(rows), promised<16>(columns)},
                                 ct::extents{promised<8>(stride), 1_ic}}};
}

extern "C" __tile_global__ void
large_product(const __half *__restrict__ a, int a_0, int a_1, int a_stride_0, int /*a_stride_1*/,
              const __half *__restrict__ b, int b_0, int b_1, int b_stride_0, int /*b_stride_1*/,
              __half *__restrict__ c, int c_0, int c_1, int c_stride_0, int /*c_stride_1*/) {
  auto as = ct::partition_view{matrix(a, a_0, a_1, a_stride_0), ct::shape<128, 64>{}};
  auto bs = ct::partition_view{matrix(b, b_0, b_1, b_stride_0), ct::shape<64, 128>{}};
  auto cs = ct::partition_view{matrix(c, c_0, c_1, c_stride_0), ct::shape<128, 128>{}};
  int i = ct::bid().x, j = ct::bid().y;
  auto accumulator = ct::zeros<ct::tile<float, ct::shape<128, 128>>>();
  for (auto k : ct::irange(0, ct::ceildiv(a_1, 64)))
    accumulator = ct::mma(as.load_masked(i, k), bs.load_masked(k, j), accumulator);
  cs.store_masked(ct::element_cast<__half>(accumulator), i, j);
}
