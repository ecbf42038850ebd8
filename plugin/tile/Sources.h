// What values are computed of, each looked at once: where a value is used twice at every step, as
// in a chain of squares, a walk that looks again takes twice as long with each.
#pragma once

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SetVector.h"
#include "mlir/IR/Operation.h"

#include <optional>

namespace tessera::tile {

// Are all of the values right? `look` says yes or no of one, or nothing: then it is as what its op
// is computed of. A value that no op computes, and of which nothing is said, is not right.
inline bool areAllRight(mlir::ValueRange values,
                        llvm::function_ref<std::optional<bool>(mlir::Value)> look) {
  llvm::SmallSetVector<mlir::Value, 16> all(values.begin(), values.end());
  for (size_t i = 0; i < all.size(); ++i) {
    mlir::Value value = all[i];
    std::optional<bool> said = look(value);
    mlir::Operation *op = value.getDefiningOp();
    if (said ? !*said : !op)
      return false;
    if (!said)
      all.insert(op->operand_begin(), op->operand_end());
  }
  return true;
}

} // namespace tessera::tile
