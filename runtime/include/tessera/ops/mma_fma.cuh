// Matrix multiply by FMA, for every element type and every layout of c: the path without tensor
// cores.
#pragma once

#include "mma.cuh"
#include "scalar.cuh"

namespace tessera {

namespace detail {

// An operand of rank 2 or 3 (batch first) by the elements of c: which bits of c's element are its
// row here, and the offset of (row, k) in its tile.
template <class L, class Operand, bool IsA> struct fma_operand {
  using tile = typename Operand::tile;
  using shape = typename L::shape;
  static constexpr int rank = L::rank;
  static constexpr int outer_dim = IsA ? rank - 2 : rank - 1;
  static constexpr unsigned other_bits =
      static_cast<unsigned>(shape::bits(IsA ? rank - 1 : rank - 2));
  static constexpr unsigned own_registers =
      static_cast<unsigned>(L::register_count - 1) &
      ~static_cast<unsigned>(L::register_map::bits_along(other_bits));
  static constexpr int count = 1 << count_bits(own_registers);

  // The tile's element at k = 0 for the row (and batch, if it has more than one) of c's element.
  TESSERA_CONSTEXPR static int element(int c_element) {
    int e = Operand::at_outer(shape::coordinate(outer_dim, c_element));
    if constexpr (rank == 3 && tile::shape::extent(0) > 1)
      e += shape::coordinate(0, c_element) * tile::shape::stride(0);
    return e;
  }

  static constexpr unsigned reach =
      static_cast<unsigned>(element(static_cast<int>(L::thread_map::reach))) |
      static_cast<unsigned>(Operand::at_k(Operand::k_extent - 1));

  // The index of the distinct value that register r of c multiplies.
  TESSERA_CONSTEXPR static int slot(int r) { return extract<own_registers>(r); }
  TESSERA_CONSTEXPR static int offset_of_slot(int s) {
    return element(L::element(deposit<own_registers>(s)));
  }

  // The number of slots that are neighbours in the tile and make one load.
  TESSERA_CONSTEXPR static int find_width() {
    int w = 1;
    const int most = 16 / static_cast<int>(sizeof(typename Operand::element_type));
    while (2 * w <= most && 2 * w <= count && 2 * w <= tile::swizzle::block &&
           offset_of_slot(w) == w && (reach & static_cast<unsigned>(w)) == 0)
      w *= 2;
    return w;
  }
  static constexpr int width = find_width();

  // The number of steps of k that make one load, where k runs along the rows of the tile.
  TESSERA_CONSTEXPR static int find_depth(int step) {
    const int most = 16 / static_cast<int>(sizeof(typename Operand::element_type));
    const int w = step < most ? step : most;
    return Operand::by_k && w <= tile::swizzle::block ? w : 1;
  }
};

template <class Tile, bool ByK> struct fma_layout {
  using tile = Tile;
  using element_type = typename Tile::element_type;
  static constexpr bool by_k = ByK;
  static constexpr int rank = Tile::shape::rank;
  static constexpr int k_dim = ByK ? rank - 1 : rank - 2, outer_dim = ByK ? rank - 2 : rank - 1;
  static constexpr int k_extent = Tile::shape::extent(k_dim),
                       outer_extent = Tile::shape::extent(outer_dim);

  TESSERA_CONSTEXPR static int at_k(int k) { return k * Tile::shape::stride(k_dim); }
  TESSERA_CONSTEXPR static int at_outer(int i) { return i * Tile::shape::stride(outer_dim); }
};

template <class X> struct fma_traits;
template <class T, class S, class W> struct fma_traits<shared_tile<T, S, W>> {
  using a = fma_layout<shared_tile<T, S, W>, true>;
  using b = fma_layout<shared_tile<T, S, W>, false>;
};
template <class Tile> struct fma_traits<transposed_tile<Tile>> {
  using a = fma_layout<Tile, false>;
  using b = fma_layout<Tile, true>;
};

// An element in the accumulator's type; 8-bit integers may be unsigned.
template <bool Unsigned, class Acc, class T> TESSERA_DEVICE auto multiplicand(T x) {
  if constexpr (std::is_same_v<T, bool> && is_integer<Acc>) {
    return static_cast<Acc>(x);
  } else if constexpr (is_integer<T> && is_integer<Acc>) {
    if constexpr (Unsigned)
      return static_cast<Acc>(as_unsigned(x));
    else
      return static_cast<Acc>(x);
  } else if constexpr (std::is_same_v<Acc, double>) {
    return convert<double, rounding::nearest>(x);
  } else {
    return convert<float, rounding::nearest>(x);
  }
}

// The distinct values that this thread multiplies in Step steps of k from `k`: values[step][slot].
template <class Offsets, class Operand, bool Unsigned, class Acc, int Step, class M, class Tile>
TESSERA_DEVICE void load_multiplicands(M (&values)[Step][Offsets::count], Tile tile, int here,
                                       int k) {
  using T = typename Tile::element_type;
  constexpr int depth = Offsets::find_depth(Step), width = depth > 1 ? 1 : Offsets::width;
  TESSERA_UNROLL
  for (int s = 0; s < Step; s += depth) {
    const cursor<Tile, Offsets::reach> from(tile, here ^ Operand::at_k(k + s));
    TESSERA_UNROLL
    for (int i = 0; i < Offsets::count; i += width) {
      T x[width * depth];
      from_words<width * depth>(x, arch::load_shared<width * depth * sizeof(T)>(
                                       from.pointer, from.at(Offsets::offset_of_slot(i))));
      TESSERA_UNROLL
      for (int j = 0; j < width * depth; ++j)
        values[s + j / width][i + j % width] = multiplicand<Unsigned, Acc>(x[j]);
    }
  }
}

// c + a * b
template <class Acc, class M> TESSERA_DEVICE Acc multiply_add(M a, M b, Acc c) {
  if constexpr (is_integer<Acc>)
    return add_one(c, mul_one(a, b));
  else
    return fma_one(a, b, c);
}

} // namespace detail

// a: [batch x] M x K, b: [batch x] K x N, shared tiles or transposed ones; c of any layout. Sums
// are in the type of c; those of half and bf16 are in float, and rounded once at the end.
template <bool AUnsigned = false, bool BUnsigned = false, class A, class B, class Acc, class L>
TESSERA_DEVICE fragment<Acc, L> mma_fma(A a, B b, fragment<Acc, L> c) {
  using a_layout = typename detail::fma_traits<A>::a;
  using b_layout = typename detail::fma_traits<B>::b;
  using a_offsets = detail::fma_operand<L, a_layout, true>;
  using b_offsets = detail::fma_operand<L, b_layout, false>;
  using Ta = typename a_layout::element_type;
  using M = decltype(detail::multiplicand<AUnsigned, Acc>(Ta{}));
  constexpr int K = a_layout::k_extent, rank = L::rank;
  static_assert(K == b_layout::k_extent, "the operands agree in k");
  static_assert(a_layout::outer_extent == L::shape::extent(rank - 2) &&
                    b_layout::outer_extent == L::shape::extent(rank - 1),
                "the result is M x N");

  const auto a_tile = detail::operand_traits<A>::tile(a);
  const auto b_tile = detail::operand_traits<B>::tile(b);
  const int here = L::thread_element();
  const int a_here = a_offsets::element(here), b_here = b_offsets::element(here);
  constexpr int step = K < 4 ? K : 4;
  using Sum = std::conditional_t<detail::is_small_float<Acc>, float, Acc>;
  Sum sums[L::register_count];
  TESSERA_UNROLL
  for (int i = 0; i < L::register_count; ++i) {
    if constexpr (detail::is_small_float<Acc>)
      sums[i] = detail::widen(c.r[i]);
    else
      sums[i] = c.r[i];
  }
#pragma unroll 1
  for (int k = 0; k < K; k += step) {
    M a_values[step][a_offsets::count], b_values[step][b_offsets::count];
    detail::load_multiplicands<a_offsets, a_layout, AUnsigned, Acc>(a_values, a_tile, a_here, k);
    detail::load_multiplicands<b_offsets, b_layout, BUnsigned, Acc>(b_values, b_tile, b_here, k);
    TESSERA_UNROLL
    for (int s = 0; s < step; ++s) {
      TESSERA_UNROLL
      for (int i = 0; i < L::register_count; ++i)
        sums[i] = detail::multiply_add(a_values[s][a_offsets::slot(i)],
                                       b_values[s][b_offsets::slot(i)], sums[i]);
    }
  }
  TESSERA_UNROLL
  for (int i = 0; i < L::register_count; ++i) {
    if constexpr (detail::is_small_float<Acc>)
      c.r[i] = detail::narrow<Acc>(sums[i]);
    else
      c.r[i] = sums[i];
  }
  return c;
}

} // namespace tessera
