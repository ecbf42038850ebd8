// Comparisons and selections of scalars, whichever dialect they are of.
#pragma once

#include "tile/TileDialect.h"

namespace tessera::tile {

// Integers are those before both were widened, as C++ does with small ones. Of floats: is it true
// for NaN?
struct Comparison {
  mlir::Value x, y;
  std::optional<CompareKind> kind; // none: tests for NaN only
  bool isTrueForNan = false, isUnsigned = false;
};
std::optional<Comparison> comparisonOf(mlir::Operation *op);

struct Selection {
  mlir::Value condition, x, y; // null: it is none
};
Selection selectionOf(mlir::Value value);

} // namespace tessera::tile
