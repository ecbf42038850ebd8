// Reductions and scans: along any dimension, in the element type, first of equals for the position.
#include "stand_in.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <random>
#include <vector>

namespace {
using namespace test;
using prim::reduce_op;

template <reduce_op Op, int Dim, class R, class A> lanes<R> reduce(const lanes<A> &x) {
  return prim::reduce<Op, Dim, nearest, keep, R, A>(x);
}

TEST(Reduce, EveryDimension) {
  using A = tile<int, 2, 4, 8>;
  const auto x = prim::iota<A>();
  const auto first = reduce<reduce_op::sum, 0, tile<int, 1, 4, 8>, A>(x);
  const auto middle = reduce<reduce_op::sum, 1, tile<int, 2, 1, 8>, A>(x);
  const auto last = reduce<reduce_op::max, 2, tile<int, 2, 4, 1>, A>(x);
  for (int i = 0; i < 32; i++)
    EXPECT_EQ(first.v[i], 2 * i + 32);
  for (int i = 0; i < 16; i++)
    EXPECT_EQ(middle.v[i], 4 * (i / 8 * 32 + i % 8) + 8 * 6);
  for (int i = 0; i < 8; i++)
    EXPECT_EQ(last.v[i], 8 * i + 7);
}
TEST(Reduce, IntegersWrapInTheirType) {
  using A = tile<signed char, 4>;
  EXPECT_EQ((reduce<reduce_op::sum, 0, tile<signed char, 1>, A>(of<A>(100, 100, 100, 0)).v[0]), 44);
}
TEST(Reduce, BoolsAreOneBit) {
  using A = tile<bool, 4>;
  using R = tile<bool, 1>;
  EXPECT_EQ((reduce<reduce_op::bit_xor, 0, R, A>(of<A>(1, 1, 1, 0)).v[0]), 1);
  EXPECT_EQ((reduce<reduce_op::sum, 0, R, A>(of<A>(1, 1, 0, 0)).v[0]), 0);
  EXPECT_EQ((reduce<reduce_op::bit_and, 0, R, A>(of<A>(1, 1, 1, 0)).v[0]), 0);
}
TEST(Reduce, HalfSumsAreRoundedOnce) {
  using A = tile<__half, 4096>;
  EXPECT_EQ((reduce<reduce_op::sum, 0, tile<__half, 1>, A>(prim::splat<A>(0x3c00)).v[0]),
            0x6c00); // 4096
}
TEST(Reduce, NanLosesUnlessPropagated) {
  using A = tile<float, 4>;
  const auto x = of<A>(1.f, NAN, 3.f, 2.f);
  EXPECT_EQ((reduce<reduce_op::max, 0, tile<float, 1>, A>(x).v[0]), 3);
  EXPECT_TRUE(std::isnan(reduce<reduce_op::min_nan, 0, tile<float, 1>, A>(x).v[0]));
}
TEST(Reduce, PositionOfTheFirstOfEquals) {
  using A = tile<float, 2, 4>;
  const auto x = of<A>(1.f, 5.f, 5.f, 2.f, -1.f, -4.f, 0.f, -4.f);
  const auto rows = reduce<reduce_op::argmax, 1, tile<unsigned, 2, 1>, A>(x);
  EXPECT_EQ(rows.v[0], 1u);
  EXPECT_EQ(rows.v[1], 2u);
  EXPECT_EQ((reduce<reduce_op::argmin, 1, tile<unsigned, 2, 1>, A>(x).v[1]), 1u);
  EXPECT_EQ((reduce<reduce_op::argmin, 0, tile<unsigned, 1, 4>, A>(x).v[3]), 1u);
}
TEST(Reduce, DirectedSum) {
  using A = tile<float, 2>;
  EXPECT_EQ((prim::reduce<reduce_op::sum, 0, rounding_mode::round_toward_positive, keep,
                          tile<float, 1>, A>(of<A>(1.f, 0x1p-40f))
                 .v[0]),
            1 + 0x1p-23f);
}

// The upper half is folded onto the lower one until one element is left, whatever a pass over the
// elements does at once: to the last bit, also of the sign of zero.
template <reduce_op Op, prim::binary_op Step, class E, int Dim, unsigned long long Outer,
          unsigned long long N, unsigned long long Inner>
void folds_halves() {
  using A = tile<E, Outer, N, Inner>;
  using R = tile<E, Dim == 0 ? 1 : Outer, Dim == 1 ? 1 : N, Dim == 2 ? 1 : Inner>;
  constexpr unsigned long long extents[] = {Outer, N, Inner}, n = extents[Dim],
                               stride = Dim == 0   ? N * Inner
                                        : Dim == 1 ? Inner
                                                   : 1;
  std::mt19937 g(7);
  const float special[] = {0.f, -0.f, NAN, INFINITY, -INFINITY, 0x1p-140f};
  const auto x = from<A>([&](auto) {
    return prim::cpu::element<E>::write(g() % 8 == 0 ? special[g() % 6]
                                                     : float(int(g())) * 0x1p-30f);
  });
  const auto r = prim::reduce<Op, Dim, nearest, keep, R, A>(x);
  for (unsigned long long i = 0; i < R::shape_type::static_size(); i++) {
    std::vector<float> row(n);
    for (unsigned long long k = 0; k < n; k++)
      row[k] = prim::cpu::element<E>::read(x.v[i / stride * stride * n + i % stride + k * stride]);
    for (unsigned long long half = n / 2; half > 0; half /= 2)
      for (unsigned long long k = 0; k < half; k++)
        row[k] = prim::cpu::apply<Step>(row[k], row[k + half]);
    const float got = prim::cpu::element<E>::read(r.v[i]),
                want = prim::cpu::element<E>::read(prim::cpu::element<E>::write(row[0]));
    if (std::isnan(want))
      EXPECT_TRUE(std::isnan(got)) << i;
    else
      EXPECT_EQ(std::bit_cast<unsigned>(got), std::bit_cast<unsigned>(want)) << i;
  }
}
template <class E, int Dim, unsigned long long Outer, unsigned long long N,
          unsigned long long Inner>
void folds_halves_by_every_operation() {
  folds_halves<reduce_op::sum, prim::binary_op::add, E, Dim, Outer, N, Inner>();
  folds_halves<reduce_op::prod, prim::binary_op::mul, E, Dim, Outer, N, Inner>();
  folds_halves<reduce_op::max, prim::binary_op::max, E, Dim, Outer, N, Inner>();
  folds_halves<reduce_op::min_nan, prim::binary_op::min_nan, E, Dim, Outer, N, Inner>();
}
TEST(Reduce, FoldsHalves) {
  folds_halves_by_every_operation<float, 2, 1, 1, 4096>();
  folds_halves_by_every_operation<float, 2, 2, 2, 128>();
  folds_halves_by_every_operation<float, 2, 4, 8, 8>();
  folds_halves_by_every_operation<float, 2, 4, 4, 1>();
  folds_halves_by_every_operation<float, 1, 2, 64, 2>();
  folds_halves_by_every_operation<float, 0, 256, 1, 4>();
  folds_halves_by_every_operation<float, 0, 16, 2, 32>();
  folds_halves_by_every_operation<float, 0, 2, 2, 8>();
  folds_halves_by_every_operation<__nv_bfloat16, 2, 2, 1, 1024>();
  folds_halves_by_every_operation<__half, 1, 1, 32, 16>();
}

TEST(Scan, ForwardAndBackward) {
  using A = tile<int, 2, 4>;
  const auto x = of<A>(1, 2, 3, 4, 5, 6, 7, 8);
  const auto f = prim::scan<reduce_op::sum, 1, false, nearest, keep, A>(x),
             b = prim::scan<reduce_op::sum, 1, true, nearest, keep, A>(x);
  const auto p = prim::scan<reduce_op::prod, 0, false, nearest, keep, A>(x);
  const int forward[] = {1, 3, 6, 10, 5, 11, 18, 26}, backward[] = {10, 9, 7, 4, 26, 21, 15, 8},
            products[] = {1, 2, 3, 4, 5, 12, 21, 32};
  for (int i = 0; i < 8; i++) {
    EXPECT_EQ(f.v[i], forward[i]);
    EXPECT_EQ(b.v[i], backward[i]);
    EXPECT_EQ(p.v[i], products[i]);
  }
}

} // namespace
