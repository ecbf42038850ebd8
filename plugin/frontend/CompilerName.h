// `__NVCC__` in the program's own files: the main file, and what they include in quotes.
//
// Libraries that are included in brackets see Clang's own macros, for which they have a path of
// their own: CUDA's C++ libraries ask in two hundred places which of the compilers reads them.
#pragma once

#include "clang/Basic/SourceLocation.h"
#include "llvm/ADT/DenseSet.h"

namespace clang {
class Preprocessor;
}

namespace tessera::frontend {

// Before the preprocessor reads the program; `own` will be its own files, for those who ask.
void nameCompiler(clang::Preprocessor &preprocessor, llvm::DenseSet<clang::FileID> *own = nullptr);

} // namespace tessera::frontend
