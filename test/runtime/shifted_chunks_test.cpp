// Boxes at any address agree with plain loops: every size of element, groups of 4, 8 and 16 bytes,
// rows of any length and distance, in arrays that begin anywhere and end behind the last element.
#include "laws.h"

namespace tessera {
namespace {

// The bytes of the chunk, wherever it starts.
template <int Element, int Bytes> void expect_joined() {
  for (unsigned before = 0; before < Bytes; before += Element) {
    unsigned char groups[2 * Bytes];
    for (int i = 0; i < 2 * Bytes; ++i)
      groups[i] = static_cast<unsigned char>(i + 1);
    split_chunk<Bytes> x{{}, {}, before};
    memcpy(x.low.w, groups, Bytes);
    memcpy(x.high.w, groups + Bytes, Bytes);
    const words<Bytes> joined = detail::join<Element>(x);
    EXPECT_EQ(memcmp(joined.w, groups + before, Bytes), 0) << before << " of " << Bytes;
  }
}

TEST(shifted_chunks, groups_are_joined) {
  expect_joined<1, 16>();
  expect_joined<2, 16>();
  expect_joined<4, 16>();
  expect_joined<8, 16>();
  expect_joined<1, 8>();
  expect_joined<2, 8>();
  expect_joined<1, 4>();
}

// A group is read only if all of it is in the view.
TEST(shifted_chunks, groups_of_a_view) {
  alignas(16) char bytes[64] = {};
  const detail::span_of_view<char, 2> all(view<char, 2>{bytes + 3, {2, 20}, {25, 1}});
  auto has = [&](int at) { return all.has_groups_of<16>(bytes + at, at % 16); };
  EXPECT_FALSE(has(3)); // bytes 0 to 2 are not the view's
  EXPECT_TRUE(has(16));
  EXPECT_TRUE(has(17)); // up to byte 47
  EXPECT_TRUE(has(31));
  EXPECT_TRUE(has(32));
  EXPECT_FALSE(has(33)); // the view ends behind byte 47
  const detail::span_of_view<char, 2> upwards(view<char, 2>{bytes + 28, {2, 20}, {-25, 1}});
  EXPECT_EQ(upwards.begin, all.begin);
  EXPECT_EQ(upwards.end, all.end);
}

// Rows of R * 32 * V elements: a warp each, or two beside each other; and all rows in each thread.
template <int V, int Rows> struct tiles;
template <> struct tiles<16, 4> {
  using in_warps =
      layout<shape<4, 512>, registers<1, 2, 4, 8>, lanes<16, 32, 64, 128, 256>, warps<512, 1024>>;
  using in_threads = layout<shape<4, 512>, registers<1, 2, 4, 8, 512, 1024>,
                            lanes<16, 32, 64, 128, 256>, warps<0>>;
};
template <> struct tiles<8, 4> {
  using in_warps =
      layout<shape<4, 512>, registers<1, 2, 4>, lanes<8, 16, 32, 64, 128>, warps<256, 512, 1024>>;
  using in_threads =
      layout<shape<4, 512>, registers<1, 2, 4, 256, 512, 1024>, lanes<8, 16, 32, 64, 128>>;
};
template <> struct tiles<4, 4> {
  using in_warps = layout<shape<4, 64>, registers<1, 2>, lanes<64, 4, 8, 16, 32>, warps<128>>;
  using in_threads = layout<shape<4, 64>, registers<1, 2, 64, 128>, lanes<4, 8, 16, 32, 0>>;
};
template <> struct tiles<2, 4> {
  using in_warps = layout<shape<4, 64>, registers<1>, lanes<2, 4, 8, 16, 32>, warps<64, 128>>;
  using in_threads = layout<shape<4, 64>, registers<1, 64, 128>, lanes<2, 4, 8, 16, 32>>;
};

template <class T> T number(std::size_t i) { return static_cast<T>(i * 37 % 113 + 1); }

struct rows_at {
  int lead, rows, columns, pitch, row, column;
};

template <class L, int V, class T, bounds... Bounds> void expect_box(const rows_at &at) {
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
    const auto x = load<L, A>(of(from), {at.row, at.column}, T(-1));
    expect_elements(x, [&](int e) {
      const int r = at.row + e / width, c = at.column + e % width;
      return r < at.rows && c < at.columns ? from[at.lead + std::size_t(r) * at.pitch + c] : T(-1);
    });
    store<A>(of(to), {at.row, at.column}, x);
  });
  for (std::size_t i = 0; i < size; ++i) {
    const int r = int(i) - at.lead < 0 ? -1 : (int(i) - at.lead) / at.pitch,
              c = int(i) - at.lead < 0 ? -1 : (int(i) - at.lead) % at.pitch;
    const bool is_inside = r >= at.row && r < at.row + L::shape::extent(0) && c >= at.column &&
                           c < at.column + width && c < at.columns;
    EXPECT_EQ(to[i], is_inside ? from[i] : T(127)) << "at " << i << ", lead " << at.lead;
  }
}

template <class L, int V, class T> void expect_boxes() {
  constexpr int rows = L::shape::extent(0), width = L::shape::extent(1);
  for (int lead = 0; lead < V; ++lead) {
    // Cut rows, rows of one chunk and of less, boxes that start anywhere in a row.
    for (int columns : {width - 1, width / 2 + 3, V, 2 * V - 1, V - 1, 1})
      expect_box<L, V, T, bounds::checked>({lead, 3, columns, columns + 1, 0, 0});
    expect_box<L, V, T, bounds::checked>({lead, 9, width + 5, width + V + 1, 4, 3});
    expect_box<L, V, T, bounds::whole, bounds::checked>({lead, rows, width - V, width - V, 0, 0});
    expect_box<L, V, T, bounds::inside>({lead, rows, width + 1, width + 1, 0, 1});
  }
}

template <class T, int V> void expect_tiles() {
  expect_boxes<typename tiles<V, 4>::in_warps, V, T>();
  expect_boxes<typename tiles<V, 4>::in_threads, V, T>();
}

TEST(shifted_chunks, bytes) {
  expect_tiles<signed char, 16>();
  expect_tiles<signed char, 8>();
  expect_tiles<signed char, 4>();
}
TEST(shifted_chunks, elements_of_two_bytes) {
  expect_tiles<short, 8>();
  expect_tiles<short, 4>();
  expect_tiles<short, 2>();
}
TEST(shifted_chunks, elements_of_four_bytes) {
  expect_tiles<float, 4>();
  expect_tiles<float, 2>();
}
TEST(shifted_chunks, elements_of_eight_bytes) { expect_tiles<double, 2>(); }

// Lanes whose chunks are not beside each other write by elements.
TEST(shifted_chunks, columns_of_chunks) {
  using L = layout<shape<64, 8>, registers<1, 2, 4>, lanes<8, 16, 32, 64, 128>, warps<256>>;
  static_assert(detail::lane_run<L, 8, 1>::mask == 0);
  expect_boxes<L, 8, short>();
}

// One row, in no other array: its ends are the array's.
TEST(shifted_chunks, one_row) {
  using L = layout<shape<512>, registers<1, 2, 4, 256>, lanes<8, 16, 32, 64, 128>>;
  using A = access_by<8, 0, alignment::guarded, bounds::checked>;
  for (int lead = 0; lead < 8; ++lead)
    for (int count : {512, 511, 260, 17, 5}) {
      std::vector<short> from(lead + count), to(lead + count, 127);
      for (std::size_t i = 0; i < from.size(); ++i)
        from[i] = number<short>(i);
      in_block_of<L>([&] {
        const auto x = load<L, A>(view<short, 1>{from.data() + lead, {count}, {1}}, {0});
        store<A>(view<short, 1>{to.data() + lead, {count}, {1}}, {0}, x);
      });
      for (int i = 0; i < lead + count; ++i)
        EXPECT_EQ(to[i], i < lead ? 127 : from[i]) << "at " << i;
    }
}

} // namespace
} // namespace tessera
