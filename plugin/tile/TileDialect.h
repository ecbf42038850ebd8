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

#include "layout/LinearLayout.h"
#include "target/MmaInstruction.h"

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

// What an op reads or writes in shared memory: a tile, a slot of a ring, or a buffer.
struct AccessOfShared {
  mlir::Value shared;
  bool writes;
  bool isInFlight = false; // a read by a bulk store that has not been waited for
};
// The effects of an op on its operands in shared memory; a tile is written if it is also read.
void appendEffects(mlir::Operation *op, llvm::SmallVectorImpl<AccessOfShared> &accesses);

// TileInterfaces.td says what the traits mean. The base is an op's storage, which MLIR constructs.
// NOLINTBEGIN(bugprone-crtp-constructor-accessibility)
template <class Op> struct SameLayout : mlir::OpTrait::TraitBase<Op, SameLayout> {};
template <class Op> struct Computes : mlir::OpTrait::TraitBase<Op, Computes> {};
template <class Op> struct PrintedInPlace : mlir::OpTrait::TraitBase<Op, PrintedInPlace> {};
// NOLINTEND(bugprone-crtp-constructor-accessibility)

} // namespace tessera::tile

#define GET_ATTRDEF_CLASSES
#include "tile/TileAttributes.h.inc"
#define GET_TYPEDEF_CLASSES
#include "tile/TileTypes.h.inc"
#include "tile/TileInterfaces.h.inc"
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
