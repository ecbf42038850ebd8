// Reads that a loop computes on, element-wise, before it multiplies: weights that are dequantized,
// operands that are scaled or activated.
#pragma once

#include "layout/LinearLayout.h"
#include "plan/analysis/PipelinedLoads.h"

namespace tessera::plan {

// Puts a shared tile between each read that operands of the loop's multiplies are computed from and
// the users of the read, so that the read can be copied ahead as it is in memory:
//   %x = view_load  ->  %v = view_load; %s = shared_alloc; shared_store %v, %s; %x = shared_load %s
// rounds: copies f32 as tf32 where all uses are roundings. Returns these loads; leaves out reads
// that cannot be copied ahead and the pipelined loads in `known`.
llvm::SmallVector<PipelinedLoad> throughShared(mlir::scf::ForOp loop,
                                               llvm::ArrayRef<PipelinedLoad> known, bool rounds);

// The same of one read, of a view or by pointers, through a shared tile of this type. copied: the
// read, or the rounding that is its only use.
PipelinedLoad throughShared(mlir::Operation *read, mlir::Value copied, tile::SharedType stage);

// Gives all other users of the tile that a store takes what is read back behind the store.
tile::SharedLoadOp readBack(tile::SharedStoreOp store, mlir::Location loc);
// Undoes that for a load that gets no ring.
void readFromRegisters(PipelinedLoad pipelined);

// Undoes throughShared for such a load.
void withoutShared(PipelinedLoad pipelined);

// Whether a tile is computed from one that is read from shared memory.
bool isOfShared(mlir::Value tile);

// An operand A that is computed from tiles in shared memory, and the layout in which this wgmma
// takes it from registers.
struct RegisterOperand {
  mlir::Value tile;
  LinearLayout layout;
};

// The register operand of a multiply, if it has one: of floats, with room next to the accumulator,
// and not transposed byte by byte.
std::optional<RegisterOperand> registerOperandOf(tile::SharedMmaOp multiply, int64_t warps);

} // namespace tessera::plan
