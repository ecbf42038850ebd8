// Reads whose elements a loop computes on before it multiplies: weights that are dequantised,
// operands that are scaled or activated.
#pragma once

#include "layout/LinearLayout.h"
#include "plan/Streams.h"

namespace tessera::plan {

// Puts a shared tile between each read of the loop that operands of its multiplies are computed of
// and those who take it, so that the read can be copied ahead as it is in memory:
//   %x = view_load  ->  %v = view_load; %s = shared_alloc; shared_store %v, %s; %x = shared_load %s
// rounds: or as tf32, of floats of which nothing else is wanted. Returns these; of the reads that
// cannot be copied ahead, and of `known` streams, none.
llvm::SmallVector<Stream> throughShared(mlir::scf::ForOp loop, llvm::ArrayRef<Stream> known,
                                        bool rounds);

// Takes that back, where a ring of what throughShared returned is not made.
void withoutShared(Stream stream);

// Whether a tile is computed of one that is read from shared memory.
bool isOfShared(mlir::Value tile);

// A first operand that is computed of what lies in shared memory, and the layout in which this
// multiply of warpgroups takes it from registers.
struct RegisterOperand {
  mlir::Value tile;
  LinearLayout layout;
};

// Of a thread, for a sum and an operand that its multiply takes from registers: more spills.
constexpr int64_t registersOfOperandAndSum = 160;

// That of a multiply, if it has one: of floats, with room beside the sum, and not turned byte by
// byte.
std::optional<RegisterOperand> registerOperandOf(tile::SharedMmaOp multiply, int64_t warps);

} // namespace tessera::plan
