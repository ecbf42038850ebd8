// Moves: every element lands where the row-major definition says.
#include "stand_in.h"

#include <gtest/gtest.h>

namespace {
using namespace test;

TEST(Shape, IotaCountsInRowMajorOrder) {
  const auto r = prim::iota<tile<int, 2, 4>>();
  for (int i = 0; i < 8; i++)
    EXPECT_EQ(r.v[i], i);
}

TEST(Shape, BroadcastRepeatsDimensionsOfOne) {
  using A = tile<int, 4, 1>;
  using R = tile<int, 2, 4, 8>;
  const auto r = prim::broadcast<R, A>(from<A>([](int i) { return 10 * i; }));
  for (int i = 0; i < 64; i++)
    EXPECT_EQ(r.v[i], i / 8 % 4 * 10);
}
TEST(Shape, BroadcastOfARow) {
  using A = tile<int, 8>;
  using R = tile<int, 4, 8>;
  const auto r = prim::broadcast<R, A>(from<A>([](int i) { return i; }));
  for (int i = 0; i < 32; i++)
    EXPECT_EQ(r.v[i], i % 8);
}

// Result dimension k is source dimension Map[k].
TEST(Shape, PermuteOfThreeDimensions) {
  using A = tile<int, 2, 4, 8>;
  using R = tile<int, 8, 2, 4>;
  const auto r = prim::permute<R, A, prim::dims<2, 0, 1>>(prim::iota<A>());
  for (int i = 0; i < 8; i++)
    for (int j = 0; j < 2; j++)
      for (int k = 0; k < 4; k++)
        EXPECT_EQ(r.v[(i * 2 + j) * 4 + k], (j * 4 + k) * 8 + i);
}

TEST(Shape, CatAlongEachDimension) {
  using A = tile<int, 2, 2>;
  const auto x = of<A>(0, 1, 2, 3), y = of<A>(4, 5, 6, 7);
  const auto rows = prim::cat<tile<int, 4, 2>, A, 0>(x, y);
  const auto columns = prim::cat<tile<int, 2, 4>, A, 1>(x, y);
  const int want[] = {0, 1, 4, 5, 2, 3, 6, 7};
  for (int i = 0; i < 8; i++) {
    EXPECT_EQ(rows.v[i], i);
    EXPECT_EQ(columns.v[i], want[i]);
  }
}

// Indices count sub-tiles, and insert is the inverse of extract.
TEST(Shape, ExtractAndInsert) {
  using A = tile<int, 4, 8>;
  using B = tile<int, 2, 4>;
  const auto a = prim::iota<A>();
  const auto b = prim::extract<B, A>(a, 1u, 1u);
  const int want[] = {20, 21, 22, 23, 28, 29, 30, 31};
  for (int i = 0; i < 8; i++)
    EXPECT_EQ(b.v[i], want[i]);
  const auto c = prim::insert<A, B>(prim::splat<A>(0), b, 0u, 1u);
  EXPECT_EQ(c.v[4], 20);
  EXPECT_EQ(c.v[15], 31);
  EXPECT_EQ(c.v[0] + c.v[16], 0);
}

TEST(Shape, RankZeroIsOneElement) {
  using S = tile<float>;
  EXPECT_EQ(prim::scalar<S>(prim::splat<S>(3.f)), 3.f);
  EXPECT_EQ((prim::broadcast<tile<float, 4>, S>(prim::splat<S>(3.f)).v[3]), 3.f);
  EXPECT_EQ((prim::reshape<tile<float, 1, 1>, S>(prim::splat<S>(3.f)).v[0]), 3.f);
}

} // namespace
