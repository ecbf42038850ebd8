// Tiles to and from views of global memory, and through fragments of pointers. A call locates its
// box once.
#pragma once

#include "boxes.cuh"
#include "shifted_chunks.cuh"

namespace tessera {

// What is known of the mask bits of neighbours that one instruction accesses: nothing; they are
// equal.
enum class masks { single, shared };

namespace detail {

template <int V, class T> TESSERA_DEVICE void load_group(T *r, const T *address) {
  from_words<V>(r, arch::load_global<V * sizeof(T)>(address));
}

template <int V, class T>
TESSERA_DEVICE void load_group_if(T *r, const T *address, bool inside, T padding) {
  T pad[V];
  TESSERA_UNROLL
  for (int i = 0; i < V; ++i)
    pad[i] = padding;
  from_words<V>(r, arch::load_global_if<V * sizeof(T)>(address, inside, to_words<V>(pad)));
}

// A predicated load needs the padding in its registers first. Where a box that is inside or outside
// entirely takes a quarter of a thread's registers, a branch leaves them free.
template <class A, class T, class L> constexpr bool is_branched =
    A::is_checked && A::is_whole && L::register_count * sizeof(T) >= 64 * sizeof(int);

template <class A, class T, class L, class B>
TESSERA_DEVICE void load_box(fragment<T, L> &x, const B &box, T padding) {
  if constexpr (is_branched<A, T, L>) {
    if (!box.contains(0)) {
      TESSERA_UNROLL
      for (int i = 0; i < L::register_count; ++i)
        x.r[i] = padding;
      return;
    }
  }
  TESSERA_UNROLL
  for (int i = 0; i < L::register_count; i += A::vector) {
    const T *address = box.address(L::element(i));
    if constexpr (A::is_checked && !is_branched<A, T, L>)
      load_group_if<A::vector>(x.r + i, address, box.contains(L::element(i)), padding);
    else
      load_group<A::vector>(x.r + i, address);
  }
}

// Can chunks at any address be read by aligned groups, and is that better than by elements? Pairs
// are as many reads.
template <class A, class T> constexpr bool has_shifted_loads = A::vector >= 4;

// The same for writes: lanes beside each other have chunks beside each other. Of pairs, those of 16
// bytes are fewer accesses of memory than elements with gaps between them.
template <class A, class T, class L> constexpr bool has_shifted_stores =
    (A::vector >= 4 || A::vector * sizeof(T) == 16) && lane_run<L, A::vector, A::along>::mask != 0;

// Chunks by aligned groups; of a chunk that is cut, elements outside are padded afterwards. False
// if a chunk's groups are not inside the view, as of the first or the last of an array: it is not
// read.
template <class A, class T, class L, class B, class S>
TESSERA_DEVICE bool load_box_shifted(fragment<T, L> &x, const B &box, const S &all, T padding) {
  constexpr int V = A::vector, bytes = V * sizeof(T), groups = L::register_count / V,
                batch = groups < 8 ? groups : 8;
  T pad[V];
  TESSERA_UNROLL
  for (int i = 0; i < V; ++i)
    pad[i] = padding;
  bool are_read = true;
  TESSERA_UNROLL
  for (int first = 0; first < groups; first += batch) {
    split_chunk<bytes> chunk[batch];
    int counts[batch];
    TESSERA_UNROLL
    for (int i = 0; i < batch; ++i) {
      const int element = L::element((first + i) * V), count = box.count_inside(element);
      const T *address = box.address(element);
      const unsigned before = box.distance(element);
      const bool has_groups = all.template has_groups_of<bytes>(address, before);
      are_read &= has_groups | (count <= 0);
      counts[i] = count;
      chunk[i] = arch::load_split<bytes, sizeof(T)>(address, before, has_groups ? count : 0,
                                                    to_words<V>(pad));
    }
    TESSERA_UNROLL
    for (int i = 0; i < batch; ++i) {
      T *to = x.r + (first + i) * V;
      from_words<V>(to, join<sizeof(T)>(chunk[i]));
      if (A::bounds_along(A::along) == bounds::checked && counts[i] > 0 && counts[i] < V) {
        TESSERA_UNROLL
        for (int j = 1; j < V; ++j)
          to[j] = j < counts[i] ? to[j] : padding;
      }
    }
  }
  return are_read;
}

// Element by element along each run: one address for each element would dominate the compile time.
template <class A, class T, class L, class B>
TESSERA_DEVICE void load_box_singly(fragment<T, L> &x, const B &box, T padding) {
  const long long step = box.stride[A::along];
  TESSERA_UNROLL
  for (int i = 0; i < L::register_count; i += A::vector) {
    const T *address = box.address(L::element(i));
    int count = A::vector;
    if constexpr (A::is_checked)
      count = box.count_inside(L::element(i));
    TESSERA_UNROLL
    for (int j = 0; j < A::vector; ++j, address += step)
      load_group_if<1>(x.r + i + j, address, j < count, padding);
  }
}

template <class A, class T, class L, class B>
TESSERA_DEVICE void store_box(const fragment<T, L> &x, const B &box) {
  constexpr int bytes = A::vector * sizeof(T);
  TESSERA_UNROLL
  for (int i = 0; i < L::register_count; i += A::vector) {
    T *address = box.address(L::element(i));
    if constexpr (A::is_checked)
      arch::store_global_if<bytes>(address, to_words<A::vector>(x.r + i),
                                   box.contains(L::element(i)));
    else
      arch::store_global<bytes>(address, to_words<A::vector>(x.r + i));
  }
}

// Of the elements of a chunk, those that are stored by themselves.
struct single_elements {
  int first, end;
};

// All elements inside the view.
template <class A> struct all_singly {
  TESSERA_DEVICE single_elements operator()(int, int count) const {
    return {0, count < A::vector ? count : A::vector};
  }
};

// What store_groups leaves over: of runs of lanes that are cut. The first group of a whole chunk is
// stored, but not by the first lane; and what is behind it, by the lane on the right, if that
// lane's chunk is whole, too.
template <class A, class T, class Run, class B> struct left_over_by_groups {
  static constexpr int length = A::vector;
  const B &box;
  const int of_run = A::bounds_along(A::along) == bounds::checked ? length * Run::rest() : length;

  TESSERA_DEVICE single_elements operator()(int element, int count) const {
    const unsigned before = box.distance(element);
    const int in_group = length - static_cast<int>(before / sizeof(T));
    const bool is_stored = (count >= length) & ((before == 0) | !Run::is_first());
    const int end = count >= 2 * length ? in_group : count < length ? count : length;
    return {is_stored ? in_group : 0, count < of_run ? end : 0};
  }
};

// Elements one by one, of chunks that have some.
template <class A, class T, class L, class B, class Elements>
TESSERA_DEVICE void store_box_singly(const fragment<T, L> &x, const B &box, Elements elements) {
  const long long step = box.stride[A::along];
  TESSERA_UNROLL
  for (int i = 0; i < L::register_count; i += A::vector) {
    T *address = box.address(L::element(i));
    const int count = A::is_checked ? box.count_inside(L::element(i)) : A::vector;
    const single_elements single = elements(L::element(i), count);
    if (single.first >= single.end)
      continue;
    TESSERA_UNROLL
    for (int j = 0; j < A::vector; ++j, address += step)
      arch::store_global_if<sizeof(T)>(address, to_words<1>(x.r + i + j),
                                       (j >= single.first) & (j < single.end));
  }
}

// Chunks by aligned groups, by all lanes.
template <class A, class T, class L, class B>
TESSERA_DEVICE void store_box_shifted(const fragment<T, L> &x, const B &box) {
  constexpr int V = A::vector;
  using run = lane_run<L, V, A::along>;
  const left_over_by_groups<A, T, run, B> left_over{box};
  TESSERA_UNROLL
  for (int i = 0; i < L::register_count; i += V) {
    const int element = L::element(i), count = L::is_owner() ? box.count_inside(element) : 0;
    store_groups<run, sizeof(T)>(reinterpret_cast<char *>(box.address(element)),
                                 box.distance(element), to_words<V>(x.r + i), count >= V,
                                 count >= left_over.of_run);
  }
  if (L::is_owner())
    store_box_singly<A>(x, box, left_over);
}

} // namespace detail

// Loads the box of shape L::shape that starts at `start`; elements outside the view read as
// `padding`.
template <class L, class A, class T, int Rank> TESSERA_DEVICE fragment<std::remove_const_t<T>, L>
load(const view<T, Rank> &v, index<Rank> start, std::remove_const_t<T> padding = {}) {
  static_assert(A::vector == 1 || L::template has_runs<A::vector>(A::along),
                "groups of an access lie in consecutive registers");
  fragment<std::remove_const_t<T>, L> x;
  const detail::located_box<L, A, T, Rank> box(v, start, L::thread_element());
  if constexpr (A::is_guarded) {
    if (detail::allows_vectors<A>(v, start)) {
      detail::load_box<A>(x, box, padding);
      return x;
    }
    bool is_read = false;
    if constexpr (detail::has_shifted_loads<A, T>)
      if (v.stride[A::along] == 1)
        is_read = detail::load_box_shifted<A>(
            x, box.kept_here(), detail::span_of_view<T, Rank>(v.kept_here()), padding);
    if (!is_read)
      detail::load_box_singly<A>(x, box.kept_here(), padding);
  } else {
    detail::load_box<A>(x, box, padding);
  }
  return x;
}

// Stores the box at `start`; elements outside the view are not written.
template <class A, class T, int Rank, class L>
TESSERA_DEVICE void store(const view<T, Rank> &v, index<Rank> start, const fragment<T, L> &x) {
  static_assert(A::vector == 1 || L::template has_runs<A::vector>(A::along),
                "groups of an access lie in consecutive registers");
  arch::next_store();
  const detail::located_box<L, A, T, Rank> box(v, start, L::thread_element());
  if constexpr (A::is_guarded) {
    if (!detail::allows_vectors<A>(v, start)) {
      if constexpr (detail::has_shifted_stores<A, T, L>) {
        if (v.stride[A::along] == 1)
          return detail::store_box_shifted<A>(x, box.kept_here());
      }
      if (L::is_owner())
        detail::store_box_singly<A>(x, box.kept_here(), detail::all_singly<A>());
      return;
    }
  }
  if (L::is_owner())
    detail::store_box<A>(x, box);
}

namespace detail {

// Does each group of V pointers address aligned neighbours? The pointers of a group are consecutive
// except at one position at most, where an index wrapped: the first and the last show it.
template <int V, class T, class L> TESSERA_DEVICE bool are_groups(const fragment<T *, L> &p) {
  bool are = true;
  TESSERA_UNROLL
  for (int i = 0; i < L::register_count; i += V) {
    const auto first = reinterpret_cast<unsigned long long>(p.r[i]),
               last = reinterpret_cast<unsigned long long>(p.r[i + V - 1]);
    are &= (first % (V * sizeof(T)) == 0) & (last - first == (V - 1) * sizeof(T));
  }
  return are;
}

// Are the mask bits of each group of V elements equal?
template <int V, masks M, class L> TESSERA_DEVICE bool share_bits(const fragment<bool, L> &mask) {
  bool share = true;
  if constexpr (M == masks::single) {
    TESSERA_UNROLL
    for (int i = 0; i < L::register_count; ++i)
      share &= mask.r[i] == mask.r[i / V * V];
  }
  return share;
}

template <int V, alignment A, class T, class L>
TESSERA_DEVICE bool allows_groups(const fragment<T *, L> &p) {
  static_assert(V == 1 || L::template has_runs<V>(L::rank - 1),
                "groups of an access lie in consecutive registers");
  if constexpr (V > 1 && A == alignment::guarded)
    return are_groups<V>(p);
  else
    return true;
}

template <int V, class T, class U, class L>
TESSERA_DEVICE void load_groups(fragment<T, L> &x, const fragment<U *, L> &p) {
  TESSERA_UNROLL
  for (int i = 0; i < L::register_count; i += V)
    load_group<V>(x.r + i, static_cast<const T *>(p.r[i]));
}

template <int V, class T, class U, class L>
TESSERA_DEVICE void load_groups(fragment<T, L> &x, const fragment<U *, L> &p,
                                const fragment<bool, L> &mask, const fragment<T, L> &pad) {
  TESSERA_UNROLL
  for (int i = 0; i < L::register_count; i += V)
    from_words<V>(x.r + i,
                  arch::load_global_if<V * sizeof(T)>(p.r[i], mask.r[i], to_words<V>(pad.r + i)));
}

template <int V, class T, class L>
TESSERA_DEVICE void store_groups(const fragment<T *, L> &p, const fragment<T, L> &x) {
  TESSERA_UNROLL
  for (int i = 0; i < L::register_count; i += V)
    arch::store_global<V * sizeof(T)>(p.r[i], to_words<V>(x.r + i));
}

template <int V, class T, class L>
TESSERA_DEVICE void store_groups(const fragment<T *, L> &p, const fragment<T, L> &x,
                                 const fragment<bool, L> &mask, bool owner) {
  TESSERA_UNROLL
  for (int i = 0; i < L::register_count; i += V)
    arch::store_global_if<V * sizeof(T)>(p.r[i], to_words<V>(x.r + i), owner & mask.r[i]);
}

} // namespace detail

// Fragments of pointers: groups of V registers address V neighbours, aligned where that is proven.
// Otherwise contiguity, alignment and equal mask bits are tested; a thread whose test fails
// accesses its elements one by one.
template <int V = 1, alignment A = alignment::proven, class T, class L>
TESSERA_DEVICE fragment<std::remove_const_t<T>, L> load(const fragment<T *, L> &p) {
  fragment<std::remove_const_t<T>, L> x;
  if (detail::allows_groups<V, A>(p))
    detail::load_groups<V>(x, p);
  else
    detail::load_groups<1>(x, p);
  return x;
}

template <int V = 1, alignment A = alignment::proven, masks M = masks::single, class T, class L>
TESSERA_DEVICE fragment<std::remove_const_t<T>, L>
load(const fragment<T *, L> &p, const fragment<bool, L> &mask,
     const fragment<std::remove_const_t<T>, L> &pad) {
  fragment<std::remove_const_t<T>, L> x;
  if (detail::allows_groups<V, A>(p) && detail::share_bits<V, M>(mask))
    detail::load_groups<V>(x, p, mask, pad);
  else
    detail::load_groups<1>(x, p, mask, pad);
  return x;
}

template <int V = 1, alignment A = alignment::proven, masks M = masks::single, class T, class L>
TESSERA_DEVICE fragment<std::remove_const_t<T>, L>
load(const fragment<T *, L> &p, const fragment<bool, L> &mask, std::remove_const_t<T> pad) {
  return load<V, A, M>(p, mask, splat<L>(pad));
}

template <int V = 1, alignment A = alignment::proven, class T, class L>
TESSERA_DEVICE void store(const fragment<T *, L> &p, const fragment<T, L> &x) {
  arch::next_store();
  if (!L::is_owner())
    return;
  if (detail::allows_groups<V, A>(p))
    detail::store_groups<V>(p, x);
  else
    detail::store_groups<1>(p, x);
}

template <int V = 1, alignment A = alignment::proven, masks M = masks::single, class T, class L>
TESSERA_DEVICE void store(const fragment<T *, L> &p, const fragment<T, L> &x,
                          const fragment<bool, L> &mask) {
  arch::next_store();
  if (detail::allows_groups<V, A>(p) && detail::share_bits<V, M>(mask))
    detail::store_groups<V>(p, x, mask, L::is_owner());
  else
    detail::store_groups<1>(p, x, mask, L::is_owner());
}

template <class T> TESSERA_DEVICE std::remove_cv_t<T> load(T *p) { return arch::load_scalar(p); }

// A scalar store happens once per block.
template <class T> TESSERA_DEVICE void store_once(T *p, std::common_type_t<T> x) {
  arch::next_store();
  if (arch::thread_index() == 0)
    arch::store_global<sizeof(T)>(p, to_words<1>(&x));
}

// Memory for local variables that a block's threads share: the first thread receives the address,
// others 0. It is freed when no thread accesses it any more.
TESSERA_DEVICE long long block_memory(long long bytes) {
  if (arch::thread_index() != 0)
    return 0;
  return reinterpret_cast<long long>(arch::allocate(static_cast<std::size_t>(bytes)));
}
TESSERA_DEVICE void free_block_memory(long long address) {
  if (arch::thread_index() == 0)
    arch::deallocate(reinterpret_cast<void *>(address));
}

} // namespace tessera
