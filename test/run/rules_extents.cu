// Extents: dimensions of types and of objects, types of others that are like them, and what two of
// them have in common.
#include "run.h"

#include <cuda_tile.h>

namespace ct = cuda::tiles;
using namespace ct::literals;
template <class E, size_t... D> using tile = ct::tile<E, ct::shape<D...>>;
constexpr size_t dyn = ct::dynamic_extent;

// [tile:extents] Static and dynamic dimensions; only the dynamic ones are stored, as the index
// type.
static_assert(sizeof(ct::extents<uint32_t, dyn, 8>) == 4 &&
              sizeof(ct::extents<int16_t, 3, dyn>) == 2);
static_assert(sizeof(ct::extents<uint64_t, dyn, dyn>) == 16 && __is_empty(ct::extents<int, 4, 8>));
static_assert(std::is_same_v<decltype(ct::extents<int16_t, 3, dyn>(2).extent(1)), int16_t>);

// [tile:extents_like] A type of the program that meets the requirements: 2 x n, without size_type,
// equality or a default constructor.
struct two_rows {
  using rank_type = int;
  using index_type = long long;
  index_type columns;
  __host__ __device__ __tile__ constexpr two_rows(index_type n) : columns(n) {}
  __host__ __device__ __tile__ static constexpr rank_type rank() { return 2; }
  __host__ __device__ __tile__ static constexpr rank_type rank_dynamic() { return 1; }
  __host__ __device__ __tile__ static constexpr size_t static_extent(rank_type d) {
    return d == 0 ? 2 : dyn;
  }
  __host__ __device__ __tile__ constexpr index_type extent(rank_type d) const {
    return d == 0 ? 2 : columns;
  }
};
// The same without what is not static, which makes it shape like, and no tile's shape.
struct four_by_eight {
  using rank_type = unsigned char;
  using index_type = short;
  __host__ __device__ __tile__ static constexpr rank_type rank() { return 2; }
  __host__ __device__ __tile__ static constexpr rank_type rank_dynamic() { return 0; }
  __host__ __device__ __tile__ static constexpr size_t static_extent(rank_type d) {
    return d == 0 ? 4 : 8;
  }
  __host__ __device__ __tile__ constexpr index_type extent(rank_type d) const {
    return d == 0 ? 4 : 8;
  }
};
struct without_index_type {
  using rank_type = int;
  __tile__ static constexpr int rank() { return 0; }
  __tile__ static constexpr int rank_dynamic() { return 0; }
  __tile__ static constexpr size_t static_extent(int) { return 0; }
  __tile__ constexpr int extent(int) const { return 0; }
};
static_assert(ct::extents_like<two_rows> && ct::extents_like<const four_by_eight>);
static_assert(!ct::extents_like<int> && !ct::extents_like<without_index_type>);

// [tile:extents_rank] [tile:dynamic_rank]
static_assert(ct::extents<uint32_t, 3, 4, 5>::rank() == 3 && ct::extents<uint32_t>::rank() == 0);
static_assert(ct::extents<uint32_t, 4, dyn, 7>::rank_dynamic() == 1 &&
              two_rows::rank_dynamic() == 1);
// [tile:static_dimension] [tile:dynamic_dimension]
using mixed = ct::extents<uint32_t, 4, dyn, 7>;
static_assert(mixed::static_extent(0) == 4 && mixed::static_extent(1) == dyn);
static_assert(mixed::static_extent(2) == 7);
// [tile:shape_like] All dimensions are static. ct::shape has the index type uint32_t.
static_assert(std::is_same_v<ct::shape<4, 5>, ct::extents<uint32_t, 4, 5>>);
static_assert(ct::shape_like<ct::extents<int8_t, 3>> && ct::shape_like<four_by_eight>);
static_assert(ct::shape_like<ct::shape<>> && !ct::shape_like<mixed> && !ct::shape_like<two_rows>);
// [tile:shape_equivalent] Tile conversions ask for equal dimensions, whatever the index types.
static_assert(ct::tile_convertible_to<tile<int, 4, 8>, tile<float, 4, 8>>);
static_assert(!ct::tile_convertible_to<tile<int, 4, 8>, tile<float, 8, 4>>);
static_assert(!ct::tile_convertible_to<tile<int, 4>, tile<float, 4, 1>>);

// [tile:extents_shape] Three objects of one shape, 3 x 4 x 7. [tile:extent_equivalent] They are
// equal by extents_equal, as is every object of other types with these dimensions.
// [tile:singleton_dimension] [tile:extents_size]
__tile_global__ void shapes(int *out, int four, int three) {
  ct::extents<uint32_t, 3, 4, 7> a{};
  ct::extents<uint32_t, 3, dyn, 7> b{four};
  ct::extents<uint32_t, dyn, 4, dyn> c{three, 7};
  out[0] = ct::extents_equal(a, b) && ct::extents_equal(b, c) && ct::extents_equal(c, a);
  out[1] = a.extent(1) * 100 + b.extent(1) * 10 + c.extent(2);
  out[2] = ct::extents_equal(ct::extents<int16_t, 4, 8>{}, ct::extents<uint32_t, dyn, 8>{four});
  out[3] = ct::extents_equal(four_by_eight{}, ct::extents{four, 8});
  out[4] = ct::extents_equal(two_rows(four), ct::extents<uint64_t, 2, 4>{});
  out[5] = ct::extents_equal(two_rows(four), ct::extents{2, three});
  out[6] = ct::extents_equal(ct::extents<uint64_t, 4, 1>{}, ct::extents<int, 4>{});
  out[7] = ct::extents_equal(ct::shape<>{}, ct::extents<long>{});
  int size = 1;
  for (int d = 0; d < 3; ++d)
    size *= c.extent(d);
  out[8] = size;
}

// [tile:extents_index_space] Every tuple below the lengths, and no other, is an index: of a 3 x 5
// array in tiles of 2 x 4 the rest is padding. The extents are of the program's own type as well.
template <class E> __tile__ void tiles_of(int *in, int *out, E extents) {
  auto view = ct::partition_view{ct::tensor_span{in, extents}, ct::shape<2, 4>{}};
  auto at = ct::iota<tile<int, 2, 4>>();
  for (int i = 0; i < 4; ++i)
    ct::store(out + i * 8 + at, view.load_masked(ct::view_padding_zero_t{}, i / 2, i % 2));
}
__tile_global__ void index_space(int *in, int *out, int rows, int columns) {
  tiles_of(in, out, ct::extents<short, dyn, 5>{rows});
  tiles_of(in, out + 32, two_rows(columns));
}
// Rank 0 has one element; a shape of the program's own is a shape to broadcast and reshape.
__tile_global__ void ranks(int *out) {
  auto one = ct::full<tile<int>>(7);
  static_assert(sizeof(one) == sizeof(int));
  out[0] = int(one) + int(ct::sum<0>(ct::reshape(one, ct::shape<1>{})));
  auto copies = ct::broadcast(one, ct::shape<1, 4, 1>{});
  out[1] = int(ct::sum<1>(copies));
}

int main() {
  run::array<int> out(9), in(15, [](int i) { return i + 1; }), tiles(64), few(2);
  shapes<<<1, 1>>>(out, 4, 3);
  run::expect("shapes", out, [](int i) {
    const int wanted[] = {1, 447, 1, 1, 1, 0, 0, 1, 84};
    return wanted[i];
  });
  index_space<<<1, 1>>>(in, tiles, 3, 7);
  run::expect("index space", tiles, [](int i) {
    const int rows = i < 32 ? 3 : 2, columns = i < 32 ? 5 : 7;
    const int row = i % 32 / 16 * 2 + i % 8 / 4, column = i % 16 / 8 * 4 + i % 4;
    return row < rows && column < columns ? row * columns + column + 1 : 0;
  });
  ranks<<<1, 1>>>(few);
  run::expect("ranks", few, [](int i) { return i ? 28 : 14; });
  return run::finish();
}
