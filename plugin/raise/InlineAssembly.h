// Inline PTX as operations of the tile dialect.
//
// CUDA's headers write the conversions and operators of __half, __nv_bfloat16 and the 8-bit floats
// as a few lines of straight PTX. As operations they run without a GPU, fold, and are readable.
// Unknown PTX is unchanged.
#pragma once

#include "mlir/IR/Builders.h"

namespace tessera::raising {

// The value of register $0 after `code`, as `result`; $1, $2, ... are the operands. Null if
// anything in `code` is unknown: the operations built so far have no effects and no uses.
mlir::Value raiseAssembly(mlir::OpBuilder &builder, mlir::Location loc, llvm::StringRef code,
                          mlir::ValueRange operands, mlir::Type result, mlir::Value before = {});

} // namespace tessera::raising
