// Diagnostics of the nested compile for the main action's user: errors and remarks, and warnings of
// the language. The main action repeats Clang's own warnings, except those of tile code, which wait
// until its location is known.
#pragma once

#include "diagnose/Operation.h"

#include "clang/Basic/Diagnostic.h"

namespace clang {
class CompilerInstance;
}

namespace tessera::driver {

class Forwarder : public clang::DiagnosticConsumer {
public:
  Forwarder(clang::CompilerInstance &compiler, bool wantsWarnings);

  void sayKept(const clang::ASTContext &context);
  void HandleDiagnostic(clang::DiagnosticsEngine::Level level,
                        const clang::Diagnostic &diagnostic) override;

private:
  void forward(clang::DiagnosticsEngine::Level level, const clang::Diagnostic &diagnostic);

  clang::CompilerInstance &compiler;
  bool wantsWarnings, isForwarding = false;
  std::vector<diagnose::Message> kept;
};

} // namespace tessera::driver
