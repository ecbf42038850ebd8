// What explain says of loops over rows: that their loads are copied ahead, or why not.
// RUN: %tessera explain %s 2>&1 | FileCheck %s
#include <cuda_tile.h>
namespace ct = cuda::tiles;

__tile__ auto rows_of(auto *x, int rows) {
  return ct::partition_view{ct::tensor_span{x, ct::extents{unsigned(rows), 1024u}},
                            ct::shape<1, 1024>{}};
}

__tile_global__ void one_of_two(const float *__restrict__ x, float *__restrict__ y, int rows) {
  // CHECK-DAG: [[#@LINE+1]]:{{.*}} the tiles that the loop loads are copied 2 iterations ahead, into 3 stages of 4096 bytes
  for (int i = ct::bid().x; i < rows; i += ct::num_blocks().x)
    rows_of(y, rows).store(rows_of(x, rows).load(i, 0) * 2.0f, i, 0);
  for (int i = 0; i < rows; ++i)
    // CHECK-DAG: [[#@LINE+1]]:{{.*}} the loop waits for this tile of float, 1x1024: what the blocks of an SM load at a time is expected to keep memory busy
    rows_of(y, rows).store(rows_of(x, rows).load(i, 0) * 3.0f, i, 0);
}

__tile_global__ void may_alias(const float *x, float *y, int rows) {
  for (int i = ct::bid().x; i < rows; i += ct::num_blocks().x)
    // CHECK-DAG: [[#@LINE+1]]:{{.*}} the loop writes through other pointers, which may alias 'x'; if they never do, write const float *__restrict__ x
    rows_of(y, rows).store(rows_of(x, rows).load(i, 0) * 2.0f, i, 0);
}

// What is computed from a read through many ways is followed once.
template <int Times> __tile__ auto grown(auto x) {
  if constexpr (Times == 0)
    return x;
  else
    return grown<Times - 1>(x * x + x);
}

__tile_global__ void many_ways(const float *x, float *y, int rows) {
  for (int i = ct::bid().x; i < rows; i += ct::num_blocks().x)
    // CHECK-DAG: [[#@LINE+1]]:{{.*}} the loop writes through other pointers, which may alias 'x'
    rows_of(y, rows).store(grown<40>(rows_of(x, rows).load(i, 0)), i, 0);
}

__tile_global__ void small(const float *__restrict__ x, float *__restrict__ y, int rows) {
  auto view = [=](auto *p) {
    return ct::partition_view{ct::tensor_span{p, ct::extents{unsigned(rows)}}, ct::shape<16>{}};
  };
  // CHECK-DAG: [[#@LINE+1]]:{{.*}} the loop has no pipeline stages: only operands of multiplies are copied ahead of their use, and large tiles in kernels that multiply nothing
  for (int i = ct::bid().x; i < rows / 16; i += ct::num_blocks().x)
    view(y).store(view(x).load(i) * 2.0f, i);
}
