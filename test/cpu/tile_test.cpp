// The public header on the CPU: tiles are written where they are to be, on cache lines, and
// pointers may be __restrict.
#include "stand_in.h"

#include <cuda_tile.h>

#include <gtest/gtest.h>

#include <vector>

namespace {
namespace ct = cuda::tiles;
template <class E, unsigned long long... D> using ct_tile = ct::tile<E, ct::shape<D...>>;

static_assert(alignof(ct_tile<float, 1024>) == 4 && sizeof(ct_tile<float, 1024>) == 4096);
static_assert(alignof(ct_tile<float, 2>) == 4 && alignof(ct_tile<bool>) == 1);
static_assert(__is_trivially_copyable(ct_tile<float, 64>));

std::vector<float> doubled(const float *__restrict x) {
  std::vector<float> r(64);
  float *__restrict to = r.data();
  const auto at = ct::iota<ct_tile<int, 64>>();
  ct::store(to + at, ct::load(ct::assume_aligned<4>(x) + at) * 2.f);
  return r;
}

TEST(Tile, RestrictPointersAreOrdinaryPointers) {
  std::vector<float> x(64);
  for (int i = 0; i < 64; i++)
    x[i] = float(i);
  const auto r = doubled(x.data());
  for (int i = 0; i < 64; i++)
    EXPECT_EQ(r[i], 2.f * float(i));
}

// A tile may be operand and target of one statement.
TEST(Tile, OperandsMayBeTheTarget) {
  auto x = ct::ones<ct_tile<float, 16, 16>>();
  x = ct::mma(x, x, x);
  x = x + x;
  x = ct::transpose(x);
  EXPECT_EQ(float(ct::extract(x, ct::shape<1, 1>(), 3, 5)), 34.f);
}

TEST(Tile, ScalarsStayScalars) {
  const int low = 3;
  static_assert(std::is_same_v<decltype(ct::min(low, 4)), int>);
  EXPECT_EQ(ct::min(low, 4), 3);
}

} // namespace
