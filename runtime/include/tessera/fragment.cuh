// A thread's share of a tile: one register per element, in the order of the layout. No arithmetic.
#pragma once

#include "layout.cuh"

namespace tessera {

template <class T, class Layout> struct fragment {
  using element_type = T;
  using layout = Layout;
  static constexpr int count = Layout::register_count;

  T r[count];
};

// N consecutive elements as the registers of one access, and back.
template <int N, class T> TESSERA_DEVICE words<N * sizeof(T)> to_words(const T *r) {
  words<N * sizeof(T)> v{};
  memcpy(v.w, r, N * sizeof(T));
  return v;
}

// Any byte other than 0 is true.
template <int N, class T> TESSERA_DEVICE void from_words(T *r, words<N * sizeof(T)> v) {
  if constexpr (std::is_same_v<T, bool>) {
    TESSERA_UNROLL
    for (int i = 0; i < N; ++i)
      r[i] = ((v.w[i / 4] >> (i % 4 * 8)) & 0xff) != 0;
  } else {
    memcpy(r, v.w, N * sizeof(T));
  }
}

template <class L, class T> TESSERA_DEVICE fragment<T, L> splat(T x) {
  fragment<T, L> y;
  TESSERA_UNROLL
  for (int i = 0; i < L::register_count; ++i)
    y.r[i] = x;
  return y;
}

// Every element is its own row-major index.
template <class T, class L> TESSERA_DEVICE fragment<T, L> iota() {
  fragment<T, L> y;
  const int base = L::thread_element();
  TESSERA_UNROLL
  for (int i = 0; i < L::register_count; ++i)
    y.r[i] = static_cast<T>(L::is_disjoint ? base + L::element(i) : base ^ L::element(i));
  return y;
}

// The same registers under another layout: reshape, transpose, permute.
template <class L, class T, class From>
TESSERA_DEVICE fragment<T, L> relabel(const fragment<T, From> &x) {
  static_assert(L::register_count == From::register_count && L::size == From::size,
                "relabel moves nothing");
  fragment<T, L> y;
  TESSERA_UNROLL
  for (int i = 0; i < L::register_count; ++i)
    y.r[i] = x.r[i];
  return y;
}

// The element of a one-element tile, which every thread holds.
template <class T, class L> TESSERA_DEVICE T scalar(const fragment<T, L> &x) {
  static_assert(L::size == 1, "scalar takes a tile of one element");
  return x.r[0];
}

} // namespace tessera
