// Kernels of rows as users write them, for measure.py: extents are known at run time, and nothing
// is promised of addresses. A tile has R whole rows of at most C columns; T is in memory, f32
// inside.
#pragma once
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_tile.h>

namespace ct = cuda::tiles;

template <int R, int C, class T> __tile__ auto rows_of(T *array, unsigned rows, unsigned columns) {
  return ct::partition_view{ct::tensor_span{array, ct::extents{rows, columns}}, ct::shape<R, C>{}};
}

template <int C, class T> __tile__ auto row_of(const T *array, unsigned columns) {
  return ct::element_cast<float>(rows_of<1, C>(array, 1, columns).load_masked(0, 0));
}

template <int R, int C> using floats = ct::tile<float, ct::shape<R, C>>;

template <int R, int C, class T>
__tile_global__ void softmax(const T *__restrict__ x, const T *__restrict__, const T *__restrict__,
                             T *__restrict__ y, unsigned rows, unsigned columns) {
  const int i = ct::bid().x;
  auto v = ct::element_cast<float>(
      rows_of<R, C>(x, rows, columns).template load_masked<ct::view_padding::negative_inf>(i, 0));
  auto e = ct::exp(v - ct::reduce_max<1>(v));
  rows_of<R, C>(y, rows, columns).store_masked(ct::element_cast<T>(e / ct::sum<1>(e)), i, 0);
}

// Rows less their mean, by their standard deviation, of which nothing behind the end counts.
template <int R, int C> __tile__ auto standardized(const floats<R, C> &v, unsigned columns) {
  auto mean = ct::sum<1>(v) / float(columns);
  auto is_inside = ct::iota<ct::tile<int, ct::shape<1, C>>>() < int(columns);
  auto d = ct::select(is_inside, v - mean, ct::zeros<floats<R, C>>());
  return d * ct::rsqrt(ct::sum<1>(d * d) / float(columns) + 1e-5f);
}

template <int R, int C, class T>
__tile_global__ void layer_norm(const T *__restrict__ x, const T *__restrict__ w,
                                const T *__restrict__ b, T *__restrict__ y, unsigned rows,
                                unsigned columns) {
  const int i = ct::bid().x;
  auto v = ct::element_cast<float>(rows_of<R, C>(x, rows, columns).load_masked(i, 0));
  auto result = standardized<R, C>(v, columns) * row_of<C>(w, columns) + row_of<C>(b, columns);
  rows_of<R, C>(y, rows, columns).store_masked(ct::element_cast<T>(result), i, 0);
}

template <int R, int C, class T>
__tile_global__ void rms_norm(const T *__restrict__ x, const T *__restrict__ w,
                              const T *__restrict__, T *__restrict__ y, unsigned rows,
                              unsigned columns) {
  const int i = ct::bid().x;
  auto v = ct::element_cast<float>(rows_of<R, C>(x, rows, columns).load_masked(i, 0));
  auto scale = ct::rsqrt(ct::sum<1>(v * v) / float(columns) + 1e-5f);
  auto result = v * scale * row_of<C>(w, columns);
  rows_of<R, C>(y, rows, columns).store_masked(ct::element_cast<T>(result), i, 0);
}

// layer_norm by as many blocks as the grid has: each takes R rows after R rows.
template <int R, int C, class T>
__tile_global__ void persistent_layer_norm(const T *__restrict__ x, const T *__restrict__ w,
                                           const T *__restrict__ b, T *__restrict__ y,
                                           unsigned rows, unsigned columns) {
  auto xs = rows_of<R, C>(x, rows, columns);
  auto ys = rows_of<R, C>(y, rows, columns);
  auto weight = row_of<C>(w, columns), bias = row_of<C>(b, columns);
  for (int i = ct::bid().x; i < (int(rows) + R - 1) / R; i += ct::num_blocks().x) {
    auto v = ct::element_cast<float>(xs.load_masked(i, 0));
    auto result = standardized<R, C>(v, columns) * weight + bias;
    ys.store_masked(ct::element_cast<T>(result), i, 0);
  }
}

// The gradient of softmax by its argument. x: the results, w: the gradient by them.
template <int R, int C, class T>
__tile_global__ void softmax_backward(const T *__restrict__ x, const T *__restrict__ w,
                                      const T *__restrict__, T *__restrict__ y, unsigned rows,
                                      unsigned columns) {
  const int i = ct::bid().x;
  auto result = ct::element_cast<float>(rows_of<R, C>(x, rows, columns).load_masked(i, 0));
  auto gradient = ct::element_cast<float>(rows_of<R, C>(w, rows, columns).load_masked(i, 0));
  auto change = result * (gradient - ct::sum<1>(result * gradient));
  rows_of<R, C>(y, rows, columns).store_masked(ct::element_cast<T>(change), i, 0);
}

// Gradients of rms_norm by x and, as sums of each block's rows in `partial`, by w.
template <int R, int C, class T>
__tile_global__ void rms_norm_backward(const T *__restrict__ x, const T *__restrict__ w,
                                       const T *__restrict__ dy, T *__restrict__ dx,
                                       const float *__restrict__ rstd, float *__restrict__ partial,
                                       unsigned rows, unsigned columns) {
  auto xs = rows_of<R, C>(x, rows, columns), dys = rows_of<R, C>(dy, rows, columns);
  auto dxs = rows_of<R, C>(dx, rows, columns);
  auto scales = ct::partition_view{ct::tensor_span{rstd, ct::extents{rows, 1u}}, ct::shape<R, 1>{}};
  auto weight = row_of<C>(w, columns);
  auto dweight = ct::zeros<floats<1, C>>();
  for (int i = ct::bid().x; i < (int(rows) + R - 1) / R; i += ct::num_blocks().x) {
    auto scale = scales.load_masked(i, 0);
    auto normed = ct::element_cast<float>(xs.load_masked(i, 0)) * scale;
    auto gradient = ct::element_cast<float>(dys.load_masked(i, 0));
    dweight = dweight + ct::sum<0>(gradient * normed);
    auto scaled = gradient * weight;
    auto change = scaled - normed * (ct::sum<1>(scaled * normed) / float(columns));
    dxs.store_masked(ct::element_cast<T>(change * scale), i, 0);
  }
  rows_of<1, C>(partial, ct::num_blocks().x, columns).store_masked(dweight, ct::bid().x, 0);
}
