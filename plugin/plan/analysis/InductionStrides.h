// By how much integers of a loop's body move from one iteration to the next.
#pragma once

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tessera::plan {

// The stride of an integer from one iteration to the next, where it is constant, in the arithmetic
// of the integer's type, which may wrap; 0 for a loop invariant.
std::optional<int64_t> movesBy(mlir::Value integer, mlir::scf::ForOp loop);

} // namespace tessera::plan
