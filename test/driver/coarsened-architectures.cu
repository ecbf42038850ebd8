// A kernel that launches run in place of another, on one of a text's architectures: the others,
// whose registrations are the same, know it by name.
// RUN: %tessera --arch=sm_80,sm_90a -o %t.simt.cu %s
// RUN: grep -v CHECK %t.simt.cu | FileCheck %s
// RUN: %clang_tile --no-cuda-gpu-arch=sm_90a --cuda-gpu-arch=sm_80 -S %t.simt.cu -o /dev/null
#include <cuda_bf16.h>
#include <cuda_tile.h>
namespace ct = cuda::tiles;

// CHECK: #ifndef __CUDA_ARCH__
// CHECK: static __global__ void multiply_simt({{.*}}, const __grid_constant__ tensor_maps<3>) {}
// CHECK: static __global__ void multiply_coarsened_simt({{.*}}, const coarsened_grid grid, const __grid_constant__ tensor_maps<3>) {}
// CHECK: #elif __CUDA_ARCH__ >= 900
// CHECK: multiply_coarsened_simt({{.*}}, const coarsened_grid grid, const __grid_constant__ tensor_maps<3> tensor_maps) {
// CHECK: #elif __CUDA_ARCH__ >= 800
// CHECK: multiply_simt({{.*}}) {
// CHECK: static __global__ void multiply_coarsened_simt({{.*}}, const coarsened_grid grid, const __grid_constant__ tensor_maps<3>) {}
// CHECK: #else
// CHECK: {{[{]}}{80, 128, {{[0-9]+}}, ::tessera::host::no_tensor_maps<6, 3>}, {90, 128, {{.*}},
// CHECK-NEXT: ::tessera::host::persistent(::tessera::host::coarsened(&::tessera::kernels::multiply_coarsened_simt, 4, 1, 384,
__tile_global__ void multiply(const __nv_bfloat16 *__restrict__ a,
                              const __nv_bfloat16 *__restrict__ b, float *__restrict__ c, int m,
                              int n, int k) {
  auto as = ct::partition_view{ct::tensor_span{a, ct::extents{m, k}}, ct::shape<128, 64>{}};
  auto bs = ct::partition_view{ct::tensor_span{b, ct::extents{k, n}}, ct::shape<64, 64>{}};
  auto cs = ct::partition_view{ct::tensor_span{c, ct::extents{m, n}}, ct::shape<128, 64>{}};
  int row = ct::bid().y, column = ct::bid().x;
  auto sum = ct::zeros<ct::tile<float, ct::shape<128, 64>>>();
  for (int i = 0; i < ct::ceildiv(k, 64); i++)
    sum = ct::mma(as.load_masked(row, i), bs.load_masked(i, column), sum);
  cs.store_masked(sum, row, column);
}
int main() {}
