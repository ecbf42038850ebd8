// Loads and stores agree with plain loops, at every edge and on every path; shared memory gives
// back what was put in, whatever the two layouts.
#include "laws.h"

namespace tessera {
namespace {

using rows =
    layout<shape<64, 32>, registers<1, 2, 4, 1024>, lanes<8, 16, 32, 64, 128>, warps<256, 512>>;
using columns =
    layout<shape<64, 32>, registers<32, 64, 128, 16>, lanes<256, 512, 1024, 1, 2>, warps<4, 8>>;
using atoms =
    layout<shape<64, 32>, registers<1, 256, 8, 512>, lanes<2, 4, 32, 64, 128>, warps<16, 1024>>;
using twisted = layout<shape<64, 32>, registers<2, 1 | 8, 32, 4 | 64>, lanes<8, 16, 64, 128, 256>,
                       warps<512, 1024>>;
using partly =
    layout<shape<64, 32>, registers<1, 2, 4, 8, 16>, lanes<32, 64, 128, 256, 512>, warps<1024, 0>>;

struct matrix {
  int rows, columns, pitch, lead;
  std::vector<float> data;

  matrix(int rows, int columns, int pitch, int lead = 0)
      : rows(rows), columns(columns), pitch(pitch), lead(lead), data(rows * pitch + lead + 64) {
    for (std::size_t i = 0; i < data.size(); ++i)
      data[i] = static_cast<float>(i);
  }
  view<float, 2> by_rows() { return {data.data() + lead, {rows, columns}, {pitch, 1}}; }
  view<float, 2> by_columns() { return {data.data() + lead, {columns, rows}, {1, pitch}}; }
  float at(int i, int j, float padding) {
    return i >= 0 && j >= 0 && i < rows && j < columns ? data[lead + i * pitch + j] : padding;
  }
};

template <class L, class A> void expect_load(matrix m, int row, int column) {
  in_block_of<L>([&] {
    const auto x = load<L, A>(m.by_rows(), {row, column}, -1.0f);
    expect_elements(x, [&](int e) { return m.at(row + e / 32, column + e % 32, -1.0f); });
  });
}

template <class L, class A> void expect_store(matrix m, int row, int column) {
  matrix after = m;
  in_block_of<L>(
      [&] { store<A>(after.by_rows(), {row, column}, make<L>([](int e) { return -1.0f - e; })); });
  for (std::size_t i = 0; i < m.data.size(); ++i) {
    const int offset = static_cast<int>(i) - m.lead, r = offset < 0 ? -1 : offset / m.pitch - row,
              c = offset < 0 ? -1 : offset % m.pitch - column;
    const bool inside =
        r >= 0 && r < 64 && c >= 0 && c < 32 && r + row < m.rows && c + column < m.columns;
    EXPECT_EQ(after.data[i], inside ? -1.0f - (r * 32 + c) : m.data[i]) << "at " << i;
  }
}

template <class L, class A> void expect_round_trip(const matrix &m, int row, int column) {
  expect_load<L, A>(m, row, column);
  expect_store<L, A>(m, row, column);
}

using proven = access_by<4, 1, alignment::proven, bounds::checked>;
using guarded = access_by<4, 1, alignment::guarded, bounds::checked>;
using singly = access_by<1, 1, alignment::proven, bounds::checked>;
using inside = access_by<4, 1, alignment::proven, bounds::inside>;

TEST(global, a_box_inside) {
  const matrix m(128, 96, 96);
  expect_round_trip<rows, inside>(m, 64, 32);
  expect_round_trip<rows, proven>(m, 64, 32);
  expect_round_trip<columns, singly>(m, 64, 32);
  expect_round_trip<twisted, singly>(m, 64, 32);
}

TEST(global, a_box_over_the_edges) {
  const matrix m(100, 88, 96);
  for (int row : {0, 64, 128})
    for (int column : {0, 64, 96}) {
      expect_round_trip<rows, proven>(m, row, column);
      expect_round_trip<atoms, singly>(m, row, column);
      expect_round_trip<twisted, singly>(m, row, column);
    }
}

TEST(global, a_box_before_the_start_reads_as_padding) {
  expect_load<rows, proven>(matrix(100, 88, 96), -64, 0);
}

// Each dimension by what is known of it: cut by its extent, in or out as a whole, inside.
TEST(global, bounds_of_each_dimension) {
  using checked_whole = access_by<4, 1, alignment::proven, bounds::checked, bounds::whole>;
  using whole_checked = access_by<4, 1, alignment::guarded, bounds::whole, bounds::checked>;
  using inside_checked = access_by<4, 1, alignment::guarded, bounds::inside, bounds::checked>;
  using whole_inside = access_by<4, 1, alignment::guarded, bounds::whole, bounds::inside>;
  for (int row : {-64, 0, 64, 128})
    for (int column : {-32, 0, 64, 96}) {
      if (row >= 0 && column >= 0)
        expect_store<rows, checked_whole>(matrix(100, 96, 96), row, column);
      expect_load<rows, checked_whole>(matrix(100, 96, 96), row, column);
      expect_load<rows, whole_checked>(matrix(128, 88, 96), row, column);
      expect_load<rows, whole_checked>(matrix(128, 87, 89), row, column);
      if (row == 0 || row == 64) {
        expect_load<rows, inside_checked>(matrix(128, 88, 96), row, column);
        expect_load<rows, inside_checked>(matrix(128, 87, 96), row, column);
      }
      if (column == 0 || column == 64) {
        expect_load<rows, whole_inside>(matrix(128, 96, 96), row, column);
        expect_load<rows, whole_inside>(matrix(128, 96, 97), row, column);
      }
    }
}

// A pitch, an extent, a base or a start that does not allow vectors takes the element by element
// path.
TEST(global, the_guard_chooses) {
  expect_round_trip<rows, guarded>(matrix(100, 88, 96), 64, 64);
  expect_round_trip<rows, guarded>(matrix(100, 88, 91), 64, 64);
  expect_round_trip<rows, guarded>(matrix(100, 87, 96), 64, 64);
  expect_round_trip<rows, guarded>(matrix(100, 88, 96, 1), 64, 64);
  expect_round_trip<rows, guarded>(matrix(100, 88, 96), 64, 35);
}

TEST(global, copies_are_written_once) {
  expect_round_trip<partly, proven>(matrix(100, 88, 96), 64, 64);
}

TEST(global, vectors_along_the_first_dimension) {
  using by_columns =
      layout<shape<32, 64>, registers<64, 128, 256, 32>, lanes<512, 1024, 1, 2, 4>, warps<8, 16>>;
  matrix m(64, 32, 32);
  in_block_of<by_columns>([&] {
    const auto x = load<by_columns, access_by<4, 0, alignment::guarded, bounds::checked>>(
        m.by_columns(), {0, 0});
    expect_elements(x, [&](int e) { return m.at(e % 64, e / 64, 0); });
  });
}

TEST(global, pointers) {
  std::vector<float> from(2048), to(2048);
  for (int i = 0; i < 2048; ++i)
    from[i] = static_cast<float>(i);
  in_block_of<partly>([&] {
    const auto index = iota<int, partly>();
    const auto even = (index & splat<partly>(4)) == splat<partly>(0);
    const auto x =
        load<4>(offset(splat<partly>(static_cast<const float *>(from.data())), index), even, -1.0f);
    expect_elements(x, [](int e) { return (e & 4) == 0 ? e : -1; });
    store<4>(offset(splat<partly>(to.data()), index), x + x, even);
    expect_elements(difference(offset(splat<partly>(to.data()), index), splat<partly>(to.data())),
                    [](int e) { return e; });
  });
  for (int i = 0; i < 2048; ++i)
    EXPECT_EQ(to[i], (i & 4) == 0 ? 2.0f * i : 0.0f);
}

TEST(global, a_scalar_is_stored_once) {
  int x = 1;
  in_block_of<rows>([&] { store_once(&x, 7); });
  EXPECT_EQ(x, 7);
}

// store_shared then load_shared is the identity on elements, for any two layouts.
template <class T, class From, class To, class Swizzle> void expect_conversion() {
  in_block_of<From>([] {
    const shared_tile<T, typename From::shape, Swizzle> tile{
        reinterpret_cast<T *>(shared_memory())};
    store_shared(tile, cast<T>(make<From>(pattern)));
    barrier();
    expect_elements(cast<float>(load_shared<To>(tile)), pattern);
  });
}

template <class T, class Swizzle> void expect_conversions() {
  expect_conversion<T, rows, columns, Swizzle>();
  expect_conversion<T, columns, rows, Swizzle>();
  expect_conversion<T, atoms, rows, Swizzle>();
  expect_conversion<T, rows, atoms, Swizzle>();
  expect_conversion<T, partly, atoms, Swizzle>();
  expect_conversion<T, columns, twisted, Swizzle>();
  expect_conversion<T, twisted, partly, Swizzle>();
}

TEST(shared, any_two_layouts) {
  expect_conversions<float, no_swizzle>();
  expect_conversions<bf16, no_swizzle>();
  expect_conversions<signed char, no_swizzle>();
  expect_conversions<double, no_swizzle>();
}

TEST(shared, any_swizzle) {
  expect_conversions<float, swizzle<3, 2, 3>>();
  expect_conversions<bf16, swizzle<2, 3, 2>>();
  expect_conversions<bf16, swizzle<3, 3, 3>>();
  expect_conversions<float, swizzle<3, 0, 5>>();
}

TEST(shared, wide_accesses) {
  static_assert(
      detail::shared_groups<rows, shared_tile<bf16, shape<64, 32>, swizzle<3, 3, 3>>>::width == 8);
  static_assert(detail::shared_groups<rows, shared_tile<float, shape<64, 32>>>::width == 4);
  static_assert(detail::shared_groups<partly, shared_tile<signed char, shape<64, 32>>>::width ==
                16);
  static_assert(detail::shared_groups<atoms, shared_tile<bf16, shape<64, 32>>>::width == 2);
  static_assert(detail::shared_groups<columns, shared_tile<bf16, shape<64, 32>>>::width == 1);
  static_assert(
      detail::shared_groups<rows, shared_tile<float, shape<64, 32>, swizzle<3, 0, 5>>>::width == 1);
}

TEST(shared, boxes) {
  using box = layout<shape<16, 32>, registers<1, 2>, lanes<4, 8, 16, 32, 64>, warps<128, 256>>;
  using narrow = layout<shape<16, 8>, registers<>, lanes<1, 2, 4, 8, 16>, warps<32, 64>>;
  in_block_of<box>([] {
    const shared_tile<float, shape<64, 32>, swizzle<3, 2, 3>> tile{
        reinterpret_cast<float *>(shared_memory())};
    for (int i = 0; i < 64; i += 16)
      store_shared_box(tile, {i, 0},
                       make<box>([&](int e) { return static_cast<float>(i * 32 + e); }));
    barrier();
    expect_elements(load_shared<rows>(tile), [](int e) { return e; });
    for (int j = 0; j < 32; j += 8)
      expect_elements(load_shared_box<narrow>(tile, {32, j}),
                      [&](int e) { return (32 + e / 8) * 32 + j + e % 8; });
  });
}

// A thread's neighbours in a box lie apart in the tile where they are in different rows.
TEST(shared, boxes_held_across_their_rows) {
  using box = layout<shape<16, 4>, registers<1, 2, 4, 8>, lanes<16, 32, 0, 0, 0>, warps<>>;
  static_assert(detail::shared_groups<box, shared_tile<signed char, shape<16, 4>>>::width == 16);
  static_assert(detail::shared_groups<box, shared_tile<signed char, shape<16, 16>>>::width == 4);
  in_block_of<box>([] {
    using read = layout<shape<16, 16>, registers<1, 2, 4>, lanes<8, 16, 32, 64, 128>, warps<>>;
    const shared_tile<signed char, shape<16, 16>> tile{
        reinterpret_cast<signed char *>(shared_memory())};
    for (int j = 0; j < 16; j += 4)
      store_shared_box(tile, {0, j}, cast<signed char>(make<box>([&](int e) {
                         return static_cast<float>((e / 4 * 16 + j + e % 4) % 100);
                       })));
    barrier();
    expect_elements(cast<float>(load_shared<read>(tile)), [](int e) { return e % 100; });
    for (int j = 0; j < 16; j += 4)
      expect_elements(cast<float>(load_shared_box<box>(tile, {0, j})),
                      [&](int e) { return (e / 4 * 16 + j + e % 4) % 100; });
  });
}

template <class T, class A, int R, int C, class Swizzle, int Threads = 128>
void expect_copy(int extent_i, int extent_j, int pitch, int row, int column, int step = 1) {
  std::vector<T> data(extent_i * pitch + extent_j * (step - 1) + 64);
  for (std::size_t i = 0; i < data.size(); ++i)
    data[i] = cast<T>(pattern(static_cast<int>(i)));
  using reader = layout<shape<R, C>, registers<>, lanes<0, 0, 0, 0, 0>, warps<0, 0>>;
  in_block_of<reader>([&] {
    const shared_tile<T, shape<R, C>, Swizzle> tile{reinterpret_cast<T *>(shared_memory())};
    const view<const T, 2> v{data.data(), {extent_i, extent_j}, {pitch, step}};
    copy_async<A, Threads>(tile, v, {row, column});
    commit_group();
    wait_group<0>();
    barrier();
    if (thread_index() == 0)
      for (int e = 0; e < R * C; ++e) {
        const int i = row + e / C, j = column + e % C;
        T x;
        from_words<1>(&x, arch::load_shared<sizeof(T)>(tile.pointer, tile.offset(e)));
        EXPECT_EQ(cast<float>(x), i < extent_i && j < extent_j ? pattern(i * pitch + j * step) : 0)
            << i << ", " << j;
      }
  });
}

TEST(copy_async, agrees_with_a_loop) {
  using wide = access_by<8, 1, alignment::guarded, bounds::checked>;
  expect_copy<bf16, wide, 64, 64, swizzle<3, 3, 3>>(128, 128, 128, 64, 64);
  expect_copy<bf16, wide, 64, 64, swizzle<3, 3, 3>>(100, 104, 104, 64, 64);
  expect_copy<bf16, wide, 64, 64, swizzle<3, 3, 3>>(100, 99, 99, 64, 64);
  expect_copy<bf16, wide, 16, 512, swizzle<3, 3, 6>>(16, 520, 520, 0, 512);
  expect_copy<float, access_by<4, 1, alignment::guarded, bounds::checked>, 32, 32,
              swizzle<3, 2, 3>>(40, 40, 40, 32, 0);
  expect_copy<bf16, access_by<2, 1, alignment::guarded, bounds::checked>, 32, 32, no_swizzle>(
      40, 38, 38, 0, 32);
}

TEST(copy_async, bounds_of_each_dimension) {
  using whole_checked = access_by<8, 1, alignment::guarded, bounds::whole, bounds::checked>;
  using checked_inside = access_by<8, 1, alignment::guarded, bounds::checked, bounds::inside>;
  expect_copy<bf16, whole_checked, 64, 64, swizzle<3, 3, 3>>(128, 104, 104, 128, 64);
  expect_copy<bf16, whole_checked, 64, 64, swizzle<3, 3, 3>>(128, 99, 99, 64, 64);
  expect_copy<bf16, checked_inside, 64, 64, swizzle<3, 3, 3>>(100, 128, 128, 64, 64);
  expect_copy<bf16, checked_inside, 64, 64, swizzle<3, 3, 3>>(100, 128, 129, 64, 64);
}

TEST(copy_async, rows_at_any_address) {
  using wide = access_by<8, 1, alignment::guarded, bounds::checked>;
  using inside = access_by<8, 1, alignment::guarded, bounds::inside>;
  for (int pitch = 97; pitch < 105; ++pitch) {
    expect_copy<bf16, wide, 32, 64, swizzle<3, 3, 3>>(40, 97, pitch, 32, 64);
    expect_copy<bf16, wide, 32, 64, panels<bf16, 5, 6>>(40, 97, pitch, 3, 5);
    expect_copy<bf16, inside, 32, 64, swizzle<3, 3, 3>>(40, 97, pitch, 7, 33);
    expect_copy<fp8_e4m3, access_by<16, 1, alignment::guarded, bounds::checked>, 32, 64,
                no_swizzle>(40, 97, pitch, 3, 48);
  }
  expect_copy<bf16, wide, 128, 128, swizzle<3, 3, 4>>(131, 201, 201, 0, 64);
  expect_copy<bf16, wide, 32, 64, swizzle<3, 3, 3>>(40, 97, 200, 1, 2, 2);
  expect_copy<bf16, wide, 32, 64, swizzle<3, 3, 3>>(40, 97, 1, 1, 2, 41);
}

TEST(copy_async, fewer_chunks_than_threads) {
  expect_copy<bf16, access_by<8, 1, alignment::guarded, bounds::checked>, 8, 16, no_swizzle>(
      40, 40, 40, 8, 32);
}

// Part of an object of another type, written and read as a T; classes of elements are no exception.
template <class T> void expect_raw(T x) {
  unsigned words[2] = {~0u, ~0u}, expected[2] = {~0u, ~0u};
  std::memcpy(&expected[1], &x, sizeof x);
  raw<T> *const part = reinterpret_cast<raw<T> *>(&words[1]);
  *part = x;
  EXPECT_EQ(words[0], expected[0]);
  EXPECT_EQ(words[1], expected[1]);
  words[1] = expected[0];
  const T ones = *reinterpret_cast<const raw<const T> *>(part);
  std::memcpy(&expected[1], &ones, sizeof ones);
  EXPECT_EQ(expected[1], ~0u);
}

TEST(memory, raw) {
  expect_raw(half(1.5f));
  expect_raw(bf16(1.5f));
  expect_raw(tf32{1.5f});
  expect_raw(1.5f);
  expect_raw<signed char>(3);
}

} // namespace
} // namespace tessera
