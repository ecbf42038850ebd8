// [tile:general_principles] Elements that a GPU does not have.
#include <cuda_fp4.h>
#include <cuda_fp8.h>
#include <cuda_tile.h>
namespace ct = cuda::tiles;

__tile_global__ void casts(float *p) {
  auto at = p + ct::iota<ct::tile<int, ct::shape<8>>>();
  auto x = ct::element_cast<__nv_fp8_e8m0>(ct::load(at));
  //       ^ error: sm_90a has no elements of type '__nv_fp8_e8m0'; they need sm_100 or newer
  //         [tile:general_principles/newer-element]
  // right: auto x = ct::element_cast<__nv_fp8_e4m3>(ct::load(at));
  ct::store(at, ct::element_cast<float>(x));
}
