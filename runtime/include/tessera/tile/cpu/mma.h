// Matrix multiply: blocks of rows of a times panels of columns of b, the accumulators of one small
// block in vector registers.
//
// Packing a panel of b and a block of a converts operands to the accumulator's type (float, double,
// or unsigned for integers); a float accumulator adds in float whatever the operands were, a half
// one is rounded once at the end. K is divided so that a panel stays in the L1 cache.
#pragma once

#include "fused.h"
#include "reduce.h"

namespace cuda::tiles::__prim {
namespace cpu {

#if defined(__AVX512F__)
inline constexpr int vector_bytes = 64;
#elif defined(__AVX__)
inline constexpr int vector_bytes = 32;
#else
inline constexpr int vector_bytes = 16;
#endif

template <class V> using accumulator_of =
    ::std::conditional_t<::std::is_integral_v<V>, unsigned, V>;

inline constexpr long long block_rows = 128, block_depth = 256, register_rows = 4,
                           register_vectors = 2;

// r = a x b + c for Rows rows and Vectors vectors of columns; b is packed, its rows Vectors vectors
// long. r may be c.
template <int Rows, int Vectors, class C>
void multiply_registers(const C *a, long long a_stride, const C *b, long long depth, const C *c,
                        C *r, long long stride) {
  TESSERA_FUSED
  typedef C vector __attribute__((vector_size(vector_bytes), aligned(alignof(C)), may_alias));
  constexpr int lanes_per_vector = vector_bytes / sizeof(C);
  vector sum[Rows][Vectors];
  for (int i = 0; i < Rows; i++)
    for (int j = 0; j < Vectors; j++)
      sum[i][j] = reinterpret_cast<const vector *>(c + i * stride)[j];
  for (long long k = 0; k < depth; k++)
    for (int i = 0; i < Rows; i++)
      for (int j = 0; j < Vectors; j++)
        sum[i][j] += a[i * a_stride + k] *
                     reinterpret_cast<const vector *>(b + k * Vectors * lanes_per_vector)[j];
  for (int i = 0; i < Rows; i++)
    for (int j = 0; j < Vectors; j++)
      reinterpret_cast<vector *>(r + i * stride)[j] = sum[i][j];
}

// Rows of `columns` elements of type E, `stride` apart, as contiguous rows of C.
template <class E, class C> void pack(const typename element<E>::lane *from, long long stride,
                                      long long rows, long long columns, C *to) {
  for (long long i = 0; i < rows; i++) {
#pragma omp simd
    for (long long j = 0; j < columns; j++)
      to[i * columns + j] = C(element<E>::read(from[i * stride + j]));
  }
}

// The same for rows that are narrower than a vector.
template <int Columns, class C> void multiply_narrow(const C *a, long long a_stride, const C *b,
                                                     long long rows, long long depth, const C *c,
                                                     C *r) {
  TESSERA_FUSED
  for (long long i = 0; i < rows; i++) {
    C sum[Columns];
    for (int j = 0; j < Columns; j++)
      sum[j] = c[i * Columns + j];
    for (long long k = 0; k < depth; k++)
      for (int j = 0; j < Columns; j++)
        sum[j] += a[i * a_stride + k] * b[k * Columns + j];
    for (int j = 0; j < Columns; j++)
      r[i * Columns + j] = sum[j];
  }
}

// r (M x N) = a (M x K) x b (K x N) + c, all row-major; A and B are element types, C is the type of
// the accumulator. r may be c.
template <long long M, long long N, long long K, class A, class B, class C> void
multiply(const typename element<A>::lane *a, const typename element<B>::lane *b, const C *c, C *r) {
  constexpr long long width = vector_bytes / sizeof(C), rows = M < block_rows ? M : block_rows,
                      depth = K < block_depth ? K : block_depth;
  constexpr long long vectors = N >= register_vectors * width ? register_vectors : 1;
  constexpr long long columns = N < width ? N : vectors * width,
                      at_once = M < register_rows ? M : register_rows;
  constexpr bool in_place =
      ::std::is_same_v<C, typename element<A>::lane> && ::std::is_same_v<C, value_of<A>>;
  C packed_a[in_place ? 1 : rows * depth], packed_b[depth * columns];
  for (long long k = 0; k < K; k += depth)
    for (long long m = 0; m < M; m += rows) {
      if constexpr (!in_place)
        pack<A>(a + m * K + k, K, rows, depth, packed_a);
      const C *block_a = packed_a;
      if constexpr (in_place)
        block_a = a + m * K + k;
      constexpr long long a_stride = in_place ? K : depth;
      const C *sum = k == 0 ? c : r;
      for (long long n = 0; n < N; n += columns) {
        pack<B>(b + k * N + n, N, depth, columns, packed_b);
        if constexpr (N < width)
          multiply_narrow<N>(block_a, a_stride, packed_b, rows, depth, sum + m * N, r + m * N);
        else
          for (long long i = 0; i < rows; i += at_once)
            multiply_registers<at_once, vectors>(block_a + i * a_stride, a_stride, packed_b, depth,
                                                 sum + (m + i) * N + n, r + (m + i) * N + n, N);
      }
    }
}

// Every matrix of the batch; a batch of one in a or b is used for all.
template <class R, class A, class B, class C>
void multiply_batch(const lane_t<A> *a, const lane_t<B> *b, const C *c, C *r) {
  constexpr int last = rank<R> - 1;
  constexpr long long m = extent<R>(last - 1), n = extent<R>(last), k = extent<A>(last),
                      batch = extent_product<R>(0, last - 1);
  constexpr long long a_step = extent_product<A>(0, last - 1) == 1 ? 0 : m * k,
                      b_step = extent_product<B>(0, last - 1) == 1 ? 0 : k * n;
  for (long long i = 0; i < batch; i++)
    multiply<m, n, k, element_of<A>, element_of<B>>(a + i * a_step, b + i * b_step, c + i * m * n,
                                                    r + i * m * n);
}

// Does element i of the result have an operand that is NaN, or infinite?
template <class R, class A, class B, class Wrong>
bool has_wrong_operand(const lanes<A> &a, const lanes<B> &b, unsigned long long i, Wrong is_wrong) {
  constexpr int last = rank<R> - 1;
  constexpr unsigned long long m = extent<R>(last - 1), n = extent<R>(last), k = extent<A>(last);
  const unsigned long long batch = i / (m * n), row = i / n % m, column = i % n;
  const unsigned long long first_a = batch * m * k % count<A> + row * k,
                           first_b = batch * k * n % count<B> + column;
  for (unsigned long long j = 0; j < k; j++)
    if (is_wrong_in<A>(a, first_a + j, is_wrong) || is_wrong_in<B>(b, first_b + j * n, is_wrong))
      return true;
  return false;
}

} // namespace cpu

template <class R, class A, class B>
inline lanes<R> mma(lanes_arg<A> a, lanes_arg<B> b, lanes_arg<R> c) {
  using E = typename R::element_type;
  using C = cpu::accumulator_of<cpu::value_of<E>>;
  lanes<R> r;
  if constexpr (cpu::is_narrow_float<E>) {
    C sums[cpu::count<R>];
    cpu::read_all<E>(c.v, sums, cpu::count<R>);
    cpu::multiply_batch<R, A, B>(a.v, b.v, sums, sums);
    cpu::write_all<E, rounding_mode::round_ties_to_even>(sums, r.v, cpu::count<R>);
  } else {
    cpu::multiply_batch<R, A, B>(a.v, b.v, reinterpret_cast<const C *>(c.v),
                                 reinterpret_cast<C *>(r.v));
  }
  cpu::check_made<R>("mma", r, [&](unsigned long long i, auto is_wrong) {
    return cpu::is_wrong_in<R>(c, i, is_wrong) ||
           cpu::has_wrong_operand<R, A, B>(a, b, i, is_wrong);
  });
  return r;
}

} // namespace cuda::tiles::__prim
