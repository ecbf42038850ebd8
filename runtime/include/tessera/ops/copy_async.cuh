// Global to shared memory, without registers where the access allows it. Thread t copies chunks t,
// t + Threads, ...: the chunks form a layout whose registers are this thread's chunks, so the box
// computes addresses as it does for load.
#pragma once

#include "shared_memory.cuh"

namespace tessera {

namespace detail {

// Chunks of V elements of a tile over Threads threads: thread bits first, then the bits of the
// round; threads past the last chunk idle.
template <class Shape, int V, int Threads> struct chunks {
  using shape = Shape;
  static constexpr int rank = Shape::rank;
  static constexpr int total = Shape::size / V;
  static constexpr int threads = total < Threads ? total : Threads;
  static constexpr int rounds = total / threads;
  static constexpr bool is_disjoint = true;
  static constexpr unsigned thread_reach = static_cast<unsigned>((threads - 1) * V);
  static_assert(is_one_bit(Threads), "the number of threads is a power of two");

  TESSERA_CONSTEXPR static int element(int round) { return round * (threads * V); }
};

template <int V, int Threads, class A, class T, class Tile, int Rank>
TESSERA_DEVICE void copy_chunks(Tile tile, const view<T, Rank> &v, const index<Rank> &start) {
  using C = chunks<typename Tile::shape, V, Threads>;
  constexpr int bytes = V * sizeof(T);
  const int t = arch::thread_index();
  if (C::threads < Threads && t >= C::threads)
    return;
  const located_box<C, A, T, Rank> box(v, start, t * V);
  const cursor<Tile, C::thread_reach> to(tile, t * V);
  TESSERA_UNROLL
  for (int i = 0; i < C::rounds; ++i) {
    const int element = C::element(i);
    bool inside = true;
    if constexpr (A::is_checked)
      inside = box.contains(element);
    arch::cp_async<bytes>(to.pointer, to.at(element), box.address(element), inside);
  }
}

// Element by element: elements too small for cp.async go through registers, enough at a time to
// keep memory busy. The loop is not unrolled further: this path is emitted next to every copy and
// rarely runs.
template <int Threads, class A, class T, class Tile, int Rank>
TESSERA_DEVICE void copy_singly(Tile tile, const view<T, Rank> &v, const index<Rank> &start) {
  using C = chunks<typename Tile::shape, 1, Threads>;
  using element_type = std::remove_const_t<T>;
  constexpr int batch = C::rounds < 16 ? C::rounds : 16;
  constexpr unsigned reach = (C::shape::size - 1) ^ ((batch - 1) * C::threads);
  const int t = arch::thread_index();
  if (C::threads < Threads && t >= C::threads)
    return;
#pragma unroll 1
  for (int first = t; first < C::shape::size; first += batch * C::threads) {
    const located_box<C, A, T, Rank> box(v, start, first);
    const cursor<Tile, reach> to(tile, first);
    [[maybe_unused]] element_type x[batch];
    TESSERA_UNROLL
    for (int i = 0; i < batch; ++i) {
      const int element = C::element(i);
      const bool inside = !A::is_checked || box.contains(element);
      if constexpr (sizeof(T) >= 4)
        arch::cp_async<sizeof(T)>(to.pointer, to.at(element), box.address(element), inside);
      else
        load_group_if<1>(x + i, static_cast<const element_type *>(box.address(element)), inside,
                         element_type{});
    }
    if constexpr (sizeof(T) < 4) {
      TESSERA_UNROLL
      for (int i = 0; i < batch; ++i)
        arch::store_shared<sizeof(T)>(to.pointer, to.at(C::element(i)), to_words<1>(x + i));
    }
  }
}

// Chunks of 16 bytes at any address, of elements too small for cp.async: the two aligned groups
// that contain a chunk are joined in registers. Neighbours of the chunk in the view are read, too;
// a chunk at the view's ends, a chunk that is cut, and views whose elements are not contiguous go
// element by element. Not unrolled further, like copy_singly.
template <int V, int Threads, class A, class T, class Tile, int Rank>
TESSERA_DEVICE void copy_joined(Tile tile, const view<T, Rank> &v, const index<Rank> &start) {
  using C = chunks<typename Tile::shape, V, Threads>;
  using element_type = std::remove_const_t<T>;
  constexpr int batch = C::rounds < 4 ? C::rounds : 4, step = C::threads * V;
  constexpr unsigned reach = (C::shape::size - V) ^ ((batch - 1) * step);
  const int t = arch::thread_index();
  if (C::threads < Threads && t >= C::threads)
    return;
  const span_of_view<T, Rank> all(v);
#pragma unroll 1
  for (int first = t * V; first < C::shape::size; first += batch * step) {
    const located_box<C, A, T, Rank> box(v, start, first);
    const cursor<Tile, reach> to(tile, first);
    split_chunk<16> x[batch];
    unsigned edges = 0;
    TESSERA_UNROLL
    for (int i = 0; i < batch; ++i) {
      const int count = box.count_inside(C::element(i));
      const void *address = box.address(C::element(i));
      const unsigned before = box.distance(C::element(i));
      const bool is_whole = (count >= V) & (v.stride[Rank - 1] == 1) &
                            all.template has_groups_of<16>(address, before);
      x[i] = arch::load_split<16, sizeof(T)>(address, before, is_whole ? 16 / sizeof(T) : 0,
                                             words<16>{}); // zeros outside
      edges |= static_cast<unsigned>(!is_whole & (count > 0)) << i;
    }
    TESSERA_UNROLL
    for (int i = 0; i < batch; ++i)
      if (!(edges >> i & 1))
        arch::store_shared<16>(to.pointer, to.at(C::element(i)), join<sizeof(T)>(x[i]));
#pragma unroll 1
    for (int i = 0; edges >> i; ++i) {
      if (!(edges >> i & 1))
        continue;
      element_type single[V];
      TESSERA_UNROLL
      for (int j = 0; j < V; ++j)
        load_group_if<1>(single + j,
                         static_cast<const element_type *>(box.address(C::element(i) + j)),
                         !A::is_checked || box.contains(C::element(i) + j), element_type{});
      arch::store_shared<16>(to.pointer, to.at(C::element(i)), to_words<V>(single));
    }
  }
}

} // namespace detail

// Fills the tile with the box of its shape that starts at `start`, zeros outside; complete after
// commit_group, wait_group and a barrier. Chunks are contiguous along the last dimension; an access
// along another dimension goes element by element.
template <class A, int Threads, class T, class Shape, class Swizzle, class From>
TESSERA_DEVICE void copy_async(shared_tile<T, Shape, Swizzle> tile,
                               const view<From, Shape::rank> &v, index<Shape::rank> start) {
  static_assert(std::is_same_v<std::remove_const_t<From>, T>, "a copy converts nothing");
  constexpr bool runs =
      A::along == Shape::rank - 1 && A::vector * sizeof(T) >= 4 && A::vector <= Swizzle::block;
  if constexpr (!runs) {
    detail::copy_singly<Threads, A>(tile, v, start);
  } else if constexpr (A::is_guarded) {
    if (detail::allows_vectors<A>(v, start))
      detail::copy_chunks<A::vector, Threads, A>(tile, v, start);
    else if constexpr (sizeof(T) < 4 && A::vector * sizeof(T) == 16)
      detail::copy_joined<A::vector, Threads, A>(tile, v, start);
    else
      detail::copy_singly<Threads, A>(tile, v, start);
  } else {
    detail::copy_chunks<A::vector, Threads, A>(tile, v, start);
  }
}

// copy_async of chunks that are known to be aligned, predicated by `when`: without a branch, so
// that compilers schedule the copies between a loop's other instructions.
template <class A, int Threads, class T, class Shape, class Swizzle, class From>
TESSERA_DEVICE void copy_async_if(bool when, shared_tile<T, Shape, Swizzle> tile,
                                  const view<From, Shape::rank> &v, index<Shape::rank> start) {
  static_assert(std::is_same_v<std::remove_const_t<From>, T>, "a copy converts nothing");
  static_assert(!A::is_guarded && A::along == Shape::rank - 1 && A::vector * sizeof(T) >= 4 &&
                    A::vector <= Swizzle::block,
                "chunks of cp.async");
  using C = detail::chunks<Shape, A::vector, Threads>;
  const int t = arch::thread_index(), first = C::threads < Threads ? t % C::threads : t;
  const detail::located_box<C, A, From, Shape::rank> box(v, start, first * A::vector);
  const detail::cursor<shared_tile<T, Shape, Swizzle>, C::thread_reach> to(tile, first * A::vector);
  const bool copies = when & (t < C::threads);
  TESSERA_UNROLL
  for (int i = 0; i < C::rounds; ++i) {
    const int element = C::element(i);
    bool inside = true;
    if constexpr (A::is_checked)
      inside = box.contains(element);
    arch::cp_async_if<A::vector * sizeof(T)>(copies, to.pointer, to.at(element),
                                             box.address(element), inside);
  }
}

namespace detail {

// Groups of V neighbours. If V elements are too few for cp.async, they go through registers; an
// element is zero where the mask is not set.
template <int V, class Tile, class T, class L> TESSERA_DEVICE void
copy_groups(Tile tile, const fragment<T *, L> &p, const fragment<bool, L> &mask) {
  using element_type = std::remove_const_t<T>;
  constexpr int bytes = V * sizeof(T);
  const cursor<Tile, variable_elements<Tile, L>(false)> to(
      tile, element_in<Tile, typename L::shape>(L::thread_element()));
  constexpr int all = L::register_count, batch = bytes < 4 && all > 16 ? 16 : all;
  [[maybe_unused]] element_type x[batch];
  TESSERA_UNROLL
  for (int first = 0; first < all; first += batch) {
    if constexpr (bytes < 4) {
      TESSERA_UNROLL
      for (int i = 0; i < batch; i += V)
        load_group_if<V>(x + i, static_cast<const element_type *>(p.r[first + i]),
                         mask.r[first + i], element_type{});
    }
    TESSERA_UNROLL
    for (int i = 0; i < batch; i += V) {
      const int offset = to.at(element_in<Tile, typename L::shape>(L::element(first + i)));
      if constexpr (bytes < 4)
        arch::store_shared<bytes>(to.pointer, offset, to_words<V>(x + i));
      else
        arch::cp_async<bytes>(to.pointer, offset, p.r[first + i], mask.r[first + i]);
    }
  }
}

} // namespace detail

// Fills the tile with the elements that the pointers address, zeros where the mask is not set;
// complete like the copy of a box. Groups and their tests are those of load by pointers.
template <int V = 1, alignment A = alignment::proven, masks M = masks::single, class T, class Shape,
          class Swizzle, class From, class L>
TESSERA_DEVICE void copy_async(shared_tile<T, Shape, Swizzle> tile, const fragment<From *, L> &p,
                               const fragment<bool, L> &mask) {
  static_assert(std::is_same_v<std::remove_const_t<From>, T>, "a copy converts nothing");
  static_assert(Shape::size == L::size, "tile and fragment have the same elements");
  static_assert(V <= Swizzle::block, "groups lie together in the tile");
  if (!L::is_owner())
    return;
  if (detail::allows_groups<V, A>(p) && detail::share_bits<V, M>(mask))
    detail::copy_groups<V>(tile, p, mask);
  else
    detail::copy_groups<1>(tile, p, mask);
}

template <int V = 1, alignment A = alignment::proven, class T, class Shape, class Swizzle,
          class From, class L>
TESSERA_DEVICE void copy_async(shared_tile<T, Shape, Swizzle> tile, const fragment<From *, L> &p) {
  copy_async<V, A, masks::shared>(tile, p, splat<L>(true));
}

TESSERA_DEVICE void commit_group() { arch::cp_async_commit(); }

// All but the N youngest groups of this thread are complete.
template <int N> TESSERA_DEVICE void wait_group() { arch::cp_async_wait<N>(); }

TESSERA_DEVICE void barrier() { arch::barrier(); }

// A failed assertion: ends the program with an error.
TESSERA_DEVICE void trap(const char *why) { arch::trap(why); }

} // namespace tessera
