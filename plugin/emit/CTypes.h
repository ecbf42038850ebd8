// How the types and constants of the tile IR are spelled in emitted text, and which integers read
// best as unsigned.
#pragma once

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Value.h"
#include "tile/TileDialect.h"
#include <string>

namespace tessera::emit {

// The C++ type of an element or scalar; integers signed. Pointers are spelled by pointerType.
std::string elementName(mlir::Type element);
// The type that a pointer, or a tile of pointers, points to; i8 if nothing tells.
mlir::Type pointeeOf(mlir::Value pointer);
// An integer scalar whose variable is declared unsigned: it came from unsigned C++.
bool isUnsigned(mlir::Value scalar);
// A literal: 3, 64u, 0.5f, cast<bf16>(1.0f), -INFINITY.
std::string literal(mlir::TypedAttr value, bool asUnsigned = false);
// shape<64, 32>
std::string shapeName(llvm::ArrayRef<int64_t> shape);
// layout<shape<64, 32>, registers<1, 2>, lanes<...>, warps<...>>
std::string layoutName(llvm::ArrayRef<int64_t> shape, tile::LayoutAttr layout);
// shared_tile<bf16, shape<128, 64>, swizzle<3, 3, 3>>
std::string sharedName(tile::SharedType type);

} // namespace tessera::emit
