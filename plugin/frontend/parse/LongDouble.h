// long double in tile code: it has the size of the host's, 16 bytes in structs and arrays, and the
// values of double, as with nvcc.
//
// Clang's target for a GPU gives it 8 bytes. The parse for tile code uses the host's type, x86_fp80
// in LLVM IR; raise/ converts it to double.
#pragma once

namespace clang {
class CompilerInstance;
class LangOptions;
} // namespace clang

namespace tessera::frontend {

// For an invocation, whose target is made later.
void layOutLongDouble(clang::LangOptions &options);

// For a parse that has begun: accepts floating-point types of 128 bits.
void allowLongDouble(clang::CompilerInstance &compiler);

} // namespace tessera::frontend
