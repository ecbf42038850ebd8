// A walk up the definitions of values that visits each value once: where a value is used twice at
// every step, as in a chain of squares, a walk that visits it again takes twice as long with each
// step.
#pragma once

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SetVector.h"
#include "mlir/IR/Operation.h"

#include <optional>

namespace tessera::tile {

// Are all of the values right? `look` says yes or no for a value, or nothing: then it depends on
// the operands of its op. A value that no op defines, and for which `look` says nothing, is not
// right.
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
