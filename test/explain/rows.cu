// The remarks of Remarks.def that remarks.cu has no case for, one kernel each or a few.
// RUN: %tessera explain %s 2>&1 | FileCheck %s
// RUN: %tessera explain --arch=sm_80 %s 2>&1 | FileCheck %s --check-prefix=OLDER
#include <cuda_fp16.h>
#include <cuda_tile.h>
namespace ct = cuda::tiles;

template <int M, int N, class T> __tile__ auto tiles(T *p, unsigned rows, unsigned columns) {
  return ct::partition_view{ct::tensor_span{p, ct::extents{rows, columns}}, ct::shape<M, N>{}};
}

// CHECK: widths:
__tile_global__ void widths(const float *x, float *y, int *z, unsigned n) {
  auto i = ct::bid().x;
  // CHECK: [[#@LINE+1]]:{{.*}} accesses are no wider: this tile has at most {{[48]}} bytes for each of
  auto few = tiles<8, 16>(x, n, n).load_masked(i, i);
  tiles<8, 16>(y, n, n).store_masked(few, i, i);
  // CHECK: [[#@LINE+1]]:{{.*}} each element is compared with the extent of dimension 0: rows is not known to be a multiple of 64; if it always is, write rows = ct::assume_divisible<64>(rows)
  auto moved = tiles<64, 64>(x + n, n * 3, n).load_masked(i, i);
  // CHECK: [[#@LINE+1]]:{{.*}} each element is compared with the extent of dimension 0: n is not known to be a multiple of 64; if it always is, write n = ct::assume_divisible<64>(n)
  tiles<64, 64>(y, n, n).store_masked(moved, i, i);
}

// CHECK: multiplies:
__tile_global__ void multiplies(const __half *a, const signed char *b, __half *c, int *d,
                                unsigned n) {
  auto eight = ct::zeros<ct::tile<__half, ct::shape<8, 8>>>();
  auto sixteen = ct::zeros<ct::tile<int, ct::shape<16, 16>>>();
  auto sixty = ct::zeros<ct::tile<__half, ct::shape<64, 64>>>();
  auto small = tiles<8, 16>(a, n, n).load_masked(0, 0);
  auto thin = tiles<16, 8>(a, n, n).load_masked(0, 0);
  // CHECK: [[#@LINE+1]]:{{.*}} with fused multiply-adds: the smallest operands of a tensor core are 16x16 and 16x8
  tiles<8, 8>(c, n, n).store_masked(ct::mma(small, thin, eight), 0, 0);
  auto bytes = tiles<16, 16>(b, n, n).load_masked(0, 0);
  // CHECK: [[#@LINE+1]]:{{.*}} the smallest operands of a tensor core are 16x32 and 32x8
  tiles<16, 16>(d, n, n).store_masked(ct::mma(bytes, bytes, sixteen), 0, 0);
  auto x = tiles<64, 64>(a, n, n).load_masked(0, 0);
  // CHECK: [[#@LINE+2]]:{{.*}} on the tensor cores, with mma.m16n8k16: wgmma needs an accumulator of float or int
  // OLDER: [[#@LINE+1]]:{{.*}} on the tensor cores, with mma.m16n8k16{{$}}
  tiles<64, 64>(c, n, n).store_masked(ct::mma(x, x, sixty), 0, 0);
}

// CHECK: loops:
template <class F>
__tile__ void loop(float *__restrict__ c, unsigned n, F &&operand) {
  auto sum = ct::zeros<ct::tile<float, ct::shape<64, 64>>>();
  for (auto i : ct::irange(0, int(n)))
    sum = ct::mma(operand(i), operand(i), sum);
  tiles<64, 64>(c, n, n).store_masked(sum, 0, 0);
}
__tile_global__ void loops(const __half *__restrict__ a, const int *__restrict__ locations,
                           float *__restrict__ c, unsigned n, unsigned stride) {
  using square = ct::tile<float, ct::shape<64, 64>>;
  auto view = tiles<64, 64>(a, n, n);
  loop(c, n, [=](int i) {
    // CHECK-DAG: [[#@LINE+1]]:{{.*}} the loop waits for this tile of __half, 64x64: elements outside of the view are not padded with zero
    return view.load_masked<ct::view_padding::nan>(i, 0);
  });
  loop(c, n, [=](int i) {
    // CHECK-DAG: [[#@LINE+1]]:{{.*}} the loop waits for this tile of __half, 64x64: its address is not known before its own iteration
    return view.load_masked(ct::load(locations + i), 0);
  });
  loop(c, n, [=](int i) {
    ct::layout_strided_mapping mapping{ct::extents{n, n}, ct::strides{n, stride}};
    // CHECK-DAG: [[#@LINE+1]]:{{.*}} the loop waits for this tile of __half, 64x64: the stride of the view's last dimension is not known to be 1
    return ct::partition_view{ct::tensor_span{a, mapping}, ct::shape<64, 64>{}}.load_masked(i, 0);
  });
  auto sum = ct::zeros<square>();
  // CHECK-DAG: [[#@LINE+1]]:{{.*}} the loop has no pipeline stages: only operands of multiplies are copied ahead of their use, and large tiles in kernels that multiply nothing
  for (auto i : ct::irange(0, int(n)))
    sum = sum + ct::element_cast<float>(view.load_masked(i, 0));
  for (auto i : ct::irange(0, int(n))) {
    auto x = view.load_masked(i, 0);
    // CHECK-DAG: [[#@LINE+1]]:{{.*}} the loop waits for this tile of __half, 64x64: it is computed before it is multiplied
    sum = ct::mma(view.load_masked(0, i), x + x, sum);
  }
  for (auto i : ct::irange(0, int(n))) {
    // CHECK-DAG: [[#@LINE+1]]:{{.*}} the loop waits for this tile of __half, 64x4: a row has fewer than 16 bytes
    auto narrow = tiles<64, 4>(a, n, n).load_masked(i, 0);
    sum = ct::mma(narrow, tiles<4, 64>(a, n, n).load_masked(0, i), sum);
  }
  for (auto i : ct::irange(0, int(n))) {
    // CHECK-DAG: [[#@LINE+1]]:{{.*}} copies a tile of __half, 64x64 from 'a' to shared memory ahead of its use
    auto x = view.load_masked(i, 0);
    sum = ct::mma(x, view.load_masked(0, i), sum) + ct::element_cast<float>(x);
  }
  for (auto i : ct::irange(0, int(n))) {
    // CHECK-DAG: [[#@LINE+1]]:{{.*}} the loop waits for this tile of __half, 64x32: it is read in the remainder loop of the unroll along K
    auto x = tiles<64, 32>(a, n, n).load_masked(0, i);
    sum = ct::mma(x, tiles<32, 64>(a, n, n).load_masked(i, 0), sum);
  }
  for (auto i : ct::irange(0, int(n)))
    if (ct::load(locations + i) > 3)
      // CHECK-DAG: [[#@LINE+1]]:{{.*}} the loop waits for this tile of __half, 64x64: it is read under a condition
      sum = ct::mma(view.load_masked(i, 0), view.load_masked(0, i), sum);
  for (auto i : ct::irange(0, int(n))) {
    // CHECK-DAG: [[#@LINE+1]]:{{.*}} the loop waits for this tile of __half, 64x64: it is multiplied in a nested loop
    auto x = view.load_masked(i, 0);
    for (auto j : ct::irange(0, int(n)))
      sum = ct::mma(x, view.load_masked(0, j), sum);
  }
  for (auto i : ct::irange(0, int(n))) {
    // CHECK-DAG: [[#@LINE+1]]:{{.*}} the loop waits for this tile of __half, 64x64: it is multiplied under a condition
    auto x = view.load_masked(i, 0);
    if (ct::load(locations + i) > 3)
      sum = ct::mma(x, ct::zeros<ct::tile<__half, ct::shape<64, 64>>>(), sum);
  }
  for (auto j : ct::irange(0, int(n))) {
    int i = j;
    // CHECK-DAG: [[#@LINE+1]]:{{.*}} the loop has no pipeline stages: its number of iterations is not known before the loop
    while (ct::load(locations + i) > 0) {
      sum = ct::mma(view.load_masked(i, 2), view.load_masked(2, i), sum);
      i = ct::load(locations + i);
    }
  }
  int i = 0;
  // CHECK-DAG: [[#@LINE+1]]:{{.*}} the loop has no pipeline stages: its number of iterations is not known before the loop
  while (ct::load(locations + i) > 0) {
    sum = ct::mma(view.load_masked(i, 0), view.load_masked(0, i), sum);
    i = ct::load(locations + i);
  }
  tiles<64, 64>(c, n, n).store_masked(sum, 0, 0);
}

// CHECK: exchanges:
__tile_global__ void exchanges(const float *x, float *y, int *counter, unsigned n) {
  auto i = ct::bid().x;
  auto wide = tiles<1, 4096>(x, n, n).load_masked(i, 0);
  // CHECK: [[#@LINE+1]]:{{.*}} partial results of the warps go through {{[0-9]+}} bytes of shared memory, as float, 1x{{[0-9]+}}: no warp holds a whole line of the tile
  auto sums = ct::sum<1>(wide);
  // CHECK: [[#@LINE+1]]:{{.*}} a tile of float, 1x4096 goes through 16384 bytes of shared memory: extract, insert or cat moves its elements to other threads
  auto part = ct::extract(wide, ct::shape<1, 1024>{}, 0, int(n % 4));
  // CHECK: [[#@LINE+1]]:{{.*}} a tile of int, 1 goes through 4 bytes of shared memory: one thread has the result of an atomic that other threads use
  int old = ct::atomic_add(counter, 1, ct::memory_order_relaxed_t{}, ct::thread_scope_device_t{});
  tiles<1, 1024>(y, n, n).store_masked(part + sums + float(old), i, 0);
}
