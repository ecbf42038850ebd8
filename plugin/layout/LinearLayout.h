// LinearLayout: which thread holds which element of a tile, as one linear map over bits.
//
// The question. A tile of 4x4 elements is spread over 2 registers x 4 lanes x 2 warps. Which
// element does register 1 of lane 2 of warp 1 hold? Which lane holds element (3, 0)? Can one
// instruction load two neighbouring elements? Does a conversion between two layouts need shared
// memory? All code answers such questions here.
//
// The idea. Dimensions are powers of two, so the row-major index of an element is a string of bits,
// here r1 r0 c1 c0 for (row, column). A layout gives each bit of the register number, of the lane
// and of the warp an index, its *basis*; the element is the XOR of the bases of the bits that are
// set. Our example, rows over lanes and warps, two neighbouring columns in a thread:
//
//     registers [1]      bit 0 of the register moves one column             element index, drawn as   lane,warp : registers
//     lanes [2, 4]       bit 0 of the lane two columns, bit 1 one row       0,0: 0 1   1,0: 2 3       (row 0)
//     warps [8]          bit 0 of the warp two rows                         2,0: 4 5   3,0: 6 7       (row 1)
//                                                                           0,1: 8 9   ...            (rows 2, 3)
//
// So register 1, lane 2, warp 1 holds 1 ^ 4 ^ 8 = 13, which is (3, 1). Since the map is linear over
// F2, everything is linear algebra:
// * reshape keeps all bases (the index does not change); permute permutes the bits of each basis; a
//   broadcast clears the bits of a dimension in each basis: the thread that needs an element of the
//   result holds its source;
// * a basis of 0 means copies: those lanes or warps hold the same element;
// * V consecutive registers hold V neighbours iff bases 1, 2, .., V/2 are the first register bases;
// * two layouts differ by registers only iff their lanes and warps are equal and their register
//   bases span the same indices.
//
// Limits: at most 2^31 elements; extents are powers of two; one block (no clusters yet).
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include <cstdint>
#include <limits>
#include <optional>

namespace tessera {

class LinearLayout {
public:
  using Bases = llvm::SmallVector<uint32_t, 8>;
  using Shape = llvm::SmallVector<int64_t, 4>;

  LinearLayout() = default;
  LinearLayout(llvm::ArrayRef<int64_t> shape, Bases registers, Bases lanes, Bases warps);

  // Neighbouring elements in row-major order: `vector` of them in a thread's first registers, then
  // over the lanes, then over the warps, the rest in registers. Surplus lanes and warps hold
  // copies.
  static LinearLayout blocked(llvm::ArrayRef<int64_t> shape, int64_t vector, int64_t warps);
  // How m16n8 instructions number rows and columns of a tile: pairsRows: row 8 of an instruction is
  // the tile's row after row 0, its row 1 the next; pairsColumns: of two instructions side by side
  // column 0 of the second follows column 0 of the first.
  struct AtomOrder {
    bool pairsRows = false, pairsColumns = false;
  };
  // The accumulator of m16n8 instructions, (M, N) with M >= 16 and N >= 8, 16 with pairs of
  // columns: a warp's part is as square as possible.
  static LinearLayout accumulator(llvm::ArrayRef<int64_t> shape, int64_t warps, AtomOrder order);
  static LinearLayout accumulator(llvm::ArrayRef<int64_t> shape, int64_t warps) {
    return accumulator(shape, warps, AtomOrder());
  }
  // The accumulator of wgmma, (M, N) with M >= 64: a warp has 16 rows of 64, further groups of four
  // warps have other rows, then other columns, 64 at least.
  static LinearLayout warpgroupAccumulator(llvm::ArrayRef<int64_t> shape, int64_t warps);
  // Operand A (M, K) that wgmma takes from registers, of elements of this many bytes, for an
  // accumulator with M rows: in words of four bytes that lie as the accumulator's pairs do. Groups
  // of four warps that share rows hold copies.
  static LinearLayout warpgroupOperand(llvm::ArrayRef<int64_t> shape, int64_t bytes, int64_t warps);
  // For a scan along `dim`: contiguous elements over vector registers and lanes, as blocked; warps
  // over the other dimensions first, and along `dim` each warp has one run.
  static LinearLayout runs(llvm::ArrayRef<int64_t> shape, unsigned dim, int64_t vector,
                           int64_t warps);

  // For a matrix that is read along its rows and written along its columns, of elements of this
  // many bytes: a thread has square blocks, as wide as an access of 16 bytes where there are enough
  // elements; the lanes of a warp go along the diagonal of the blocks, so that they access all
  // banks either way where chunks of 16 bytes are exchanged by the row's number.
  static LinearLayout transposed(llvm::ArrayRef<int64_t> shape, int64_t bytes, int64_t warps);

  llvm::ArrayRef<int64_t> shape() const { return shape_; }
  llvm::ArrayRef<uint32_t> registers() const { return registers_; }
  llvm::ArrayRef<uint32_t> lanes() const { return lanes_; }
  llvm::ArrayRef<uint32_t> warps() const { return warps_; }
  int64_t elementCount() const;
  int64_t registerCount() const { return int64_t(1) << registers_.size(); }

  // Row-major index of the element in a register of a thread.
  uint32_t element(uint32_t reg, uint32_t lane, uint32_t warp) const;

  // The bits of the row-major index that belong to dimension `dim`.
  uint32_t dimensionMask(unsigned dim) const;
  // Every element is held somewhere.
  bool coversTile() const;
  // How many neighbours along the last dimension lie in consecutive registers, starting at a
  // multiple of that many.
  int64_t contiguous() const;
  // Equal to `to` up to the order or number of registers: no data moves between threads.
  bool differsInRegistersOnly(const LinearLayout &to) const;

  // Neighbours in a thread's first registers, and lanes side by side that go on with them: as
  // powers of two.
  struct Run {
    unsigned neighbours = 0, lanes = 0;
    friend bool operator==(Run x, Run y) {
      return x.neighbours == y.neighbours && x.lanes == y.lanes;
    }
  };
  Run run() const;
  // The same with the run's elements striped over its lanes: lanes side by side hold neighbours,
  // and a thread every 2^lanes-th element. Rows must be as long as the run.
  LinearLayout striped(Run run) const;

  // The same with each warp's elements of a row in one run, the first warp's first: warps exchange
  // their bases with registers, and lanes keep theirs. Nothing where warps hold copies or are not
  // all along the last dimension, or where lanes are further apart than warps.
  std::optional<LinearLayout> withRunsOfWarps() const;

  LinearLayout reshaped(llvm::ArrayRef<int64_t> shape) const;
  // Dimension k of the result is dimension map[k] of this.
  LinearLayout permuted(llvm::ArrayRef<int64_t> map) const;
  // The layout of an operand of this shape with the given dimensions of extent 1, such that
  // broadcasting it gives this layout.
  LinearLayout broadcastSource(llvm::ArrayRef<int64_t> sourceShape) const;
  // What a reduction along `dim` leaves when every warp has folded its own elements: extent 2^(warp
  // bits along dim).
  LinearLayout partiallyReduced(unsigned dim) const;
  // The same after the warps' partial results have been combined: extent 1.
  LinearLayout reduced(unsigned dim) const;
  // partiallyReduced with the partial results in the registers of every thread instead of one per
  // warp. Of more than maxRegisters, four along `dim` stay in a thread's registers, and lanes that
  // hold the same otherwise hold the others: for reductions, which combine lanes, too.
  LinearLayout gatheredPartials(unsigned dim,
                                int64_t maxRegisters = std::numeric_limits<int64_t>::max()) const;
  unsigned warpBitsAlong(unsigned dim) const;
  // What a warp holds along `dim` is one run, whatever its coordinates in other dimensions.
  bool hasRunsAlong(unsigned dim) const;
  // No lane or warp moves along `dim` and along other dimensions at once: the result of a reduction
  // along `dim` has the same index in all threads of a row.
  bool keepsApart(unsigned dim) const;
  // Index bits that are each the basis of a register: a thread can separate its elements by their
  // values.
  uint32_t registerBits() const;
  // The layout of the elements whose index bits `mask`, each the basis of a register, are fixed;
  // their index consists of the remaining bits, side by side.
  LinearLayout part(uint32_t mask) const;
  // A layout of a tile of this shape whose part(mask) is this: a thread holds the same elements of
  // every part, parts in its last registers.
  LinearLayout wholeOf(llvm::ArrayRef<int64_t> shape, uint32_t mask) const;

  friend bool operator==(const LinearLayout &x, const LinearLayout &y) {
    return x.shape_ == y.shape_ && x.registers_ == y.registers_ && x.lanes_ == y.lanes_ &&
           x.warps_ == y.warps_;
  }

private:
  Shape shape_;
  Bases registers_, lanes_, warps_;
};

// An XOR swizzle of shared memory: element i at offset i ^ (((i >> (base + shift)) & (2^bits - 1))
// << base).
struct Swizzle {
  int64_t bits = 0, base = 0, shift = 0;
  uint32_t operator()(uint32_t i) const {
    return i ^ (((i >> (base + shift)) & ((1u << bits) - 1)) << base);
  }
};

// How many times bank conflicts repeat a warp's access to shared memory, for the worst of its
// instructions: 1 is best. `bytes` is the size of an element.
int64_t bankConflicts(const LinearLayout &layout, const Swizzle &swizzle, int64_t bytes);
// The swizzle with the fewest conflicts over all given layouts that access the same tile.
Swizzle chooseSwizzle(llvm::ArrayRef<LinearLayout> layouts, int64_t bytes);

} // namespace tessera
