// The frame of an emitted kernel: where it comes from and what it needs, its parameters as they
// were written, layouts and accesses named once.
// RUN: %tessera %s -o - | FileCheck %s
// Two runs give the same text.
// RUN: %tessera %s -o %t.1
// RUN: %tessera %s -o %t.2
// RUN: cmp %t.1 %t.2
#include <cuda_tile.h>
namespace ct = cuda::tiles;

// CHECK: // tessera {{[0-9.]+}}, from {{.*}}frame.cu: --arch=sm_90a
// CHECK: #include <tessera/simt.cuh>
// CHECK: #line 1 "{{.*}}frame.cu"

// CHECK: {{^}}// scale_256_float, from frame.cu:[[@LINE+9]], for sm_90a: 32 threads, 0 bytes of shared memory
// CHECK-NEXT: {{^}}// A block reads 1 KiB and writes 1 KiB; 32 blocks per SM, 32 KiB in flight: up to 66 % of the peak of memory.
// CHECK-NEXT: static __global__ void __launch_bounds__(32, 32) scale_256_float_simt(const float *__restrict__ x, float *y, unsigned int n, float factor) {
// CHECK-NEXT: using tile_256 = layout<shape<256>, registers<1, 2, 128>, lanes<4, 8, 16, 32, 64>, warps<>>;
// CHECK-NEXT: using by_4 = access_by<4, 0, alignment::guarded, bounds::checked>;
// CHECK-NOT: using
// CHECK: store<by_4>
// CHECK-NEXT: {{^}}}
template <int Tile, class T>
__tile_global__ void scale(const T *__restrict__ x, T *y, unsigned n, T factor) {
  auto from = ct::partition_view{ct::tensor_span{x, ct::extents{n}}, ct::shape<Tile>{}};
  auto to = ct::partition_view{ct::tensor_span{y, ct::extents{n}}, ct::shape<Tile>{}};
  to.store_masked(from.load_masked(ct::bid().x) * factor, ct::bid().x);
}

// CHECK-LABEL: {{^}}// rows,
// CHECK-SAME: 64 threads, {{[1-9][0-9]*}} bytes of shared memory
// CHECK: __launch_bounds__(64, 16)
// CHECK: store_shared(shared_at<shared_
// CHECK-NEXT: barrier();
__tile_global__ void rows(float *x) {
  auto columns = ct::iota<ct::tile<int, ct::shape<2048>>>();
  auto values = ct::load(x + columns);
  ct::store(x + columns, values - ct::sum(values, ct::integral_constant<0>{}));
}

template __tile_global__ void scale<256, float>(const float *__restrict__, float *, unsigned,
                                                float);
