// What a number is to those that use it: "row_start", "k_next", "is_inside", "stage", "position".
#pragma once

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/DenseSet.h"

#include <optional>
#include <string>

namespace tessera::plan {

// An integer of another width or sign.
bool isCast(mlir::Operation *op);

// The variable of a loop of which a value is the one some iterations later; null: of none.
mlir::Value advancedVariable(mlir::Value v);

class RolesByUse {
public:
  explicit RolesByUse(mlir::func::FuncOp kernel);
  // Nothing where no use gives an integer a role.
  std::optional<std::string> of(mlir::Value scalar) const;

private:
  llvm::DenseSet<mlir::Value> offsets; // what is added to addresses
};

} // namespace tessera::plan
