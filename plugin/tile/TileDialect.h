// The C++ interface of the tile dialect: dialect, attributes, types, ops. TileOps.td defines their
// meaning.
#pragma once

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "tile/TileDialect.h.inc"
#include "tile/TileEnums.h.inc"

namespace tessera::tile {

// The two memories that threads share, and the kernel's other output; effects on different ones
// never conflict.
struct GlobalMemory : mlir::SideEffects::Resource::Base<GlobalMemory> {
  llvm::StringRef getName() final { return "global memory"; }
};
struct SharedMemory : mlir::SideEffects::Resource::Base<SharedMemory> {
  llvm::StringRef getName() final { return "shared memory"; }
};

struct Output : mlir::SideEffects::Resource::Base<Output> {
  llvm::StringRef getName() final { return "output"; }
};

} // namespace tessera::tile

#define GET_ATTRDEF_CLASSES
#include "tile/TileAttributes.h.inc"
#define GET_TYPEDEF_CLASSES
#include "tile/TileTypes.h.inc"
#define GET_OP_CLASSES
#include "tile/TileOps.h.inc"

namespace tessera::tile {

// The element type of a tile, or the scalar type itself.
mlir::Type elementType(mlir::Type type);
// The dimensions of a tile, empty for a scalar.
llvm::ArrayRef<int64_t> shapeOf(mlir::Type type);
// `type` with another element type: a tile stays a tile of the same shape and encoding, a scalar a
// scalar.
mlir::Type withElementType(mlir::Type type, mlir::Type element);
// Bits of an element in memory: 8 for i1, 32 for tf32, 64 for a pointer.
unsigned storageBits(mlir::Type element);
// The layout of a tile, null before the pass assign-layouts.
LayoutAttr layoutOf(mlir::Type type);
mlir::RankedTensorType withLayout(mlir::RankedTensorType type, LayoutAttr layout);

} // namespace tessera::tile
