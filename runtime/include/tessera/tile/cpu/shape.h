// Scalars in and out, and operations that only move elements: reshape, broadcast, permute, cat,
// extract, insert.
//
// Tiles are row-major. A move walks over the result's rows (its last dimension) with one offset and
// one stride into the source.
#pragma once

#include "elementwise.h"

#include <array>
#include <utility>

namespace cuda::tiles::__prim {
namespace cpu {

template <class T> inline constexpr int rank = int(T::shape_type::rank());
template <class T> constexpr long long extent(int d) {
  return static_cast<long long>(T::shape_type::static_extent(d));
}

// The product of the extents in [first, last).
template <class T> constexpr long long extent_product(int first, int last) {
  long long n = 1;
  for (int d = first; d < last; d++)
    n *= extent<T>(d);
  return n;
}

template <class T> constexpr ::std::array<long long, rank<T> + 1> row_major_strides() {
  ::std::array<long long, rank<T> + 1> s{};
  for (int d = 0; d < rank<T>; d++)
    s[d] = extent_product<T>(d + 1, rank<T>);
  return s;
}

// Calls row(destination, source) for every row of a box of the shape of T, walking offsets with the
// given strides on both sides.
template <class T, int D = 0, class S, class Row>
void for_rows(const S &to, const S &from, long long destination, long long source, Row row) {
  if constexpr (D + 1 >= rank<T>)
    row(destination, source);
  else
    for (long long i = 0; i < extent<T>(D); i++)
      for_rows<T, D + 1>(to, from, destination + i * to[D], source + i * from[D], row);
}

// Copies a box of the shape of T between two row-major arrays, given by strides per dimension.
template <class T, class L, class S>
void copy_box(L *to, const S &to_strides, const L *from, const S &from_strides) {
  constexpr int last = rank<T> > 0 ? rank<T> - 1 : 0;
  constexpr long long n = rank<T> > 0 ? extent_product<T>(last, rank<T>) : 1;
  const long long to_step = rank<T> > 0 ? to_strides[last] : 1,
                  from_step = rank<T> > 0 ? from_strides[last] : 1;
  for_rows<T>(to_strides, from_strides, 0, 0, [&](long long d, long long s) {
    if (to_step == 1 && from_step == 1)
      ::std::memcpy(to + d, from + s, n * sizeof(L));
    else
      for (long long i = 0; i < n; i++)
        to[d + i * to_step] = from[s + i * from_step];
  });
}

// The offset of the part with index index[d] along every dimension d: of shape Part inside the
// shape Whole.
template <class Whole, class Part, class... I> long long part_offset(I... index) {
  const unsigned at[] = {unsigned(index)..., 0u};
  constexpr auto strides = row_major_strides<Whole>();
  long long offset = 0;
  for (int d = 0; d < rank<Whole>; d++)
    offset += at[d] % (extent<Whole>(d) / extent<Part>(d)) * extent<Part>(d) * strides[d];
  return offset;
}

// Source strides of a broadcast: right-aligned, 0 where a dimension repeats.
template <class R, class A> constexpr ::std::array<long long, rank<R> + 1> broadcast_strides() {
  ::std::array<long long, rank<R> + 1> s{};
  constexpr auto own = row_major_strides<A>();
  for (int d = 0; d < rank<A>; d++)
    s[rank<R> - rank<A> + d] = extent<A>(d) == 1 ? 0 : own[d];
  return s;
}

template <class R, class A, long long... Map>
constexpr ::std::array<long long, rank<R> + 1> permuted_strides(dims<Map...>) {
  constexpr auto own = row_major_strides<A>();
  return {own[Map]..., 0};
}

} // namespace cpu

template <class R> inline lanes<R> splat(lane_t<R> x) {
  lanes<R> r;
  for (auto &lane : r.v)
    lane = x;
  return r;
}

template <class A> inline lane_t<A> scalar(lanes_arg<A> x) { return x.v[0]; }

template <class R> inline lanes<R> iota() {
  lanes<R> r;
#pragma omp simd
  for (unsigned long long i = 0; i < cpu::count<R>; i++)
    r.v[i] = lane_t<R>(i);
  return r;
}

template <class R, class A> inline lanes<R> reshape(lanes_arg<A> x) {
  lanes<R> r;
  ::std::memcpy(r.v, x.v, sizeof r.v);
  return r;
}

template <class R, class A> inline lanes<R> broadcast(lanes_arg<A> x) {
  if constexpr (cpu::count<A> == 1) {
    return splat<R>(x.v[0]);
  } else {
    lanes<R> r;
    cpu::copy_box<R>(r.v, cpu::row_major_strides<R>(), x.v, cpu::broadcast_strides<R, A>());
    return r;
  }
}

template <class R, class A, class Map> inline lanes<R> permute(lanes_arg<A> x) {
  lanes<R> r;
  cpu::copy_box<R>(r.v, cpu::row_major_strides<R>(), x.v, cpu::permuted_strides<R, A>(Map()));
  return r;
}

template <class R, class A, int Dim> inline lanes<R> cat(lanes_arg<A> x, lanes_arg<A> y) {
  constexpr auto n = cpu::extent_product<A>(Dim, cpu::rank<A>);
  lanes<R> r;
  for (long long outer = 0; outer < cpu::extent_product<A>(0, Dim); outer++) {
    ::std::memcpy(r.v + 2 * outer * n, x.v + outer * n, n * sizeof(lane_t<A>));
    ::std::memcpy(r.v + (2 * outer + 1) * n, y.v + outer * n, n * sizeof(lane_t<A>));
  }
  return r;
}

template <class R, class A, class... I> inline lanes<R> extract(lanes_arg<A> x, I... index) {
  cpu::check_index<A, R>("extract of {result:a part} from {object:a tile}", index...);
  lanes<R> r;
  cpu::copy_box<R>(r.v, cpu::row_major_strides<R>(), x.v + cpu::part_offset<A, R>(index...),
                   cpu::row_major_strides<A>());
  return r;
}

template <class A, class B, class... I>
inline lanes<A> insert(lanes_arg<A> x, lanes_arg<B> part, I... index) {
  cpu::check_index<A, B>("insert of {value:a part} into {object:a tile}", index...);
  lanes<A> r = x;
  cpu::copy_box<B>(r.v + cpu::part_offset<A, B>(index...), cpu::row_major_strides<A>(), part.v,
                   cpu::row_major_strides<B>());
  return r;
}

} // namespace cuda::tiles::__prim
