// By how much integers of a loop's body move from one turn to the next.
#pragma once

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tessera::plan {

// The distance between the values of two turns that follow one another, where it is the same number
// for all of them, counted as the integer's type counts, which may wrap; 0 of what does not change.
std::optional<int64_t> movesBy(mlir::Value integer, mlir::scf::ForOp loop);

} // namespace tessera::plan
