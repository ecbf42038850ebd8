// Rings that bulk copies fill, with maps that the kernel makes, and what becomes of them where a
// view allows none.
#include "reports.h"

#include <tessera/simt.cuh>

#include <algorithm>
#include <bit>
#include <vector>

namespace tessera::emulate {
namespace {

constexpr int threads = 128, stages = 3;

// Elements that tell their place.
template <class T> std::vector<T> numbered(std::size_t count) {
  std::vector<T> elements(count);
  for (std::size_t i = 0; i != count; ++i)
    elements[i] = cast<T>(static_cast<int>(i % 251));
  return elements;
}

template <class T, int Rank, std::size_t... D>
T element_of(const view<T, Rank> &v, const long long *at, std::index_sequence<D...>) {
  bool is_inside = ((at[D] >= 0 && at[D] < v.extent[D]) && ...);
  return is_inside ? v.base[((at[D] * v.stride[D]) + ...)] : T();
}

// Copies boxes at the starts through a ring, and compares every element.
template <class Tile, class A, class T, int Rank> void
copy_and_compare(const view<T, Rank> &v, const std::vector<index<Rank>> &starts, bool is_bulk) {
  using shape = typename Tile::shape;
  using element = typename Tile::element_type;
  constexpr int bytes = shape::size * static_cast<int>(sizeof(element)),
                ring_bytes = stages * bytes;
  static_assert(bytes % 128 == 0, "stages begin at places that are aligned");
  expect_none(run_and_report(threads, ring_bytes + 256, [&] {
    const auto map = make_tensor_map<1, Tile>(v, ring_bytes);
    auto ring = init_barriers<stages, 1>(ring_bytes + 128, map);
    EXPECT_EQ(ring.is_bulk, is_bulk);
    const int count = static_cast<int>(starts.size());
    auto fill = [&](int i) {
      if (i < count)
        copy_async<A, threads>(shared_slot<Tile>(0, i % stages), v,
                               starts[static_cast<std::size_t>(i)], map, ring, i % stages);
      commit_group();
    };
    for (int s = 0; s < stages - 1; ++s)
      fill(s);
    for (int i = 0; i < count; ++i) {
      consumer_wait<stages - 2>(ring, i % stages);
      fence_shared();
      barrier();
      fill(i + stages - 1);
      const auto tile = shared_slot<Tile>(0, i % stages);
      for (int e = thread_index(); e < shape::size; e += threads) {
        long long at[Rank];
        for (int d = 0; d < Rank; ++d)
          at[d] = starts[static_cast<std::size_t>(i)].at[d] + shape::coordinate(d, e);
        bool is_outside = false;
        for (int d = 0; d < Rank; ++d)
          is_outside |= starts[static_cast<std::size_t>(i)].at[d] < 0;
        element x{};
        std::memcpy(static_cast<void *>(&x),
                    arch::load_shared<sizeof(element)>(tile.pointer, Tile::offset(e)).w, sizeof x);
        const element wanted =
            is_outside ? element() : element_of(v, at, std::make_index_sequence<Rank>());
        EXPECT_EQ(std::memcmp(&x, &wanted, sizeof x), 0) << "box " << i << ", element " << e;
      }
    }
    wait_group<0>();
    barrier();
    invalidate_barriers(ring);
  }));
}

using checked = access_by<8, 1, alignment::guarded, bounds::checked, bounds::checked>;
using halves = shared_tile<bf16, shape<16, 64>, panels<bf16, 4, 6>>;
const std::vector<index<2>> places = {{0, 0},   {16, 64}, {32, 64}, {48, 0},
                                      {-16, 0}, {0, -64}, {4, 8}};

// A box that a thread wrote an element of, and whose copy is waited for or not.
std::vector<std::string> copy_once(void (*fence)(), bool waits) {
  auto x = numbered<bf16>(16 * 64);
  const view<const bf16, 2> v{x.data(), {16, 64}, {64, 1}};
  return run_and_report(threads, 2048 + 256, [&] {
    const auto map = make_tensor_map<1, halves>(v, 2048);
    auto ring = init_barriers<1, 1>(2048 + 128, map);
    const bf16 one = cast<bf16>(1.0f);
    if (thread_index() == 64)
      arch::store_global<2>(x.data() + 5, to_words<1>(&one));
    fence();
    barrier();
    copy_async<checked, threads>(shared_at<halves>(0), v, {0, 0}, map, ring, 0);
    if (waits)
      consumer_wait<0>(ring, 0);
    barrier();
    invalidate_barriers(ring);
  });
}

TEST(bulk_rings, of_what_threads_wrote_need_a_fence_of_memory) {
  expect_none(copy_once(fence_memory, true));
  EXPECT_THAT(copy_once(fence_shared, true),
              testing::Contains(testing::HasSubstr("written by thread 64 (warp 2) with no fence")));
}
TEST(bulk_rings, that_nobody_waited_for_are_reported) {
  EXPECT_THAT(
      copy_once(fence_memory, false),
      testing::Contains(testing::HasSubstr("bulk copies to shared memory were not waited for")));
}

TEST(bulk_rings, over_what_threads_wrote_need_a_fence) {
  const auto x = numbered<bf16>(16 * 64);
  const view<const bf16, 2> v{x.data(), {16, 64}, {64, 1}};
  auto copy_over = [&](bool fences) {
    return run_and_report(threads, 2048 + 256, [&] {
      const auto map = make_tensor_map<1, halves>(v, 2048);
      auto ring = init_barriers<1, 1>(2048 + 128, map);
      arch::store_shared<16>(shared_memory(), thread_index() * 16, words<16>{});
      if (fences)
        fence_shared();
      barrier();
      copy_async<checked, threads>(shared_at<halves>(0), v, {0, 0}, map, ring, 0);
      consumer_wait<0>(ring, 0);
      barrier();
      invalidate_barriers(ring);
    });
  };
  expect_none(copy_over(true));
  EXPECT_THAT(copy_over(false),
              testing::Contains(testing::HasSubstr("(warp 0) with no fence between them")));
}

// The barriers of a ring are bytes of shared memory, as others are.
TEST(bulk_rings, whose_barriers_begin_where_others_still_read_are_reported) {
  auto begin_behind_reads = [](bool meets) {
    return run_and_report(threads, 256, [&] {
      arch::store_shared<1>(shared_memory(), thread_index(), words<1>{});
      barrier();
      arch::load_shared<1>(shared_memory(), thread_index());
      if (meets)
        barrier();
      auto ring = init_barriers<1, 1>(0, launched_tensor_map<0>{});
      barrier();
      invalidate_barriers(ring);
    });
  };
  expect_none(begin_behind_reads(true));
  EXPECT_THAT(begin_behind_reads(false),
              testing::Contains(testing::HasSubstr("race in shared memory")));
}

TEST(bulk_rings, whose_barriers_are_written_over_are_reported) {
  const auto x = numbered<bf16>(16 * 64);
  const view<const bf16, 2> v{x.data(), {16, 64}, {64, 1}};
  auto copy_behind_a_write = [&](int offset) {
    return run_and_report(threads, 2048 + 256, [&] {
      const auto map = make_tensor_map<1, halves>(v, 2048);
      auto ring = init_barriers<1, 1>(2048 + 128, map);
      barrier();
      if (thread_index() == 5)
        arch::store_shared<4>(shared_memory(), offset, words<4>{});
      barrier();
      copy_async<checked, threads>(shared_at<halves>(0), v, {0, 0}, map, ring, 0);
      consumer_wait<0>(ring, 0);
      barrier();
      invalidate_barriers(ring);
    });
  };
  expect_none(copy_behind_a_write(2048 + 128 + 64));
  EXPECT_THAT(copy_behind_a_write(2048 + 128),
              testing::Contains(testing::HasSubstr("overwritten after")));
}

// By the thread that started it, and by the one that waits.
TEST(bulk_rings, whose_source_is_written_before_the_wait_are_reported) {
  for (const int writer : {0, 32, 64}) {
    auto x = numbered<bf16>(16 * 64);
    const view<const bf16, 2> v{x.data(), {16, 64}, {64, 1}};
    EXPECT_THAT(run_and_report(threads, 2048 + 256,
                               [&] {
                                 const auto map = make_tensor_map<1, halves>(v, 2048);
                                 auto ring = init_barriers<1, 1>(2048 + 128, map);
                                 copy_async<checked, threads>(shared_at<halves>(0), v, {0, 0}, map,
                                                              ring, 0);
                                 const bf16 one = cast<bf16>(1.0f);
                                 if (thread_index() == writer)
                                   arch::store_global<2>(x.data() + 5, to_words<1>(&one));
                                 barrier(); // a copy that somebody waits for ends at once
                                 consumer_wait<0>(ring, 0);
                                 barrier();
                                 invalidate_barriers(ring);
                               }),
                testing::Contains(testing::HasSubstr("race in global memory")));
  }
}

TEST(bulk_rings, have_zeros_outside) {
  const auto x = numbered<bf16>(40 * 104);
  copy_and_compare<halves, checked>(view<const bf16, 2>{x.data(), {40, 100}, {104, 1}}, places,
                                    true);
}

TEST(bulk_rings, have_panels) {
  const auto x = numbered<bf16>(40 * 200);
  using tile = shared_tile<bf16, shape<16, 128>, panels<bf16, 4, 7>>;
  copy_and_compare<tile, checked>(view<const bf16, 2>{x.data(), {40, 200}, {200, 1}},
                                  {{0, 0}, {16, 128}, {32, 128}, {0, -128}}, true);
}

TEST(bulk_rings, have_short_rows) {
  const auto x = numbered<bf16>(64 * 40);
  using rows_of_64_bytes = shared_tile<bf16, shape<32, 32>, panels<bf16, 5, 5>>;
  using rows_of_32_bytes = shared_tile<bf16, shape<32, 16>, panels<bf16, 5, 4>>;
  const view<const bf16, 2> v{x.data(), {64, 40}, {40, 1}};
  copy_and_compare<rows_of_64_bytes, checked>(v, {{0, 0}, {32, 32}}, true);
  copy_and_compare<rows_of_32_bytes, checked>(v, {{0, 16}, {32, 32}}, true);
}

TEST(bulk_rings, have_bytes_and_words) {
  const auto x = numbered<signed char>(40 * 208);
  using bytes = shared_tile<signed char, shape<16, 128>, panels<signed char, 4, 7>>;
  using by_16 = access_by<16, 1, alignment::guarded, bounds::checked, bounds::checked>;
  copy_and_compare<bytes, by_16>(view<const signed char, 2>{x.data(), {40, 200}, {208, 1}},
                                 {{0, 0}, {32, 128}}, true);
  const auto y = numbered<float>(40 * 52);
  using words = shared_tile<float, shape<16, 32>, panels<float, 4, 5>>;
  using by_4 = access_by<4, 1, alignment::guarded, bounds::checked, bounds::checked>;
  copy_and_compare<words, by_4>(view<const float, 2>{y.data(), {40, 50}, {52, 1}},
                                {{0, 0}, {32, 32}}, true);
}

TEST(bulk_rings, have_boxes_of_more_dimensions) {
  const auto x = numbered<bf16>(2 * 3 * 40 * 64);
  using tile = shared_tile<bf16, shape<1, 1, 16, 64>, panels<bf16, 4, 6>>;
  using access = access_by<8, 3, alignment::guarded, bounds::checked, bounds::checked,
                           bounds::checked, bounds::checked>;
  copy_and_compare<tile, access>(
      view<const bf16, 4>{x.data(), {2, 3, 40, 60}, {3 * 40 * 64, 40 * 64, 64, 1}},
      {{0, 0, 0, 0}, {1, 2, 32, 0}, {2, 0, 0, 0}, {1, -1, 0, 0}}, true);
  using folded = shared_tile<bf16, shape<2, 8, 64>, panels<bf16, 4, 6>>;
  using of_three =
      access_by<8, 2, alignment::guarded, bounds::checked, bounds::checked, bounds::checked>;
  copy_and_compare<folded, of_three>(view<const bf16, 3>{x.data(), {5, 20, 64}, {40 * 64, 64, 1}},
                                     {{0, 0, 0}, {4, 16, 0}}, true);
}

TEST(bulk_rings, of_nothing_are_zeros) {
  const auto x = numbered<bf16>(64);
  copy_and_compare<halves, checked>(view<const bf16, 2>{x.data(), {0, 64}, {64, 1}}, places, true);
  copy_and_compare<halves, checked>(view<const bf16, 2>{x.data(), {1, 0}, {64, 1}}, places, true);
}

// A base, rows or strides that a map cannot have.
TEST(bulk_rings, go_by_cp_async_where_a_view_allows_no_boxes) {
  const auto x = numbered<bf16>(40 * 104);
  const bf16 *p = x.data();
  for (const view<const bf16, 2> &v :
       {view<const bf16, 2>{p + 1, {39, 100}, {104, 1}},
        view<const bf16, 2>{p, {40, 100}, {101, 1}}, view<const bf16, 2>{p, {40, 50}, {104, 2}},
        view<const bf16, 2>{p, {40, 100}, {0, 1}},
        view<const bf16, 2>{p + 39 * 104, {40, 100}, {-104, 1}}})
    copy_and_compare<halves, access_by<1, 1, alignment::guarded, bounds::checked, bounds::checked>>(
        v, places, false);
}

// Floats on their way to a tile of tf32 are rounded to the nearest, ties to even, by the copies or
// behind them.
void round_and_compare(int distance, bool is_bulk) {
  using tile = shared_tile<tf32, shape<16, 32>, panels<tf32, 4, 5>>;
  using by_4 = access_by<4, 1, alignment::guarded, bounds::checked, bounds::checked>;
  constexpr unsigned one = 0x3f800000u,
                     inputs[] = {one + 0x1000, one + 0x3000, one + 0x1001, 0xbf801000u, 0x7f7fffffu,
                                 0x1000u,      0x1fffu,      0x7f800000u,  0x80000001u};
  constexpr unsigned rounded[] = {one,         one + 0x4000, one + 0x2000, 0xbf800000u, 0x7f800000u,
                                  0x00000000u, 0x2000u,      0x7f800000u,  0x80000000u};
  std::vector<float> x(16 * 36 + 4);
  for (std::size_t i = 0; i != x.size(); ++i)
    x[i] = std::bit_cast<float>(inputs[i % std::size(inputs)]);
  const view<const float, 2> v{x.data() + distance, {16, 32}, {36, 1}};
  constexpr int bytes = 16 * 32 * 4;
  expect_none(run_and_report(threads, bytes + 256, [&] {
    const auto map = make_tensor_map<0, tile>(v, bytes);
    auto ring = init_barriers<1, 1>(bytes + 128, map);
    EXPECT_EQ(ring.is_bulk, is_bulk);
    const auto stage = shared_slot<tile>(0, 0);
    copy_async<by_4, threads>(stage, v, {0, 0}, map, ring, 0);
    commit_group();
    consumer_wait<0>(ring, 0);
    round_copied<threads>(stage, ring);
    barrier();
    for (int e = thread_index(); e < 16 * 32; e += threads) {
      const auto from = static_cast<std::size_t>(e / 32 * 36 + e % 32 + distance);
      EXPECT_EQ(arch::load_shared<4>(stage.pointer, tile::offset(e)).w[0],
                rounded[from % std::size(inputs)])
          << "element " << e;
    }
    barrier();
    invalidate_barriers(ring);
  }));
}
TEST(bulk_rings, round_floats_to_tf32) { round_and_compare(0, true); }
TEST(bulk_rings, have_floats_rounded_that_threads_copied) { round_and_compare(1, false); }

// All of a ring's copies go one way.
TEST(bulk_rings, go_by_cp_async_where_one_of_the_views_does) {
  const auto x = numbered<bf16>(40 * 104);
  expect_none(run_and_report(threads, 4096 + 384, [&] {
    const auto yes =
        make_tensor_map<0, halves>(view<const bf16, 2>{x.data(), {40, 100}, {104, 1}}, 4096);
    const auto no = make_tensor_map<1, halves>(
        view<const bf16, 2>{x.data() + 1, {39, 100}, {104, 1}}, 4096 + 128);
    const auto ring = init_barriers<2, 2>(4096 + 256, yes, no);
    EXPECT_EQ(yes.map != nullptr, warp_index() == 0);
    EXPECT_FALSE(no.map || ring.is_bulk);
    barrier();
    invalidate_barriers(ring);
  }));
}

} // namespace
} // namespace tessera::emulate
