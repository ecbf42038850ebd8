// `__NVCC__` in the program's own files: the main file, and files that they include in quotes.
//
// Libraries included in angle brackets see Clang's own macros, for which they have a code path:
// CUDA's C++ libraries test in two hundred places which compiler reads them.
#pragma once

#include "clang/Basic/SourceLocation.h"
#include "llvm/ADT/DenseSet.h"

namespace clang {
class Preprocessor;
}

namespace tessera::frontend {

// Call before the preprocessor reads the program; `own` receives its own files.
void nameCompiler(clang::Preprocessor &preprocessor, llvm::DenseSet<clang::FileID> *own = nullptr);

} // namespace tessera::frontend
