// The form in which a multiply of the program is computed: what coarsen-blocks counts with before
// the passes that bring it into this form, and what they obey.
#pragma once

#include "target/Matmul.h"
#include "tile/TileDialect.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tessera::plan {

struct MatmulForm {
  Matmul matmul;             // of one batch, as the instruction takes it
  bool isTransposed = false; // B^T A^T in place of A B (pass swap-operands)
  // Whether threads take part in bringing the first, the second operand of the program's multiply
  // to shared memory as the instruction takes it.
  bool computesA = false, computesB = false;
};
MatmulForm matmulFormOf(tile::MmaOp multiply);

// Whether a loop carries the accumulator with no other use, and operand B alone is contiguous
// across K, of elements that wgmma takes along K, so that the transposed matmul takes it from
// registers.
bool isComputedTransposed(tile::MmaOp multiply);

// The loop that carries the accumulator of a multiply with no other use there; null if none does.
mlir::scf::ForOp loopOfAccumulator(mlir::Value before, mlir::Value after);
template <class Multiply> mlir::scf::ForOp loopOfAccumulator(Multiply multiply) {
  return loopOfAccumulator(multiply.getC(), multiply.getResult());
}

// The contiguous dimension of an operand that is a matrix of a view, perhaps converted.
std::optional<unsigned> contiguousDimension(mlir::Value operand);

} // namespace tessera::plan
