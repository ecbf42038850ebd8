// The ops of a work tile, where the program's kernel has them in a loop over the parts of its rows
// (pass split-rows), or behind a return:
//
//   for %part { ops }     if %condition { ops }
//
// A warp-specialized kernel is a loop over work tiles around its roles. So the ops become the
// kernel's own, each part a work tile; and a block that returns early has none.
#pragma once

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tessera::plan {

class WorkTileBody {
public:
  explicit WorkTileBody(mlir::func::FuncOp kernel) : kernel(kernel) {}

  // Takes the ops out of a loop over parts, or of a branch, if that is all the kernel does.
  void enterParts();
  void enterBranch();
  // Puts them back.
  void leave();

  int64_t partCount() const { return parts; }
  mlir::Value part() const { return number; } // stands for a part's until there are work tiles

  // Can these values be computed before the roles part, and the condition?
  bool areKnownBefore(llvm::ArrayRef<mlir::Value> values) const;

  // Computes before the loop over work tiles what can be computed there. A block without work exits
  // there: it neither makes barriers nor looks for tensor maps, which takes microseconds. hasWork:
  // where no condition of the program says it; may be null.
  void readBefore(mlir::scf::ForOp workTile, mlir::Value hasWork) const;

  // Erases what the ops were in.
  void eraseAround();

private:
  bool isRestPure(mlir::Operation *last) const;
  void enter(mlir::Operation *op, mlir::Block &inner);
  mlir::scf::IfOp branch() const { return llvm::dyn_cast_or_null<mlir::scf::IfOp>(around); }
  bool isBefore(mlir::Operation *op, bool isInBranch) const;

  mlir::func::FuncOp kernel;
  // The loop or the branch, and the first of its ops.
  mlir::Operation *around = nullptr, *first = nullptr;
  int64_t parts = 1;
  mlir::Value number;
};

} // namespace tessera::plan
