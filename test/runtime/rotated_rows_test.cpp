// Rotated rows agree with plain loops: slot j of a row's tile holds column j - shift, modulo the
// columns, wherever arrays begin, rows end and boxes start; and what is stored lands in its column.
#include "laws.h"

namespace tessera {
namespace {

template <class T> T number(std::size_t i) { return static_cast<T>(i * 37 % 113 + 1); }

struct rows_at {
  int lead, rows, columns, pitch, row, column;
};

// By how many elements row r of a box begins after a multiple of M.
template <int M, class T> int shift_of(const T *array, const rows_at &at, int r) {
  const auto first = reinterpret_cast<std::size_t>(array) / sizeof(T) + at.lead + at.column +
                     std::size_t(at.row + r) * at.pitch;
  return int(first % M);
}

template <class L, int V, int M, class T, bounds... Bounds> void expect_box(const rows_at &at) {
  using A = access_by<V, 1, alignment::guarded, Bounds...>;
  constexpr int width = L::shape::extent(1);
  const std::size_t size = at.lead + std::size_t(at.rows - 1) * at.pitch + at.columns;
  std::vector<T> from(size), to(size);
  for (std::size_t i = 0; i < size; ++i) {
    from[i] = number<T>(i);
    to[i] = T(127);
  }
  auto of = [&](std::vector<T> &array) {
    return view<T, 2>{array.data() + at.lead, {at.rows, at.columns}, {at.pitch, 1}};
  };
  in_block_of<L>([&] {
    const int first = row_shift<M>(of(from), {at.row, at.column});
    const int shift = row_shift<V>(of(to), {at.row, at.column}, first);
    EXPECT_EQ(shift < 0, first < 0) << "vectors begin alike";
    const auto x = load_rotated<L, A, M>(of(from), {at.row, at.column}, shift, T(-1));
    expect_elements(x, [&](int e) {
      const int rotated = shift < 0 ? 0 : shift_of<M>(from.data(), at, e / width),
                r = at.row + e / width, c = at.column + (e - rotated + width) % width;
      return r < at.rows && c < at.columns ? from[at.lead + std::size_t(r) * at.pitch + c] : T(-1);
    });
    store_rotated<A, M>(of(to), {at.row, at.column}, shift, x);
  });
  for (std::size_t i = 0; i < size; ++i) {
    const int r = int(i) - at.lead < 0 ? -1 : (int(i) - at.lead) / at.pitch,
              c = int(i) - at.lead < 0 ? -1 : (int(i) - at.lead) % at.pitch;
    const bool is_inside = r >= at.row && r < at.row + L::shape::extent(0) && c >= at.column &&
                           c < at.column + width && c < at.columns;
    EXPECT_EQ(to[i], is_inside ? from[i] : T(127)) << "at " << i << ", lead " << at.lead;
  }
}

template <class L, int V, int M, class T> void expect_boxes() {
  constexpr int rows = L::shape::extent(0), width = L::shape::extent(1);
  for (int lead = 0; lead < M; ++lead) {
    // Rows that fill their tile, cut rows, rows of a chunk and of less, boxes that start anywhere.
    for (int columns : {width, width - 1, width - M, width / 2 + 3, M, 2 * M - 1, V - 1, 1})
      expect_box<L, V, M, T, bounds::checked>({lead, 3, columns, columns + 1, 0, 0});
    expect_box<L, V, M, T, bounds::checked>({lead, 9, width + 5, width + M + 5, 4, 3});
    expect_box<L, V, M, T, bounds::checked>({lead, 9, width + 5, width + M + 5, 4, width});
    expect_box<L, V, M, T, bounds::whole, bounds::checked>(
        {lead, rows, width - V, width - V, 0, 0});
    expect_box<L, V, M, T, bounds::inside>({lead, rows, width + 1, width + 1, 0, 1});
  }
}

// A row in a warp or two, several rows in a thread, one row, columns over lanes that are not beside
// each other, threads with copies.
template <int V> struct tiles;
template <> struct tiles<8> {
  using in_warps =
      layout<shape<4, 512>, registers<1, 2, 4>, lanes<8, 16, 32, 64, 128>, warps<256, 512, 1024>>;
  using in_threads =
      layout<shape<4, 512>, registers<1, 2, 4, 256, 512, 1024>, lanes<8, 16, 32, 64, 128>>;
  using one = layout<shape<1, 512>, registers<1, 2, 4, 256>, lanes<8, 16, 32, 64, 128>>;
  using columns = layout<shape<16, 16>, registers<1, 2, 4>, lanes<16, 32, 64, 128, 8>>;
  using copies = layout<shape<2, 64>, registers<1, 2, 4>, lanes<64, 8, 16, 32, 0>, warps<0>>;
};
template <> struct tiles<4> {
  using in_warps = layout<shape<4, 64>, registers<1, 2>, lanes<64, 4, 8, 16, 32>, warps<128>>;
  using in_threads = layout<shape<4, 64>, registers<1, 2, 64, 128>, lanes<4, 8, 16, 32, 0>>;
  using one = layout<shape<1, 128>, registers<1, 2>, lanes<4, 8, 16, 32, 64>>;
  using columns = layout<shape<16, 8>, registers<1, 2>, lanes<8, 16, 32, 64, 4>>;
  using copies = layout<shape<2, 64>, registers<1, 2>, lanes<4, 8, 16, 32, 64>, warps<0>>;
};
template <> struct tiles<2> {
  using in_warps = layout<shape<4, 64>, registers<1>, lanes<2, 4, 8, 16, 32>, warps<64, 128>>;
  using in_threads = layout<shape<4, 64>, registers<1, 64, 128>, lanes<2, 4, 8, 16, 32>>;
  using one = layout<shape<1, 64>, registers<1>, lanes<2, 4, 8, 16, 32>>;
  using columns = layout<shape<16, 4>, registers<1>, lanes<4, 8, 16, 32, 2>>;
  using copies = layout<shape<1, 64>, registers<1>, lanes<2, 4, 8, 16, 32>, warps<0>>;
};

template <class T, int V, int M = V> void expect_tiles() {
  expect_boxes<typename tiles<V>::in_warps, V, M, T>();
  expect_boxes<typename tiles<V>::in_threads, V, M, T>();
  expect_boxes<typename tiles<V>::one, V, M, T>();
  expect_boxes<typename tiles<V>::columns, V, M, T>();
  expect_boxes<typename tiles<V>::copies, V, M, T>();
}

TEST(rotated_rows, bytes) {
  expect_tiles<signed char, 8>();
  expect_tiles<signed char, 4>();
}
TEST(rotated_rows, elements_of_two_bytes) {
  expect_tiles<short, 8>();
  expect_tiles<short, 4>();
}
TEST(rotated_rows, elements_of_four_bytes) {
  expect_tiles<float, 4>();
  expect_tiles<float, 2>();
}
TEST(rotated_rows, elements_of_eight_bytes) { expect_tiles<double, 2>(); }
// Beside wider vectors of smaller elements.
TEST(rotated_rows, by_more_than_a_vector) {
  expect_tiles<float, 4, 8>();
  expect_tiles<double, 2, 4>();
}

// Only rows that begin alike have one shift.
TEST(rotated_rows, shifts) {
  alignas(32) float array[64] = {};
  auto rows = [&](int lead, int columns, int pitch) {
    return view<const float, 2>{array + lead, {2, columns}, {pitch, 1}};
  };
  EXPECT_EQ(row_shift<8>(rows(0, 16, 16), {1, 0}), -1);
  EXPECT_EQ(row_shift<8>(rows(0, 16, 24), {1, 8}), -1);
  EXPECT_EQ(row_shift<8>(rows(0, 15, 16), {0, 0}), 0); // a row ends in a group
  EXPECT_EQ(row_shift<8>(rows(0, 16, 17), {0, 0}), 0);
  EXPECT_EQ(row_shift<8>(rows(0, 16, 17), {1, 0}), 1);
  EXPECT_EQ(row_shift<8>(rows(3, 16, 16), {1, 0}), 3);
  EXPECT_EQ(row_shift<8>(rows(0, 16, 16), {1, 5}), 5);
  EXPECT_EQ(row_shift<4>(rows(1, 16, 16), {0, 0}, 5), 5);
  EXPECT_EQ(row_shift<8>(rows(1, 16, 16), {0, 0}, 5), -1);
  EXPECT_EQ(row_shift<4>(rows(0, 16, 16), {0, 0}, -1), -1);
}

// A row of another array is rotated alike wherever it begins: its groups lie across aligned ones.
template <class L, int V, int M, class T, bounds B> void expect_other(int lead, int count) {
  using A = access_by<V, 0, alignment::guarded, B>;
  constexpr int width = L::shape::extent(0);
  std::vector<T> from(lead + count);
  for (std::size_t i = 0; i < from.size(); ++i)
    from[i] = number<T>(i);
  in_block_of<L>([&] {
    for (int shift = -1; shift < M; ++shift) {
      const auto x = load_rotated<L, A, M, rotation::other>(
          view<const T, 1>{from.data() + lead, {count}, {1}}, {0}, shift, T(-1));
      expect_elements(x, [&](int e) {
        const int c = shift < 0 ? e : (e - shift + width) % width;
        return c < count ? from[lead + c] : T(-1);
      });
    }
  });
}
template <class L, int V, int M, class T> void expect_others() {
  constexpr int width = L::shape::extent(0);
  for (int lead = 0; lead < V; ++lead) {
    for (int count : {width + 3, width, width - 1, width / 2 + 3, V, 2 * V - 1, V - 1, 1})
      expect_other<L, V, M, T, bounds::checked>(lead, count);
    expect_other<L, V, M, T, bounds::inside>(lead, width + 1);
  }
}

TEST(rotated_rows, other_arrays) {
  using of_8 = layout<shape<512>, registers<1, 2, 4, 256>, lanes<8, 16, 32, 64, 128>>;
  using of_4 = layout<shape<256>, registers<1, 2, 128>, lanes<4, 8, 16, 32, 64>>;
  expect_others<of_8, 8, 8, short>();
  expect_others<of_8, 4, 8, float>();
  expect_others<of_4, 4, 4, float>();
  expect_others<of_8, 2, 8, double>();
  expect_others<of_8, 8, 4, signed char>(); // rows are of larger elements
}

} // namespace
} // namespace tessera
