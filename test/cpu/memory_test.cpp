// Memory: masked lanes are not touched, views respect bounds in every layout, atomics return what
// was there.
#include "stand_in.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <vector>

namespace {
using namespace test;

template <class T, unsigned long long N> lanes<tile<T *, N>> pointers(T *p) {
  return from<tile<T *, N>>([&](auto i) { return reinterpret_cast<std::uintptr_t>(p + i); });
}

TEST(Pointers, OffsetsAreSignedAndScaled) {
  double x[8];
  using P = tile<double *, 2>;
  const auto p = prim::offset<P, tile<int, 2>>(
      prim::splat<P>(reinterpret_cast<std::uintptr_t>(x + 4)), of<tile<int, 2>>(-4, 3));
  EXPECT_EQ(p.v[0], reinterpret_cast<std::uintptr_t>(x));
  EXPECT_EQ(p.v[1], reinterpret_cast<std::uintptr_t>(x + 7));
  const auto d = prim::difference<tile<long, 2>, P>(
      p, prim::splat<P>(reinterpret_cast<std::uintptr_t>(x + 4)));
  EXPECT_EQ(d.v[0], -4);
  EXPECT_EQ(d.v[1], 3);
}

TEST(Pointers, MaskedLanesMayBeNull) {
  using P = tile<int *, 2>;
  using M = tile<bool, 2>;
  using R = tile<int, 2>;
  int x = 5;
  const auto p = of<P>(reinterpret_cast<std::uintptr_t>(&x), 0);
  const auto r = prim::load_masked<R, P, M>(p, of<M>(1, 0), of<R>(7, 8));
  EXPECT_EQ(r.v[0], 5);
  EXPECT_EQ(r.v[1], 8);
  prim::store_masked<P, R, M>(p, of<R>(9, 9), of<M>(1, 0));
  EXPECT_EQ(x, 9);
}

TEST(Pointers, AnyNonZeroByteIsTrue) {
  unsigned char bytes[] = {0, 2, 255, 1};
  const auto r = prim::load<tile<bool, 4>, tile<bool *, 4>>(
      pointers<bool, 4>(reinterpret_cast<bool *>(bytes)));
  EXPECT_EQ(r.v[0], 0);
  for (int i = 1; i < 4; i++)
    EXPECT_EQ(r.v[i], 1);
}

template <class T> constexpr auto add =
    prim::atomic_rmw<prim::atomic_op::add, memory_order::relaxed, thread_scope::device, tile<T, 4>,
                     tile<T *, 4>, tile<bool, 4>>;

TEST(Atomics, AddReturnsWhatWasThere) {
  int x[] = {70, 71, 72, 73};
  const auto r =
      add<int>(pointers<int, 4>(x), of<tile<int, 4>>(1, 2, 3, 4), of<tile<bool, 4>>(1, 1, 0, 0));
  EXPECT_EQ(r.v[1], 71);
  EXPECT_EQ(r.v[2], 0);
  EXPECT_EQ(x[1], 73);
  EXPECT_EQ(x[2], 72);
}
TEST(Atomics, LanesOfOneAddressAllCount) {
  float x = 1;
  const auto p = prim::splat<tile<float *, 4>>(reinterpret_cast<std::uintptr_t>(&x));
  add<float>(p, of<tile<float, 4>>(1.f, 2.f, 3.f, 4.f), prim::splat<tile<bool, 4>>(1));
  EXPECT_EQ(x, 11);
  __half h[4] = {__half(1.f), __half(2.f), __half(3.f), __half(4.f)};
  add<__half>(pointers<__half, 4>(h), prim::splat<tile<__half, 4>>(0x3c00),
              prim::splat<tile<bool, 4>>(1));
  EXPECT_EQ(float(h[3]), 5);
}
TEST(Atomics, CompareExchangeComparesBits) {
  using R = tile<float, 2>;
  using P = tile<float *, 2>;
  using M = tile<bool, 2>;
  float x[] = {0.f, NAN};
  const auto r =
      prim::atomic_compare_exchange<memory_order::acq_rel, thread_scope::system, R, P, M>(
          pointers<float, 2>(x), of<R>(-0.f, x[1]), of<R>(3.f, 4.f), of<M>(1, 1));
  EXPECT_EQ(x[0], 0);
  EXPECT_EQ(x[1], 4);
  EXPECT_TRUE(std::isnan(r.v[1]));
}

// A view of a rows x columns matrix with any strides; the tile hangs over both edges.
template <class E>
void view_over_the_edge(unsigned long long row_stride, unsigned long long column_stride) {
  using R = tile<E, 8, 16>;
  using D = prim::dims<-1, -1>;
  constexpr unsigned rows = 21, columns = 37;
  std::vector<E> memory(rows * columns * 4, E(-1));
  const auto at = [&](unsigned i, unsigned j) -> E & {
    return memory[i * row_stride + j * column_stride];
  };
  for (unsigned i = 0; i < rows; i++)
    for (unsigned j = 0; j < columns; j++)
      at(i, j) = E(i * 100 + j);
  for (unsigned i0 = 0; i0 < 32; i0 += 8)
    for (unsigned j0 = 0; j0 < 48; j0 += 16) {
      const auto r = prim::view_load<R, E, view_padding::nan, true, D, D>(
          memory.data(), rows, columns, row_stride, column_stride, i0, j0);
      for (unsigned i = 0; i < 8; i++)
        for (unsigned j = 0; j < 16; j++) {
          if (i0 + i < rows && j0 + j < columns)
            ASSERT_EQ(r.v[i * 16 + j], at(i0 + i, j0 + j));
          else
            ASSERT_TRUE(std::isnan(r.v[i * 16 + j]));
        }
      prim::view_store<R, E, true, D, D>(prim::splat<R>(E(7)), memory.data(), rows, columns,
                                         row_stride, column_stride, i0, j0);
    }
  unsigned sevens = 0;
  for (E x : memory)
    sevens += x == 7;
  EXPECT_EQ(sevens, rows * columns);
}
TEST(Views, EveryLayoutOverTheEdge) {
  view_over_the_edge<float>(37, 1);
  view_over_the_edge<float>(1, 21);
  view_over_the_edge<double>(74, 2);
  view_over_the_edge<float>(40, 1);
}

// An index far outside, or minus one as unsigned, is outside and not a wrapped address.
TEST(Views, FarOutside) {
  using R = tile<float, 4>;
  using D = prim::dims<-1>;
  const float x[] = {1, 2, 3};
  for (unsigned long long start : {3ull, 1ull << 40, ~0ull, ~0ull - 2}) {
    const auto r =
        prim::view_load<R, float, view_padding::negative_inf, true, D, D>(x, 3u, 1u, start);
    for (float v : r.v)
      EXPECT_EQ(v, -INFINITY);
  }
}
TEST(Views, PaddingOfEveryType) {
  using D = prim::dims<-1>;
  const __half h{};
  EXPECT_EQ((prim::view_load<tile<__half, 2>, __half, view_padding::positive_inf, true, D, D>(
                 &h, 1u, 1u, 0u)
                 .v[1]),
            0x7c00);
  EXPECT_EQ((prim::view_load<tile<__half, 2>, __half, view_padding::negative_zero, true, D, D>(
                 &h, 1u, 1u, 0u)
                 .v[1]),
            0x8000);
  const int i = 3;
  EXPECT_EQ(
      (prim::view_load<tile<int, 2>, int, view_padding::zero, true, D, D>(&i, 1u, 1u, 0u).v[1]), 0);
}
// What a thread prefetches for its next block is learnt from accesses of long rows; there is no
// place for more than the first.
TEST(Views, LeaveATrail) {
  using Long = tile<float, 1, 256>;
  using Short = tile<float, 4, 64>;
  using D = prim::dims<-1, -1>;
  std::vector<float> x(64 * 256);
  auto &trail = tessera::host::current_trail;
  trail = {};
  const auto load = [&]<class R>(R, unsigned row, unsigned long long stride) {
    return prim::view_load<R, float, view_padding::zero, true, D, D>(
        x.data(), 64u, 256u / unsigned(stride), 256u, stride, row, 0u);
  };
  (void)load(Short(), 0, 1);
  (void)load(Long(), 0, 2);
  EXPECT_EQ(trail.made, 0u);
  for (unsigned row = 0; row < 2 * trail.most; row++) {
    const auto r = load(Long(), row, 1);
    prim::view_store<Long, float, true, D, D>(r, x.data(), 64u, 256u, 256u, 1u, row, 0u);
  }
  EXPECT_EQ(trail.made, trail.most);
  trail.begin();
  EXPECT_EQ(trail.made, 0u);
  EXPECT_EQ(trail.made_before, trail.most);
  for (unsigned i = 0; i < trail.most; i++)
    EXPECT_EQ(trail.addresses[i], reinterpret_cast<std::uintptr_t>(x.data() + i / 2 * 256));
}
TEST(Views, ThreeDimensions) {
  using R = tile<int, 2, 2, 4>;
  using D = prim::dims<-1, -1, -1>;
  std::vector<int> x(3 * 3 * 5);
  for (int i = 0; i < 45; i++)
    x[i] = i;
  const auto r = prim::view_load<R, int, view_padding::zero, true, D, D>(x.data(), 3u, 3u, 5u, 15u,
                                                                         5u, 1u, 2u, 2u, 4u);
  EXPECT_EQ(r.v[0], 44);
  for (int i = 1; i < 16; i++)
    EXPECT_EQ(r.v[i], 0);
}

} // namespace
