// What views mean outside their extents, for whoever reads them by other means.
#pragma once

#include "tile/TileDialect.h"

namespace tessera::tile {

// What a view of floats reads outside its extents: the padding, or the nearest number of types
// without it.
mlir::FloatAttr numberOf(Padding padding, mlir::FloatType element);

// A line of elements along dimension `dim`, repeated along all others of `shape`.
mlir::Value alongAllOthers(mlir::OpBuilder &b, mlir::Location loc, mlir::Value line, size_t dim,
                           llvm::ArrayRef<int64_t> shape);

} // namespace tessera::tile
