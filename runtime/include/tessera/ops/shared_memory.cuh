// Tiles in shared memory. A swizzle is linear over bits like a layout, so the swizzled offset of
// (thread ^ register) is the XOR of two swizzled offsets: the thread's is computed once; a
// register's is a constant, whose bits that no thread uses become the instruction's immediate
// offset.
#pragma once

#include "global_memory.cuh"

namespace tessera {

// Element i lies at offset i ^ (((i >> (M + S)) & ((1 << B) - 1)) << M).
template <int B, int M, int S> struct swizzle {
  static constexpr int block = B > 0 ? 1 << M : 1 << 30; // elements that stay contiguous

  TESSERA_CONSTEXPR static int apply(int i) {
    return B > 0 ? i ^ (((i >> (M + S)) & ((1 << B) - 1)) << M) : i;
  }
};

using no_swizzle = swizzle<0, 0, 0>;

// Row-major tile at a pointer that is aligned to 16 bytes (128 where ldmatrix or wgmma reads it).
template <class T, class Shape, class Swizzle = no_swizzle> struct shared_tile {
  using element_type = T;
  using shape = Shape;
  using swizzle = Swizzle;

  T *pointer;

  // Byte offset of an element.
  TESSERA_CONSTEXPR static int offset(int element) {
    return Swizzle::apply(element) * static_cast<int>(sizeof(T));
  }
};

// The tile read with its last two dimensions exchanged.
template <class Tile> struct transposed_tile {
  Tile tile;
};

template <class T, class Shape, class Swizzle>
TESSERA_DEVICE transposed_tile<shared_tile<T, Shape, Swizzle>>
transposed(shared_tile<T, Shape, Swizzle> tile) {
  return {tile};
}

TESSERA_DEVICE unsigned char *shared_memory() { return arch::shared_memory(); }

// The tile at a byte offset in the block's shared memory, and tile `slot` of a ring that starts
// there.
template <class Tile> TESSERA_DEVICE Tile shared_at(int offset) {
  return {reinterpret_cast<typename Tile::element_type *>(shared_memory() + offset)};
}
template <class Tile> TESSERA_DEVICE Tile shared_slot(int offset, int slot) {
  return shared_at<Tile>(offset + slot * Tile::shape::size *
                                      static_cast<int>(sizeof(typename Tile::element_type)));
}

namespace detail {

// An offset in a tile that depends on the thread through elements within `Reach`; at(c) adds the
// constant element c, whose bits no thread uses.
template <class Tile, unsigned Reach> struct cursor {
  TESSERA_CONSTEXPR static unsigned thread_bits() {
    unsigned bits = 0;
    for (unsigned rest = Reach; rest; rest &= rest - 1)
      bits |= static_cast<unsigned>(Tile::offset(static_cast<int>(rest & (0u - rest))));
    return bits;
  }
  static constexpr unsigned variable = thread_bits();

  typename Tile::element_type *pointer;
  unsigned offset;

  TESSERA_DEVICE cursor(Tile tile, int element)
      : pointer(tile.pointer), offset(static_cast<unsigned>(Tile::offset(element))) {}

  TESSERA_DEVICE int at(int element) const {
    const unsigned constant = static_cast<unsigned>(Tile::offset(element));
    return static_cast<int>((offset ^ (constant & variable)) + (constant & ~variable));
  }
};

// The element of a larger tile for an element of a box of L::shape.
template <class Tile, class BoxShape> TESSERA_CONSTEXPR int element_in(int element) {
  using tile_shape = typename Tile::shape;
  if constexpr (tile_shape::size == BoxShape::size) {
    return element;
  } else {
    return element_at<tile_shape, BoxShape>(element);
  }
}

// The bits of the register number that step through consecutive elements of a tile: bit k of the
// group is the register bit with basis 1 << k. Neighbours in a box are neighbours in the tile only
// as far as the box's last dimensions are the tile's.
template <class L, class Tile> struct shared_groups {
  using bases = typename L::register_map;

  TESSERA_CONSTEXPR static int find_width() {
    int v = 1;
    const int most = 16 / static_cast<int>(sizeof(typename Tile::element_type));
    while (2 * v <= most && 2 * v <= Tile::swizzle::block && find(v) >= 0 &&
           (L::thread_map::reach & static_cast<unsigned>(v)) == 0 &&
           element_in<Tile, typename L::shape>(v) == v)
      v *= 2;
    return v;
  }

  TESSERA_CONSTEXPR static int find(int element) {
    for (int i = 0; i < bases::count; ++i)
      if (bases::basis(i) == element)
        return i;
    return -1;
  }

  TESSERA_CONSTEXPR static int find_mask() {
    int mask = 0;
    for (int v = 1; v < find_width(); v *= 2)
      mask |= 1 << find(v);
    return mask;
  }

  static constexpr int width = find_width();
  static constexpr int mask = find_mask();
  static constexpr unsigned others = static_cast<unsigned>((L::register_count - 1) & ~mask);

  template <std::size_t... K>
  TESSERA_CONSTEXPR static int in_group(int i, std::index_sequence<K...>) {
    return bit_map<(1 << find(1 << K))...>::apply(i);
  }

  // The register that holds element i of group g.
  TESSERA_CONSTEXPR static int member(int g, int i) {
    return deposit<others>(g) | in_group(i, std::make_index_sequence<log2(width)>());
  }
};

template <class Tile, int Rank> TESSERA_DEVICE int start_in(const index<Rank> &start) {
  static_assert(Tile::shape::rank == Rank, "a start has one number per dimension of the tile");
  int e = 0;
  TESSERA_UNROLL
  for (int d = 0; d < Rank; ++d)
    e += static_cast<int>(start.at[d]) << Tile::shape::log_stride(d);
  return e;
}

// The bits of the tile that start and thread may use: those that no register of the box uses.
template <class Tile, class L>
TESSERA_CONSTEXPR unsigned variable_elements(bool moves, unsigned reach = L::thread_map::reach) {
  const unsigned box = static_cast<unsigned>(element_in<Tile, typename L::shape>(L::size - 1));
  const unsigned thread =
      static_cast<unsigned>(element_in<Tile, typename L::shape>(static_cast<int>(reach)));
  return moves ? thread | (static_cast<unsigned>(Tile::shape::size - 1) & ~box) : thread;
}

// 16-bit elements that a warp holds as stmatrix takes them: two of a row in a register, four lanes
// a row of eight, eight such rows; two bits of the register number select one of four matrices.
// Each row is contiguous in the tile.
template <class L, class Tile> struct shared_matrices {
  using bases = typename L::register_map;
  using lane_bases = typename L::lane_map;

  // One path through the function: compilers warn about loops after a return that is always taken.
  TESSERA_CONSTEXPR static bool fit() {
    bool fits = TESSERA_HAS_STMATRIX && sizeof(typename Tile::element_type) == 2 &&
                Tile::swizzle::block >= 8 && bases::count >= 3 &&
                (L::thread_map::copies() & 31) == 0 && bases::basis(0) == 1 &&
                lane_bases::basis(0) == 2 && lane_bases::basis(1) == 4 &&
                (L::warp_map::reach & 7u) == 0;
    for (int e = 1; e < 8; e *= 2)
      fits = fits && element_in<Tile, typename L::shape>(e) == e;
    for (int i = 1; i < bases::count; ++i)
      fits = fits && bases::basis(i) % 8 == 0;
    for (int i = 2; i < 5; ++i)
      fits = fits && lane_bases::basis(i) % 8 == 0;
    return fits;
  }
};

// Each lane holds the address of one row of a matrix.
template <bool Moves, class Tile, class T, class L>
TESSERA_DEVICE void store_matrices_at(Tile tile, int start, const fragment<T, L> &x) {
  using bases = typename L::register_map;
  using lane_bases = typename L::lane_map;
  using rows = bit_map<lane_bases::basis(2), lane_bases::basis(3), lane_bases::basis(4),
                       bases::basis(1), bases::basis(2)>;
  const int thread = rows::apply(arch::lane_index()) ^ L::warp_map::apply(arch::warp_index());
  const cursor<Tile, variable_elements<Tile, L>(Moves, rows::reach | L::warp_map::reach)> here(
      tile, start ^ element_in<Tile, typename L::shape>(thread));
  TESSERA_UNROLL
  for (int i = 0; i < L::register_count; i += 8) {
    unsigned pairs[4];
    TESSERA_UNROLL
    for (int j = 0; j < 4; ++j)
      pairs[j] = to_words<2>(x.r + i + 2 * j).w[0];
    arch::stmatrix_x4(here.pointer, here.at(element_in<Tile, typename L::shape>(L::element(i))),
                      pairs);
  }
}

template <bool Moves, class Tile, class T, class L>
TESSERA_DEVICE void store_shared_at(Tile tile, int start, const fragment<T, L> &x) {
  using groups = shared_groups<L, Tile>;
  if (!L::is_owner())
    return;
  if constexpr (shared_matrices<L, Tile>::fit())
    return store_matrices_at<Moves>(tile, start, x);
  const cursor<Tile, variable_elements<Tile, L>(Moves)> here(
      tile, start ^ element_in<Tile, typename L::shape>(L::thread_element()));
  TESSERA_UNROLL
  for (int g = 0; g < L::register_count / groups::width; ++g) {
    T group[groups::width];
    TESSERA_UNROLL
    for (int i = 0; i < groups::width; ++i)
      group[i] = x.r[groups::member(g, i)];
    const int element = element_in<Tile, typename L::shape>(L::element(groups::member(g, 0)));
    arch::store_shared<groups::width * sizeof(T)>(here.pointer, here.at(element),
                                                  to_words<groups::width>(group));
  }
}

template <class L, bool Moves, class Tile>
TESSERA_DEVICE fragment<typename Tile::element_type, L> load_shared_at(Tile tile, int start) {
  using T = typename Tile::element_type;
  using groups = shared_groups<L, Tile>;
  fragment<T, L> x;
  const cursor<Tile, variable_elements<Tile, L>(Moves)> here(
      tile, start ^ element_in<Tile, typename L::shape>(L::thread_element()));
  TESSERA_UNROLL
  for (int g = 0; g < L::register_count / groups::width; ++g) {
    T group[groups::width];
    const int element = element_in<Tile, typename L::shape>(L::element(groups::member(g, 0)));
    from_words<groups::width>(
        group, arch::load_shared<groups::width * sizeof(T)>(here.pointer, here.at(element)));
    TESSERA_UNROLL
    for (int i = 0; i < groups::width; ++i)
      x.r[groups::member(g, i)] = group[i];
  }
  return x;
}

} // namespace detail

// The threads that own an element write it; tile and fragment have the same elements.
template <class Shape, class Swizzle, class T, class L>
TESSERA_DEVICE void store_shared(shared_tile<T, Shape, Swizzle> tile, const fragment<T, L> &x) {
  static_assert(Shape::size == L::size, "tile and fragment have the same elements");
  detail::store_shared_at<false>(tile, 0, x);
}

// Of which this block's warps hold the first elements along the last dimension, so many; the first
// warp writes the padding in place of the others.
template <class Shape, class Swizzle, class T, class L>
TESSERA_DEVICE void store_shared_first(shared_tile<T, Shape, Swizzle> tile, const fragment<T, L> &x,
                                       int count, std::remove_const_t<T> padding) {
  store_shared(tile, x);
  TESSERA_UNROLL
  for (int first = 0; first < Shape::size; first += 32) {
    const int element = first + arch::thread_index();
    if (arch::thread_index() < 32 && element < Shape::size &&
        Shape::coordinate(Shape::rank - 1, element) >= count)
      arch::store_shared<sizeof(T)>(tile.pointer, tile.offset(element), to_words<1>(&padding));
  }
}

template <class L, class T, class Shape, class Swizzle>
TESSERA_DEVICE fragment<T, L> load_shared(shared_tile<T, Shape, Swizzle> tile) {
  static_assert(Shape::size == L::size, "tile and fragment have the same elements");
  return detail::load_shared_at<L, false>(tile, 0);
}

// The part of the tile that starts at `start`, a multiple of the box's extent along each dimension.
template <class T, class Shape, class Swizzle, class L>
TESSERA_DEVICE void store_shared_box(shared_tile<T, Shape, Swizzle> tile, index<Shape::rank> start,
                                     const fragment<T, L> &x) {
  detail::store_shared_at<true>(tile, detail::start_in<decltype(tile)>(start), x);
}

template <class L, class T, class Shape, class Swizzle> TESSERA_DEVICE fragment<T, L>
load_shared_box(shared_tile<T, Shape, Swizzle> tile, index<Shape::rank> start) {
  return detail::load_shared_at<L, true>(tile, detail::start_in<decltype(tile)>(start));
}

// x, in which the elements whose index bits Mask have the value Value are read from a tile of just
// those, in order. An element's index in that tile is linear in its index here, so the thread's
// share is computed once.
template <int Mask, int Value, class T, class Shape, class Swizzle, class L>
TESSERA_DEVICE fragment<T, L> load_shared_part(shared_tile<T, Shape, Swizzle> tile,
                                               fragment<T, L> x) {
  constexpr unsigned rest = ~static_cast<unsigned>(Mask) & (L::size - 1);
  const int thread = L::thread_element(), thread_offset = extract<rest>(thread);
  TESSERA_UNROLL
  for (int i = 0; i < L::register_count; ++i) {
    if (((thread ^ L::element(i)) & Mask) != Value)
      continue;
    const int element = thread_offset ^ extract<rest>(L::element(i));
    from_words<1>(&x.r[i], arch::load_shared<sizeof(T)>(tile.pointer, tile.offset(element)));
  }
  return x;
}

} // namespace tessera
