// What the page shows of a kernel, as data: its emitted lines and the lines of the program that
// belong to them, remarks, layouts, shared memory. The script of the page (page/page.js) draws it;
// nothing is decided there.
#pragma once

#include "emit/Emit.h"
#include "explain/Remarks.h"

#include "llvm/Support/JSON.h"

namespace tessera::explain {

// A place is [file, line, column]; a line of emitted text is a number from 0.
llvm::json::Value studyOf(mlir::func::FuncOp kernel, llvm::StringRef name,
                          const emit::Listing &listing);

// [file, line, column], or null.
llvm::json::Value placeData(const frontend::Location &place);

} // namespace tessera::explain
