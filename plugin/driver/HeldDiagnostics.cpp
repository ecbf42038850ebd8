#include "driver/HeldDiagnostics.h"

#include "clang/Basic/DiagnosticIDs.h"
#include "clang/Basic/SourceManager.h"

using namespace clang;

namespace tessera::driver {
namespace {

// Is the location in a header that the code includes at a different location?
bool isInPrecompiledHeader(const clang::Diagnostic &diagnostic) {
  if (!diagnostic.hasSourceManager() || diagnostic.getLocation().isInvalid())
    return false;
  const SourceManager &sources = diagnostic.getSourceManager();
  return sources.isLoadedSourceLocation(sources.getExpansionLoc(diagnostic.getLocation()));
}

bool isAboutPrecompiledFile(unsigned id) {
  return id >= diag::DIAG_START_SERIALIZATION && id < diag::DIAG_START_LEX;
}

} // namespace

HeldDiagnostics::HeldDiagnostics(DiagnosticOptions &options, frontend::Precompiled precompiled)
    : precompiled(precompiled), printer(stream, options) {
  stream.enable_colors(options.ShowColors);
}

void HeldDiagnostics::HandleDiagnostic(DiagnosticsEngine::Level level,
                                       const clang::Diagnostic &diagnostic) {
  DiagnosticConsumer::HandleDiagnostic(level, diagnostic);
  printer.HandleDiagnostic(level, diagnostic);
  // A warning depends only on its location and text, and so does an error of our own. Clang's
  // errors may depend on all declarations, as in suggestions of similar names.
  if (precompiled == frontend::Precompiled::LeadingIncludes)
    certain &=
        (level < DiagnosticsEngine::Error || DiagnosticIDs::IsCustomDiag(diagnostic.getID())) &&
        (level == DiagnosticsEngine::Note || !isInPrecompiledHeader(diagnostic));
  if (precompiled != frontend::Precompiled::Nothing)
    unreadable |= isAboutPrecompiledFile(diagnostic.getID());
}

} // namespace tessera::driver
