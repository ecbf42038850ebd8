// What Clang reports is copied with its arguments: the objects that it hands out are not kept.
#include "diagnose/Explainer.h"
#include "diagnose/Errors.h"

#include "clang/AST/ASTContext.h"
#include "clang/Basic/DiagnosticSema.h"
#include "clang/Sema/Sema.h"
#include "clang/Sema/SemaConsumer.h"

using namespace clang;

namespace tessera::diagnose {
namespace {

Message copyOf(DiagnosticsEngine::Level level, const clang::Diagnostic &diagnostic) {
  Message message{level, diagnostic.getID(), diagnostic.getLocation(), {}, {}};
  DiagnosticStorage &storage = message.storage;
  storage.NumDiagArgs = diagnostic.getNumArgs();
  for (unsigned i = 0; i < diagnostic.getNumArgs(); ++i) {
    storage.DiagArgumentsKind[i] = diagnostic.getArgKind(i);
    if (diagnostic.getArgKind(i) == DiagnosticsEngine::ak_std_string)
      storage.DiagArgumentsStr[i] = diagnostic.getArgStdStr(i);
    else
      storage.DiagArgumentsVal[i] = diagnostic.getRawArg(i);
  }
  storage.DiagRanges.append(diagnostic.getRanges().begin(), diagnostic.getRanges().end());
  storage.FixItHints.append(diagnostic.getFixItHints().begin(), diagnostic.getFixItHints().end());
  SmallString<256> text;
  diagnostic.FormatDiagnostic(text);
  message.text = text.str().str();
  return message;
}

// The functions around a place, the innermost first.
std::vector<const FunctionDecl *> functionsAround(const DeclContext *context) {
  std::vector<const FunctionDecl *> functions;
  for (; context; context = context->getParent())
    if (auto *function = dyn_cast<FunctionDecl>(context))
      functions.push_back(function);
  return functions;
}

} // namespace

class Explainer::Listener : public SemaConsumer {
public:
  explicit Listener(Explainer &explainer) : explainer(explainer) {}

  void InitializeSema(Sema &sema) override { explainer.sema = &sema; }
  void HandleTranslationUnit(ASTContext &context) override {
    explainer.releaseAll(&context);
    explainer.sema = nullptr;
  }

private:
  Explainer &explainer;
};

Explainer::~Explainer() { releaseAll(nullptr); }

Explainer &Explainer::install(DiagnosticsEngine &engine) {
  DiagnosticConsumer &client = *engine.getClient();
  auto *explainer = new Explainer(engine.ownsClient() ? engine.takeClient() : nullptr, client);
  engine.setClient(explainer, /*ShouldOwnClient=*/true);
  return *explainer;
}

std::unique_ptr<ASTConsumer> Explainer::makeListener() { return std::make_unique<Listener>(*this); }

void Explainer::EndSourceFile() {
  releaseAll(nullptr);
  sema = nullptr;
  target.EndSourceFile();
  count();
}

void Explainer::HandleDiagnostic(DiagnosticsEngine::Level level,
                                 const clang::Diagnostic &diagnostic) {
  engine = const_cast<DiagnosticsEngine *>(diagnostic.getDiags());
  bool isError = level >= DiagnosticsEngine::Error;
  if (!sema || (held.empty() && (!isError || !mayBeExplained(diagnostic.getID())))) {
    target.HandleDiagnostic(level, diagnostic);
    count();
    return;
  }
  Message message = copyOf(level, diagnostic);
  if (level == DiagnosticsEngine::Note) {
    held.back().notes.push_back(std::move(message));
    return;
  }
  held.push_back(
      {std::move(message), {}, functionsAround(sema->CurContext), currentInstances(*sema)});
}

void Explainer::count() {
  NumErrors = target.getNumErrors();
  NumWarnings = target.getNumWarnings();
}

void Explainer::pass(const Message &message) {
  target.HandleDiagnostic(message.level, clang::Diagnostic(engine, message.location, message.id,
                                                           message.storage, message.text));
}

void Explainer::release(const Group &group, const ASTContext &context) {
  Explanation sentence;
  if (group.main.level >= DiagnosticsEngine::Error)
    sentence = explain(Error{group.main, group.notes, group.functions, context});
  if (!sentence) {
    pass(group.main);
    llvm::for_each(group.notes, [&](const Message &note) { pass(note); });
    return;
  }
  if (!said.insert({sentence->place, sentence->row}).second)
    return;
  say(*sentence, group.main.level, *engine, target);
  if (std::string instance = describe(group.instances, context); !instance.empty())
    say({Row::InInstance, group.instances.back().place, {instance}}, DiagnosticsEngine::Note,
        *engine, target);
}

namespace {

// Of `tile && tile` Clang says first that the left one is no bool, then that the operator has no
// such operands.
bool isSaidAgain(const Message &error, const Message &next) {
  return error.id == diag::err_typecheck_nonviable_condition &&
         next.id == diag::err_typecheck_invalid_operands &&
         llvm::any_of(next.storage.DiagRanges, [&](const CharSourceRange &operand) {
           return operand.getBegin() == error.location;
         });
}

} // namespace

void Explainer::releaseAll(const ASTContext *context) {
  std::vector<Group> groups = std::exchange(held, {});
  for (size_t i = 0; i < groups.size(); ++i)
    if (const Group &group = groups[i]; context) {
      if (i + 1 < groups.size() && isSaidAgain(group.main, groups[i + 1].main))
        continue;
      release(group, *context);
    } else {
      pass(group.main);
      llvm::for_each(group.notes, [&](const Message &note) { pass(note); });
    }
  count();
}

} // namespace tessera::diagnose
