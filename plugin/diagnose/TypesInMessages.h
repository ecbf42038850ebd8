// How Clang's own messages spell the library's types: `tile<float, 64x1>`, as ours do.
#pragma once

namespace clang {
class ASTContext;
class DiagnosticsEngine;
} // namespace clang

namespace tessera::diagnose {

// From here on, of the messages of this engine about this program.
void spellTypesOfLibrary(clang::DiagnosticsEngine &engine, clang::ASTContext &context);

} // namespace tessera::diagnose
