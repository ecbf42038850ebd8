// long double of tile code: it takes the memory that the host's does, 16 bytes at its place in
// structs and arrays, and has the values of double, as with nvcc.
//
// Clang's target for a GPU gives it 8 bytes. Its parse for tile code has the host's type, which is
// x86_fp80 in LLVM IR; raise/ reads double for it.
#pragma once

namespace clang {
class CompilerInstance;
class LangOptions;
} // namespace clang

namespace tessera::frontend {

// For an invocation, whose target is made later.
void layOutLongDouble(clang::LangOptions &options);

// For a parse that has begun: it does not refuse floating-point types of 128 bits.
void allowLongDouble(clang::CompilerInstance &compiler);

} // namespace tessera::frontend
