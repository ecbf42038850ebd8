// An operand that has one stage is copied as soon as it has been read: explain says so of the loop.
// RUN: %tessera explain %s 2>&1 | FileCheck %s
#include <cuda_fp16.h>
#include <cuda_tile.h>
namespace ct = cuda::tiles;
using namespace ct::literals;

__tile_global__ void chain(const __half *__restrict__ q, const __half *__restrict__ k,
                           const __half *__restrict__ v, float *__restrict__ out, unsigned keys) {
  auto rows_of = [&](const __half *x) {
    return ct::partition_view{ct::tensor_span{ct::assume_aligned<16>(x), ct::extents{keys, 128_ic}},
                              ct::shape<256, 128>{}};
  };
  auto qs =
      ct::partition_view{ct::tensor_span{q, ct::extents{64_ic, 128_ic}}, ct::shape<64, 128>{}};
  auto outs =
      ct::partition_view{ct::tensor_span{out, ct::extents{64_ic, 128_ic}}, ct::shape<64, 128>{}};
  auto ks = rows_of(k), vs = rows_of(v);
  auto query = qs.load(0, 0);
  auto sum = ct::zeros<ct::tile<float, ct::shape<64, 128>>>();
  // CHECK: [[#@LINE+1]]:{{.*}} the loop's operands have one stage, of 131072 bytes together: each is copied for the next iteration as soon as this iteration's multiply has read it
  for (int i = 0; i < (int(keys) + 255) / 256; ++i) {
    auto scores = ct::mma(query, ct::transpose(ks.load_masked(i, 0)),
                          ct::zeros<ct::tile<float, ct::shape<64, 256>>>());
    sum = ct::mma(ct::element_cast<__half>(ct::max(scores, 0.0f)), vs.load_masked(i, 0), sum);
  }
  outs.store(sum, 0, 0);
}
