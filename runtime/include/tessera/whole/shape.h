// Changes of shape: whole tiles move in memory.
#pragma once

#include "../ops/shape.cuh"
#include "tile.h"

namespace tessera {

template <class L, class T, class S> fragment<T, L> broadcast(const fragment<T, whole<S>> &x) {
  using namespace detail;
  using R = typename L::shape;
  return from_lanes<T, T, R>(
      [&] { return prim::broadcast<tile_of<T, R>, tile_of<T, S>>(as_lanes<T>(x)); });
}

// Dimension k of the result is dimension Map[k] of x.
template <class L, int... Map, class T, class S>
fragment<T, L> permute(const fragment<T, whole<S>> &x) {
  using namespace detail;
  using R = typename L::shape;
  return from_lanes<T, T, R>([&] {
    return prim::permute<tile_of<T, R>, tile_of<T, S>, prim::dims<Map...>>(as_lanes<T>(x));
  });
}

// x, then y, along dimension Dim.
template <class L, int Dim, class T, class S>
fragment<T, L> cat(const fragment<T, whole<S>> &x, const fragment<T, whole<S>> &y) {
  using namespace detail;
  using R = typename L::shape;
  return from_lanes<T, T, R>(
      [&] { return prim::cat<tile_of<T, R>, tile_of<T, S>, Dim>(as_lanes<T>(x), as_lanes<T>(y)); });
}

// The part of x at an index, in units of the part's shape.
template <class L, class T, class S, class... I>
fragment<T, L> extract(const fragment<T, whole<S>> &x, I... index) {
  using namespace detail;
  using R = typename L::shape;
  return from_lanes<T, T, R>([&] {
    return prim::extract<tile_of<T, R>, tile_of<T, S>>(as_lanes<T>(x),
                                                       static_cast<unsigned>(index)...);
  });
}

// x with the part at an index replaced.
template <class T, class S, class P, class... I> fragment<T, whole<S>>
insert(const fragment<T, whole<S>> &x, const fragment<T, whole<P>> &part, I... index) {
  using namespace detail;
  return from_lanes<T, T, S>([&] {
    return prim::insert<tile_of<T, S>, tile_of<T, P>>(as_lanes<T>(x), as_lanes<T>(part),
                                                      static_cast<unsigned>(index)...);
  });
}

} // namespace tessera
