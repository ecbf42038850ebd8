// Inline PTX as operations of the tile dialect.
//
// CUDA's headers write the conversions and operators of __half, __nv_bfloat16 and the 8-bit floats
// as a few lines of straight PTX. As operations they run where there is no GPU, fold, and let a
// reader see what is computed. PTX that is not known here stays what it is.
#pragma once

#include "mlir/IR/Builders.h"

namespace tessera::raising {

// What register $0 holds after `code`, as `result`; $1, $2, ... are the operands. Null if anything
// in `code` is not known: what has been built by then has no effect and no use.
mlir::Value raiseAssembly(mlir::OpBuilder &builder, mlir::Location loc, llvm::StringRef code,
                          mlir::ValueRange operands, mlir::Type result, mlir::Value before = {});

} // namespace tessera::raising
