// Names in the generated code that ops of a module carry as an attribute.
#pragma once

#include "mlir/IR/BuiltinOps.h"

#include <string>

namespace tessera::tile {

// The preferred name, or the name with the first number from `first` on that no op of the module
// has as its `attribute`.
inline std::string freeName(mlir::ModuleOp module, llvm::StringRef attribute,
                            const std::string &preferred, unsigned first) {
  auto isTaken = [&](llvm::StringRef name) {
    return llvm::any_of(*module.getBody(), [&](mlir::Operation &op) {
      auto taken = op.getAttrOfType<mlir::StringAttr>(attribute);
      return taken && taken.getValue() == name;
    });
  };
  std::string name = preferred;
  for (unsigned number = first; isTaken(name); ++number)
    name = preferred + "_" + std::to_string(number);
  return name;
}

} // namespace tessera::tile
