// Element types of the language as MLIR types, and conversions between an element and the LLVM
// scalar that carries it.
//
// In LLVM IR a lane is a number of the element's width: i8 for bool and 8-bit floats, i16 for half
// and bf16, i32 for tf32, i64 for a pointer. In tile IR an element has its own type. Rank 0 is the
// element itself.
#pragma once

#include "frontend/Program.h"
#include "tile/TileDialect.h"

namespace tessera::raising {

// Null for void and types without scalar value.
mlir::Type elementType(mlir::MLIRContext *context, frontend::ElementKind kind);
mlir::Type pointeeType(mlir::MLIRContext *context, const frontend::ElementType &pointer);
// A tensor, or the element type for rank 0.
mlir::Type tileType(mlir::MLIRContext *context, const frontend::TileType &type);
// Do values of this kind compare, divide and extend as unsigned numbers?
bool isUnsigned(frontend::ElementKind kind);

// An LLVM scalar type as MLIR type; pointers lose their address space, since all are generic here.
// Null if there is none.
mlir::Type scalarType(mlir::MLIRContext *context, const llvm::Type *type);

mlir::Value fromLane(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value lane,
                     mlir::Type element);
mlir::Value toLane(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value element,
                   mlir::Type lane);
// The same elements in row-major order as another type of the same number and width of elements;
// null if that is impossible.
mlir::Value reinterpret(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value value,
                        mlir::Type type);

} // namespace tessera::raising
