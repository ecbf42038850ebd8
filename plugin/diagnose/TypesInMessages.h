// Clang's own messages spell the library's types like ours: `tile<float, 64x1>`.
#pragma once

namespace clang {
class ASTContext;
class DiagnosticsEngine;
} // namespace clang

namespace tessera::diagnose {

// From here on, for messages of this engine about this program.
void spellTypesOfLibrary(clang::DiagnosticsEngine &engine, clang::ASTContext &context);

} // namespace tessera::diagnose
