// Kernels whose blocks take one place of a grid after the other: the places, a ring that a warp of
// its own fills, and results that leave in parts.
#include "reports.h"

#include <tessera/host/tensor_maps.h>
#include <tessera/simt.cuh>

#include <algorithm>
#include <array>
#include <cstring>
#include <vector>

namespace tessera::emulate {
namespace {

// Every group of blocks has one place, row by row and in bands.
template <int Columns, int Rows> void expect_each_once(dim3 blocks) {
  const coarsened_grid grid{blocks, blocks};
  const int columns = (static_cast<int>(blocks.x) + Columns - 1) / Columns,
            rows = (static_cast<int>(blocks.y) + Rows - 1) / Rows,
            layers = static_cast<int>(blocks.z);
  const int count = work_tile_count<Columns, Rows>(grid);
  ASSERT_EQ(count, columns * rows * layers);
  std::vector<std::array<int, 3>> plain, in_bands, all;
  for (int p = 0; p != count; ++p) {
    plain.push_back({block_at<2, Columns, Rows>(grid, p), block_at<1, Columns, Rows>(grid, p),
                     block_at<0, Columns, Rows>(grid, p)});
    in_bands.push_back({swizzled_block_at<2, Columns, Rows>(grid, p),
                        swizzled_block_at<1, Columns, Rows>(grid, p),
                        swizzled_block_at<0, Columns, Rows>(grid, p)});
    all.push_back({p / (columns * rows), p / columns % rows, p % columns});
  }
  EXPECT_EQ(plain, all);
  // Eight rows of a band stand one behind the other.
  if (rows >= 8)
    EXPECT_EQ(in_bands[1], (std::array<int, 3>{0, 1, 0}));
  std::ranges::sort(in_bands);
  EXPECT_EQ(in_bands, all);
}

TEST(places, are_each_block_once) {
  expect_each_once<1, 1>(dim3(1, 1, 1));
  expect_each_once<2, 4>(dim3(7, 33, 1));
  expect_each_once<4, 2>(dim3(13, 16, 3));
  expect_each_once<1, 1>(dim3(5, 23, 2));
  expect_each_once<8, 8>(dim3(3, 3, 1));
}

// Of more columns than a band of them is counted in 32 bits.
TEST(places, are_those_of_very_wide_grids) {
  const coarsened_grid grid{dim3(1u << 30, 1, 1), dim3(1, 1, 1)};
  constexpr int last = (1 << 30) - 1;
  EXPECT_EQ((work_tile_count<1, 1>(grid)), 1 << 30);
  EXPECT_EQ((swizzled_block_at<0, 1, 1>(grid, last)), last);
  EXPECT_EQ((swizzled_block_at<1, 1, 1>(grid, last)), 0);
}

// Which of the steps is left out.
enum class missing { nothing, free, filled, release };

using tile = shared_tile<bf16, shape<64, 64>, panels<bf16, 6, 6>>;
constexpr int stages = 3, readers = 128, bytes = 64 * 64 * 2;

// A warpgroup reads six tiles out of a ring of three.
std::vector<std::string> read_through_ring(missing step) {
  constexpr int count = 6;
  std::vector<bf16> elements(64 * count * 64);
  for (std::size_t i = 0; i != elements.size(); ++i)
    elements[i] = cast<bf16>(static_cast<int>(i % 251));
  const view<const bf16, 2> v{elements.data(), {64 * count, 64}, {64, 1}};
  tensor_maps<1> maps{};
  host::encode_tensor_map<0, tile>(maps, v);
  return run_and_report(readers + 32, stages * bytes + 16 * stages, [&] {
    const auto map = get_required_tensor_map<4, 0>(maps);
    auto ring = init_pipeline_barriers<stages, 1, 1>(stages * bytes, map);
    if (warp_index() == 4) {
      for (int i = 0; i < count; ++i) {
        if (step != missing::free)
          producer_acquire(ring, i % stages);
        copy_async(shared_slot<tile>(0, i % stages), v, {i * 64, 0}, map, ring, i % stages);
      }
      return;
    }
    for (int i = 0; i < count; ++i) {
      if (step != missing::filled)
        consumer_wait(ring, i % stages);
      const auto here = shared_slot<tile>(0, i % stages);
      for (int e = thread_index(); e < tile::shape::size; e += readers) {
        bf16 x;
        from_words<1>(&x, arch::load_shared<2>(here.pointer, tile::offset(e)));
        if (step == missing::nothing)
          EXPECT_EQ(cast<float>(x), static_cast<float>((i * 4096 + e) % 251));
      }
      barrier_of_warps(1, readers);
      if (step != missing::release)
        consumer_release(ring, i ? (i - 1) % stages : -1);
    }
  });
}

TEST(rings_of_a_warp, are_filled_when_they_are_free) {
  expect_none(read_through_ring(missing::nothing));
}
TEST(rings_of_a_warp, that_are_filled_before_they_are_free_are_reported) {
  EXPECT_THAT(read_through_ring(missing::free),
              testing::Contains(testing::HasSubstr("race in shared memory")));
}
TEST(rings_of_a_warp, that_are_read_before_they_are_filled_are_reported) {
  EXPECT_THAT(read_through_ring(missing::filled),
              testing::Contains(testing::HasSubstr("race in shared memory")));
}
TEST(rings_of_a_warp, that_nobody_releases_are_reported) {
  EXPECT_THAT(read_through_ring(missing::release), testing::Not(testing::IsEmpty()));
}

// Rows of a view, each by one bulk copy or element by element, through a ring of three.
template <class Row, class A, class T, int Rank>
std::vector<std::string> read_rows(const view<T, Rank> &v, const std::vector<index<Rank>> &starts,
                                   missing step = missing::nothing) {
  using element = typename Row::element_type;
  constexpr int size = Row::shape::size, row_bytes = size * static_cast<int>(sizeof(element));
  return run_and_report(readers + 32, stages * row_bytes + 16 * stages, [&] {
    const present_tensor_map<4> none{};
    auto ring = init_pipeline_barriers<stages, 1, 4, 32>(stages * row_bytes, none);
    const int count = static_cast<int>(starts.size());
    if (warp_index() == 4) {
      for (int i = 0; i < count; ++i) {
        if (step != missing::free)
          producer_acquire(ring, i % stages);
        copy_async<A>(shared_slot<Row>(0, i % stages), v, starts[static_cast<std::size_t>(i)], ring,
                      i % stages);
      }
      return;
    }
    for (int i = 0; i < count; ++i) {
      if (step != missing::filled)
        consumer_wait(ring, i % stages);
      const auto here = shared_slot<Row>(0, i % stages);
      const index<Rank> &start = starts[static_cast<std::size_t>(i)];
      for (int e = thread_index() % 32; e < size; e += 32) {
        element x{};
        std::memcpy(static_cast<void *>(&x),
                    arch::load_shared<sizeof(element)>(here.pointer, Row::offset(e)).w, sizeof x);
        long long at = start.at[Rank - 1] + e;
        bool is_inside = start.at[Rank - 1] >= 0 && at < v.extent[Rank - 1];
        for (int d = 0; d < Rank - 1; ++d) {
          is_inside &= start.at[d] >= 0 && start.at[d] < v.extent[d];
          at += start.at[d] * v.stride[d];
        }
        const element wanted = is_inside ? v.base[at] : element();
        if (step == missing::nothing)
          EXPECT_EQ(std::memcmp(&x, &wanted, sizeof x), 0) << "row " << i << ", element " << e;
      }
      if (step != missing::release)
        consumer_release(ring, i % stages);
    }
  });
}

template <class T> std::vector<T> numbered(std::size_t count) {
  std::vector<T> elements(count);
  for (std::size_t i = 0; i != count; ++i)
    elements[i] = cast<T>(static_cast<int>(i % 251));
  return elements;
}

using row_of_64 = shared_tile<float, shape<64>, swizzle<0, 0, 0>>;
using any_row = access_by<4, 0, alignment::guarded, bounds::checked>;
const std::vector<index<1>> everywhere = {{0}, {64}, {128}, {192}, {256}, {1000}, {-64}, {5}};

TEST(rows_of_a_warp, begin_and_end_anywhere) {
  const auto x = numbered<float>(400);
  for (const int first : {0, 1, 4})
    for (const int extent : {256, 255, 200, 1, 0})
      expect_none(read_rows<row_of_64, any_row>(
          view<const float, 1>{x.data() + first, {extent}, {1}}, everywhere));
}

TEST(rows_of_a_warp, are_inside_or_outside_as_is_known) {
  using whole = access_by<4, 0, alignment::proven, bounds::whole>;
  using inside = access_by<4, 0, alignment::proven, bounds::inside>;
  const auto x = numbered<float>(256);
  const view<const float, 1> v{x.data(), {256}, {1}};
  expect_none(read_rows<row_of_64, whole>(v, {{0}, {64}, {192}, {256}, {512}, {-64}}));
  expect_none(read_rows<row_of_64, inside>(v, {{0}, {64}, {192}, {128}}));
}

TEST(rows_of_a_warp, are_lines_of_a_matrix) {
  using line = shared_tile<bf16, shape<1, 128>, swizzle<0, 0, 0>>;
  using access = access_by<8, 1, alignment::guarded, bounds::checked, bounds::checked>;
  const auto x = numbered<bf16>(3 * 304);
  for (const int stride : {304, 301})
    expect_none(read_rows<line, access>(view<const bf16, 2>{x.data(), {3, 300}, {stride, 1}},
                                        {{0, 0}, {1, 128}, {2, 256}, {3, 0}, {-1, 0}, {0, 384}}));
}

TEST(rows_of_a_warp, are_short) {
  using short_row = shared_tile<float, shape<4>, swizzle<0, 0, 0>>;
  const auto x = numbered<float>(64);
  expect_none(read_rows<short_row, any_row>(view<const float, 1>{x.data(), {30}, {1}},
                                            {{0}, {28}, {5}, {32}}));
}

TEST(rows_of_a_warp, that_are_copied_before_they_are_free_are_reported) {
  const auto x = numbered<float>(256);
  for (const int first : {0, 1})
    EXPECT_THAT(
        (read_rows<row_of_64, any_row>(view<const float, 1>{x.data() + first, {240}, {1}},
                                       {{0}, {64}, {128}, {0}, {64}, {128}}, missing::free)),
        testing::Contains(testing::HasSubstr("race in shared memory")));
}
TEST(rows_of_a_warp, that_are_read_before_they_are_there_are_reported) {
  const auto x = numbered<float>(256);
  for (const int first : {0, 1})
    EXPECT_THAT((read_rows<row_of_64, any_row>(view<const float, 1>{x.data() + first, {240}, {1}},
                                               everywhere, missing::filled)),
                testing::Contains(testing::HasSubstr("race in shared memory")));
}

TEST(rows_of_a_warp, whose_source_is_written_meanwhile_are_reported) {
  for (const int writer : {0, 64}) {
    auto x = numbered<float>(64);
    const view<const float, 1> v{x.data(), {64}, {1}};
    EXPECT_THAT(run_and_report(readers, 256 + 16,
                               [&] {
                                 const present_tensor_map<0> none{};
                                 auto ring = init_pipeline_barriers<1, 1, 4, 32>(256, none);
                                 if (warp_index() == 0)
                                   copy_async<any_row>(shared_slot<row_of_64>(0, 0), v, {0}, ring,
                                                       0);
                                 const float one = 1;
                                 if (thread_index() == writer)
                                   arch::store_global<4>(x.data() + 7, to_words<1>(&one));
                                 barrier(); // a copy that somebody waits for ends at once
                                 consumer_wait(ring, 0);
                               }),
                testing::Contains(testing::HasSubstr("race in global memory")));
  }
}

// What the instruction does not take.
TEST(rows_of_a_warp, that_are_misaligned_are_reported) {
  const auto x = numbered<float>(64);
  auto copy = [&](int offset, int first, int count) {
    return run_and_report(1, 512, [&] {
      tessera::init({256}, 1);
      tessera::arrive({256});
      arch::copy_bytes(shared_memory(), offset, x.data() + first, count, 256);
    });
  };
  EXPECT_THAT(copy(0, 1, 64), testing::Contains(testing::HasSubstr("misaligned bulk copy")));
  EXPECT_THAT(copy(0, 0, 20), testing::Contains(testing::HasSubstr("misaligned bulk copy")));
  EXPECT_THAT(copy(8, 0, 64), testing::Contains(testing::HasSubstr("lign")));
}

template <class Tile, class T> tensor_maps<1> maps_of(const view<T, 2> &v) {
  tensor_maps<1> maps{};
  host::encode_tensor_map<0, Tile>(maps, v);
  return maps;
}

// A tile of a panel: in memory, rows of 128 bytes one behind the other.
template <class T, unsigned Rows, unsigned Columns> using panel_of =
    shared_tile<T, shape<Rows, Columns>, panels<T, tessera::log2(Rows), tessera::log2(Columns)>>;

// A tile in layout L at several places of a matrix, all of them under way at one time, through
// panels out of which a warpgroup stores boxes.
template <class Panel, class Box, class L, class Part, int Mask>
void store_parts_and_compare(const std::vector<index<2>> &starts, bool has_tensor_map = true) {
  using T = typename Panel::element_type;
  constexpr int row = 320;
  std::vector<T> elements(300 * row, cast<T>(0)), wanted = elements;
  const view<T, 2> v{elements.data(), {300, row - 5}, {row, 1}};
  for (const index<2> &start : starts)
    for (int e = 0; e != L::size; ++e) {
      const long long i = start.at[0] + e / L::shape::extent(1),
                      j = start.at[1] + e % L::shape::extent(1);
      if (start.at[0] >= 0 && start.at[1] >= 0 && i < v.extent[0] && j < v.extent[1])
        wanted[static_cast<std::size_t>(i * row + j)] = cast<T>(e % 120);
    }
  tensor_maps<1> maps = maps_of<Box>(v);
  ASSERT_EQ(maps.made, 1u);
  maps.made = has_tensor_map;
  expect_none(run_and_report(L::thread_count, 2 * Panel::shape::size * sizeof(T), [&] {
    const auto map = get_tensor_map<0, 0>(maps);
    fragment<T, L> x;
    for (int i = 0; i != L::register_count; ++i)
      x.r[i] = cast<T>((L::thread_element() ^ L::element(i)) % 120);
    for (const index<2> &start : starts)
      store_parts<Part, Mask>(shared_slot<Panel>(0, 0), x, v, start, map);
    wait_stores<0>();
  }));
  EXPECT_EQ(std::memcmp(elements.data(), wanted.data(), wanted.size() * sizeof(T)), 0);
  if (has_tensor_map)
    store_parts_and_compare<Panel, Box, L, Part, Mask>(starts, false);
}

TEST(parts, arrive_inside_at_the_ends_and_nowhere_outside) {
  using two = layout<shape<128, 128>, registers<1, 1024, 8, 16, 32, 64>, lanes<2, 4, 128, 256, 512>,
                     warps<2048, 4096, 8192>>;
  store_parts_and_compare<panel_of<bf16, 128, 64>, panel_of<bf16, 64, 64>, two,
                          layout<shape<128, 64>, registers<1, 512, 8, 16, 32>,
                                 lanes<2, 4, 64, 128, 256>, warps<1024, 2048, 4096>>,
                          64>({{0, 0}, {128, 128}, {-128, 0}, {1024, 128}, {256, 0}});
  using of_two = layout<shape<128, 32>, registers<1, 256, 8, 16>, lanes<2, 4, 32, 64, 128>,
                        warps<512, 1024, 2048>>;
  using panel_of_two = panel_of<float, 128, 32>;
  using box = panel_of<float, 64, 32>;
  store_parts_and_compare<panel_of_two, box, two, of_two, 96>(
      {{0, 0}, {128, 128}, {0, -128}, {128, 512}, {256, 0}});
  // A warpgroup has 128 rows, half of them in each panel.
  using tall = layout<shape<256, 64>, registers<1, 512, 8, 16, 32, 4096>, lanes<2, 4, 64, 128, 256>,
                      warps<1024, 2048, 8192>>;
  store_parts_and_compare<panel_of_two, box, tall, of_two, 4096 + 32>(
      {{0, 0}, {0, 64}, {256, 128}});
  using one = layout<shape<64, 128>, registers<1, 1024, 8, 16, 32, 64>, lanes<2, 4, 128, 256, 512>,
                     warps<2048, 4096>>;
  store_parts_and_compare<panel_of<bf16, 64, 64>, panel_of<bf16, 64, 64>, one,
                          layout<shape<64, 64>, registers<1, 512, 8, 16, 32>,
                                 lanes<2, 4, 64, 128, 256>, warps<1024, 2048>>,
                          64>({{0, 0}, {64, 128}, {256, 256}, {-64, 0}});
}

// Warpgroups have columns: two boxes of 32 floats, one of 64 halves.
TEST(parts, arrive_where_the_sum_is_transposed) {
  using two = layout<shape<64, 128>, registers<128, 8, 1024, 2048, 4096>, lanes<256, 512, 1, 2, 4>,
                     warps<16, 32, 64>>;
  store_parts_and_compare<panel_of<float, 32, 128>, panel_of<float, 32, 64>, two,
                          layout<shape<32, 128>, registers<128, 8, 1024, 2048>,
                                 lanes<256, 512, 1, 2, 4>, warps<16, 32, 64>>,
                          4096>({{0, 0}, {64, 128}, {-64, 0}, {0, -128}, {1024, 128}, {256, 256}});
  // A warpgroup has 128 columns, half of them in each panel.
  using wide = layout<shape<64, 256>, registers<256, 8, 2048, 4096, 8192, 64>,
                      lanes<512, 1024, 1, 2, 4>, warps<16, 32, 128>>;
  store_parts_and_compare<panel_of<bf16, 64, 128>, panel_of<bf16, 64, 64>, wide,
                          layout<shape<64, 128>, registers<128, 8, 1024, 2048, 4096>,
                                 lanes<256, 512, 1, 2, 4>, warps<16, 32, 64>>,
                          64>({{0, 0}, {64, 128}, {256, 256}, {128, 64}});
}

} // namespace
} // namespace tessera::emulate
