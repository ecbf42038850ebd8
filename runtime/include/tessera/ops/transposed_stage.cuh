// Stages of a ring transposed by warps of their own: wgmma takes operands of 8 bits only if their
// rows run along K, and no copy transposes bytes. A producer warp copies a tile as it is in memory
// into one ring, the transposing warps beside it fill a second ring from there, and the consumers
// read that one:
//
//   transposing warps: for ... { consumer_wait(raw, i); producer_acquire(ring, j);
//                                transpose_stage<9, 3>(slot i of raw, slot j of ring, ring, j);
//                                consumer_release(raw, i); }
#pragma once

#include "bulk_ring.cuh"

namespace tessera {

namespace detail {

// ldmatrix and stmatrix move pairs of bytes. Of 16 columns and 16 rows of a tile of bytes, a lane
// (group, member) gets columns 2 * group and 2 * group + 1 of rows 2 * member, 2 * member + 1 and
// the two that are eight further on. The four bytes of one column are one word of a transposed row.
//
// So the 16 rows lie in the order 0 1 8 9 2 3 10 11 4 5 12 13 6 7 14 15 along a transposed row. It
// is the order of K in which a thread that has elements of an accumulator (two neighbours, and two
// eight further on) has those of an operand (four neighbours): pass permute-k.
//
// The eight transposed rows of a matrix are to differ modulo 8, so that the swizzle keeps them in
// different banks: half of the groups store their odd column first.
template <class From, class To> struct byte_transpose {
  using from_shape = typename From::shape;
  using to_shape = typename To::shape;
  static_assert(sizeof(typename From::element_type) == 1 && sizeof(typename To::element_type) == 1,
                "tiles of bytes");
  static_assert(from_shape::rank == 2 && to_shape::rank == 2 &&
                    from_shape::extent(0) == to_shape::extent(1) &&
                    from_shape::extent(1) == to_shape::extent(0),
                "one tile is the transpose of the other");
  static constexpr int rows = from_shape::extent(0), columns = from_shape::extent(1);
  static_assert(rows % 32 == 0 && columns % 16 == 0, "blocks of 32 rows and 16 columns");
  static constexpr int count = rows / 32 * (columns / 16); // of blocks

  // The row of a block whose 16 bytes this lane addresses in `From`.
  TESSERA_DEVICE static int row_to_load() { return arch::lane_index(); }

  // The column of a block that this lane addresses in `To`, and the row at which its 16 bytes
  // begin. Matrices 0 and 1 have the first 16 rows, 2 and 3 the others.
  TESSERA_DEVICE static int column_to_store() {
    const int lane = arch::lane_index(), group = lane & 7, matrix = lane >> 3;
    return 2 * group + ((matrix & 1) ^ (group >> 2));
  }
  TESSERA_DEVICE static int row_to_store() { return arch::lane_index() >> 4 << 4; }

  // The words of matrices 0 and 1, out of two words of ldmatrix.
  TESSERA_DEVICE static void exchange(unsigned *d, unsigned low, unsigned high) {
    const bool is_odd_first = arch::lane_index() >> 4 != 0;
    d[0] = arch::select_bytes(low, high, is_odd_first ? 0x7531u : 0x6420u);
    d[1] = arch::select_bytes(low, high, is_odd_first ? 0x6420u : 0x7531u);
  }
};

} // namespace detail

// By the warps from First on, of which there are Warps: writes the transpose of `from` to `to`,
// with its rows in the order above, and arrives at the full barrier of stage `slot`, of which `to`
// is the tile. All of `from` has arrived, and `to` is free.
template <int First, int Warps, class From, class To, int Stages, int Threads> TESSERA_DEVICE void
transpose_stage(From from, To to, const pipeline_barriers<Stages, Threads> &ring, int slot) {
  using transpose = detail::byte_transpose<From, To>;
  constexpr int across = transpose::columns / 16;
  const int row_to_load = transpose::row_to_load(), column_to_store = transpose::column_to_store(),
            row_to_store = transpose::row_to_store();
#pragma unroll 2
  for (int block = arch::warp_index() - First; block < transpose::count; block += Warps) {
    const int row = block / across * 32, column = block % across * 16;
    unsigned pairs[4], rows[4];
    arch::ldmatrix_x4_trans(pairs, from.pointer,
                            From::offset((row + row_to_load) * transpose::columns + column));
    transpose::exchange(rows, pairs[0], pairs[1]);
    transpose::exchange(rows + 2, pairs[2], pairs[3]);
    arch::stmatrix_x4(to.pointer,
                      To::offset((column + column_to_store) * transpose::rows + row + row_to_store),
                      rows);
  }
  fence_shared();
  arch::warp_barrier();
  if (arch::lane_index() == 0)
    arrive(ring.stage(slot));
}

} // namespace tessera
