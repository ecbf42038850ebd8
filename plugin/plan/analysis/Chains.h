// Chains of multiplies: in one iteration of a loop, an operand of a multiply is computed from the
// accumulator of another one, as attention's probabilities are from its scores.
#pragma once

#include "llvm/ADT/SetVector.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "target/Target.h"
#include "tile/TileDialect.h"

namespace tessera::plan {

// The multiplies of an iteration, in program order: the first ones, and those with an operand that
// is computed from their accumulators.
struct Chain {
  llvm::SmallVector<mlir::Operation *> first, second;
};

// Nothing where there is none, where it is longer than two, or where a multiply of the loop is in
// one of its branches or inner loops. Multiplies are mma or shared_mma.
std::optional<Chain> chainOf(mlir::scf::ForOp loop);

// The ops of a loop's body that an op of it takes its operands from in the same iteration, and the
// op itself.
llvm::SetVector<mlir::Operation *> opsBehind(mlir::Operation *op);

// The 32-bit words of its accumulators, and of the operands that are computed from them.
int64_t wordsInRegisters(const Chain &chain);

// Do its accumulators, and the operands that are computed from them, which `threads` threads of a
// block hold together, leave no registers of an SM for another block?
bool fillsRegisters(const Chain &chain, int64_t threads, const GpuTarget &target);

// Is there so much to multiply for each element that threads compute between the multiplies that
// the tensor cores take longer than they? Otherwise several blocks on an SM, whose warps take
// turns, are faster than two tile blocks side by side: D 64 by 64x128, 444 TFLOP/s and 411; D 128
// by 64x32, 333 and 420 (bench/results/2026-11-29-warpgroup-blocks-h200.txt).
bool multipliesMost(const Chain &chain);

} // namespace tessera::plan
