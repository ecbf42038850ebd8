// Calls of primitives (runtime/include/tessera/tile/primitives.h) as operations of the tile
// dialect.
//
// One table describes each primitive's template parameters, operands and result; TileTypes derives
// the tile types of vectors from it, and the translator builds operations with it.
#pragma once

#include "raise/Elements.h"

namespace tessera::raising {

// Is there a row for this primitive, and does the call have its template arguments?
bool isKnown(const frontend::Primitive &primitive);
// The type of operand `index` or of the result if it is a tile (or the element of a rank-0 tile);
// null for plain scalars.
mlir::Type operandTile(mlir::MLIRContext *context, const frontend::Primitive &primitive,
                       unsigned index);
mlir::Type resultTile(mlir::MLIRContext *context, const frontend::Primitive &primitive);
// The operation for a call. `operands` have the types above, lanes and scalars those of LLVM;
// `scalarResult` is the type of a result that is not a tile. Null for a primitive without result.
mlir::Value buildPrimitive(mlir::OpBuilder &builder, mlir::Location loc,
                           const frontend::Primitive &primitive,
                           llvm::ArrayRef<mlir::Value> operands, mlir::Type scalarResult);

} // namespace tessera::raising
