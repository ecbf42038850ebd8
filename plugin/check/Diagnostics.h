// The table of diagnostics in code.
#pragma once

#include "clang/AST/Type.h"
#include "clang/Basic/Diagnostic.h"

#include <set>
#include <string>
#include <type_traits>
#include <utility>

namespace clang {
class FunctionDecl;
}

namespace tessera::check {

enum class Id {
#define TESSERA_DIAGNOSTIC(id, severity, section, text) id,
#include "check/Diagnostics.def"
#undef TESSERA_DIAGNOSTIC
};

// Reports once per location and rule, however often a template is instantiated there.
class Reporter {
public:
  Reporter(const clang::ASTContext &context, bool allowsExtensions, bool wantsWarnings);

  const bool allowsExtensions;

  template <class... Arguments>
  void operator()(clang::SourceLocation location, Id id, const Arguments &...arguments) {
    location = userLocation(location);
    if (!isNew(location, id))
      return;
    {
      auto builder = engine.Report(location, customId(id, location));
      (add(builder, arguments), ...);
    }
    if (instance && !isNote(id))
      noteInstance(location);
  }

  // Later diagnostics concern this instance of a template; null: none.
  void setInstance(const clang::FunctionDecl *function) { instance = function; }

private:
  // Types are printed as users write them.
  template <class T> void add(clang::DiagnosticBuilder &builder, const T &argument) {
    if constexpr (std::is_same_v<T, clang::QualType>)
      builder << typeText(argument);
    else
      builder << argument;
  }
  std::string typeText(clang::QualType type) const;
  // For code from a macro of a system header, the macro's use.
  clang::SourceLocation userLocation(clang::SourceLocation location) const;
  clang::SourceLocation lineOf(clang::SourceLocation location) const;
  bool isNew(clang::SourceLocation location, Id id);
  void followGroup(unsigned like, clang::SourceLocation location);
  unsigned customId(Id id, clang::SourceLocation location);
  static bool isNote(Id id);
  void noteInstance(clang::SourceLocation location);

  const clang::FunctionDecl *instance = nullptr;
  const clang::ASTContext &context;
  clang::DiagnosticsEngine &engine;
  bool wantsWarnings;
  std::set<std::pair<unsigned, Id>> reported;
  bool wasLastNew = true;
};

} // namespace tessera::check
