// A client of Clang's diagnostics that says in one sentence what is wrong with an operation of the
// library, in place of Clang's error about the header and its notes.
//
//   Clang's error and notes -> held until the program is parsed -> the operation -> a sentence
//
// Errors that it does not know pass unchanged, all in their order. Only what is really printed
// comes here: a `requires` or an overload that drops out says nothing.
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

  // What one parse tells of itself: where it is, and its end. Nothing is held without it.
  std::unique_ptr<clang::ASTConsumer> makeListener();
  // Clang's warnings about tile code were said by another pass over it.
  void dropWarningsOfTileCode() { dropsWarnings = true; }
  // The same, of the end of the rules of check/.
  std::unique_ptr<clang::ASTConsumer> makeListenerAfterRules();
  // Told at the end of a parse, when all that it has to say is said.
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
  // An error or a warning with its notes, and where in the program it is about.
  struct Group {
    Message main;
    std::vector<Message> notes;
    std::vector<const clang::FunctionDecl *> functions;
    std::vector<Instance> instances;
    clang::QualType assigned; // what an instance knows while it is made alone
  };

  bool isToBeDropped(clang::DiagnosticsEngine::Level level) const;
  bool isOfCorrected(clang::DiagnosticsEngine::Level level,
                     const clang::Diagnostic &diagnostic) const;
  void count(); // what the target counts
  void pass(const Message &message);
  void pass(const Group &group);
  void release(const Group &group, const clang::ASTContext &context);
  void releaseAll(const clang::ASTContext *context);
  void releaseAfterRules(const clang::ASTContext *context);

  std::unique_ptr<clang::DiagnosticConsumer> owned;
  clang::DiagnosticConsumer &target;
  clang::DiagnosticsEngine *engine = nullptr;
  clang::Sema *sema = nullptr; // of the parse that is under way
  std::vector<Group> held;
  std::vector<Group> heldForRules; // what a rule may say
  SpokenRules rules;
  std::set<SpokenRules::Line> corrected; // lines with names that Clang has read as others
  bool dropsWarnings = false;            // of tile code
  bool isDropping = false;               // the notes of such a one
  bool isWithoutHeader = false;          // nothing that follows is worth saying
  // What is instantiated many times is wrong once.
  std::set<std::pair<clang::SourceLocation, Row>> said;
};

} // namespace tessera::diagnose
