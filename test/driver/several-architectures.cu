// One text for several GPUs: a section for each, chosen by the architecture that is compiled, and a
// registration with the plan of each. What one of them gives the kernel is a parameter for all: of
// maps there are none in the launches of the others.
// Code for an architecture that is not among them does not compile.
// RUN: %tessera --arch=sm_90a,sm_80,sm_120 -o %t.simt.cu %s
// RUN: grep -v CHECK %t.simt.cu | FileCheck %s
// RUN: %clang_tile -S %t.simt.cu -o /dev/null
// RUN: not %clang_tile --no-cuda-gpu-arch=sm_90a --cuda-gpu-arch=sm_75 -S %t.simt.cu 2>&1 \
// RUN:   | FileCheck %s --check-prefix=OLD
#include <cuda_bf16.h>
#include <cuda_tile.h>
namespace ct = cuda::tiles;

// CHECK: #ifndef __CUDA_ARCH__
// CHECK: static __global__ void multiply_simt({{.*}}, const __grid_constant__ tensor_maps<3>) {}
// CHECK: #elif __CUDA_ARCH__ >= 1200
// CHECK: for sm_120: 128 threads, 79872 bytes
// CHECK-NEXT: multiply_simt({{.*}}, const __grid_constant__ tensor_maps<3>) {
// CHECK: #elif __CUDA_ARCH__ >= 900
// CHECK: for sm_90a: 128 threads, 106560 bytes
// CHECK-NEXT: multiply_simt({{.*}}, const __grid_constant__ tensor_maps<3> tensor_maps) {
// CHECK: #elif __CUDA_ARCH__ >= 800
// CHECK: for sm_80: 128 threads, 79872 bytes
// CHECK-NEXT: multiply_simt({{.*}}, const __grid_constant__ tensor_maps<3>) {
// CHECK: #else
// CHECK-NEXT: #error
// CHECK: {{[{]}}{80, 128, 79872, ::tessera::host::no_tensor_maps<4, 3>}, {90, 128, 106560, ::tessera::host::maps_by<&::tessera::kernels::multiply_tensor_maps_for_sm_90a>}, {120, 128, 79872, ::tessera::host::no_tensor_maps<4, 3>}}
// OLD: this text is for sm_80, sm_90a, sm_120: translate it for this architecture, too
__tile_global__ void multiply(const __nv_bfloat16 *a, const __nv_bfloat16 *b, float *c, int k) {
  auto av = ct::partition_view{ct::tensor_span{a, ct::extents{128u, unsigned(k)}},
                               ct::shape<128, 64>{}};
  auto bv = ct::partition_view{ct::tensor_span{b, ct::extents{unsigned(k), 64u}},
                               ct::shape<64, 64>{}};
  auto cv = ct::partition_view{ct::tensor_span{c, ct::extents{128u, 64u}}, ct::shape<128, 64>{}};
  auto sum = ct::full<ct::tile<float, ct::shape<128, 64>>>(0.0f);
  for (int i = 0; i < k / 64; i++)
    sum = ct::mma(av.load(0, i), bv.load(i, 0), sum);
  cv.store(sum, 0, 0);
}
int main() {}
