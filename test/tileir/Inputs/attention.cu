// The case large_attention of ../pipelines.py, without a mask of causality.
#include "arrays.h"

constexpr int M = 128, N = 128, D = 64;

template <class T>
__tile__ auto heads(T *p, int count, int rows, int columns, int of_head, int of_row) {
  return ct::tensor_span{
      ct::assume_aligned<16>(p),
      ct::layout_strided_mapping{ct::extents{ct::assume_bounded_below<0>(count), promised<16>(rows),
                                             promised<16>(columns)},
                                 ct::extents{promised<8>(of_head), promised<8>(of_row), 1_ic}}};
}

extern "C" __tile_global__ void
large_attention(const __half *__restrict__ q, int q_0, int q_1, int q_2, int q_s0, int q_s1,
                int /*q_s2*/, const __half *__restrict__ k, int k_0, int k_1, int k_2, int k_s0,
                int k_s1, int /*k_s2*/, const __half *__restrict__ v, int v_0, int v_1, int v_2,
                int v_s0, int v_s1, int /*v_s2*/, __half *__restrict__ o, int o_0, int o_1, int o_2,
                int o_s0, int o_s1, int /*o_s2*/, float scale) {
  using column = ct::tile<float, ct::shape<M, 1>>;
  using scores_tile = ct::tile<float, ct::shape<M, N>>;
  auto qs = ct::partition_view{heads(q, q_0, q_1, q_2, q_s0, q_s1), ct::shape<1, M, D>{}};
  auto ks = ct::partition_view{heads(k, k_0, k_1, k_2, k_s0, k_s1), ct::shape<1, N, D>{}};
  auto vs = ct::partition_view{heads(v, v_0, v_1, v_2, v_s0, v_s1), ct::shape<1, N, D>{}};
  auto os = ct::partition_view{heads(o, o_0, o_1, o_2, o_s0, o_s1), ct::shape<1, M, D>{}};
  int i = ct::bid().x, head = ct::bid().y;
  auto queries = ct::reshape(qs.load_masked(head, i, 0), ct::shape<M, D>{});
  auto best = ct::full<column>(-__builtin_inff()), weight = ct::zeros<column>();
  auto accumulator = ct::zeros<ct::tile<float, ct::shape<M, D>>>();
  for (auto j : ct::irange(0, ct::ceildiv(k_1, N))) {
    auto keys = ct::reshape(ks.load_masked(head, j, 0), ct::shape<N, D>{});
    auto scores = ct::mma(queries, ct::transpose(keys), ct::zeros<scores_tile>()) * scale;
    auto columns = ct::iota<ct::tile<int, ct::shape<1, N>>>() + j * N;
    scores = ct::select(ct::broadcast<ct::shape<M, N>>(columns < k_1), scores,
                        ct::full<scores_tile>(-__builtin_inff()));
    auto top = ct::max(best, ct::reduce_max<1>(scores));
    auto p = ct::exp2(scores - top);
    auto shrink = ct::exp2(best - top);
    weight = weight * shrink + ct::sum<1>(p);
    auto values = ct::reshape(vs.load_masked(head, j, 0), ct::shape<N, D>{});
    accumulator = ct::mma(ct::element_cast<__half>(p), values, accumulator * shrink);
    best = top;
  }
  os.store_masked(ct::reshape(ct::element_cast<__half>(accumulator / weight), ct::shape<1, M, D>{}),
                  head, i, 0);
}
