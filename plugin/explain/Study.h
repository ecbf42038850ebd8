// The page's data about a kernel: its generated lines and their lines of the program, remarks,
// layouts, shared memory. The script of the page (page/page.js) only draws it.
#pragma once

#include "emit/Emit.h"
#include "explain/Remarks.h"

#include "llvm/Support/JSON.h"

namespace tessera::explain {

// A location is [file, line, column]; a line of generated code is a number from 0.
llvm::json::Value studyOf(mlir::func::FuncOp kernel, llvm::StringRef name,
                          const emit::Listing &listing);

// [file, line, column], or null.
llvm::json::Value locationData(const FileLocation &location);

} // namespace tessera::explain
