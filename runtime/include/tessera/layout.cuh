// The element of a tile that a (register, lane, warp) holds.
//
// An element is named by its row-major index; extents are powers of two, so the bits of the index
// are the bits of the coordinates. A layout gives each bit of the register number and of the thread
// number one basis, an element index; the element is the XOR of the bases of the set bits. Example,
// 4x4 elements, 2 registers, 8 threads (if a warp had 8 lanes): registers<1>, lanes<2, 4, 8>: lane
// 3 = 0b011 holds elements 2 ^ 4 = 6 and 7, that is (1, 2) and (1, 3).
//
// Rule of the file: everything folds. A map applied to a constant is a constant; applied to the
// thread number it is one shift and mask for each run of consecutive bits; there are no tables in
// memory. Functions of a register's number are straight-line code: a loop, once inlined and
// unrolled for each register, costs the compiler thousands of basic blocks. Functions with loops
// are for constant expressions.
#pragma once

#include "arch/arch.cuh"

#include <utility>

namespace tessera {

TESSERA_CONSTEXPR int log2(unsigned x) {
  int n = 0;
  while (x >>= 1)
    ++n;
  return n;
}

TESSERA_CONSTEXPR bool is_one_bit(unsigned x) { return x != 0 && (x & (x - 1)) == 0; }

TESSERA_CONSTEXPR int count_bits(unsigned x) {
  int n = 0;
  for (; x; x &= x - 1)
    ++n;
  return n;
}

// The low bits of `x`, in order, at the set bits of `mask`.
TESSERA_CONSTEXPR int deposit(unsigned x, unsigned mask) {
  unsigned y = 0;
  for (; mask; mask &= mask - 1, x >>= 1)
    y |= (x & 1) ? mask & (0u - mask) : 0u;
  return static_cast<int>(y);
}

// The bits of `x` at the set bits of `mask`, compacted: the inverse of deposit.
TESSERA_CONSTEXPR int extract(unsigned x, unsigned mask) {
  unsigned y = 0;
  for (unsigned to = 1; mask; mask &= mask - 1, to <<= 1)
    y |= (x & mask & (0u - mask)) ? to : 0u;
  return static_cast<int>(y);
}

// The linear map that sends bit i of its argument to the i-th basis.
template <int... Bases> struct bit_map {
  static constexpr int count = sizeof...(Bases);
  static constexpr unsigned reach =
      (0u | ... | static_cast<unsigned>(Bases)); // every bit that a result can have
  static constexpr bool is_one_hot =
      (true && ... && is_one_bit(Bases)); // no copies, one bit each: the inverse is a bit_map too

  TESSERA_CONSTEXPR static int basis(int i) {
    const int bases[] = {Bases..., 0};
    return bases[i];
  }

  // Bits whose basis is 0.
  TESSERA_CONSTEXPR static int copies() {
    int mask = 0;
    for (int i = 0; i < count; ++i)
      mask |= basis(i) == 0 ? 1 << i : 0;
    return mask;
  }

  // Bits whose basis has a bit in `elements`.
  TESSERA_CONSTEXPR static int bits_along(unsigned elements) {
    int mask = 0;
    for (int i = 0; i < count; ++i)
      mask |= (static_cast<unsigned>(basis(i)) & elements) ? 1 << i : 0;
    return mask;
  }

  TESSERA_CONSTEXPR static int apply(int x) { return apply(x, std::make_index_sequence<count>()); }

  // The bits that must be set to reach `element`; bits of `element` out of reach are ignored.
  TESSERA_CONSTEXPR static int inverse(int element) {
    return inverse(element, std::make_index_sequence<count>());
  }

private:
  // A run: consecutive bits whose bases are consecutive one-bit elements.
  TESSERA_CONSTEXPR static bool continues_run(int i) {
    return i > 0 && i < count && is_one_bit(basis(i)) && is_one_bit(basis(i - 1)) &&
           basis(i) == 2 * basis(i - 1);
  }

  TESSERA_CONSTEXPR static unsigned run_mask(int i) {
    unsigned mask = 1u << i;
    while (continues_run(++i))
      mask |= 1u << i;
    return mask;
  }

  template <int I> TESSERA_CONSTEXPR static unsigned term(unsigned x) {
    constexpr unsigned b = basis(I), mask = run_mask(I);
    constexpr int left = log2(b) - I;
    if constexpr (b == 0 || continues_run(I))
      return 0;
    else if constexpr (!is_one_bit(b))
      return (0u - ((x >> I) & 1)) & b;
    else if constexpr (left >= 0)
      return (x & mask) << left;
    else
      return (x & mask) >> -left;
  }

  template <int I> TESSERA_CONSTEXPR static unsigned inverse_term(unsigned element) {
    constexpr unsigned b = basis(I), mask = run_mask(I);
    constexpr int left = log2(b) - I;
    static_assert(is_one_bit(b), "only one-hot bases have an inverse");
    if constexpr (continues_run(I))
      return 0;
    else if constexpr (left >= 0)
      return (element >> left) & mask;
    else
      return (element << -left) & mask;
  }

  template <std::size_t... I> TESSERA_CONSTEXPR static int apply(int x, std::index_sequence<I...>) {
    return static_cast<int>((0u ^ ... ^ term<I>(static_cast<unsigned>(x))));
  }

  template <std::size_t... I>
  TESSERA_CONSTEXPR static int inverse(int element, std::index_sequence<I...>) {
    return static_cast<int>((0u | ... | inverse_term<I>(static_cast<unsigned>(element))));
  }
};

// The bits of Mask, lowest first, as bases.
TESSERA_CONSTEXPR int nth_bit(unsigned mask, int n) {
  for (; n > 0; --n)
    mask &= mask - 1;
  return static_cast<int>(mask & (0u - mask));
}
template <unsigned Mask, class = std::make_index_sequence<count_bits(Mask)>> struct mask_map;
template <unsigned Mask, std::size_t... I> struct mask_map<Mask, std::index_sequence<I...>>
    : bit_map<nth_bit(Mask, static_cast<int>(I))...> {};

// deposit and extract as straight-line code.
template <unsigned Mask> TESSERA_CONSTEXPR int deposit(int x) { return mask_map<Mask>::apply(x); }
template <unsigned Mask> TESSERA_CONSTEXPR int extract(int x) { return mask_map<Mask>::inverse(x); }

template <int... Extents> struct shape {
  static constexpr int rank = sizeof...(Extents);
  static constexpr int size = (1 * ... * Extents);
  static_assert((true && ... && is_one_bit(Extents)), "extents of a tile are powers of two");

  TESSERA_CONSTEXPR static int extent(int dim) { return 1 << log_extent(dim); }

  // Row-major distance between neighbours along `dim`.
  TESSERA_CONSTEXPR static int stride(int dim) { return 1 << log_stride(dim); }

  TESSERA_CONSTEXPR static int log_extent(int dim) {
    return unpack<false>(dim, std::make_index_sequence<words>());
  }
  TESSERA_CONSTEXPR static int log_stride(int dim) {
    return unpack<true>(dim, std::make_index_sequence<words>());
  }

  TESSERA_CONSTEXPR static int coordinate(int dim, int element) {
    return (element >> log_stride(dim)) & (extent(dim) - 1);
  }

  // The bits of an element's index that are its coordinate along `dim`.
  TESSERA_CONSTEXPR static int bits(int dim) { return (extent(dim) - 1) * stride(dim); }

private:
  // Six bits for each dimension, ten dimensions to a word.
  static constexpr int dims_of_word = 10, words = (rank + dims_of_word - 1) / dims_of_word;

  TESSERA_CONSTEXPR static unsigned long long pack(bool strides, int word) {
    const int extents[] = {Extents..., 1};
    unsigned long long packed = 0;
    for (int d = rank - 1, stride = 0; d >= 0; --d) {
      const int extent = log2(static_cast<unsigned>(extents[d]));
      if (d / dims_of_word == word)
        packed |= static_cast<unsigned long long>(strides ? stride : extent)
                  << (6 * (d % dims_of_word));
      stride += extent;
    }
    return packed;
  }
  template <bool Strides, int Word> static constexpr unsigned long long packed =
      pack(Strides, Word);

  template <bool Strides, std::size_t... Word>
  TESSERA_CONSTEXPR static int unpack(int dim, std::index_sequence<Word...>) {
    if constexpr (words == 1)
      return static_cast<int>(packed<Strides, 0> >> (6 * dim)) & 63;
    else
      return (0 | ... |
              (dim / dims_of_word == static_cast<int>(Word)
                   ? static_cast<int>(packed<Strides, Word> >> (6 * (dim % dims_of_word))) & 63
                   : 0));
  }
};

namespace detail {
template <class To, class From, int Without, std::size_t... D>
TESSERA_CONSTEXPR int gather_coordinates(int element, std::index_sequence<D...>) {
  return (0 | ... |
          (static_cast<int>(D) == Without
               ? 0
               : (From::coordinate(D, element) & (To::extent(D) - 1)) << To::log_stride(D)));
}
} // namespace detail

// The element of shape To at the coordinates that `element` has in shape From: 0 along dimension
// Without, and along those where To has extent 1.
template <class To, class From, int Without = -1> TESSERA_CONSTEXPR int element_at(int element) {
  static_assert(To::rank == From::rank, "both shapes have the same dimensions");
  return detail::gather_coordinates<To, From, Without>(element,
                                                       std::make_index_sequence<From::rank>());
}

template <int... Bases> struct registers : bit_map<Bases...> {};
template <int... Bases> struct lanes : bit_map<Bases...> {
  static_assert(sizeof...(Bases) == 5, "a warp has 32 lanes");
};
template <int... Bases> struct warps : bit_map<Bases...> {};

// Lanes and warps together: the map of the thread number.
template <class Lanes, class Warps> struct thread_map;
template <int... L, int... W> struct thread_map<lanes<L...>, warps<W...>> {
  using type = bit_map<L..., W...>;
};

template <class Shape, class Registers, class Lanes, class Warps = warps<>> struct layout {
  using shape = Shape;
  using register_map = Registers;
  using lane_map = Lanes;
  using warp_map = Warps;
  using thread_map = typename tessera::thread_map<Lanes, Warps>::type;

  static constexpr int rank = Shape::rank;
  static constexpr int size = Shape::size;
  static constexpr int register_count = 1 << Registers::count;
  static constexpr int warp_count = 1 << Warps::count;
  static constexpr int thread_count = 32 * warp_count;
  static_assert((Registers::reach | thread_map::reach) < static_cast<unsigned>(size),
                "a basis is an element of the tile");

  // Registers and threads use different bits, so that coordinates (and addresses) of the two parts
  // add up.
  static constexpr bool is_disjoint = (Registers::reach & thread_map::reach) == 0;

  TESSERA_CONSTEXPR static int element(int r) { return Registers::apply(r); }
  TESSERA_CONSTEXPR static int register_of(int element) { return Registers::inverse(element); }
  TESSERA_DEVICE static int thread_element() { return thread_map::apply(arch::thread_index()); }

  // Of several threads with the same elements, the one that writes.
  TESSERA_DEVICE static bool is_owner() {
    constexpr int copies = thread_map::copies();
    if constexpr (copies == 0)
      return true;
    else
      return (arch::thread_index() & copies) == 0;
  }

  // Registers 0 .. V-1, V .. 2V-1, ... are runs along `dim`.
  template <int V> TESSERA_CONSTEXPR static bool has_runs(int dim) {
    if (V > Shape::extent(dim) || V > register_count)
      return false;
    for (int i = 0; (1 << i) < V; ++i)
      if (Registers::basis(i) != Shape::stride(dim) << i)
        return false;
    return true;
  }
};

} // namespace tessera
