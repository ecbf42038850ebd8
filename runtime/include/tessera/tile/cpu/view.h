// Views: loads and stores of a box of a strided tensor.
//
// The part inside the tensor is always a box at the origin of the tile, so bounds are one count per
// dimension and rows are copied whole. Two loops do all the work: over rows if the last dimension
// is contiguous in memory, over planes in small squares if the last but one is.
#pragma once

#include "../../host/block.h"
#include "memory.h"
#include "shape.h"

namespace cuda::tiles::__prim {
namespace cpu {

// The address of a tile of type T: the first element's offset, the strides, and the number of
// elements inside along each dimension.
template <class T> struct view_box {
  static constexpr int dimensions = rank<T> > 0 ? rank<T> : 1;
  unsigned long long offset = 0;
  unsigned long long strides[dimensions] = {};
  unsigned long long inside[dimensions] = {1};
  bool full = true, empty = false;

  // Elements outside are skipped in unmasked accesses, too: these promise that there are none, and
  // programs rely on a false promise being harmless.
  template <class... I> static view_box make(I... extents_strides_starts) {
    static_assert(sizeof...(I) == 3 * rank<T>);
    const unsigned long long given[] = {static_cast<unsigned long long>(extents_strides_starts)...,
                                        0};
    view_box box;
    for (int d = 0; d < rank<T>; d++) {
      const unsigned long long size = given[d], start = given[2 * rank<T> + d],
                               wanted = extent<T>(d);
      box.strides[d] = given[rank<T> + d];
      box.offset += start * box.strides[d];
      box.inside[d] = start >= size ? 0 : size - start < wanted ? size - start : wanted;
      box.full = box.full && box.inside[d] == wanted;
      box.empty = box.empty || box.inside[d] == 0;
    }
    return box;
  }
};

// Calls copy(in memory, in the tile, count, stride in memory, stride in the tile) for pieces of
// rows that cover the plane of the last two dimensions. If columns are contiguous in memory and
// rows are not, the plane is walked in squares whose lines all stay in the cache.
template <class T, class Copy> void for_plane(const view_box<T> &box, unsigned long long memory,
                                              unsigned long long tile, Copy copy) {
  constexpr int row = rank<T> - 2, column = rank<T> - 1;
  constexpr unsigned long long width = extent<T>(column);
  const unsigned long long rows = box.inside[row], columns = box.inside[column];
  const unsigned long long square =
      box.strides[column] == 1 || box.strides[row] != 1 ? (columns > rows ? columns : rows) : 16;
  for (unsigned long long i0 = 0; i0 < rows; i0 += square)
    for (unsigned long long j0 = 0; j0 < columns; j0 += square)
      for (unsigned long long i = i0; i < rows && i < i0 + square; i++)
        copy(memory + i * box.strides[row] + j0 * box.strides[column], tile + i * width + j0,
             columns - j0 < square ? columns - j0 : square, box.strides[column]);
}

template <class T, int D = 0, class Copy> void
for_pieces(const view_box<T> &box, unsigned long long memory, unsigned long long tile, Copy copy) {
  if constexpr (rank<T> == 0)
    copy(memory, tile, 1, 1);
  else if constexpr (rank<T> == 1)
    copy(memory, tile, box.inside[0], box.strides[0]);
  else if constexpr (D == rank<T> - 2)
    for_plane<T>(box, memory, tile, copy);
  else
    for (unsigned long long i = 0; i < box.inside[D]; i++)
      for_pieces<T, D + 1>(box, memory + i * box.strides[D],
                           tile + i * extent_product<T>(D + 1, rank<T>), copy);
}

template <bool Writes>
void prefetch(unsigned long long address, unsigned long long from, unsigned long long to) {
  for (unsigned long long at = from; at < to; at += 64)
    __builtin_prefetch(reinterpret_cast<const char *>(address + at), Writes);
}

// A tile is copied as a whole, without other work in between. So each access would begin with a
// wait, until the processor's own prefetches run. This prefetches the first part of the row where
// this access of the thread's next block will be, if that is as far from here as here is from the
// block before; and the second part of the access that follows.
template <class T, bool Writes, class L>
void prefetch_next(const view_box<T> &box, const L *memory) {
  constexpr int column = view_box<T>::dimensions - 1;
  constexpr unsigned long long row = rank<T> > 0 ? extent<T>(column) * sizeof(L) : 0, part = 2048;
  if constexpr (row >= part / 2) {
    auto &trail = tessera::host::current_trail;
    if (trail.made == trail.most || box.strides[column] != 1)
      return;
    unsigned long long &last = trail.addresses[trail.made++];
    const auto here = reinterpret_cast<unsigned long long>(memory + box.offset), step = here - last;
    last = here;
    if (step == 0)
      return;
    prefetch<Writes>(here + step, 0, row < part ? row : part);
    // The last access is followed by the first one of the next block.
    const unsigned following = trail.made < trail.made_before ? trail.made : 0;
    prefetch<false>(trail.addresses[following] + step, part, row < 2 * part ? row : 2 * part);
  }
}

template <class E, view_padding Pad> typename element<E>::lane padding() {
  using lane = typename element<E>::lane;
  if constexpr (Pad == view_padding::zero || ::std::is_integral_v<value_of<E>>)
    return lane{};
  else if constexpr (::std::is_same_v<E, __nv_fp8_e5m2> && Pad == view_padding::positive_inf)
    return lane(0x7c); // conversions give the largest number instead
  else if constexpr (::std::is_same_v<E, __nv_fp8_e5m2> && Pad == view_padding::negative_inf)
    return lane(0xfc);
  else {
    using limits = ::std::numeric_limits<value_of<E>>;
    return element<E>::write(Pad == view_padding::negative_zero  ? -value_of<E>(0)
                             : Pad == view_padding::positive_inf ? limits::infinity()
                             : Pad == view_padding::negative_inf ? -limits::infinity()
                                                                 : limits::quiet_NaN());
  }
}

} // namespace cpu

template <class R, class E, view_padding Pad, bool Masked, class Extents, class Strides, class... I>
inline lanes<R> view_load(const E *base, I... extents_strides_starts) {
  using lane = lane_t<R>;
  const auto box = cpu::view_box<R>::make(extents_strides_starts...);
  cpu::check_box<R, Masked>("load of {result:a tile} from {object:memory}", box.full, box.empty,
                            extents_strides_starts...);
  const auto *memory = reinterpret_cast<const typename cpu::aliasing<lane>::type *>(base);
  lanes<R> r;
  if (!box.full)
    for (auto &x : r.v)
      x = cpu::padding<E, Pad>();
  if (box.empty)
    return r;
  cpu::for_pieces<R>(box, box.offset, 0,
                     [&](unsigned long long from, unsigned long long to, unsigned long long n,
                         unsigned long long stride) {
                       if (stride == 1 && !::std::is_same_v<E, bool>)
                         ::std::memcpy(r.v + to, memory + from, n * sizeof(lane));
                       else
                         for (unsigned long long i = 0; i < n; i++)
                           r.v[to + i] = cpu::canonical<E>(lane(memory[from + i * stride]));
                     });
  cpu::prefetch_next<R, false>(box, memory);
  return r;
}

template <class A, class E, bool Masked, class Extents, class Strides, class... I>
inline void view_store(lanes_arg<A> x, E *base, I... extents_strides_starts) {
  using lane = lane_t<A>;
  const auto box = cpu::view_box<A>::make(extents_strides_starts...);
  cpu::check_box<A, Masked>("store of {value:a tile} to {object:memory}", box.full, box.empty,
                            extents_strides_starts...);
  if (box.empty)
    return;
  auto *memory = reinterpret_cast<typename cpu::aliasing<lane>::type *>(base);
  cpu::for_pieces<A>(box, box.offset, 0,
                     [&](unsigned long long to, unsigned long long from, unsigned long long n,
                         unsigned long long stride) {
                       if (stride == 1)
                         ::std::memcpy(memory + to, x.v + from, n * sizeof(lane));
                       else
                         for (unsigned long long i = 0; i < n; i++)
                           memory[to + i * stride] = x.v[from + i];
                     });
  cpu::prefetch_next<A, true>(box, memory);
}

} // namespace cuda::tiles::__prim
