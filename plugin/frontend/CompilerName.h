// `__NVCC__` in the program's own files: the main file, and what they include in quotes.
//
// Libraries that are included in brackets see Clang's own macros, for which they have a path of
// their own: CUDA's C++ libraries ask in two hundred places which of the compilers reads them.
#pragma once

namespace clang {
class Preprocessor;
}

namespace tessera::frontend {

// Before the preprocessor reads the program.
void nameCompiler(clang::Preprocessor &preprocessor);

} // namespace tessera::frontend
