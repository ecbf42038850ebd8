// Copies of rows at any address by cp.async, which takes only aligned groups of 16 bytes. A row
// that starts s bytes after such a group is copied at that shift: its chunk c holds group c; the
// last group goes next to the tile, to the row's end. Before use, the row is shifted to its offset
// in shared memory:
//
//   copied   ..AAAAAA  BBBBBBBB | CC......       s = 2 of 8 bytes, a row of two chunks and its end
//   shifted  AAAAAABB  BBBBBBCC
//
// A warp shifts what it copied, without waiting for other warps. Bytes after the view's end in a
// row are not read and become zeros, as for every copy; bytes in front of the row, in its first
// group, are read and shifted out. Bulk copies, and copies of rows that are aligned at run time,
// fill the same tiles and need no shift.
#pragma once

#include "copy_async.cuh"

namespace tessera {

// A tile with 16 bytes for the end of each of its rows, or of each 32 chunks of a longer one, at
// offset `ends` in shared memory.
template <class Tile> struct with_ends : Tile {
  int ends;

  template <class Ends> TESSERA_DEVICE with_ends(Tile tile, Ends ends)
      : Tile(tile), ends(arch::shared_offset(ends.pointer)) {
    constexpr int row = Tile::shape::extent(Tile::shape::rank - 1),
                  most = 32 * 16 / sizeof(typename Tile::element_type);
    static_assert(4 * Tile::shape::size / (row < most ? row : most) == Ends::shape::size,
                  "16 bytes for what a warp copies of a row");
  }
};
template <class Tile, class Ends> with_ends(Tile, Ends) -> with_ends<Tile>;

namespace detail {

// The chunks of a tile's rows, of which the lanes of one warp share each; of longer ones, which are
// meant by "row" here, each 32 chunks.
template <class Tile, int Threads> struct row_chunks {
  using shape = typename Tile::shape;
  static constexpr int element_bytes = sizeof(typename Tile::element_type);
  static constexpr int length = 16 / element_bytes; // of a chunk, in elements
  static constexpr int row = shape::extent(shape::rank - 1);
  static constexpr int in_row = row / length < 32 ? row / length : 32;
  using all = chunks<shape, length, Threads>;
  static constexpr int step = all::threads * length;
  static constexpr int batch = all::rounds < 4 ? all::rounds : 4;
  static constexpr unsigned reach = (shape::size - length) ^ ((batch - 1) * step);
  static_assert(in_row >= 1 && all::total >= 32, "a warp has whole rows");
  static_assert(length <= Tile::swizzle::block, "chunks stay together in the tile");

  // Do a thread's chunks have the same shift from an aligned group, whatever the view's strides
  // are?
  TESSERA_CONSTEXPR static bool share_distance() {
    for (int element = step; element < shape::size; element *= 2)
      for (int d = 0; d < shape::rank; ++d)
        if (shape::coordinate(d, element) * element_bytes % 16 != 0)
          return false;
    return true;
  }

  // Are a thread's chunks in one column?
  static constexpr bool share_column = step % row == 0;

  TESSERA_DEVICE static bool is_first_of_row(int thread) { return (thread & (in_row - 1)) == 0; }
  TESSERA_DEVICE static bool is_last_of_row(int thread) {
    return (thread & (in_row - 1)) == in_row - 1;
  }
  // The offset of the end of an element's row, in bytes after the first end; linear for elements
  // without a common bit.
  TESSERA_CONSTEXPR static int end_of_row(int element) { return element / length / in_row * 16; }
};

// The same answer for all threads, and for all accesses of the box, whatever is known about them.
template <class T, int Rank>
TESSERA_DEVICE bool are_rows_shifted(const view<T, Rank> &v, const index<Rank> &start) {
  auto bytes = static_cast<unsigned long long>(start.at[Rank - 1]);
  TESSERA_UNROLL
  for (int d = 0; d < Rank - 1; ++d)
    bytes |= static_cast<unsigned long long>(v.stride[d]);
  bytes = bytes * sizeof(T) | reinterpret_cast<unsigned long long>(v.base);
  return (v.stride[Rank - 1] == 1) & (bytes % 16 != 0);
}

// Not unrolled further, like copy_singly. Where a thread's chunks are in one column, the row is cut
// at the same column for all of them; they usually have the same shift from an aligned group.
template <int Threads, class A, class T, class Tile, int Rank> TESSERA_DEVICE void
copy_groups_of_rows(with_ends<Tile> tile, const view<T, Rank> &v, const index<Rank> &start) {
  using rows = row_chunks<Tile, Threads>;
  using C = typename rows::all;
  constexpr int batch = C::rounds < 8 ? C::rounds : 8;
  constexpr unsigned reach = (C::shape::size - rows::length) ^ ((batch - 1) * rows::step);
  const int t = arch::thread_index();
  if (C::threads < Threads && t >= C::threads)
    return;
#pragma unroll 1
  for (int round = 0; round < C::rounds; round += batch) {
    const int first = t * rows::length + C::element(round);
    const located_box<C, A, T, Rank> box(v, start, first);
    const cursor<Tile, reach> to(tile, first);
    auto distance = [&](int element) {
      return static_cast<int>(reinterpret_cast<unsigned long long>(box.address(element)) % 16);
    };
    const int ends = tile.ends + rows::end_of_row(first);
    auto count = [&](int element) { return box.count_along(element) * rows::element_bytes; };
    const int shared = distance(0), shared_count = count(0);
    TESSERA_UNROLL
    for (int i = 0; i < batch; ++i) {
      const int element = C::element(i);
      const int before = rows::share_distance() ? shared : distance(element);
      const int inside = rows::share_column ? shared_count : count(element);
      const char *group = reinterpret_cast<const char *>(box.address(element)) - before;
      const bool is_row = !A::is_checked || box.contains_line(element);
      arch::cp_async_part(to.pointer, to.at(element), group, rows::is_first_of_row(t) ? before : 0,
                          before + inside, is_row);
      const int behind = inside < 16 ? inside - 16 : 0;
      if (rows::is_last_of_row(t))
        arch::cp_async_part(shared_memory(), ends + rows::end_of_row(element), group + 16, 0,
                            before + behind, is_row);
    }
  }
}

// Does the box of this shape lie inside the view? The same answer for all threads.
template <class Shape, class T, int Rank>
TESSERA_DEVICE bool is_box_inside(const view<T, Rank> &v, const index<Rank> &start) {
  bool inside = true;
  TESSERA_UNROLL
  for (int d = 0; d < Rank; ++d)
    inside &= (start.at[d] >= 0) & (v.extent[d] >= Shape::extent(d)) &
              (start.at[d] <= v.extent[d] - Shape::extent(d));
  return inside;
}

// After a wait for this thread's copies.
template <int Threads, class T, class Tile, int Rank> TESSERA_DEVICE void
shift_chunks(with_ends<Tile> tile, const view<T, Rank> &v, const index<Rank> &start) {
  using rows = row_chunks<Tile, Threads>;
  using C = typename rows::all;
  const int t = arch::thread_index();
  if (C::threads < Threads && t >= C::threads)
    return;
  const bool is_last = rows::is_last_of_row(t);
  auto distance = [&](int element) {
    auto bytes = static_cast<unsigned>(reinterpret_cast<unsigned long long>(v.base));
    TESSERA_UNROLL
    for (int d = 0; d < Rank; ++d)
      bytes += (static_cast<unsigned>(start.at[d]) +
                static_cast<unsigned>(C::shape::coordinate(d, element))) *
               static_cast<unsigned>(v.stride[d]) * rows::element_bytes;
    return bytes % 16;
  };
  const unsigned shared = distance(t * rows::length);
  arch::warp_barrier();
#pragma unroll 1
  for (int round = 0; round < C::rounds; round += rows::batch) {
    const int first = t * rows::length + C::element(round);
    const cursor<Tile, rows::reach> own(tile, first),
        next(tile, is_last ? first : first + rows::length);
    const int ends = tile.ends + rows::end_of_row(first);
    split_chunk<16> x[rows::batch];
    TESSERA_UNROLL
    for (int i = 0; i < rows::batch; ++i) {
      const int element = C::element(i);
      x[i].low = arch::load_shared<16>(own.pointer, own.at(element));
      x[i].high = is_last ? arch::load_shared<16>(shared_memory(), ends + rows::end_of_row(element))
                          : arch::load_shared<16>(next.pointer, next.at(element));
      x[i].before = rows::share_distance() ? shared : distance(first ^ element);
    }
    arch::warp_barrier();
    TESSERA_UNROLL
    for (int i = 0; i < rows::batch; ++i)
      arch::store_shared<16>(own.pointer, own.at(C::element(i)), join<rows::element_bytes>(x[i]));
  }
}

} // namespace detail

// Like copy_async, for rows at any address; the tile is valid after shift_rows.
template <class A, int Threads, class Tile, class From, int Rank>
TESSERA_DEVICE void copy_async(with_ends<Tile> tile, const view<From, Rank> &v, index<Rank> start) {
  using rows = detail::row_chunks<Tile, Threads>;
  using inside = access_by<A::vector, A::along, alignment::guarded, bounds::inside>;
  static_assert(A::along == Rank - 1 && A::vector == rows::length, "rows are copied in chunks");
  if (!A::is_guarded || detail::allows_vectors<A>(v, start))
    detail::copy_chunks<A::vector, Threads, A>(static_cast<Tile>(tile), v, start);
  else if (v.stride[Rank - 1] != 1)
    detail::copy_singly<Threads, A>(static_cast<Tile>(tile), v, start);
  else if (detail::is_box_inside<typename Tile::shape>(v, start))
    detail::copy_groups_of_rows<Threads, inside>(tile, v, start);
  else
    detail::copy_groups_of_rows<Threads, A>(tile, v, start);
}

// After wait_group, when this thread's copies of the tile are complete, and before the barrier:
// shifts the rows of the copied box to their offsets.
template <int Threads, class Tile, class T, int Rank>
TESSERA_DEVICE void shift_rows(with_ends<Tile> tile, const view<T, Rank> &v, index<Rank> start) {
  if (detail::are_rows_shifted(v, start))
    detail::shift_chunks<Threads>(tile, v, start);
}

} // namespace tessera
