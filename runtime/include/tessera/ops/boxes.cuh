// Views, and a thread's share of a box of one: its first address and its distance to each end. A
// register then adds a constant times a stride and compares with a constant.
#pragma once

#include "../fragment.cuh"

namespace tessera {

enum class alignment { proven, guarded };
// What is known of a box along a dimension: nothing; it lies inside the view or outside entirely;
// it lies inside.
enum class bounds { checked, whole, inside };

// V consecutive elements along dimension Along are in V consecutive registers and make one
// instruction. Bounds: one for each dimension, or one for all.
template <int V, int Along, alignment Alignment, bounds... Bounds> struct access_by {
  static constexpr int vector = V;
  static constexpr int along = Along;
  static constexpr bool is_guarded = Alignment == alignment::guarded && V > 1;
  static constexpr bool is_checked = ((Bounds != bounds::inside) || ...);
  // The elements of a box are all inside, or all outside.
  static constexpr bool is_whole = ((Bounds != bounds::checked) && ...);

  TESSERA_CONSTEXPR static bounds bounds_along(int dim) {
    constexpr bounds each[] = {Bounds...};
    return each[sizeof...(Bounds) == 1 ? 0 : dim];
  }
};

// Array in global memory; extents and strides in elements.
template <class T, int Rank> struct view {
  T *base;
  long long extent[Rank > 0 ? Rank : 1];
  long long stride[Rank > 0 ? Rank : 1];

  // As located_box::kept_here.
  TESSERA_DEVICE view kept_here() const {
    view v = *this;
    v.base = arch::opaque(base);
    TESSERA_UNROLL
    for (int d = 0; d < Rank; ++d)
      v.extent[d] = arch::opaque(extent[d]);
    return v;
  }
};

// The start of a box, in elements. A box that starts below 0 is outside entirely.
template <int Rank> struct index {
  long long at[Rank > 0 ? Rank : 1];

  template <class... I> TESSERA_DEVICE index(I... i) : at{static_cast<long long>(i)...} {
    static_assert(sizeof...(I) == Rank, "a start has one number per dimension");
  }
};

// Can one instruction access V elements along `along`, in every box that starts at a multiple of V?
// The same answer for all threads.
template <class A, class T, int Rank> TESSERA_DEVICE bool allows_chunks(const view<T, Rank> &v) {
  constexpr int V = A::vector;
  long long multiples = 0;
  if (A::bounds_along(A::along) == bounds::checked)
    multiples |= v.extent[A::along];
  TESSERA_UNROLL
  for (int d = 0; d < Rank; ++d)
    if (d != A::along)
      multiples |= v.stride[d];
  const auto address = reinterpret_cast<unsigned long long>(v.base);
  return (address % (V * sizeof(T)) == 0) & (static_cast<unsigned long long>(multiples) % V == 0) &
         (v.stride[A::along] == 1);
}

namespace detail {

// The same for the box at `start`.
template <class A, class T, int Rank>
TESSERA_DEVICE bool allows_vectors(const view<T, Rank> &v, const index<Rank> &start) {
  return allows_chunks<A>(v) &
         (static_cast<unsigned long long>(start.at[A::along]) % A::vector == 0);
}

// From the first byte of a view to the end of its last.
template <class T, int Rank> struct span_of_view {
  unsigned long long begin, end;

  TESSERA_DEVICE explicit span_of_view(const view<T, Rank> &v) {
    const auto base = reinterpret_cast<unsigned long long>(v.base);
    begin = base;
    end = base + sizeof(T);
    TESSERA_UNROLL
    for (int d = 0; d < Rank; ++d) {
      const auto reach = static_cast<unsigned long long>(v.extent[d] - 1) *
                         static_cast<unsigned long long>(v.stride[d]) * sizeof(T);
      (v.stride[d] < 0 ? begin : end) += reach;
    }
  }

  // Are the aligned groups of Bytes that contain the chunk at `address` inside? It starts `before`
  // bytes after the first.
  template <int Bytes>
  TESSERA_DEVICE bool has_groups_of(const void *address, unsigned before) const {
    const auto group = reinterpret_cast<unsigned long long>(address) - before;
    return (group >= begin) & (group + (before == 0 ? Bytes : 2 * Bytes) <= end);
  }
};

// This thread's share of a box of shape L::shape. Elements are numbered as in the box; `element` is
// a register's part of the number.
template <class L, class A, class T, int Rank> struct located_box {
  static_assert(L::rank == Rank, "a box has the view's rank");
  using shape = typename L::shape;

  T *origin;
  int thread;
  int remaining[Rank > 0 ? Rank : 1]; // along the dimensions where the box may be cut
  long long stride[Rank > 0 ? Rank : 1];
  bool is_inside = true; // along the dimensions where the box is not cut

  TESSERA_DEVICE located_box(const view<T, Rank> &v, const index<Rank> &start, int thread)
      : thread(L::is_disjoint ? 0 : thread) {
    const int here = L::is_disjoint ? thread : 0;
    long long first = 0;
    TESSERA_UNROLL
    for (int d = 0; d < Rank; ++d) {
      const int c = shape::coordinate(d, here);
      stride[d] = v.stride[d];
      first += (start.at[d] + c) * stride[d];
      const auto begin = static_cast<unsigned long long>(start.at[d]),
                 end = static_cast<unsigned long long>(v.extent[d]);
      if (A::bounds_along(d) == bounds::whole) {
        is_inside &= begin < end;
      } else if (A::bounds_along(d) == bounds::checked) {
        constexpr unsigned long long most = 1 << 30;
        const unsigned long long left = begin < end ? end - begin : 0;
        remaining[d] = static_cast<int>(left < most ? left : most) - c;
      }
    }
    origin = v.base + first;
  }

  // The same box for a path that rarely runs. The compiler must keep the computation on that path:
  // hoisted out of the kernel's loops, the addresses and tests of single elements would occupy
  // registers and most of the compile time.
  TESSERA_DEVICE located_box kept_here() const {
    located_box box = *this;
    box.origin = arch::opaque(origin);
    TESSERA_UNROLL
    for (int d = 0; d < Rank; ++d) {
      if (d != A::along)
        box.stride[d] = arch::opaque(stride[d]);
      if (A::bounds_along(d) == bounds::checked)
        box.remaining[d] = arch::opaque(remaining[d]);
    }
    return box;
  }

  TESSERA_DEVICE T *address(int element) const {
    return origin + offset(thread ^ element, std::make_index_sequence<Rank>());
  }

  // How many bytes after an aligned group the chunk of A::vector elements starts: for those of a
  // line visibly the same.
  TESSERA_DEVICE unsigned distance(int element) const {
    auto bytes = static_cast<unsigned>(reinterpret_cast<unsigned long long>(origin));
    TESSERA_UNROLL
    for (int d = 0; d < Rank; ++d)
      if (d != A::along)
        bytes += static_cast<unsigned>(shape::coordinate(d, thread ^ element) * sizeof(T)) *
                 static_cast<unsigned>(stride[d]);
    return bytes % (A::vector * sizeof(T));
  }

  TESSERA_DEVICE bool contains(int element) const {
    return contains<-1>(thread ^ element, std::make_index_sequence<Rank>());
  }

  // The number of elements inside, of the run along A::along that starts at `element`; may exceed
  // the run's length or be below 0.
  TESSERA_DEVICE int count_inside(int element) const {
    return contains_line(element) ? count_along(element) : 0;
  }
  // The same for the line that contains the run, and whether the view has that line.
  TESSERA_DEVICE int count_along(int element) const {
    if constexpr (A::bounds_along(A::along) == bounds::checked)
      return remaining[A::along] - shape::coordinate(A::along, thread ^ element);
    else
      return A::vector;
  }
  TESSERA_DEVICE bool contains_line(int element) const {
    return contains<A::along>(thread ^ element, std::make_index_sequence<Rank>());
  }

private:
  template <std::size_t... D>
  TESSERA_DEVICE long long offset(int element, std::index_sequence<D...>) const {
    return (0LL + ... + (shape::coordinate(D, element) * stride[D]));
  }

  // Along every dimension except Without.
  template <int Without, std::size_t... D>
  TESSERA_DEVICE bool contains(int element, std::index_sequence<D...>) const {
    return (is_inside & ... &
            (static_cast<int>(D) == Without || A::bounds_along(D) != bounds::checked ||
             shape::coordinate(D, element) < remaining[D]));
  }
};

} // namespace detail

} // namespace tessera
