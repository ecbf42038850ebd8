// What `tessera explain` and the plugin say of each decision, at the line of the program.
// RUN: %tessera explain %s 2>&1 | FileCheck %s
// RUN: %clang_plugin -fplugin-arg-tessera-explain -fsyntax-only %s 2>&1 | FileCheck %s
// RUN: %tessera %s -o - | grep -v TEXT | FileCheck %s --check-prefix=TEXT
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_tile.h>
namespace ct = cuda::tiles;

template <class T, int M, int N> __tile__ auto tiles(T *p, unsigned rows, unsigned columns) {
  return ct::partition_view{ct::tensor_span{p, ct::extents{rows, columns}}, ct::shape<M, N>{}};
}

// CHECK: [[#@LINE+3]]:{{.*}} copy: 8 warps (256 threads) and 0 bytes of shared memory per block; these limits allow 8 per SM
// CHECK: copy: a block reads 8 KiB and writes 8 KiB; with 8 blocks per SM 64 KiB are in flight, for up to 100 % of the peak of memory
// TEXT: __launch_bounds__(256, 4) copy_simt
__tile_global__ void copy(const float *x, float *y, unsigned rows, unsigned columns, int i) {
  // CHECK: [[#@LINE+3]]:{{.*}} reads a tile of float, 32x64 from 'x' in accesses of 16 bytes per thread
  // CHECK: [[#@LINE+2]]:{{.*}} alignment is tested at run time: x is not known to be a multiple of 16 bytes; if it always is, write x = ct::assume_aligned<16>(x)
  // CHECK: [[#@LINE+1]]:{{.*}} alignment is tested at run time: columns is not known to be a multiple of 4; if it always is, write columns = ct::assume_divisible<4>(columns)
  auto tile = tiles<const float, 32, 64>(x, rows, columns).load_masked(i, 0);
  // CHECK: [[#@LINE+3]]:{{.*}} writes a tile of float, 32x64 to 'y' in accesses of 16 bytes per thread
  // CHECK: [[#@LINE+2]]:{{.*}} each element is compared with the extent of dimension 0
  // CHECK: [[#@LINE+1]]:{{.*}} each element is compared with the extent of dimension 1
  tiles<float, 32, 64>(y, rows, columns).store_masked(tile + 1.0f, i, 0);
}

// CHECK: pointers: 1 warp (32 threads)
__tile_global__ void pointers(const short *x, short *y, int n) {
  auto i = ct::iota<ct::tile<int, ct::shape<256>>>();
  // CHECK: [[#@LINE+1]]:{{.*}} reads a tile of short, 256 through one pointer per element, in accesses of 2 bytes: the pointers of a thread are not known to be contiguous
  auto tile = ct::load(x + i * i);
  // CHECK: [[#@LINE+2]]:{{.*}} writes a tile of short, 256 through contiguous pointers, in accesses of 16 bytes per thread
  // CHECK: [[#@LINE+1]]:{{.*}} alignment is tested at run time: y is not known to be a multiple of 16 bytes; if it always is, write y = ct::assume_aligned<16>(y)
  ct::store(y + i, tile);
  y = ct::assume_aligned<16>(y);
  // CHECK: [[#@LINE+2]]:{{.*}} reads a tile of short, 256 through contiguous pointers, in accesses of 16 bytes per thread
  // CHECK: [[#@LINE+1]]:{{.*}} alignment is tested at run time: the pointers are not known to start at multiples of 16 bytes
  auto moved = ct::load(y + (i + n));
  // CHECK: [[#@LINE+2]]:{{.*}} writes a tile of short, 256 through one pointer per element, in accesses of 2 bytes: the pointers of a thread are not known to be contiguous
  // CHECK-NOT: alignment
  ct::store(y + i * 2, moved);
}

// CHECK: narrow:
__tile_global__ void narrow(const char *x, char *y, unsigned rows, unsigned columns,
                            unsigned stride) {
  ct::layout_strided_mapping mapping{ct::extents{rows, columns}, ct::strides{columns, stride}};
  ct::partition_view from{ct::tensor_span{x, mapping}, ct::shape<4, 4>{}};
  // CHECK: [[#@LINE+1]]:{{.*}} accesses of 16 bytes need contiguous memory along the last dimension of the view, but its stride is not known to be 1
  auto tile = from.load_masked(0, 0);
  // CHECK: [[#@LINE+1]]:{{.*}} accesses are no wider: a row of this tile has 4 bytes
  tiles<char, 4, 4>(y, rows, columns).store_masked(tile, 0, 0);
}

// CHECK: multiply<16, __half>: {{.*}} bytes of shared memory
// TEXT: // multiply_16_half
// TEXT: copy_async
// TEXT: mma_start(
template <int K, class T>
__tile_global__ void multiply(const T *__restrict__ a, const T *__restrict__ b,
                              float *__restrict__ c, unsigned m, unsigned n, unsigned k) {
  auto a_tiles = tiles<const T, 64, K>(a, m, k);
  auto b_tiles = tiles<const T, K, 64>(b, k, n);
  auto sum = ct::zeros<ct::tile<float, ct::shape<64, 64>>>();
  // CHECK-DAG: [[#@LINE+1]]:{{.*}} the loop's operands are copied {{[0-9]+}} iterations ahead, into {{[0-9]+}} stages of 16384 bytes
  for (auto i : ct::irange(0, int(k / K)))
    // CHECK-DAG: [[#@LINE+2]]:{{.*}} copies a tile of __half, 64x64 from 'a' to shared memory ahead of its use, in accesses of 16 bytes per thread
    // CHECK-DAG: [[#@LINE+1]]:{{.*}} multiplies __half, 64x64 by __half, 64x64 on the tensor cores, with wgmma
    sum = ct::mma(a_tiles.load_masked(0, i), b_tiles.load_masked(i, 0), sum);
  tiles<float, 64, 64>(c, m, n).store_masked(sum, 0, 0);
}
// CHECK: multiply<32, float>:
// CHECK: multiplies float, 64x32 by float, 32x64 with fused multiply-adds: tensor cores take operands of float as __nv_tf32, with 10 bits of fraction; if these are enough, write ct::element_cast<__nv_tf32>
template __tile_global__ void multiply<16, __half>(const __half *, const __half *, float *,
                                                   unsigned, unsigned, unsigned);
template __tile_global__ void multiply<32, float>(const float *, const float *, float *, unsigned,
                                                  unsigned, unsigned);

// CHECK: alone: {{.*}} bytes of shared memory
__tile_global__ void alone(const __half *__restrict__ a, const __half *__restrict__ b,
                           float *__restrict__ c, unsigned m, unsigned n, unsigned k) {
  auto a_tiles = tiles<const __half, 128, 64>(a, m, k);
  auto b_tiles = tiles<const __half, 64, 256>(b, k, n);
  auto sum = ct::zeros<ct::tile<float, ct::shape<128, 256>>>();
  // CHECK-DAG: [[#@LINE+2]]:{{.*}} the loop's operands are copied 2 iterations ahead, into 4 stages of 49152 bytes
  // CHECK-DAG: [[#@LINE+1]]:{{.*}} these copies are bulk copies (TMA) if the views' bases and rows are aligned to 16 bytes at run time
  for (auto i : ct::irange(0, int(k / 64)))
    sum = ct::mma(a_tiles.load_masked(0, i), b_tiles.load_masked(i, 0), sum);
  // CHECK: [[#@LINE+1]]:{{.*}} this write is a bulk store (TMA) if the view's base and rows are aligned to 16 bytes at run time
  tiles<float, 128, 256>(c, m, n).store_masked(sum, 0, 0);
}

// CHECK: others:
__tile_global__ void others(const double *a, const float *b, double *c, float *d, unsigned n) {
  // CHECK: [[#@LINE+1]]:{{.*}} reads a tile of double, 16x16 from 'a' in accesses of 16 bytes per thread
  auto x = tiles<const double, 16, 16>(a, n, n).load_masked(0, 0);
  // CHECK: multiplies double, 16x16 by double, 16x16 with fused multiply-adds: the tensor cores of sm_90a have no instruction for these operands and this accumulator
  tiles<double, 16, 16>(c, n, n).store_masked(ct::mma(x, x, x), 0, 0);
  // CHECK: [[#@LINE+1]]:{{.*}} a tile of float, {{[0-9x]+}} goes through {{[0-9]+}} bytes of shared memory: a thread then writes contiguous elements in one access
  auto y = ct::transpose(tiles<const float, 64, 64>(b, n, n).load_masked(0, 0));
  tiles<float, 64, 64>(d, n, n).store_masked(y, 0, 0);
}

// CHECK: waits:
__tile_global__ void waits(const __half *a, __half *c, unsigned n) {
  auto sum = ct::zeros<ct::tile<float, ct::shape<64, 64>>>();
  for (auto i : ct::irange(0, int(n / 64))) {
    // CHECK: the loop waits for this tile of __half, 64x64: the loop writes through other pointers, which may alias 'a'; if they never do, write const __half *__restrict__ a
    auto x = tiles<const __half, 64, 64>(a, n, n).load_masked(0, i);
    sum = ct::mma(x, x, sum);
    tiles<__half, 64, 64>(c, n, n).store_masked(ct::element_cast<__half>(sum), 0, i);
  }
}

// CHECK: widened: 4 warps
__tile_global__ void widened(const __half *x, const __nv_bfloat16 *y, float *z) {
  auto half = ct::element_cast<float>(tiles<const __half, 64, 64>(x, 64, 64).load(0, 0));
  auto bfloat = ct::element_cast<float>(tiles<const __nv_bfloat16, 64, 64>(y, 64, 64).load(0, 0));
  auto zero = ct::zeros<ct::tile<float, ct::shape<64, 64>>>();
  // CHECK: [[#@LINE+1]]:{{.*}} multiplies __half, 64x64 by __half, 64x64 on the tensor cores, with wgmma
  auto square = ct::mma(half, half, zero);
  // CHECK: [[#@LINE+1]]:{{.*}} multiplies a float as the sum of three terms of __nv_bfloat16, a __half as that of two
  tiles<float, 64, 64>(z, 64, 64).store(ct::mma(square, bfloat, square), 0, 0);
}
