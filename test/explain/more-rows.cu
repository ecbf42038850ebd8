// The remarks of Remarks.def that remarks.cu, rows.cu and pointers.cu have no case for; every row
// is in one of the four.
// RUN: %tessera explain %s 2>&1 | FileCheck %s
#include <cuda_fp16.h>
#include <cuda_tile.h>
namespace ct = cuda::tiles;

template <int M, int N, class T> __tile__ auto tiles(T *p, unsigned rows, unsigned columns) {
  return ct::partition_view{ct::tensor_span{p, ct::extents{rows, columns}}, ct::shape<M, N>{}};
}

// CHECK: locations:
__tile_global__ void locations(const float *const *x, float *y, unsigned n, int i) {
  // CHECK: [[#@LINE+2]]:{{.*}} alignment is tested at run time: the pointer is not known to be a multiple of 16 bytes
  // CHECK: [[#@LINE+1]]:{{.*}} rows that are not aligned to 16 bytes are read by aligned groups and shifted
  auto tile = tiles<16, 64>(x[i], n, n).load_masked(i, 0);
  ct::partition_view odd{ct::tensor_span{y, ct::extents{n, n * 3u + 1u}}, ct::shape<16, 64>{}};
  // CHECK: [[#@LINE+3]]:{{.*}} alignment is tested at run time: the stride of the view's dimension 0 is not known to be a multiple of 4
  // CHECK: [[#@LINE+2]]:{{.*}} alignment is tested at run time: the extent of the view's dimension 1 is not known to be a multiple of 4
  // CHECK: [[#@LINE+1]]:{{.*}} each element is compared with the extent of dimension 1{{$}}
  odd.store_masked(tile, i, 0);
}

// CHECK: softmax:
__tile_global__ void softmax(const __half *x, __half *y, unsigned n) {
  // CHECK: [[#@LINE+1]]:{{.*}} rows that are not aligned to 16 bytes are rotated in the tile, so that aligned groups are accessed
  auto row = ct::element_cast<float>(tiles<1, 1024>(x, n, n).load_masked(ct::bid().x, 0));
  auto exp = ct::exp(row - ct::reduce_max<1>(row));
  auto part = ct::element_cast<__half>(exp / ct::sum<1>(exp));
  // CHECK: [[#@LINE+1]]:{{.*}} rows that are not aligned to 16 bytes are rotated in the tile, so that aligned groups are accessed
  tiles<1, 1024>(y, n, n).store_masked(part, ct::bid().x, 0);
}

// CHECK: batches:
__tile_global__ void batches(const __half *x, float *y, unsigned n) {
  using pairs = ct::shape<2, 16, 16>;
  ct::partition_view from{ct::tensor_span{x, ct::extents{n, n, n}}, pairs{}};
  ct::partition_view to{ct::tensor_span{y, ct::extents{n, n, n}}, pairs{}};
  auto operand = from.load_masked(0, 0, 0);
  // CHECK: [[#@LINE+1]]:{{.*}} multiplies __half, 16x16 by __half, 16x16 on the tensor cores
  auto square = ct::mma(operand, operand, ct::zeros<ct::tile<float, pairs>>());
  auto half = ct::element_cast<__half>(square);
  // CHECK: [[#@LINE+1]]:{{.*}} multiplies __half, 2x16x16 by __half, 2x16x16 with fused multiply-adds: tensor cores multiply a batch only if its operands are read from views for this multiply alone and fit in registers
  auto product = ct::mma(half, half, square);
  to.store_masked(product, 0, 0, 0);
}

// CHECK: room:
__tile_global__ void room(const __half *__restrict__ a, const __half *__restrict__ b,
                          float *__restrict__ c, unsigned n) {
  auto sum = ct::zeros<ct::tile<float, ct::shape<64, 64>>>();
  for (auto i : ct::irange(0, int(n))) {
    // CHECK: [[#@LINE+1]]:{{.*}} the loop waits for this tile of __half, 64x512: shared memory has no room for two stages
    auto x = tiles<64, 512>(a, n, n).load_masked(0, i);
    // CHECK: [[#@LINE+1]]:{{.*}} the loop waits for this tile of __half, 512x64: shared memory has no room for two stages
    sum = ct::mma(x, tiles<512, 64>(b, n, n).load_masked(i, 0), sum);
    sum = sum * 0.5f; // seen in each iteration: the product does not go in parts
  }
  // CHECK: [[#@LINE+1]]:{{.*}} accesses are no wider: a thread holds 2 contiguous elements of this tile, as its other uses require
  tiles<64, 64>(c + ct::bid().x, n, n).store_masked(sum, 0, 0);
}

// CHECK: symmetric:
__tile_global__ void symmetric(const float *x, float *y, unsigned n) {
  auto tile = tiles<64, 64>(x, n, n).load_masked(0, 0);
  // CHECK: [[#@LINE+1]]:{{.*}} a tile of float, {{[0-9x]+}} goes through {{[0-9]+}} bytes of shared memory: its next use needs its elements in other threads
  auto both = tile * ct::transpose(tile);
  tiles<64, 64>(y, n, n).store_masked(both, 0, 0);
}

// No loop waits for what is read or computed before it.
// CHECK: before:
// CHECK-NOT: the loop waits for this tile of __half, 64x512
__tile_global__ void before(const __half *__restrict__ a, const __half *__restrict__ b,
                            float *__restrict__ c, unsigned n) {
  auto sum = ct::zeros<ct::tile<float, ct::shape<64, 64>>>();
  auto x = tiles<64, 512>(a, n, n).load_masked(0, 0);
  auto y = tiles<64, 512>(a, n, n).load_masked(1, 0);
  auto z = x + y;
  for (auto i : ct::irange(0, int(n))) {
    auto operand = tiles<512, 64>(b, n, n).load_masked(i, 0);
    sum = ct::mma(y, operand, sum);
    sum = ct::mma(x, operand, sum);
    // CHECK: [[#@LINE+1]]:{{.*}} the loop stores this loop-invariant tile of __half, 64x512 to shared memory in each iteration: another tile in shared memory would leave room for fewer blocks, or for none
    sum = ct::mma(z, operand, sum);
  }
  // CHECK-NOT: the loop waits for this tile of __half, 64x512
  tiles<64, 64>(c, n, n).store_masked(sum, 0, 0);
}

// CHECK: in_place:
__tile_global__ void in_place(__half *a, const __half *__restrict__ b, float *c, unsigned n) {
  auto sum = ct::zeros<ct::tile<float, ct::shape<64, 64>>>();
  for (auto i : ct::irange(0, int(n))) {
    // CHECK: [[#@LINE+1]]:{{.*}} the loop waits for this tile of __half, 64x64: the loop writes to memory that it reads, or to unknown addresses
    auto x = tiles<64, 64>(a, n, n).load_masked(0, i);
    sum = ct::mma(x, tiles<64, 64>(b, n, n).load_masked(i, 0), sum);
    tiles<64, 64>(a, n, n).store_masked(ct::zeros<decltype(x)>(), 0, i + 1);
  }
  tiles<64, 64>(c, n, n).store_masked(sum, 0, 0);
}

// CHECK: ordered:
__tile_global__ void ordered(const __half *__restrict__ a, const __half *__restrict__ b, int *d,
                             float *__restrict__ c, unsigned n) {
  auto sum = ct::zeros<ct::tile<float, ct::shape<64, 64>>>();
  for (auto i : ct::irange(0, int(n))) {
    // CHECK: [[#@LINE+1]]:{{.*}} the loop waits for this tile of __half, 64x64: a volatile access, or an acquire or release atomic in the loop, orders its reads
    auto x = tiles<64, 64>(a, n, n).load_masked(0, i);
    sum = ct::mma(x, tiles<64, 64>(b, n, n).load_masked(i, 0), sum);
    ct::atomic_add(d, 1, ct::memory_order_acq_rel_t{}, ct::thread_scope_device_t{});
  }
  tiles<64, 64>(c, n, n).store_masked(sum, 0, 0);
}

// Integers are named as the kernel's parameter spells them; tiles themselves have no sign.
// CHECK: signs<unsigned char>:
template <class T>
__tile_global__ void signs(const T *bytes, unsigned *words, const signed char *a, char *b) {
  auto i = ct::iota<ct::tile<int, ct::shape<64>>>();
  // CHECK: [[#@LINE+1]]:{{.*}} reads a tile of unsigned char, 64 through one pointer per element
  auto some = ct::load(bytes + i);
  // CHECK: [[#@LINE+1]]:{{.*}} writes a tile of unsigned int, 64 through one pointer per element
  ct::store(words + i, ct::element_cast<unsigned>(some));
  // CHECK: [[#@LINE+2]]:{{.*}} reads a tile of signed char, 64x64 from 'a'
  // CHECK: [[#@LINE+1]]:{{.*}} a tile of char, 64x64 goes through 4096 bytes of shared memory
  auto transposed = ct::transpose(tiles<64, 64>(a, 64u, 64u).load(0, 0));
  // CHECK: [[#@LINE+1]]:{{.*}} writes a tile of char, 64x64 to 'b'
  tiles<64, 64>(b, 64u, 64u).store(ct::element_cast<char>(transposed), 0, 0);
}
template __tile_global__ void signs(const unsigned char *, unsigned *, const signed char *, char *);
