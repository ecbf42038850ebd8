#include "driver/HeldDiagnostics.h"

#include "clang/Basic/DiagnosticIDs.h"
#include "clang/Basic/SourceManager.h"

using namespace clang;

namespace tessera::driver {
namespace {

// Is the place in a header that was not included where the text says it was?
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
  // A warning has the same place and text, and so has an error of our own. What an error of Clang's
  // has besides, as names that are spelled alike, is asked of all that is declared.
  if (precompiled == frontend::Precompiled::LeadingIncludes)
    certain &=
        (level < DiagnosticsEngine::Error || DiagnosticIDs::IsCustomDiag(diagnostic.getID())) &&
        (level == DiagnosticsEngine::Note || !isInPrecompiledHeader(diagnostic));
  if (precompiled != frontend::Precompiled::Nothing)
    unreadable |= isAboutPrecompiledFile(diagnostic.getID());
}

} // namespace tessera::driver
