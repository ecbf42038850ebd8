// The pointee type of every pointer of a kernel, derived from the pointer's origin.
//
// LLVM's pointers have no pointee and no const, C++'s have both. Pointers between which values move
// (the variables of a loop, the arms of a branch, a tile and its copy in another layout) have one
// type: the pointee of all their sources - kernel parameters, address arithmetic, variables -, or
// char if sources differ or none has a type; and const if a source is. A kernel parameter keeps the
// programmer's spelling, a local variable is an array of its declared type: both keep their own
// type.
#pragma once

#include "llvm/ADT/DenseMap.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tessera::emit {

struct Pointee {
  mlir::Type element; // null: char
  bool isConst = false;

  // "const float *", "char **"
  std::string pointer() const;
  // Without the star: "const float"
  std::string spelled() const;
};

// The scalar element type of a variable that is an array, if it is one.
mlir::Type scalarElement(mlir::Type type);

class PointerTypes {
public:
  explicit PointerTypes(mlir::func::FuncOp kernel);

  // For a pointer, a tile of pointers, or the shared or local memory of such tiles. Tiles never
  // point to const.
  Pointee of(mlir::Value pointer) const;

private:
  struct Kind {
    mlir::Type element;
    bool isMixed = false, isConst = false;
  };

  void collect(mlir::Operation *op);
  // One type for both; a kernel parameter and a local variable only contribute their own.
  void flow(mlir::Value from, mlir::Value to);
  void flow(mlir::ValueRange from, mlir::ValueRange to);
  void pointsTo(mlir::Value pointer, mlir::Type element);
  unsigned kindOf(mlir::Value pointer) const;
  unsigned root(unsigned kind) const;
  bool propagateConst();

  llvm::DenseMap<mlir::Value, unsigned> numbers;
  mutable std::vector<unsigned> parents;
  std::vector<Kind> kinds;
  // Address arithmetic: a result is const if its base is.
  std::vector<std::pair<mlir::Value, mlir::Value>> steps;
};

} // namespace tessera::emit
