// What the plan takes kernels to need of a thread's registers is held against ptxas: where it
// wishes for two blocks an SM nothing is spilled, and it wishes for them where they fit.
// REQUIRES: nvcc
// RUN: %tessera explain --registers %s 2>&1 | FileCheck %s
#include <cuda_bf16.h>
#include <cuda_tile.h>
namespace ct = cuda::tiles;
using bf16 = __nv_bfloat16;
template <class T, int... Extents> using tile = ct::tile<T, ct::shape<Extents...>>;
constexpr int depth = 128;

// The sum of a tile of 128 rows takes 64 registers, the scores 32: 128 are enough, with a mask too.
template <bool IsCausal>
__tile_global__ void attention(const bf16 *__restrict__ q, const bf16 *__restrict__ k,
                               const bf16 *__restrict__ v, bf16 *__restrict__ o, int n) {
  q = ct::assume_aligned<16>(q), k = ct::assume_aligned<16>(k), v = ct::assume_aligned<16>(v);
  o = ct::assume_aligned<16>(o);
  auto view = [&](auto p, auto shape) {
    return ct::partition_view{
        ct::tensor_span{p, ct::extents<unsigned, ct::dynamic_extent, depth>{unsigned(n)}}, shape};
  };
  auto keys = view(k, ct::shape<64, depth>{}), values = view(v, ct::shape<64, depth>{});
  const int row = ct::bid().x;
  auto queries = view(q, ct::shape<128, depth>{}).load_masked(row, 0);
  auto best = ct::full<tile<float, 128, 1>>(-1e30f), total = ct::zeros<tile<float, 128, 1>>();
  auto sum = ct::zeros<tile<float, 128, depth>>();
  for (int i = 0; i < (n + 63) / 64; ++i) {
    auto scores =
        ct::mma(queries, ct::transpose(keys.load_masked(i, 0)), ct::zeros<tile<float, 128, 64>>()) *
        0.125f;
    if constexpr (IsCausal)
      if ((i + 1) * 64 > row * 128)
        scores = ct::select(ct::iota<tile<int, 128, 1>>() + row * 128 >=
                                ct::iota<tile<int, 1, 64>>() + i * 64,
                            scores, ct::full<tile<float, 128, 64>>(-1e30f));
    auto larger = ct::max(best, ct::reduce_max<1>(scores));
    auto p = ct::exp2(scores - larger);
    auto operand = ct::exp2(best - larger);
    total = total * operand + ct::sum<1>(p);
    sum = ct::mma(ct::element_cast<bf16>(p), values.load_masked(i, 0), sum * operand);
    best = larger;
  }
  view(o, ct::shape<128, depth>{}).store_masked(ct::element_cast<bf16>(sum / total), row, 0);
}
// CHECK: attention<false>: 8 warps {{.*}} compiled with registers for 2 blocks per SM
template __tile_global__ void attention<false>(const bf16 *, const bf16 *, const bf16 *, bf16 *,
                                               int);
// CHECK: attention<true>: 8 warps {{.*}} compiled with registers for 2 blocks per SM
template __tile_global__ void attention<true>(const bf16 *, const bf16 *, const bf16 *, bf16 *,
                                              int);
// CHECK: attention<false>: ptxas allocates {{[0-9]+}} registers per thread and spills nothing; registers allow 2 per SM
// CHECK: attention<true>: ptxas allocates {{[0-9]+}} registers per thread and spills nothing; registers allow 2 per SM
