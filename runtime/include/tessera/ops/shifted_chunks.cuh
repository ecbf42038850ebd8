// Chunks of neighbours in global memory that do not begin at a multiple of their size: registers
// that are read and written by aligned groups of that size. A chunk that starts s bytes after such
// a group has its first bytes there, and s bytes in the next:
//
//   memory    ..AAAAAA AABBBBBB BBCCCCCC CC......       s = 2 of 8 bytes, the chunks of three lanes
//   reads     a lane reads both groups that contain its chunk, and joins them
//   writes    a lane takes s bytes from the lane on its left and writes the group in which its chunk
//             starts; the first lane has the last lane on its left, and writes the bytes of both by
//             accesses of 8, 4, 2 bytes and 1
//
// Groups that a lane reads may contain bytes that the program does not read; the caller says which
// groups it may read. A lane writes no other bytes than the program does.
#pragma once

#include "../fragment.cuh"

namespace tessera::detail {

// All bits of a mask, if a bit of `bytes` is set. Compilers cannot see that there are two: of
// selects by one condition Clang makes branches, and moves all words from one to the other.
template <unsigned Bit> TESSERA_DEVICE unsigned mask_of(unsigned bytes) {
  return arch::unknown((bytes & Bit) != 0 ? ~0u : 0u);
}

TESSERA_DEVICE unsigned either(unsigned mask, unsigned x, unsigned y) {
  return (x & mask) | (y & ~mask);
}

// Moves the words of two chunks towards the first, by the words that so many bytes are.
template <int Element, int Bytes> TESSERA_DEVICE void move_words(unsigned *w, unsigned bytes) {
  constexpr int count = Bytes / 4;
  if constexpr (Bytes > 8) {
    const unsigned moves = mask_of<8>(bytes);
    TESSERA_UNROLL
    for (int i = 0; i < count + 2; ++i)
      w[i] = either(moves, w[i + 2], w[i]);
  }
  if constexpr (Bytes > 4 && Element <= 4) {
    const unsigned moves = mask_of<4>(bytes);
    TESSERA_UNROLL
    for (int i = 0; i <= count; ++i)
      w[i] = either(moves, w[i + 1], w[i]);
  }
}

// The chunk, of elements of so many bytes.
template <int Element, int Bytes> TESSERA_DEVICE words<Bytes> join(const split_chunk<Bytes> &x) {
  constexpr int count = Bytes / 4;
  unsigned w[2 * count];
  TESSERA_UNROLL
  for (int i = 0; i < count; ++i) {
    w[i] = x.low.w[i];
    w[i + count] = x.high.w[i];
  }
  move_words<Element, Bytes>(w, x.before);
  words<Bytes> result;
  TESSERA_UNROLL
  for (int i = 0; i < count; ++i)
    result.w[i] = Element < 4 ? arch::funnel_down(w[i], w[i + 1], x.before * 8) : w[i];
  return result;
}

// The group in which a chunk starts after s bytes: the last s bytes of the chunk on its left, and
// its own first.
template <int Element, int Bytes>
TESSERA_DEVICE words<Bytes> join(const words<Bytes> &left, const words<Bytes> &own, unsigned s) {
  constexpr int count = Bytes / 4;
  // From the last word to the first.
  unsigned w[2 * count];
  TESSERA_UNROLL
  for (int i = 0; i < count; ++i) {
    w[i] = own.w[count - 1 - i];
    w[i + count] = left.w[count - 1 - i];
  }
  move_words<Element, Bytes>(w, s);
  words<Bytes> group;
  TESSERA_UNROLL
  for (int i = 0; i < count; ++i)
    group.w[count - 1 - i] = Element < 4 ? arch::funnel_up(w[i + 1], w[i], s * 8) : w[i];
  return group;
}

// Stores the bytes of x from s on at `to`, and those in front at `to` + Distance. x is halved, and
// the half that s leaves whole is stored; `at` is where x begins.
template <int Element, int Distance, int Bytes> TESSERA_DEVICE void
store_halves(char *to, const words<Bytes> &x, unsigned s, bool inside, int at = 0) {
  if constexpr (Bytes == Element) {
    arch::store_global_if<Bytes>(to + at, x, inside);
  } else {
    constexpr int half = Bytes / 2;
    const bool is_first = (s & half) != 0;
    const unsigned selects = mask_of<half>(s);
    words<half> whole, rest;
    TESSERA_UNROLL
    for (int i = 0; i < (half + 3) / 4; ++i) {
      const unsigned first = x.w[i], second = half < 4 ? x.w[0] >> half * 8 : x.w[i + half / 4];
      whole.w[i] = either(selects, first, second);
      rest.w[i] = either(selects, second, first);
    }
    arch::store_global_if<half>(to + (at + (is_first ? Distance : half)), whole, inside);
    store_halves<Element, Distance>(to, rest, s, inside, at + (is_first ? half : 0));
  }
}

// The lanes of a warp that hold consecutive chunks of V elements along a dimension: those that
// differ in the bits `mask` only, in the order of their numbers.
template <class L, int V, int Along> struct lane_run {
  TESSERA_CONSTEXPR static unsigned find_mask() {
    unsigned mask = 0, elements = 0, others = static_cast<unsigned>(L::warp_map::reach);
    int next = V * L::shape::stride(Along);
    for (int i = 0; i < 5; ++i) {
      const int basis = L::lane_map::basis(i);
      if (basis == next && next < L::shape::extent(Along) * L::shape::stride(Along)) {
        mask |= 1u << i;
        elements |= static_cast<unsigned>(basis);
        next *= 2;
      } else {
        others |= static_cast<unsigned>(basis);
      }
    }
    return L::is_disjoint && (elements & others) == 0 ? mask : 0;
  }
  static constexpr unsigned mask = find_mask();
  static constexpr int length = 1 << count_bits(mask);

  TESSERA_DEVICE static unsigned lane() { return static_cast<unsigned>(arch::lane_index()); }
  TESSERA_DEVICE static bool is_first() { return (lane() & mask) == 0; }
  // How many lanes of the run there are from this one on.
  TESSERA_DEVICE static int rest() { return length - extract<mask>(static_cast<int>(lane())); }
  // The lane on the left, of the first the last.
  TESSERA_DEVICE static int left() {
    return static_cast<int>((((lane() & mask) - 1) & mask) | (lane() & ~mask));
  }
};

// Stores the groups of a run: each lane that in which its chunk starts, `before` bytes behind its
// begin, if the chunk and the one on its left are whole; the first lane, if all of them are, the
// ends of the run. All lanes take part.
template <class Run, int Element, int Bytes>
TESSERA_DEVICE void store_groups(char *address, unsigned before, const words<Bytes> &x,
                                 bool is_whole, bool is_complete) {
  // The first element of the chunk on the left is never in this group.
  const words<Bytes> left = arch::shuffle_words<Element / 4>(x, Run::left());
  // Else what depends on it stays in registers from chunk to chunk: 16 floats of a softmax took 56
  // registers in place of 48, 16 bf16 40 in place of 44.
  if constexpr (Element >= 4)
    before = arch::opaque(before);
  const words<Bytes> group = join<Element>(left, x, before);
  char *to = address - before;
  arch::store_global_if<Bytes>(to, group, is_whole & ((before == 0) | !Run::is_first()));
  store_halves<Element, Run::length * Bytes>(to, group, before,
                                             is_complete & (before != 0) & Run::is_first());
}

} // namespace tessera::detail
