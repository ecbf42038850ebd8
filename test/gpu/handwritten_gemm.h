// A matrix product written by hand in the style of emitted text: what the runtime must reach before
// the planner does. bf16 operands, float accumulators; 128 x 128 x 64 tiles, 8 warps of 64 x 32, a
// ring of three cp.async stages. A block is 256 threads, the grid columns by rows of tiles.
#pragma once

#include <tessera/simt.cuh>

namespace kernels {

using namespace tessera;

constexpr int stages = 3;
constexpr int stage_elements = 128 * 64 + 64 * 128;
constexpr int shared_bytes = stages * stage_elements * static_cast<int>(sizeof(bf16));

using by_rows = access_by<8, 1, alignment::guarded, bounds::checked>;
using pairs = access_by<2, 1, alignment::guarded, bounds::checked>;
using a_tile = shared_tile<bf16, shape<128, 64>, swizzle<3, 3, 3>>;
using b_tile = shared_tile<bf16, shape<64, 128>, swizzle<3, 3, 4>>;
using accumulator = layout<shape<128, 128>, registers<1, 1024, 8, 16, 2048, 4096>,
                           lanes<2, 4, 128, 256, 512>, warps<32, 64, 8192>>;

__global__ void __launch_bounds__(256, 2)
    gemm(const bf16 *__restrict__ a, const bf16 *__restrict__ b, bf16 *__restrict__ c, int m, int n,
         int k) {
  const view<const bf16, 2> a_view{a, {m, k}, {k, 1}};
  const view<const bf16, 2> b_view{b, {k, n}, {n, 1}};
  const view<bf16, 2> c_view{c, {m, n}, {n, 1}};
  bf16 *shared = reinterpret_cast<bf16 *>(shared_memory());
  const int row = block_index<1>() * 128, column = block_index<0>() * 128;

  auto sum = splat<accumulator>(0.0f);
  for (int s = 0; s < stages - 1; ++s) {
    copy_async<by_rows, 256>(a_tile{shared + s * stage_elements}, a_view, {row, s * 64});
    copy_async<by_rows, 256>(b_tile{shared + s * stage_elements + 128 * 64}, b_view,
                             {s * 64, column});
    commit_group();
  }
  int read = 0, write = stages - 1;
  for (int i = 0; i < k; i += 64) {
    wait_group<stages - 2>();
    barrier();
    const int ahead = i + (stages - 1) * 64;
    if (ahead < k) {
      copy_async<by_rows, 256>(a_tile{shared + write * stage_elements}, a_view, {row, ahead});
      copy_async<by_rows, 256>(b_tile{shared + write * stage_elements + 128 * 64}, b_view,
                               {ahead, column});
    }
    commit_group();
    sum = mma(a_tile{shared + read * stage_elements},
              b_tile{shared + read * stage_elements + 128 * 64}, sum);
    read = read + 1 == stages ? 0 : read + 1;
    write = write + 1 == stages ? 0 : write + 1;
  }
  store<pairs>(c_view, {row, column}, cast<bf16>(sum));
}

} // namespace kernels
