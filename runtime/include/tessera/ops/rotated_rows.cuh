// Rows that begin anywhere, rotated in their tiles, so that aligned groups access them. A row that
// begins `shift` elements after a multiple of M elements in memory is numbered from that multiple:
// slot j of the tile holds column (j - shift) modulo the tile's columns.
//
//   memory    ....ABCD EFGHIJKL MN......     a row of 14, shift = 4, M = 8
//   tile      ....ABCD EFGHIJKL MN......     of 32 columns: groups are accessed where they are
//   tile      ABCDEFGH IJKLMN..              of 16 columns that begins at a multiple
//   rotated   MN..ABCD EFGHIJKL              the same, else: its last columns are in front
//
// What is computed for each column by itself, or of all columns in any order, is the same. All rows
// of a tile are rotated by their own shift, which is the same in each array that has the tile.
#pragma once

#include "global_memory.cuh"

namespace tessera {

// By how many elements the row at `start` of a box begins after a multiple of M; -1: rows need not
// be rotated, for all boxes at multiples of M are aligned.
template <int M, class T, int Rank>
TESSERA_DEVICE int row_shift(const view<T, Rank> &v, const index<Rank> &start) {
  auto first = reinterpret_cast<unsigned long long>(v.base) / sizeof(T);
  auto multiples = first | static_cast<unsigned long long>(start.at[Rank - 1]) |
                   static_cast<unsigned long long>(v.extent[Rank - 1]);
  TESSERA_UNROLL
  for (int d = 0; d < Rank; ++d) {
    first +=
        static_cast<unsigned long long>(start.at[d]) * static_cast<unsigned long long>(v.stride[d]);
    if (d != Rank - 1)
      multiples |= static_cast<unsigned long long>(v.stride[d]);
  }
  return multiples % M == 0 ? -1 : static_cast<int>(first % M);
}

// The shift of another row, if this one can be accessed with it in groups of V elements; else -1.
template <int V, class T, int Rank>
TESSERA_DEVICE int row_shift(const view<T, Rank> &v, const index<Rank> &start, int shift) {
  auto first = reinterpret_cast<unsigned long long>(v.base) / sizeof(T);
  TESSERA_UNROLL
  for (int d = 0; d < Rank; ++d)
    first +=
        static_cast<unsigned long long>(start.at[d]) * static_cast<unsigned long long>(v.stride[d]);
  return (static_cast<unsigned>(first) - static_cast<unsigned>(shift)) % V == 0 ? shift : -1;
}

namespace detail {

// Of the V slots of a chunk those that hold columns inside the view: [first, end), which follow
// each other in memory from `address` on, and [0, last), which are the row's last columns.
template <class T, int V, int Columns> struct rotated_chunk {
  T *address;
  int first, end, last;

  TESSERA_DEVICE bool is_whole() const { return (first == 0) & (end == V); }
  // It holds columns, and not in all slots what is at `address`.
  TESSERA_DEVICE bool is_cut() const {
    const bool whole = is_whole();
    return !whole & ((end > first) | (last > 0));
  }
  TESSERA_DEVICE T *at(int j) const { return address + (j < first ? j + Columns : j); }
  TESSERA_DEVICE bool contains(int j) const { return j < first ? j < last : j < end; }
};

// A thread's share of a box whose rows are rotated, the first one by `shift`.
template <int M, class L, class A, class T, int Rank> struct rotated_box
    : located_box<L, A, T, Rank> {
  using base = located_box<L, A, T, Rank>;
  using shape = typename L::shape;
  static constexpr int columns = shape::extent(A::along), V = A::vector;
  static_assert(A::along == Rank - 1 && columns % M == 0,
                "rows run along the last dimension, in whole groups");

  unsigned shift; // of the thread's first row
  int column;     // of the thread's first element, unless registers have all of it

  TESSERA_DEVICE rotated_box(const view<T, Rank> &v, const index<Rank> &start, int first_shift,
                             int thread)
      : base(v, start, thread), shift(static_cast<unsigned>(first_shift)),
        column(L::is_disjoint ? shape::coordinate(A::along, thread) : 0) {
    if (L::is_disjoint)
      shift += row_distance(thread);
  }

  TESSERA_DEVICE rotated_box kept_here() const {
    rotated_box box = *this;
    static_cast<base &>(box) = base::kept_here();
    return box;
  }

  TESSERA_DEVICE rotated_chunk<T, V, columns> chunk(int element) const {
    const int shift = shift_of(element), at = column_of(element);
    int first = 0, end = V;
    if (may_be_first(element))
      first = shift <= at ? 0 : shift - at < V ? shift - at : V;
    int last = first;
    if constexpr (A::bounds_along(A::along) == bounds::checked) {
      const int left = this->count_along(element) + shift;
      end = left < V ? left : V;
      last = left - columns < first ? left - columns : first;
    }
    if (!this->contains_line(element))
      end = last = 0;
    return {this->address(element) - shift, first, end, last};
  }

  // Can the element be in the first M slots of a row?
  TESSERA_DEVICE static bool may_be_first(int element) {
    return !L::is_disjoint || shape::coordinate(A::along, element) < M;
  }

  // Are the aligned groups that contain the row of the element inside the view's memory?
  TESSERA_DEVICE bool has_groups(const span_of_view<T, Rank> &all, int element) const {
    const int shift = shift_of(element), at = column_of(element);
    int slots = columns + V;
    if constexpr (A::bounds_along(A::along) == bounds::checked)
      slots = this->count_along(element) + at + shift + V - 1;
    const auto row = reinterpret_cast<unsigned long long>(this->address(element) - (at + shift));
    return (row >= all.begin) & (row + static_cast<unsigned>(slots / V * V) * sizeof(T) <= all.end);
  }

  // How many bytes after an aligned group the element's chunk starts: the same for those of a row.
  TESSERA_DEVICE unsigned before(int element) const {
    return (this->distance(element) - static_cast<unsigned>(shift_of(element) * sizeof(T))) %
           (V * sizeof(T));
  }

private:
  TESSERA_DEVICE int column_of(int element) const {
    return column + shape::coordinate(A::along, this->thread ^ element);
  }
  // In elements, modulo 2^32.
  TESSERA_DEVICE unsigned row_distance(int element) const {
    unsigned distance = 0;
    TESSERA_UNROLL
    for (int d = 0; d < Rank; ++d)
      if (d != A::along)
        distance += static_cast<unsigned>(shape::coordinate(d, element)) *
                    static_cast<unsigned>(this->stride[d]);
    return distance;
  }
  TESSERA_DEVICE int shift_of(int element) const {
    return static_cast<int>((shift + row_distance(this->thread ^ element)) % M);
  }
};

// The slots of a chunk one by one.
template <class T, class C>
TESSERA_DEVICE void load_chunk_singly(T *r, const C &chunk, int count, T padding) {
  TESSERA_UNROLL
  for (int j = 0; j < count; ++j)
    load_group_if<1>(r + j, chunk.at(j), chunk.contains(j), padding);
}

// All bits of a word that are below so many.
TESSERA_DEVICE unsigned bits_below(int bits) {
  const unsigned below = (1u << (bits & 31)) - 1;
  return bits <= 0 ? 0u : bits < 32 ? below : ~0u;
}

// The slots of a chunk of which `of_chunk` is at its address and `of_last` is the group with the
// row's last columns. Of branches for each element Clang makes more than of bits.
template <class T, class C, int Bytes>
TESSERA_DEVICE words<Bytes> with_ends_of(const C &chunk, const words<Bytes> &of_chunk,
                                         const words<Bytes> &of_last, const words<Bytes> &pad) {
  constexpr int size = 8 * sizeof(T);
  words<Bytes> result;
  TESSERA_UNROLL
  for (int i = 0; i < (Bytes + 3) / 4; ++i) {
    const unsigned last = bits_below(chunk.last * size - 32 * i),
                   first = bits_below(chunk.first * size - 32 * i),
                   own = bits_below(chunk.end * size - 32 * i) & ~first;
    result.w[i] = (of_chunk.w[i] & own) | (of_last.w[i] & last) | (pad.w[i] & ~(own | last));
  }
  return result;
}

// Chunks with an end of a row: what is in front of the row and behind it, other rows or nothing, is
// padding. One after the other, each in registers of its own: a warp rarely has both ends.
template <class T, class L, class B, class S>
TESSERA_DEVICE void load_ends(fragment<T, L> &x, const B &box, const S &all, T padding) {
  constexpr int V = B::V, bytes = V * sizeof(T);
  TESSERA_UNROLL
  for (int i = 0; i < L::register_count; i += V) {
    const int element = L::element(i);
    const auto chunk = box.chunk(element);
    if (!chunk.is_cut())
      continue;
    T pad[V];
    TESSERA_UNROLL
    for (int j = 0; j < V; ++j)
      pad[j] = padding;
    if (!box.has_groups(all, element)) {
      load_chunk_singly(x.r + i, chunk, V, padding);
      continue;
    }
    const auto end =
        arch::load_part<bytes, sizeof(T)>(chunk.address, chunk.first, chunk.end, words<bytes>{});
    words<bytes> last{};
    if (B::may_be_first(element))
      last = arch::load_part<bytes, sizeof(T)>(chunk.address + B::columns, 0, chunk.last, last);
    from_words<V>(x.r + i, with_ends_of<T>(chunk, end, last, to_words<V>(pad)));
  }
}

// Rotated rows by aligned groups.
template <class T, class L, class A, int M, int Rank>
TESSERA_DEVICE void load_rotated_box(fragment<std::remove_const_t<T>, L> &x,
                                     const rotated_box<M, L, A, T, Rank> &box,
                                     const view<T, Rank> &v, std::remove_const_t<T> padding) {
  constexpr int V = A::vector;
  bool is_cut = false;
  TESSERA_UNROLL
  for (int i = 0; i < L::register_count; i += V) {
    const auto chunk = box.chunk(L::element(i));
    load_group_if<V>(x.r + i, chunk.address, chunk.is_whole(), padding);
    is_cut |= chunk.is_cut();
  }
  if (is_cut)
    load_ends(x, box.kept_here(), span_of_view<T, Rank>(v.kept_here()), padding);
}

// Rows that are rotated as others are, and begin at other addresses: each chunk by the aligned
// groups that contain it. What no groups inside the view's memory contain is read one by one.
template <class T, class L, class B, class S> TESSERA_DEVICE void
load_rotated_box_shifted(fragment<T, L> &x, const B &box, const S &all, T padding) {
  constexpr int V = B::V, bytes = V * sizeof(T), groups = L::register_count / V,
                batch = groups < 8 ? groups : 8;
  T pad[V];
  TESSERA_UNROLL
  for (int i = 0; i < V; ++i)
    pad[i] = padding;
  bool is_left = false;
  TESSERA_UNROLL
  for (int first = 0; first < groups; first += batch) {
    split_chunk<bytes> split[batch];
    TESSERA_UNROLL
    for (int i = 0; i < batch; ++i) {
      const int element = L::element((first + i) * V);
      const auto chunk = box.chunk(element);
      const unsigned before = box.before(element);
      const bool is_whole = chunk.is_whole(),
                 is_read = is_whole & all.template has_groups_of<bytes>(chunk.address, before);
      split[i] = arch::load_split<bytes, sizeof(T)>(chunk.address, before, is_read ? V : 0,
                                                    to_words<V>(pad));
      is_left |= !is_read & (is_whole | chunk.is_cut());
    }
    TESSERA_UNROLL
    for (int i = 0; i < batch; ++i)
      from_words<V>(x.r + (first + i) * V, join<sizeof(T)>(split[i]));
  }
  if (!is_left)
    return;
  const B kept = box.kept_here();
  TESSERA_UNROLL
  for (int i = 0; i < groups; ++i) {
    const int element = L::element(i * V);
    const auto chunk = kept.chunk(element);
    if (!chunk.is_whole() ||
        !all.template has_groups_of<bytes>(chunk.address, kept.before(element)))
      load_chunk_singly(x.r + i * V, chunk, V, padding);
  }
}

template <class T, class L, class B>
TESSERA_DEVICE void store_rotated_box(const fragment<T, L> &x, const B &box) {
  constexpr int V = B::V;
  bool is_cut = false;
  TESSERA_UNROLL
  for (int i = 0; i < L::register_count; i += V) {
    const auto chunk = box.chunk(L::element(i));
    arch::store_global_if<V * sizeof(T)>(chunk.address, to_words<V>(x.r + i), chunk.is_whole());
    is_cut |= chunk.is_cut();
  }
  if (!is_cut)
    return;
  const B kept = box.kept_here();
  TESSERA_UNROLL
  for (int i = 0; i < L::register_count; i += V) {
    const auto chunk = kept.chunk(L::element(i));
    if (!chunk.is_cut())
      continue;
    TESSERA_UNROLL
    for (int j = 0; j < V; ++j)
      arch::store_global_if<sizeof(T)>(chunk.at(j), to_words<1>(x.r + i + j), chunk.contains(j));
  }
}

} // namespace detail

// How an array's rows lie to those by which they are rotated: they have the same shift, which
// row_shift has tested, or any.
enum class rotation { same, other };

// As load; the box's rows are rotated, the first one by `shift`, unless it is -1. Rows of `other`
// arrays are one in a tile.
template <class L, class A, int M, rotation R = rotation::same, class T, int Rank>
TESSERA_DEVICE fragment<std::remove_const_t<T>, L>
load_rotated(const view<T, Rank> &v, index<Rank> start, int shift,
             std::remove_const_t<T> padding = {}) {
  static_assert(A::vector == 1 || L::template has_runs<A::vector>(A::along),
                "groups of an access lie in consecutive registers");
  static_assert(R == rotation::same ? M % A::vector == 0 : L::size == L::shape::extent(Rank - 1),
                "rows of one shift begin in whole groups, rows of other arrays are one in a tile");
  if (shift < 0)
    return load<L, A>(v, start, padding);
  fragment<std::remove_const_t<T>, L> x;
  const detail::rotated_box<M, L, A, T, Rank> box(v, start, shift, L::thread_element());
  if constexpr (R == rotation::same)
    detail::load_rotated_box(x, box, v, padding);
  else
    detail::load_rotated_box_shifted(x, box, detail::span_of_view<T, Rank>(v), padding);
  return x;
}

// As store.
template <class A, int M, class T, int Rank, class L> TESSERA_DEVICE void
store_rotated(const view<T, Rank> &v, index<Rank> start, int shift, const fragment<T, L> &x) {
  static_assert(A::vector == 1 || L::template has_runs<A::vector>(A::along),
                "groups of an access lie in consecutive registers");
  static_assert(M % A::vector == 0, "rows of one shift begin in whole groups");
  if (shift < 0)
    return store<A>(v, start, x);
  arch::next_store();
  if (L::is_owner())
    detail::store_rotated_box(
        x, detail::rotated_box<M, L, A, T, Rank>(v, start, shift, L::thread_element()));
}

} // namespace tessera
