// Changes of shape and layout that move registers and nothing else.
#pragma once

#include "../fragment.cuh"

namespace tessera {

// Repeats x along its dimensions of extent 1. x's layout is L with those dimensions' bits set to 0,
// without the registers that became copies.
template <class L, class T, class From>
TESSERA_DEVICE fragment<T, L> broadcast(const fragment<T, From> &x) {
  fragment<T, L> y;
  TESSERA_UNROLL
  for (int i = 0; i < L::register_count; ++i)
    y.r[i] =
        x.r[From::register_of(element_at<typename From::shape, typename L::shape>(L::element(i)))];
  return y;
}

// The same elements in another layout of the same thread's own registers. Where the layouts'
// threads differ, From's registers hold what the thread lacks: for a register bit of From that is
// another thread bit in L, the thread selects registers.
template <class L, class T, class From>
TESSERA_DEVICE fragment<T, L> convert(const fragment<T, From> &x) {
  static_assert(L::size == From::size, "the same elements");
  fragment<T, From> moved = x;
  if constexpr (!std::is_same_v<typename L::thread_map, typename From::thread_map>) {
    const int wanted = L::thread_element() ^ From::thread_element();
    TESSERA_UNROLL
    for (int bit = 1; bit < From::register_count; bit *= 2) {
      const bool swap = (wanted & From::element(bit)) != 0;
      TESSERA_UNROLL
      for (int i = 0; i < From::register_count; ++i) {
        if ((i & bit) == 0) {
          const T low = moved.r[i], high = moved.r[i | bit];
          moved.r[i] = swap ? high : low;
          moved.r[i | bit] = swap ? low : high;
        }
      }
    }
  }
  fragment<T, L> y;
  TESSERA_UNROLL
  for (int i = 0; i < L::register_count; ++i)
    y.r[i] = moved.r[From::register_of(L::element(i))];
  return y;
}

// The part of x whose index bits Mask have the value Value; the index within the part consists of
// the remaining bits, compacted. Mask's bits are register bits.
template <class L, int Mask, int Value, class T, class From>
TESSERA_DEVICE fragment<T, L> part(const fragment<T, From> &x) {
  constexpr unsigned rest = ~static_cast<unsigned>(Mask) & (From::size - 1);
  fragment<T, L> y;
  TESSERA_UNROLL
  for (int i = 0; i < L::register_count; ++i)
    y.r[i] = x.r[From::register_of(deposit<rest>(L::element(i)) | Value)];
  return y;
}

// The elements of x, then those of y, which the last register bit of L tells apart.
template <class L, class T, class From>
TESSERA_DEVICE fragment<T, L> join(const fragment<T, From> &x, const fragment<T, From> &y) {
  static_assert(L::register_count == 2 * From::register_count, "two parts of equal layouts");
  fragment<T, L> z;
  TESSERA_UNROLL
  for (int i = 0; i < From::register_count; ++i) {
    z.r[i] = x.r[i];
    z.r[From::register_count + i] = y.r[i];
  }
  return z;
}

} // namespace tessera
