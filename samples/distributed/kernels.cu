// Kernels that the samples for several GPUs have beside those of the other samples.
#ifndef KERNELS_ONLY
#define KERNELS_ONLY
#endif
#include "../attention_backward.cu"
#include "../linear.cu"
#include "../transposed_matmul.cu"

/// Attention to some keys, o and lse as `forward` leaves them for `rows` queries, is merged into
/// that to other keys: sum and sum_lse, of all_rows queries, from row `first` on. With
/// lse = log2(sum of exponentials), the weights of both are exp2(lse - that of all keys). rows,
/// all_rows and first are multiples of M. IsFirst: sum and sum_lse hold nothing yet.
/// Grid: blocks of rows, heads.
template <int M, int Depth, bool IsFirst>
__tile_global__ void merge(const bf16 *__restrict__ o, const float *__restrict__ lse,
                           float *__restrict__ sum, float *__restrict__ sum_lse, int rows,
                           int all_rows, int first) {
  const int head = ct::bid().y, from = ct::bid().x, to = first / M + from;
  auto sums = sample::matrix_tiles<M, Depth>(sum, head, all_rows);
  auto logarithms = row_tiles<M>(sum_lse, head, all_rows);
  auto added =
      ct::element_cast<float>(sample::matrix_tiles<M, Depth>(o, head, rows).load_masked(from, 0));
  auto logarithm = row_tiles<M>(lse, head, rows).load(from);
  if constexpr (!IsFirst) {
    auto before = logarithms.load(to);
    auto larger = ct::max(before, logarithm);
    auto all = larger + ct::log2(ct::exp2(before - larger) + ct::exp2(logarithm - larger));
    auto column = ct::shape<M, 1>{};
    added = sums.load_masked(to, 0) * ct::reshape(ct::exp2(before - all), column) +
            added * ct::reshape(ct::exp2(logarithm - all), column);
    logarithm = all;
  }
  sums.store_masked(added, to, 0);
  logarithms.store(logarithm, to);
}

/// Views of arrays of n elements; n is a multiple of 8.
template <int Width, class T> __tile__ auto pieces(T *array, unsigned n) {
  return ct::partition_view{
      ct::tensor_span{ct::assume_aligned<16>(array), ct::extents{ct::assume_divisible<8>(n)}},
      ct::shape<Width>{}};
}

/// h = gelu(z).
template <int Width>
__tile_global__ void activate(const bf16 *__restrict__ z, bf16 *__restrict__ h, unsigned n) {
  const int block = ct::bid().x;
  auto x = ct::element_cast<float>(pieces<Width>(z, n).load_masked(block));
  pieces<Width>(h, n).store_masked(ct::element_cast<bf16>(gelu(x)), block);
}

/// dz = dh * gelu'(z).
template <int Width> __tile_global__ void activate_backward(const bf16 *__restrict__ z,
                                                            const bf16 *__restrict__ dh,
                                                            bf16 *__restrict__ dz, unsigned n) {
  const int block = ct::bid().x;
  auto x = ct::element_cast<float>(pieces<Width>(z, n).load_masked(block));
  auto t = ct::tanh(0.7978845608f * (x + 0.044715f * x * x * x));
  auto slope = 0.5f * (1.0f + t) +
               0.5f * x * (1.0f - t * t) * (0.7978845608f * (1.0f + 3.0f * 0.044715f * x * x));
  auto given = ct::element_cast<float>(pieces<Width>(dh, n).load_masked(block));
  pieces<Width>(dz, n).store_masked(ct::element_cast<bf16>(given * slope), block);
}

/// Of the loss factor / 2 * sum((y - wanted)^2): its gradient, and each block's part.
template <int Width> __tile_global__ void loss(const bf16 *__restrict__ y,
                                               const bf16 *__restrict__ wanted,
                                               bf16 *__restrict__ dy, float *__restrict__ parts,
                                               float factor, unsigned n) {
  const int block = ct::bid().x;
  auto difference = ct::element_cast<float>(pieces<Width>(y, n).load_masked(block)) -
                    ct::element_cast<float>(pieces<Width>(wanted, n).load_masked(block));
  pieces<Width>(dy, n).store_masked(ct::element_cast<bf16>(difference * factor), block);
  auto sum = ct::sum<0>(difference * difference) * (0.5f * factor);
  ct::partition_view{ct::tensor_span{parts, ct::extents{int(ct::num_blocks().x)}}, ct::shape<1>{}}
      .store(ct::reshape(sum, ct::shape<1>{}), block);
}

/// w = w - rate * gradient.
template <int Width> __tile_global__ void
update(bf16 *__restrict__ w, const bf16 *__restrict__ gradient, float rate, unsigned n) {
  const int block = ct::bid().x;
  auto before = ct::element_cast<float>(pieces<Width>(w, n).load_masked(block));
  auto slope = ct::element_cast<float>(pieces<Width>(gradient, n).load_masked(block));
  pieces<Width>(w, n).store_masked(ct::element_cast<bf16>(before - rate * slope), block);
}
