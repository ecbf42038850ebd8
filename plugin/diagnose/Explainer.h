// A client of Clang's diagnostics that explains in one sentence what is wrong with an operation of
// the library, in place of Clang's error about the header and its notes.
//
//   Clang's error and notes -> held until the program is parsed -> the operation -> a sentence
//
// Unknown errors pass unchanged; the order is kept. Only printed diagnostics arrive here: a failed
// `requires` or a discarded overload gives none.
#pragma once

#include "diagnose/Instances.h"
#include "diagnose/Operation.h"
#include "diagnose/Repeated.h"
#include "diagnose/Sentences.h"

#include "clang/AST/ASTConsumer.h"

#include <functional>
#include <memory>
#include <set>
#include <vector>

namespace clang {
class Sema;
}

namespace tessera::diagnose {

class Explainer : public clang::DiagnosticConsumer {
public:
  explicit Explainer(clang::DiagnosticConsumer &target) : target(target) {}
  Explainer(std::unique_ptr<clang::DiagnosticConsumer> owned, clang::DiagnosticConsumer &target)
      : owned(std::move(owned)), target(target) {
    count();
  }
  ~Explainer() override;

  // In front of the engine's own client.
  static Explainer &install(clang::DiagnosticsEngine &engine);

  // The state and the end of a parse. Nothing is held without it.
  std::unique_ptr<clang::ASTConsumer> makeListener();
  // Another pass over tile code has printed Clang's warnings about it.
  void dropWarningsOfTileCode() { dropsWarnings = true; }
  // The same, for the end of the rules of check/.
  std::unique_ptr<clang::ASTConsumer> makeListenerAfterRules();
  // Called at the end of a parse, after all its diagnostics.
  std::function<void(const clang::ASTContext &)> atEnd;

  void BeginSourceFile(const clang::LangOptions &language,
                       const clang::Preprocessor *preprocessor) override {
    target.BeginSourceFile(language, preprocessor);
  }
  void EndSourceFile() override;
  void finish() override { target.finish(); }
  void clear() override {
    target.clear();
    count();
  }
  bool IncludeInDiagnosticCounts() const override { return target.IncludeInDiagnosticCounts(); }
  void HandleDiagnostic(clang::DiagnosticsEngine::Level level,
                        const clang::Diagnostic &diagnostic) override;

private:
  class Listener;
  class ListenerAfterRules;
  // An error or a warning with its notes, and its location in the program.
  struct Group {
    Message main;
    std::vector<Message> notes;
    std::vector<const clang::FunctionDecl *> functions;
    std::vector<Instance> instances;
    clang::QualType assigned; // known only during the instantiation
  };

  bool isToBeDropped(clang::DiagnosticsEngine::Level level) const;
  bool isOfCorrected(clang::DiagnosticsEngine::Level level,
                     const clang::Diagnostic &diagnostic) const;
  void count(); // the target's counts
  void pass(const Message &message);
  void pass(const Group &group);
  void release(const Group &group, const clang::ASTContext &context);
  void releaseAll(const clang::ASTContext *context);
  void releaseAfterRules(const clang::ASTContext *context);

  std::unique_ptr<clang::DiagnosticConsumer> owned;
  clang::DiagnosticConsumer &target;
  clang::DiagnosticsEngine *engine = nullptr;
  clang::Sema *sema = nullptr; // of the current parse
  std::vector<Group> held;
  std::vector<Group> heldForRules; // which a rule may replace
  SpokenRules rules;
  std::set<SpokenRules::Line> corrected; // lines with names that Clang has corrected to others
  bool dropsWarnings = false;            // of tile code
  bool isDropping = false;               // the notes of such a warning
  bool isWithoutHeader = false;          // later errors are consequences
  // An error in several instances is reported once.
  std::set<std::pair<clang::SourceLocation, Row>> said;
};

} // namespace tessera::diagnose
