// Which kernels have a version for aligned views, why others have none, and how the version for any
// alignment accesses its rows.
// RUN: %tessera explain --arch=sm_90a %s 2>&1 | FileCheck %s
#include <cuda_bf16.h>
#include <cuda_tile.h>
namespace ct = cuda::tiles;

template <class T> __tile__ auto rows_of(T *p, int rows, int columns) {
  return ct::partition_view{ct::tensor_span{p, ct::extents{rows, columns}}, ct::shape<1, 4096>{}};
}
template <class T> __tile__ void center(const T *x, T *y, int row, int rows, int columns) {
  auto v = ct::element_cast<float>(rows_of(x, rows, columns).load_masked(row, 0));
  auto c = ct::element_cast<T>(v - ct::reduce_max<1>(v));
  rows_of(y, rows, columns).store_masked(c, row, 0);
}

// CHECK: [[#@LINE+1]]:{{.*}} floats: a version is for launches whose views are all aligned, the other one for any; each block asks once
__tile_global__ void floats(const float *__restrict__ x, float *__restrict__ y, int rows,
                            int columns) {
  auto v = rows_of(x, rows, columns).load_masked(ct::bid().x, 0);
  // CHECK: [[#@LINE+3]]:{{.*}} writes a tile of float, 1x4096 to 'y' in accesses of 16 bytes per thread
  // CHECK: [[#@LINE+2]]:{{.*}} writes a tile of float, 1x4096 to 'y' in accesses of 4 bytes per thread
  // CHECK: [[#@LINE+1]]:{{.*}} where not all views are aligned, each lane of a warp accesses a single element of 4 bytes beside its neighbours': whole lines of 128 bytes
  rows_of(y, rows, columns).store_masked(v - ct::reduce_max<1>(v), ct::bid().x, 0);
}

// Behind a return, or in a branch.
// CHECK: behind_return: a version is for launches whose views are all aligned
// CHECK: rows that are not aligned to 16 bytes are rotated in the tile
__tile_global__ void behind_return(const __nv_bfloat16 *__restrict__ x,
                                   __nv_bfloat16 *__restrict__ y, int rows, int columns) {
  const int row = ct::bid().x;
  if (row >= rows)
    return;
  center(x, y, row, rows, columns);
}

// CHECK: aligned:
// CHECK-NOT: launches whose views
__tile_global__ void aligned(const float *__restrict__ x, float *__restrict__ y, int rows,
                             int columns) {
  x = ct::assume_aligned<16>(x), y = ct::assume_aligned<16>(y);
  columns = ct::assume_divisible<4>(columns);
  center(x, y, ct::bid().x, rows, columns);
}

// CHECK: copies: there is no version for launches whose views are all aligned: it reduces nothing
__tile_global__ void copies(const float *x, float *y, int rows, int columns) {
  auto v = rows_of(x, rows, columns).load_masked(ct::bid().x, 0);
  rows_of(y, rows, columns).store_masked(v, ct::bid().x, 0);
}

// CHECK: largest: there is no version {{.*}}: only one access is tested for alignment
__tile_global__ void largest(const float *x, float *y, int rows, int columns) {
  auto v = rows_of(x, rows, columns).load_masked(ct::bid().x, 0);
  y[ct::bid().x] = float(ct::reduce_max<1>(v));
}

// CHECK: listed: there is no version {{.*}}: fewer than two of its views are known before its tiles are computed
__tile_global__ void listed(const float *const *x, float *const *y, int rows, int columns) {
  for (int row = ct::bid().x; row < rows; row += ct::num_blocks().x)
    center(x[row], y[row], 0, 1, columns);
}
