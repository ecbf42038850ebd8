// A kernel that launches run in place of the program's own where it is faster.
#pragma once

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tessera::plan {

// Puts `other` next to the kernel, as its symbol and its name with these suffixes; a block of it
// does the work of columns x rows blocks of the kernel.
void insertBeside(mlir::func::FuncOp kernel, mlir::func::FuncOp other, llvm::StringRef symbolSuffix,
                  llvm::StringRef nameSuffix, int64_t columns, int64_t rows);

} // namespace tessera::plan
