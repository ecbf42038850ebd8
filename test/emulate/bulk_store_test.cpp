// Tiles that go out of shared memory by bulk copies: what arrives, and what must be waited for.
#include "reports.h"

#include <tessera/host/tensor_maps.h>
#include <tessera/simt.cuh>

#include <algorithm>
#include <vector>

namespace tessera::emulate {
namespace {

constexpr int threads = 128;

// A map that a launch makes of a view, for boxes of Tile's shape.
template <class Tile, class T, int Rank> tensor_maps<1> maps_of(const view<T, Rank> &v) {
  tensor_maps<1> maps{};
  host::encode_tensor_map<0, Tile>(maps, v);
  return maps;
}

template <class Tile> void fill(Tile tile, int from) {
  for (int e = thread_index(); e < Tile::shape::size; e += threads) {
    auto x = cast<typename Tile::element_type>((from + e) % 120);
    arch::store_shared<sizeof x>(tile.pointer, Tile::offset(e), to_words<1>(&x));
  }
}

// Stores boxes at the starts one after the other, and compares every element of the array.
template <class Tile, class T, int Rank>
void store_and_compare(const view<T, Rank> &v, std::vector<T> &elements,
                       const std::vector<index<Rank>> &starts) {
  using shape = typename Tile::shape;
  std::vector<T> wanted = elements;
  for (std::size_t i = 0; i != starts.size(); ++i)
    for (int e = 0; e != shape::size; ++e) {
      long long at = 0;
      bool is_inside = true;
      for (int d = 0; d != Rank; ++d) {
        long long place = starts[i].at[d] + shape::coordinate(d, e);
        is_inside &= starts[i].at[d] >= 0 && place < v.extent[d];
        at += place * v.stride[d];
      }
      if (is_inside)
        wanted[static_cast<std::size_t>(at)] = cast<T>((static_cast<int>(i) * 7 + e) % 120);
    }
  const tensor_maps<1> maps = maps_of<Tile>(v);
  ASSERT_EQ(maps.made, 1u);
  expect_none(run_and_report(threads, shape::size * sizeof(T), [&] {
    const auto map = get_tensor_map<0, 0>(maps);
    EXPECT_TRUE(has_tensor_map(map));
    const auto tile = shared_at<Tile>(0);
    for (std::size_t i = 0; i != starts.size(); ++i) {
      fill(tile, static_cast<int>(i) * 7);
      fence_shared();
      barrier();
      store_bulk<stores::in_order>(tile, v, starts[i], map);
      wait_stores<0>();
      barrier();
    }
  }));
  EXPECT_EQ(std::memcmp(elements.data(), wanted.data(), wanted.size() * sizeof(T)), 0);
}

template <class T> std::vector<T> zeros(std::size_t count) {
  return std::vector<T>(count, cast<T>(0));
}

// Inside, cut off at the ends, at places that are no multiples of the box, outside, before the
// array.
template <class T, int LogColumns> void store_matrices() {
  constexpr int columns = 1 << LogColumns, chunk = 16 / sizeof(T), row = 72 * chunk;
  using tile = shared_tile<T, shape<16, columns>, panels<T, 4, LogColumns>>;
  std::vector<T> elements = zeros<T>(40 * row);
  const view<T, 2> v{elements.data(), {40, row - 3}, {row, 1}};
  store_and_compare<tile>(v, elements,
                          {{0, 0},
                           {16, columns},
                           {32, row - chunk},
                           {5, chunk},
                           {-16, 0},
                           {0, -columns},
                           {40, 0},
                           {0, 4000000000ll},
                           {5, chunk}});
}

TEST(stores_of_tiles, arrive_whatever_their_elements_are) {
  store_matrices<signed char, 7>();
  store_matrices<signed char, 5>();
  store_matrices<bf16, 6>();
  store_matrices<bf16, 8>();
  store_matrices<half, 5>();
  store_matrices<half, 4>();
  store_matrices<float, 6>();
  store_matrices<float, 3>();
  store_matrices<double, 5>();
}

TEST(stores_of_tiles, arrive_in_arrays_of_more_dimensions) {
  std::vector<bf16> elements = zeros<bf16>(3 * 5 * 6 * 10 * 96);
  using rows = panels<bf16, 5, 7>;
  const view<bf16, 3> three{elements.data(), {15, 50, 90}, {60 * 96, 96, 1}};
  store_and_compare<shared_tile<bf16, shape<2, 16, 128>, rows>>(
      three, elements, {{0, 0, 0}, {14, 48, 8}, {2, 7, 64}, {1, -16, 0}});
  const view<bf16, 4> four{elements.data(), {5, 3, 8, 96}, {3 * 5760, 5760, 96, 1}};
  store_and_compare<shared_tile<bf16, shape<1, 4, 8, 128>, rows>>(
      four, elements, {{4, 0, 0, 0}, {0, 2, 4, 16}, {3, 0, -8, 0}});
  const view<bf16, 5> five{elements.data(), {2, 5, 3, 8, 96}, {2880, 3 * 5760, 5760, 96, 1}};
  store_and_compare<shared_tile<bf16, shape<2, 1, 2, 8, 128>, rows>>(
      five, elements, {{0, 4, 1, 0, 0}, {1, 0, 2, 4, 32}});
}

// Nothing along a dimension: nothing is written.
TEST(stores_of_tiles, leave_arrays_without_elements_alone) {
  using tile = shared_tile<float, shape<16, 32>, panels<float, 4, 5>>;
  std::vector<float> elements = zeros<float>(16 * 32);
  store_and_compare<tile>(view<float, 2>{elements.data(), {0, 32}, {32, 1}}, elements, {{0, 0}});
  store_and_compare<tile>(view<float, 2>{elements.data(), {16, 0}, {32, 1}}, elements, {{0, 0}});
}

TEST(stores_of_tiles, have_no_map_where_a_view_allows_none) {
  using tile = shared_tile<float, shape<16, 32>, panels<float, 4, 5>>;
  alignas(16) float elements[64] = {};
  EXPECT_EQ(maps_of<tile>(view<float, 2>{elements + 1, {1, 16}, {32, 1}}).made, 0u);
  EXPECT_EQ(maps_of<tile>(view<float, 2>{elements, {2, 16}, {30, 1}}).made, 0u);
  EXPECT_EQ(maps_of<tile>(view<float, 2>{elements, {2, 16}, {32, 2}}).made, 0u);
}

// Which of the steps is left out.
enum class missing { nothing, fence, barrier, wait, order };

using square = shared_tile<bf16, shape<64, 64>, panels<bf16, 6, 6>>;
using of_square = layout<shape<64, 64>, registers<1, 512, 8, 16, 32>, lanes<2, 4, 64, 128, 256>,
                         warps<1024, 2048>>;

// Two stores of a tile to one place.
std::vector<std::string> store_twice(missing step, float *second = nullptr) {
  std::vector<bf16> elements = zeros<bf16>(64 * 64);
  const view<bf16, 2> v{elements.data(), {64, 64}, {64, 1}};
  const tensor_maps<1> maps = maps_of<square>(v);
  auto reports = run_and_report(threads, 2 * 8192, [&] {
    const auto map = get_tensor_map<0, 0>(maps);
    const auto one = shared_at<square>(0), other = shared_at<square>(8192);
    store_shared(one, splat<of_square>(cast<bf16>(1.0f)));
    if (step != missing::fence)
      fence_shared();
    if (step != missing::barrier)
      barrier();
    store_bulk(one, v, {0, 0}, map);
    store_shared(other, splat<of_square>(cast<bf16>(2.0f)));
    fence_shared();
    barrier();
    if (step == missing::order)
      store_bulk(other, v, {0, 0}, map);
    else
      store_bulk<stores::in_order>(other, v, {0, 0}, map);
    if (step != missing::wait)
      wait_stores<0>();
  });
  if (second)
    *second = cast<float>(elements[77]);
  return reports;
}

TEST(stores_of_tiles, come_one_behind_the_other_where_they_wait) {
  float last = 0;
  expect_none(store_twice(missing::nothing, &last));
  EXPECT_EQ(last, 2.0f);
}
TEST(stores_of_tiles, without_a_fence_are_reported) {
  EXPECT_THAT(store_twice(missing::fence),
              testing::Contains(testing::HasSubstr("with no fence between them")));
}
TEST(stores_of_tiles, without_a_barrier_are_reported) {
  EXPECT_THAT(store_twice(missing::barrier),
              testing::Contains(testing::HasSubstr("race in shared memory")));
}
TEST(stores_of_tiles, that_nobody_waited_for_are_reported) {
  EXPECT_THAT(store_twice(missing::wait),
              testing::Contains(testing::HasSubstr("these stores were not waited for")));
}
TEST(stores_of_tiles, to_one_place_in_no_order_are_reported) {
  EXPECT_THAT(store_twice(missing::order),
              testing::Contains(testing::HasSubstr("its earlier bulk store has not written yet")));
}

// Two blocks store a tile each to one place, of the block's value.
template <class Value> std::vector<std::string> store_by_two_blocks(Value value) {
  std::vector<bf16> elements = zeros<bf16>(64 * 64);
  const view<bf16, 2> v{elements.data(), {64, 64}, {64, 1}};
  const tensor_maps<1> maps = maps_of<square>(v);
  run(
      2, threads, 8192,
      [&] {
        const auto map = get_tensor_map<0, 0>(maps);
        store_shared(shared_at<square>(0), splat<of_square>(cast<bf16>(value(block_index<0>()))));
        fence_shared();
        barrier();
        store_bulk(shared_at<square>(0), v, {0, 0}, map);
        wait_stores<0>();
      },
      "kernel");
  return take_reports();
}

// As stores by threads: blocks that write one value are no mistake.
TEST(stores_of_tiles, of_one_value_by_two_blocks_are_no_race) {
  expect_none(store_by_two_blocks([](int) { return 1.0f; }));
}
TEST(stores_of_tiles, of_two_values_by_two_blocks_are_a_race) {
  EXPECT_THAT(store_by_two_blocks([](int block) { return float(block); }),
              testing::Contains(testing::HasSubstr("race in global memory")));
}

// Whoever reads the array behind the store, without waiting for what it writes.
TEST(stores_of_tiles, whose_array_is_read_before_its_end_are_reported) {
  std::vector<bf16> elements = zeros<bf16>(64 * 64);
  const view<bf16, 2> v{elements.data(), {64, 64}, {64, 1}};
  const tensor_maps<1> maps = maps_of<square>(v);
  auto read_behind = [&](bool waits) {
    return run_and_report(threads, 8192, [&] {
      const auto map = get_tensor_map<0, 0>(maps);
      store_shared(shared_at<square>(0), splat<of_square>(cast<bf16>(1.0f)));
      fence_shared();
      barrier();
      store_bulk(shared_at<square>(0), v, {0, 0}, map);
      wait_stores<0>();
      if (waits)
        arch::store_wait_written<0>();
      barrier();
      if (thread_index() == 64)
        arch::load_global<2>(elements.data() + 5);
    });
  };
  expect_none(read_behind(true));
  EXPECT_THAT(read_behind(false), testing::Contains(testing::HasSubstr("race in global memory")));
}

// Threads read the array before the store: a fence of shared memory is none of it.
TEST(stores_of_tiles, of_what_threads_read_need_a_fence_of_memory) {
  std::vector<bf16> elements = zeros<bf16>(64 * 64);
  const view<bf16, 2> v{elements.data(), {64, 64}, {64, 1}};
  const tensor_maps<1> maps = maps_of<square>(v);
  auto read_before = [&](void (*fence)()) {
    return run_and_report(threads, 8192, [&] {
      const auto map = get_tensor_map<0, 0>(maps);
      if (thread_index() == 64)
        arch::load_global<2>(elements.data() + 5);
      store_shared(shared_at<square>(0), splat<of_square>(cast<bf16>(1.0f)));
      fence();
      barrier();
      store_bulk(shared_at<square>(0), v, {0, 0}, map);
      wait_stores<0>();
    });
  };
  expect_none(read_before(fence_memory));
  EXPECT_THAT(read_before(fence_shared),
              testing::Contains(testing::HasSubstr("read by thread 64 (warp 2) with no fence")));
}

// What is reported of one store of a box there.
auto store_box_at(const tensor_map &map, box_coordinates<2> place) {
  return run_and_report(32, 8192, [&] {
    if (thread_index() != 0)
      return;
    arch::store_box(shared_memory(), 0, map, place);
    arch::store_commit();
    wait_stores<0>();
  });
}

// Hopper stops at it.
TEST(stores_of_boxes, to_places_before_the_array_are_reported) {
  std::vector<bf16> elements = zeros<bf16>(64 * 64);
  const tensor_maps<1> maps = maps_of<square>(view<bf16, 2>{elements.data(), {64, 64}, {64, 1}});
  auto is_told = testing::Contains(testing::HasSubstr("to an address before the array"));
  EXPECT_THAT(store_box_at(maps.map[0], {{0, -64}}), is_told);
  EXPECT_THAT(store_box_at(maps.map[0], {{-64, 0}}), is_told);
  EXPECT_THAT(store_box_at(maps.map[0], {{0, -63}}), testing::Not(is_told));
  EXPECT_THAT(store_box_at(maps.map[0], {{64, 64}}), testing::Not(is_told));
}

// So it does at a box that begins within 16 bytes of a row.
TEST(stores_of_boxes, and_copies_that_start_within_a_chunk_are_reported) {
  std::vector<bf16> elements = zeros<bf16>(64 * 64);
  const tensor_maps<1> maps = maps_of<square>(view<bf16, 2>{elements.data(), {64, 64}, {64, 1}});
  auto copy_from = [&](unsigned column) {
    return run_and_report(128, 8192 + 64, [&] {
      const view<bf16, 2> v{elements.data(), {64, 64}, {64, 1}};
      const auto map = get_tensor_map<0, 0>(maps);
      auto barriers = init_barriers<1, 1>(8192, map);
      copy_async<access_by<8, 1, alignment::proven>, 128>(shared_slot<square>(0, 0), v,
                                                          {0u, column}, map, barriers, 0);
      commit_group();
      consumer_wait<0>(barriers, 0);
      invalidate_barriers(barriers);
    });
  };
  auto is_told = testing::Contains(testing::HasSubstr("misaligned start of a bulk"));
  EXPECT_THAT(store_box_at(maps.map[0], {{3, 0}}), is_told);
  EXPECT_THAT(store_box_at(maps.map[0], {{8, 3}}), testing::Not(is_told));
  EXPECT_THAT(copy_from(3), is_told);
  EXPECT_THAT(copy_from(8), testing::Not(is_told));
}

// The same elements as by single stores, whatever warps hold of the tile.
template <class L, class Tile> void store_as_matrices() {
  static_assert(detail::shared_matrices<L, Tile>::fit(), "this is what is tested");
  expect_none(run_and_report(threads, Tile::shape::size * 2, [&] {
    const auto tile = shared_at<Tile>(0);
    store_shared(tile, cast<half>(iota<int, L>()));
    barrier();
    for (int e = thread_index(); e < Tile::shape::size; e += threads) {
      half x;
      from_words<1>(&x, arch::load_shared<2>(tile.pointer, Tile::offset(e)));
      EXPECT_EQ(cast<float>(x), cast<float>(cast<half>(e)));
    }
  }));
}

TEST(matrices, are_stored_as_their_lanes_hold_them) {
  store_as_matrices<of_square, shared_tile<half, shape<64, 64>, panels<half, 6, 6>>>();
  store_as_matrices<of_square, shared_tile<half, shape<64, 64>>>();
  store_as_matrices<of_square, shared_tile<half, shape<64, 64>, swizzle<3, 3, 3>>>();
  using wide = layout<shape<16, 256>, registers<1, 2048, 8, 16, 32>, lanes<2, 4, 256, 512, 1024>,
                      warps<64, 128>>;
  store_as_matrices<wide, shared_tile<half, shape<16, 256>, panels<half, 4, 8>>>();
  store_as_matrices<wide, shared_tile<half, shape<16, 256>, swizzle<3, 3, 5>>>();
}

} // namespace
} // namespace tessera::emulate
