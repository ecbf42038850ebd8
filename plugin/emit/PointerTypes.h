// What every pointer of a kernel points to, by one rule from where it comes.
//
// LLVM's pointers have no pointee and no const, C++'s have both. Pointers between which values move
// (the variables of a loop, the arms of a branch, a tile and its copy in another layout) are of one
// type: they point to what all of their sources point to - kernel parameters, address arithmetic,
// variables -, or to char where sources differ or none says; and to const if a source does. A
// kernel parameter keeps the programmer's spelling, a local variable is an array of what it is
// declared as: both are of nobody's type but their own.
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

// The scalar that a variable is an array of, if it is one.
mlir::Type scalarElement(mlir::Type type);

class PointerTypes {
public:
  explicit PointerTypes(mlir::func::FuncOp kernel);

  // Of a pointer, a tile of pointers, or the shared or local memory of such tiles. Tiles never
  // point to const.
  Pointee of(mlir::Value pointer) const;

private:
  struct Kind {
    mlir::Type element;
    bool isMixed = false, isConst = false;
  };

  void collect(mlir::Operation *op);
  // One type for both; a kernel parameter and a local variable only lend their own.
  void flow(mlir::Value from, mlir::Value to);
  void flow(mlir::ValueRange from, mlir::ValueRange to);
  void pointsTo(mlir::Value pointer, mlir::Type element);
  unsigned kindOf(mlir::Value pointer) const;
  unsigned root(unsigned kind) const;
  bool propagateConst();

  llvm::DenseMap<mlir::Value, unsigned> numbers;
  mutable std::vector<unsigned> parents;
  std::vector<Kind> kinds;
  // Address arithmetic: what is const at its base is const behind it.
  std::vector<std::pair<mlir::Value, mlir::Value>> steps;
};

} // namespace tessera::emit
