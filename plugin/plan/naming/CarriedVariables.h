// The variables that generated code has for what a loop carries, one for each iteration argument.
// An iteration ends with assignments of the next values, one after the other, where scf.yield gives
// all at the same time.
#pragma once

#include "mlir/Dialect/SCF/IR/SCF.h"

#include <optional>

namespace tessera::plan {

// Two tiles that a loop carries, by their numbers: the next iteration takes the first as its
// second. Generated code has two iterations for one, between which their variables swap names.
struct SwappedPair {
  int64_t first, second;
  bool operator==(const SwappedPair &) const = default;
};

// The pair that must not be moved: the first may still be read by wgmma in flight, until mma_done
// of the second in the next iteration.
std::optional<SwappedPair> swappedTiles(mlir::scf::ForOp loop);
// The pair that the loop's attribute has.
std::optional<SwappedPair> swappedPairOf(mlir::scf::ForOp loop);

// The yielded values that read a variable to which an assignment before theirs has given its next
// value.
llvm::SmallVector<mlir::OpOperand *> overwrittenOperands(mlir::scf::ForOp loop);

// May the op compute its tile directly into the variable that carries it on, since nothing reads
// what the variable had?
bool canComputeInPlace(mlir::Operation *op);

} // namespace tessera::plan
