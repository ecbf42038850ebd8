// The rules that verifiers of several ops state. Each returns success, or emits the op's error.
#pragma once

#include "tile/TileDialect.h"

namespace tessera::tile {

using Shape = llvm::ArrayRef<int64_t>;

int64_t countOf(Shape shape);
llvm::LogicalResult sameElements(mlir::Operation *op, mlir::Type x, mlir::Type y);
llvm::LogicalResult sameShape(mlir::Operation *op, mlir::Type x, mlir::Type y);
llvm::LogicalResult isMaskOf(mlir::Operation *op, mlir::Type mask, mlir::Type tile);
llvm::LogicalResult isDimension(mlir::Operation *op, int64_t dim, Shape shape);
// Two shapes of one rank that agree except along one dimension.
bool differOnlyAlong(int64_t dim, Shape x, Shape y);
// A part of a tile that an index in units of its own shape selects.
llvm::LogicalResult isPart(mlir::Operation *op, mlir::Type part, mlir::Type whole,
                           mlir::ValueRange index);
// One pointer per element.
llvm::LogicalResult isAccess(mlir::Operation *op, mlir::Type pointers, mlir::Type value);
llvm::LogicalResult isMaskedAccess(mlir::Operation *op, mlir::Type pointers, mlir::Type value,
                                   mlir::Value mask);
// Extents, strides and starts: one of each per dimension of the box.
llvm::LogicalResult isBox(mlir::Operation *op, Shape shape, mlir::ValueRange extents,
                          mlir::ValueRange strides, mlir::ValueRange starts);
llvm::LogicalResult repeatsStatics(mlir::Operation *op, Shape shape, Shape staticExtents,
                                   Shape staticStrides);
// The whole shared tile, or a box of it.
llvm::LogicalResult isSharedAccess(mlir::Operation *op, mlir::RankedTensorType tile,
                                   SharedType shared, mlir::ValueRange starts);
// (M, K) x (K, N) -> (M, N), with a leading batch dimension in all three or in none.
llvm::LogicalResult multiplies(mlir::Operation *op, Shape a, Shape b, Shape c);
llvm::SmallVector<int64_t> transposed(Shape shape, bool transposed);

} // namespace tessera::tile
