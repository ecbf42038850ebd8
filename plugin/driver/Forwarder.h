// What the nested compile says, as the main action's user reads it: errors and remarks, and
// warnings of the language. Clang's own warnings come again from the main action, but for those of
// tile code, which wait until it is known where that is.
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
