// Calls of primitives (runtime/include/tessera/tile/primitives.h) as operations of the tile
// dialect.
//
// One table says for each primitive what its template parameters, its operands and its result are;
// TileTypes asks it which vector is which tile, the translator builds the operation through it.
#pragma once

#include "raise/Elements.h"

namespace tessera::raising {

// Of a module that keeps what the program promises of accesses, for checks: tile.inside,
// tile.unmasked of a view's accesses, and tile.unsigned of an assumption.
inline constexpr llvm::StringLiteral promisesAttr = "tile.promises";

// Is there a row for this primitive, and has the call the template arguments it wants?
bool isKnown(const frontend::Primitive &primitive);
// The type of operand `index` or of the result where that is a tile (or the element of a rank-0
// tile); null for plain scalars.
mlir::Type operandTile(mlir::MLIRContext *context, const frontend::Primitive &primitive,
                       unsigned index);
mlir::Type resultTile(mlir::MLIRContext *context, const frontend::Primitive &primitive);
// The operation for a call. `operands` have the types above, lanes and scalars those of LLVM;
// `scalarResult` is the type of a result that is no tile. Null for a primitive without result.
mlir::Value buildPrimitive(mlir::OpBuilder &builder, mlir::Location loc,
                           const frontend::Primitive &primitive,
                           llvm::ArrayRef<mlir::Value> operands, mlir::Type scalarResult);

} // namespace tessera::raising
