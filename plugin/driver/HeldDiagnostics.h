// Holds the diagnostics of a translation until it is certain that a translation without precompiled
// headers gives the same.
#pragma once

#include "frontend/parse/Prelude.h"

#include "clang/Frontend/TextDiagnosticPrinter.h"

#include <string>

namespace tessera::driver {

class HeldDiagnostics : public clang::DiagnosticConsumer {
public:
  HeldDiagnostics(clang::DiagnosticOptions &options, frontend::Precompiled precompiled);

  // Was a precompiled file unreadable?
  bool isUnreadable() const { return unreadable; }
  // False: it was, or a diagnostic may depend on the precompiled headers.
  bool isCertain() const { return certain && !unreadable; }
  void print(llvm::raw_ostream &out) { out << text; }

  void BeginSourceFile(const clang::LangOptions &options,
                       const clang::Preprocessor *preprocessor) override {
    printer.BeginSourceFile(options, preprocessor);
  }
  void EndSourceFile() override { printer.EndSourceFile(); }
  void HandleDiagnostic(clang::DiagnosticsEngine::Level level,
                        const clang::Diagnostic &diagnostic) override;

private:
  frontend::Precompiled precompiled;
  bool certain = true, unreadable = false;
  std::string text;
  llvm::raw_string_ostream stream{text};
  clang::TextDiagnosticPrinter printer;
};

} // namespace tessera::driver
