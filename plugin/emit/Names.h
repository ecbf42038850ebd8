// Names of emitted variables: the programmer's where the IR kept them, else the operation's;
// unique, and never one of the runtime's or C++'s.
#pragma once

#include "llvm/ADT/StringMap.h"
#include "mlir/IR/Location.h"
#include <optional>
#include <string>

namespace tessera::emit {

class Names {
public:
  // A fresh name close to `wish`.
  std::string fresh(llvm::StringRef wish);

private:
  llvm::StringMap<unsigned> used;
};

// The programmer's name for a value, from its location.
std::optional<std::string> sourceName(mlir::Location location);
// The place in the source a location stands for.
mlir::FileLineColLoc sourcePlace(mlir::Location location);

} // namespace tessera::emit
