// The spelling of tile IR types and constants in generated code.
//
// The rule for integers: a scalar expression has exactly one C type, that of its width and of
// isUnsigned(). An operation that reads its operand as another type casts it at the use, and an
// operation on fewer than 32 bits casts its result back: neither C's promotions nor the choice for
// another value change the result.
#pragma once

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Value.h"
#include "tile/TileDialect.h"
#include <string>

namespace tessera::emit {

// The C++ type of an element or scalar; integers signed. Pointers are spelled by Pointee.
std::string elementName(mlir::Type element);
// "unsigned char", "int", "uint64": an integer of 1, 8, 16, 32 or 64 bits.
std::string integerName(unsigned width, bool isUnsigned);
// Is the C type of an integer scalar unsigned? Unsigned are wrapping and unsigned-division
// arithmetic, and operations that only pass such bits on; parameters keep their declared type. All
// else is signed, including every result of 8 and 16 bits, which C computes as int.
bool isUnsigned(mlir::Value scalar);
// A literal: 3, 64u, 0.5f, cast<bf16>(1.0f), -INFINITY. Integers below 32 bits are of type int.
std::string literal(mlir::TypedAttr value, bool asUnsigned = false);
// shape<64, 32>
std::string shapeName(llvm::ArrayRef<int64_t> shape);
// layout<shape<64, 32>, registers<1, 2>, lanes<...>, warps<...>>
std::string layoutName(llvm::ArrayRef<int64_t> shape, tile::LayoutAttr layout);
// shared_tile<bf16, shape<128, 64>, swizzle<3, 3, 3>>; `shape`: that of its element indices
std::string sharedName(tile::SharedType type, llvm::ArrayRef<int64_t> shape,
                       llvm::StringRef element);

} // namespace tessera::emit
