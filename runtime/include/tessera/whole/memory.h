// Loads and stores of whole tiles, through pointers and through views. Elements outside of a view
// are not accessed.
#pragma once

#include "../ops/global_memory.cuh"
#include "../ops/print.cuh"
#include "tile.h"

namespace tessera {

template <class T, class S> fragment<T, whole<S>> load(const fragment<T *, whole<S>> &p) {
  using namespace detail;
  return from_lanes<T, T, S>(
      [&] { return prim::load<tile_of<T, S>, tile_of<T *, S>>(as_lanes<T *>(p)); });
}

template <class T, class S>
fragment<T, whole<S>> load(const fragment<T *, whole<S>> &p, const fragment<bool, whole<S>> &mask,
                           const fragment<std::remove_const_t<T>, whole<S>> &padding) {
  using namespace detail;
  return from_lanes<T, T, S>([&] {
    return prim::load_masked<tile_of<T, S>, tile_of<T *, S>, tile_of<bool, S>>(
        as_lanes<T *>(p), as_lanes<bool>(mask), as_lanes<T>(padding));
  });
}

template <class T, class S>
void store(const fragment<T *, whole<S>> &p, const fragment<T, whole<S>> &x) {
  using namespace detail;
  prim::store<tile_of<T *, S>, tile_of<T, S>>(as_lanes<T *>(p), as_lanes<T>(x));
}

template <class T, class S> void store(const fragment<T *, whole<S>> &p,
                                       const fragment<T, whole<S>> &x,
                                       const fragment<bool, whole<S>> &mask) {
  using namespace detail;
  prim::store_masked<tile_of<T *, S>, tile_of<T, S>, tile_of<bool, S>>(
      as_lanes<T *>(p), as_lanes<T>(x), as_lanes<bool>(mask));
}

namespace detail {

template <class Tile, class T, int Rank, std::size_t... I>
auto view_box_of(const view<T, Rank> &v, const index<Rank> &start, std::index_sequence<I...>) {
  return prim::cpu::view_box<Tile>::make(static_cast<unsigned long long>(v.extent[I])...,
                                         static_cast<unsigned long long>(v.stride[I])...,
                                         static_cast<unsigned long long>(start.at[I])...);
}

template <class T> using lane_in_memory =
    typename prim::cpu::aliasing<prim::lane_t<tile_of<T, shape<>>>>::type;

} // namespace detail

template <class L, class T, int Rank> fragment<std::remove_const_t<T>, L>
load(const view<T, Rank> &v, index<Rank> start, std::remove_const_t<T> padding = {}) {
  using namespace detail;
  using E = std::remove_const_t<T>;
  using tile = tile_of<E, typename L::shape>;
  fragment<E, L> x;
  const auto box = view_box_of<tile>(v, start, std::make_index_sequence<Rank>());
  if (!box.full)
    for (E &element : x.r)
      element = padding;
  if (box.empty)
    return x;
  auto *to = reinterpret_cast<prim::lane_t<tile> *>(x.r);
  const auto *memory = reinterpret_cast<const lane_in_memory<E> *>(v.base);
  prim::cpu::for_pieces<tile>(box, box.offset, 0,
                              [&](unsigned long long from, unsigned long long first,
                                  unsigned long long n, unsigned long long stride) {
                                if (stride == 1 && !std::is_same_v<E, bool>)
                                  std::memcpy(to + first, memory + from, n * sizeof(E));
                                else
                                  for (unsigned long long i = 0; i < n; ++i)
                                    to[first + i] = prim::cpu::canonical<E>(
                                        prim::lane_t<tile>(memory[from + i * stride]));
                              });
  prim::cpu::prefetch_next<tile, false>(box, memory);
  return x;
}

template <class T, int Rank, class S>
void store(const view<T, Rank> &v, index<Rank> start, const fragment<T, whole<S>> &x) {
  using namespace detail;
  using tile = tile_of<T, S>;
  const auto box = view_box_of<tile>(v, start, std::make_index_sequence<Rank>());
  if (box.empty)
    return;
  const auto *from = reinterpret_cast<const prim::lane_t<tile> *>(x.r);
  auto *memory = reinterpret_cast<lane_in_memory<T> *>(v.base);
  prim::cpu::for_pieces<tile>(box, box.offset, 0,
                              [&](unsigned long long to, unsigned long long first,
                                  unsigned long long n, unsigned long long stride) {
                                if (stride == 1)
                                  std::memcpy(memory + to, from + first, n * sizeof(T));
                                else
                                  for (unsigned long long i = 0; i < n; ++i)
                                    memory[to + i * stride] = from[first + i];
                              });
  prim::cpu::prefetch_next<tile, true>(box, memory);
}

// Within a message, as print.cuh has it.
template <class T, class S> void print_tile(const char *format, const fragment<T, whole<S>> &x) {
  for (int i = 0; i < S::size; ++i) {
    if (i)
      arch::print(", ");
    for (int d = 0; d < S::rank; ++d)
      if (i % (S::stride(d) * S::extent(d)) == 0)
        arch::print("[");
    arch::print(format, x.r[i]);
    for (int d = 0; d < S::rank; ++d)
      if ((i + 1) % (S::stride(d) * S::extent(d)) == 0)
        arch::print("]");
  }
}

} // namespace tessera
