// Comparisons of integers.
#pragma once

#include "mlir/Dialect/Arith/IR/Arith.h"

namespace tessera::tile {

// The predicate of the same comparison with its operands exchanged.
inline mlir::arith::CmpIPredicate mirrored(mlir::arith::CmpIPredicate predicate) {
  using enum mlir::arith::CmpIPredicate;
  constexpr mlir::arith::CmpIPredicate others[] = {eq, ne, sgt, sge, slt, sle, ugt, uge, ult, ule};
  return others[static_cast<unsigned>(predicate)];
}

} // namespace tessera::tile
