// Counters of loops, wherever a loop is counted: in a control flow graph (structure/LoopShapes), as
// a loop with a condition (plan/normalize/CountLoops), and among what a counted loop carries.
#pragma once

#include "mlir/Dialect/Arith/IR/Arith.h"

#include "llvm/ADT/STLFunctionalExtras.h"

#include <optional>

namespace tessera::tile {

// A relation of two integers.
struct Relation {
  mlir::arith::CmpIPredicate predicate;
  mlir::Value left, right;

  // The same with the operands exchanged.
  Relation mirrored() const;
};
// The relation that holds where `condition` has the value `isTrue`; none: it compares no integers.
std::optional<Relation> relationOf(mlir::Value condition, bool isTrue = true);

// How a counter gets its next value: `counter + by`, `by + counter` or `counter - by`.
struct Advance {
  mlir::Value by;
  bool isDown = false;
  bool nsw = false, nuw = false; // the program's promises that it does not wrap
};
std::optional<Advance> advanceOf(mlir::Value next, llvm::function_ref<bool(mlir::Value)> isCounter);
inline std::optional<Advance> advanceOf(mlir::Value next, mlir::Value counter) {
  return advanceOf(next, [&](mlir::Value v) { return v == counter; });
}

} // namespace tessera::tile
