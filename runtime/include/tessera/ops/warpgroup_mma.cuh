// Matrix multiply of a warpgroup (wgmma, sm_90a): the accumulator in registers, both operands in
// shared memory, started and waited for.
//
// A tile whose last extent has more than 128 bytes is stored in panels: all rows of the first 128
// bytes, then all rows of the next. Within a panel, the eight chunks of 16 bytes of a row are
// swizzled by the row's number, as the instruction expects. Shorter rows, of 64 or 32 bytes, follow
// one another; their chunks are swizzled by the number of the row's 128 bytes.
//
// A warp has 16 rows of a warpgroup's 64; a thread's share of them consists of the same atoms as
// for the multiply of a warp (mma.cuh), the columns first.
#pragma once

#include "../arch/warpgroup.cuh"
#include "mma.cuh"

namespace tessera {

// The swizzle of a tile of T, with rows of 1 << LogColumns elements and 1 << LogRows of them, that
// wgmma reads.
template <class T, int LogRows, int LogColumns> struct panels {
  static constexpr int log_line = 7 - tessera::log2(static_cast<unsigned>(sizeof(T)));
  static constexpr int log_width = LogColumns < log_line ? LogColumns : log_line;
  static constexpr int bytes = static_cast<int>(sizeof(T)) << log_width; // of a panel's row
  static_assert(bytes >= 32 && LogRows >= 3, "a panel has rows of 32 bytes or more, in eights");
  static constexpr int block = 16 / static_cast<int>(sizeof(T)), chunks = bytes / 16;

  TESSERA_CONSTEXPR static int apply(int i) {
    const int row = (i >> LogColumns) & ((1 << LogRows) - 1), column = i & ((1 << LogColumns) - 1);
    const int panel = column >> log_width, within = column & ((1 << log_width) - 1);
    const int offset = ((panel << LogRows | row) << log_width) | within;
    return offset ^ (((offset >> log_line) & (chunks - 1)) * block);
  }
};

namespace detail {

// An operand; ByK if its rows run along k, so that it is m x k or n x k in memory.
template <class Tile, bool ByK> struct warpgroup_operand {
  using T = typename Tile::element_type;
  using shape = typename Tile::shape;
  static constexpr int row_bytes = Tile::swizzle::bytes, group_bytes = 8 * row_bytes;
  static constexpr int panel_bytes = shape::extent(0) * row_bytes;
  static constexpr int panel_elements = row_bytes / static_cast<int>(sizeof(T));
  static constexpr int k_extent = shape::extent(ByK ? 1 : 0);
  static_assert(ByK || row_bytes == 128, "across k rows have 128 bytes");

  // The byte offset in the tile of `outer` (a multiple of 64 or a whole panel) and k. The first row
  // of a group of eight is not swizzled. The offset from its start is added, since the hardware
  // swizzles by address bits.
  TESSERA_CONSTEXPR static int offset_of(int outer, int k) {
    if constexpr (ByK)
      return Tile::offset(outer * shape::extent(1) + (k & ~(panel_elements - 1))) +
             (k & (panel_elements - 1)) * static_cast<int>(sizeof(T));
    else
      return Tile::offset(k * shape::extent(1) + outer);
  }

  // The descriptor of the operand at `outer`, which a warpgroup's number decides.
  TESSERA_DEVICE static unsigned long long begin(const Tile &tile, int outer) {
    return arch::operand_at(tile.pointer, offset_of(outer, 0), row_bytes, group_bytes, panel_bytes);
  }
  // The descriptor at constants further on, whose bits `outer` of its beginning does not have: one
  // addition, where another descriptor would be computed in a dozen instructions.
  TESSERA_DEVICE static unsigned long long at(unsigned long long begin, int outer, int k) {
    return arch::operand_beyond(begin, offset_of(outer, k));
  }
};

template <class T> struct warpgroup_traits;
template <class T, class S, class W> struct warpgroup_traits<shared_tile<T, S, W>> {
  using a = warpgroup_operand<shared_tile<T, S, W>, true>;
  using b = warpgroup_operand<shared_tile<T, S, W>, false>;
};
template <class Tile> struct warpgroup_traits<transposed_tile<Tile>> {
  using a = warpgroup_operand<Tile, false>;
  using b = warpgroup_operand<Tile, true>;
};

// Starts c += a * b or, without Adds, c = a * b. See mma_start.
template <bool IsUnsigned, bool Adds, class A, class B, class Acc, class L>
TESSERA_DEVICE void start_multiplies(A a, B b, fragment<Acc, L> &c) {
  using a_operand = typename warpgroup_traits<A>::a;
  using b_operand = typename warpgroup_traits<B>::b;
  using atoms = mma_atoms<L>;
  static_assert(std::is_same_v<typename a_operand::T, typename b_operand::T>,
                "the operands have one element type");
  using T = std::conditional_t<IsUnsigned, unsigned char, typename a_operand::T>;
  static_assert(sizeof(T) == sizeof(typename a_operand::T), "only integers are read otherwise");
  static_assert(a_operand::k_extent == b_operand::k_extent, "the operands agree in k");
  constexpr int n = 8 * atoms::n_count, k_step = 32 / static_cast<int>(sizeof(T));
  static_assert(n <= 256 && a_operand::k_extent >= k_step, "what one instruction takes");
  constexpr bool a_by_k = std::is_same_v<A, decltype(operand_traits<A>::tile(a))>;
  constexpr bool b_by_k = !std::is_same_v<B, decltype(operand_traits<B>::tile(b))>;
  const int warpgroup = arch::warpgroup_start();
  const int m = L::shape::coordinate(0, L::warp_map::apply(warpgroup));
  const int column = L::shape::coordinate(1, L::warp_map::apply(warpgroup));
  const unsigned long long a_begin = a_operand::begin(operand_traits<A>::tile(a), m);
  const unsigned long long b_begin = b_operand::begin(operand_traits<B>::tile(b), column);
  arch::wgmma_fence();
  TESSERA_UNROLL
  for (int i = 0; i < atoms::m_count; ++i)
    arch::wgmma_m64<T, n, !a_by_k, !b_by_k, Adds>(c.r + 4 * atoms::atom(i, 0),
                                                  a_operand::at(a_begin, atoms::m_of(i), 0),
                                                  b_operand::at(b_begin, 0, 0));
  TESSERA_UNROLL
  for (int k = k_step; k < a_operand::k_extent; k += k_step) {
    TESSERA_UNROLL
    for (int i = 0; i < atoms::m_count; ++i)
      arch::wgmma_m64<T, n, !a_by_k, !b_by_k>(c.r + 4 * atoms::atom(i, 0),
                                              a_operand::at(a_begin, atoms::m_of(i), k),
                                              b_operand::at(b_begin, 0, k));
  }
  arch::wgmma_commit();
}

// How an operand (M, K) is held in registers: a warp has the accumulator's rows that it holds, all
// of K. A thread's words consist of neighbours along a row; four words are a step of K: the second
// and fourth are eight rows below, the third and fourth 16 bytes on. Steps come first, then further
// rows.
template <class T, class L> struct warpgroup_words {
  static constexpr int per_word = 4 / static_cast<int>(sizeof(T)), k_step = 8 * per_word;
  static constexpr int row = L::shape::stride(0);
  static constexpr int steps = L::shape::extent(1) / k_step;
  static constexpr int m_count = L::register_count / (4 * per_word * steps);

  TESSERA_CONSTEXPR static int first(int i, int k) { return 4 * per_word * (i * steps + k); }
  TESSERA_CONSTEXPR static bool fits() {
    using lane = typename L::lane_map;
    if (L::rank != 2 || steps < 1 || L::element(per_word) != 8 * row ||
        L::element(2 * per_word) != 4 * per_word)
      return false;
    for (int i = 0; i < per_word; ++i)
      if (L::element(i) != i)
        return false;
    for (int k = 0; k < steps; ++k)
      if (L::element(first(0, k)) != k * k_step)
        return false;
    return lane::basis(0) == per_word && lane::basis(1) == 2 * per_word && lane::basis(2) == row &&
           lane::basis(3) == 2 * row && lane::basis(4) == 4 * row;
  }
  static_assert(fits(), "an operand in registers lies as its multiply takes it");
};

// The same with a (M, K), of floats of 8 to 32 bits, in registers (warpgroup_words).
template <bool Adds, class B, class T, class LA, class Acc, class L>
TESSERA_DEVICE void start_multiplies(const fragment<T, LA> &a, B b, fragment<Acc, L> &c) {
  using b_operand = typename warpgroup_traits<B>::b;
  using words = warpgroup_words<T, LA>;
  using atoms = mma_atoms<L>;
  static_assert(std::is_same_v<T, typename b_operand::T>, "the operands have one element type");
  static_assert(LA::shape::extent(1) == b_operand::k_extent && words::m_count == atoms::m_count &&
                    LA::shape::extent(0) == L::shape::extent(0),
                "a warp has all of k of its rows");
  constexpr int n = 8 * atoms::n_count;
  static_assert(n <= 256, "what one instruction takes");
  constexpr bool b_by_k = !std::is_same_v<B, decltype(operand_traits<B>::tile(b))>;
  const int column = L::shape::coordinate(1, L::warp_map::apply(arch::warpgroup_start()));
  unsigned rows[atoms::m_count][words::steps][4];
  TESSERA_UNROLL
  for (int i = 0; i < atoms::m_count; ++i) {
    TESSERA_UNROLL
    for (int k = 0; k < words::steps; ++k) {
      TESSERA_UNROLL
      for (int word = 0; word < 4; ++word)
        rows[i][k][word] =
            to_words<words::per_word>(a.r + words::first(i, k) + words::per_word * word).w[0];
    }
  }
  const unsigned long long b_begin = b_operand::begin(operand_traits<B>::tile(b), column);
  arch::wgmma_fence();
  TESSERA_UNROLL
  for (int i = 0; i < atoms::m_count; ++i)
    arch::wgmma_m64<T, n, !b_by_k, Adds>(c.r + 4 * atoms::atom(i, 0), rows[i][0],
                                         b_operand::at(b_begin, 0, 0));
  TESSERA_UNROLL
  for (int k = 1; k < words::steps; ++k) {
    TESSERA_UNROLL
    for (int i = 0; i < atoms::m_count; ++i)
      arch::wgmma_m64<T, n, !b_by_k>(c.r + 4 * atoms::atom(i, 0), rows[i][k],
                                     b_operand::at(b_begin, 0, words::k_step * k));
  }
  arch::wgmma_commit();
}

} // namespace detail

// Starts c += a * b. After mma_wait, c may be used and a and b overwritten. Elements: half or bf16,
// and, only if stored along k, tf32 and fp8 (into floats), signed and unsigned char (into ints).
// IsUnsigned: signed char is read as unsigned. All threads of whole warpgroups call it. a is in
// shared memory, as b is, or (M, K) of floats in registers (detail::warpgroup_words).
template <bool IsUnsigned = false, class A, class B, class Acc, class L>
TESSERA_DEVICE void mma_start(A a, B b, fragment<Acc, L> &c) {
  detail::start_multiplies<IsUnsigned, /*Adds=*/true>(a, b, c);
}
template <class B, class T, class LA, class Acc, class L>
TESSERA_DEVICE void mma_start(const fragment<T, LA> &a, B b, fragment<Acc, L> &c) {
  detail::start_multiplies</*Adds=*/true>(a, b, c);
}

// The same for c = a * b, whatever c holds before: no register needs a zero first, for which ptxas
// would wait for the multiplies in flight (C7517).
template <bool IsUnsigned = false, class A, class B, class Acc, class L>
TESSERA_DEVICE void mma_start_from_zero(A a, B b, fragment<Acc, L> &c) {
  detail::start_multiplies<IsUnsigned, /*Adds=*/false>(a, b, c);
}
template <class B, class T, class LA, class Acc, class L>
TESSERA_DEVICE void mma_start_from_zero(const fragment<T, LA> &a, B b, fragment<Acc, L> &c) {
  detail::start_multiplies</*Adds=*/false>(a, b, c);
}

namespace detail {

// The tensor cores of sm_90 sum products of fp8 with about 14 bits. Sums of this much of K are made
// apart, and added to the accumulator as floats (CUTLASS calls it promotion). cuBLAS does so every
// 128, too.
inline constexpr int promoted_k = 128;
// Atoms of n whose sums are promoted together.
template <class L> inline constexpr int promoted_atoms =
    mma_atoms<L>::n_count < 16 ? mma_atoms<L>::n_count : 16;

// c += sums of `K` from start(sums, atom of m, first atom of n, k, end of k), which starts the
// multiplies of one block: 64 rows, at most 128 columns, at most promoted_k of K. One block's sums
// need registers at a time; the other warpgroups multiply while they are added.
template <int K, class L, class Start>
TESSERA_DEVICE void add_promoted(fragment<float, L> &c, Start start) {
  using atoms = mma_atoms<L>;
  constexpr int columns = promoted_atoms<L>;
  TESSERA_UNROLL
  for (int k = 0; k < K; k += promoted_k) {
    TESSERA_UNROLL
    for (int i = 0; i < atoms::m_count; ++i) {
      TESSERA_UNROLL
      for (int j = 0; j < atoms::n_count; j += columns) {
        float sums[4 * columns]; // the first multiply writes them
        arch::wgmma_fence();
        start(sums, i, j, k, k + promoted_k < K ? k + promoted_k : K);
        arch::wgmma_commit();
        arch::wgmma_wait<0>();
        arch::pin<4 * columns>(sums);
        TESSERA_UNROLL
        for (int n = 0; n < columns; ++n) {
          TESSERA_UNROLL
          for (int r = 0; r < 4; ++r)
            c.r[4 * atoms::atom(i, j + n) + r] += sums[4 * n + r];
        }
        // The sums are read before the next multiply begins.
        arch::pin<4 * columns>(c.r + 4 * atoms::atom(i, j));
      }
    }
  }
}

} // namespace detail

// mma_start of fp8 whose sums are as precise as floats: complete, with all that was in flight.
template <class A, class B, class L>
TESSERA_DEVICE void promoted_mma_start(A a, B b, fragment<float, L> &c) {
  using a_operand = typename detail::warpgroup_traits<A>::a;
  using b_operand = typename detail::warpgroup_traits<B>::b;
  using atoms = detail::mma_atoms<L>;
  using T = typename a_operand::T;
  static_assert(std::is_same_v<T, typename b_operand::T> && sizeof(T) == 1,
                "the operands are of one type, fp8");
  static_assert(a_operand::k_extent == b_operand::k_extent, "the operands agree in k");
  constexpr bool a_by_k = std::is_same_v<A, decltype(detail::operand_traits<A>::tile(a))>;
  constexpr bool b_by_k = !std::is_same_v<B, decltype(detail::operand_traits<B>::tile(b))>;
  constexpr int columns = 8 * detail::promoted_atoms<L>;
  const int warpgroup = arch::warpgroup_start();
  const int m = L::shape::coordinate(0, L::warp_map::apply(warpgroup));
  const int column = L::shape::coordinate(1, L::warp_map::apply(warpgroup));
  const unsigned long long a_begin = a_operand::begin(detail::operand_traits<A>::tile(a), m);
  const unsigned long long b_begin = b_operand::begin(detail::operand_traits<B>::tile(b), column);
  detail::add_promoted<a_operand::k_extent>(c, [&](float *sums, int i, int j, int k, int end) {
    arch::wgmma_m64<T, columns, !a_by_k, !b_by_k, /*Adds=*/false>(
        sums, a_operand::at(a_begin, atoms::m_of(i), k), b_operand::at(b_begin, 8 * j, k));
    TESSERA_UNROLL
    for (k += 32; k < end; k += 32)
      arch::wgmma_m64<T, columns, !a_by_k, !b_by_k>(sums, a_operand::at(a_begin, atoms::m_of(i), k),
                                                    b_operand::at(b_begin, 8 * j, k));
  });
}

// The same with a in registers (detail::warpgroup_words).
template <class B, class T, class LA, class L>
TESSERA_DEVICE void promoted_mma_start(const fragment<T, LA> &a, B b, fragment<float, L> &c) {
  using b_operand = typename detail::warpgroup_traits<B>::b;
  using words = detail::warpgroup_words<T, LA>;
  using atoms = detail::mma_atoms<L>;
  static_assert(std::is_same_v<T, typename b_operand::T> && sizeof(T) == 1,
                "the operands are of one type, fp8");
  static_assert(LA::shape::extent(1) == b_operand::k_extent && words::m_count == atoms::m_count &&
                    LA::shape::extent(0) == L::shape::extent(0),
                "a warp has all of k of its rows");
  constexpr bool b_by_k = !std::is_same_v<B, decltype(detail::operand_traits<B>::tile(b))>;
  constexpr int columns = 8 * detail::promoted_atoms<L>;
  const int column = L::shape::coordinate(1, L::warp_map::apply(arch::warpgroup_start()));
  const unsigned long long b_begin = b_operand::begin(detail::operand_traits<B>::tile(b), column);
  detail::add_promoted<b_operand::k_extent>(c, [&](float *sums, int i, int j, int k, int end) {
    unsigned rows[detail::promoted_k / 32][4];
    TESSERA_UNROLL
    for (int step = 0; 32 * step < end - k; ++step) {
      TESSERA_UNROLL
      for (int word = 0; word < 4; ++word)
        rows[step][word] =
            to_words<words::per_word>(a.r + words::first(i, k / 32 + step) + words::per_word * word)
                .w[0];
    }
    arch::wgmma_m64<T, columns, !b_by_k, /*Adds=*/false>(sums, rows[0],
                                                         b_operand::at(b_begin, 8 * j, k));
    TESSERA_UNROLL
    for (int step = 1; 32 * step < end - k; ++step)
      arch::wgmma_m64<T, columns, !b_by_k>(sums, rows[step],
                                           b_operand::at(b_begin, 8 * j, k + 32 * step));
  });
}

// c, as the first accumulator of multiplies that stay in flight over the iterations of a loop:
// keeps the compiler from moving it.
template <class Acc, class L> TESSERA_DEVICE fragment<Acc, L> mma_begin(fragment<Acc, L> c) {
  arch::pin<L::register_count>(c.r);
  return c;
}

// The warpgroup of this thread in its block.
TESSERA_DEVICE int warpgroup_index() { return arch::warpgroup_start() / 4; }

// All but the N youngest multiplies of this warpgroup are complete.
template <int N> TESSERA_DEVICE void mma_wait() { arch::wgmma_wait<N>(); }

// After the wait for a multiply that read a from registers: a may be overwritten now.
template <class T, class L> TESSERA_DEVICE void mma_done(const fragment<T, L> &a) {
  constexpr int per_word = 4 / static_cast<int>(sizeof(T));
  TESSERA_UNROLL
  for (int i = 0; i < L::register_count; i += per_word)
    arch::hold(to_words<per_word>(a.r + i).w[0]);
}

// All but the N youngest multiplies are complete, including those into c.
template <int N = 0, class Acc, class L> TESSERA_DEVICE void mma_wait(fragment<Acc, L> &c) {
  arch::wgmma_wait<N>();
  arch::pin<L::register_count>(c.r);
}

// c + a * b: started and waited for.
template <bool IsUnsigned = false, class A, class B, class Acc, class L>
TESSERA_DEVICE fragment<Acc, L> mma_of_warpgroups(A a, B b, fragment<Acc, L> c) {
  mma_start<IsUnsigned>(a, b, c);
  mma_wait(c);
  return c;
}
template <class B, class T, class LA, class Acc, class L> TESSERA_DEVICE fragment<Acc, L>
mma_of_warpgroups(const fragment<T, LA> &a, B b, fragment<Acc, L> c) {
  mma_start(a, b, c);
  mma_wait(c);
  return c;
}

// a * b: started and waited for. Products of bytes are ints, the others floats.
template <class L, bool IsUnsigned = false, class A, class B>
TESSERA_DEVICE auto mma_of_warpgroups_from_zero(A a, B b) {
  using T = typename detail::warpgroup_traits<B>::b::T;
  fragment<std::conditional_t<std::is_same_v<T, signed char>, int, float>, L> c;
  mma_start_from_zero<IsUnsigned>(a, b, c);
  mma_wait(c);
  return c;
}
template <class L, class B, class T, class LA>
TESSERA_DEVICE fragment<float, L> mma_of_warpgroups_from_zero(const fragment<T, LA> &a, B b) {
  fragment<float, L> c;
  mma_start_from_zero(a, b, c);
  mma_wait(c);
  return c;
}

template <class A, class B, class L> TESSERA_DEVICE fragment<float, L>
promoted_mma_of_warpgroups(const A &a, B b, fragment<float, L> c) {
  promoted_mma_start(a, b, c);
  return c;
}

// Makes this thread's view of shared memory visible to wgmma (fence of the asynchronous proxy).
TESSERA_DEVICE void fence_shared() { arch::fence_async(); }
TESSERA_DEVICE void fence_memory() { arch::fence_async_memory(); }

} // namespace tessera
